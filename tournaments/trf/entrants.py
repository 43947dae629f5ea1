"""The players that a tournament report file names, for a tournament that they will play elsewhere.

>>> from tournaments.trf.records import PlayerLine, Report
>>> [entrant] = entrants(Report((PlayerLine(7, "ana", 1800),)))
>>> entrant.line, entrant.number, entrant.name, entrant.rating
(1, 7, 'ana', 1800)
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rules.errors import Unreadable
from rules.texts import say
from tournaments.trf.records import Line, PlayerLine, Report

LARGEST = 9999
"""Four columns have room for it."""

ROUNDS = ("142", "XXR")
FORBIDDEN, FORMERLY_FORBIDDEN = "260", "XXP"
FIRST_NUMBER = {FORBIDDEN: 2, FORMERLY_FORBIDDEN: 0}
"""A record of pairs begins with the first and the last round; the older one does not."""


class Entrant(Struct, frozen=True):
    line: int
    """Of the file, from 1."""
    number: int
    name: str
    rating: int


class Apart(Struct, frozen=True):
    """Two players who are not to meet."""

    line: int
    one: int
    other: int


def entrants(report: Report) -> tuple[Entrant, ...]:
    """In the order of the file."""
    found: dict[int, Entrant] = {}
    for line, record in enumerate(report.lines, start=1):
        if not isinstance(record, PlayerLine):
            continue
        if not 0 < record.number <= LARGEST or not 0 <= record.rating <= LARGEST or not record.name:
            raise Unreadable(say("line {line} of the file is no record of a player", line=line))
        if record.number in found:
            raise Unreadable(
                say("line {line} of the file has number {number} for another player", line=line, number=record.number)
            )
        found[record.number] = Entrant(line, record.number, record.name, record.rating)
    return tuple(found.values())


def kept_apart(report: Report) -> Iterator[Apart]:
    """Pairs that the file forbids."""
    known = {entrant.number for entrant in entrants(report)}
    for line, record in enumerate(report.lines, start=1):
        if not isinstance(record, Line) or record.code not in FIRST_NUMBER:
            continue
        numbers = [number_of(word) for word in record.value.split()[FIRST_NUMBER[record.code] :]]
        if not known.issuperset(numbers):
            raise Unreadable(say("line {line} of the file names a player who is none", line=line))
        for index, one in enumerate(numbers):
            yield from (Apart(line, one, other) for other in numbers[index + 1 :] if other != one)


def planned_rounds(report: Report) -> int:
    """0: the file does not say."""
    return max(0, number_of(report.tag(*ROUNDS)))


def number_of(text: str) -> int:
    """-1 for what is no number.

    >>> number_of("0042"), number_of("x"), number_of("²"), number_of("1" * 9999)
    (42, -1, -1, -1)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else -1
