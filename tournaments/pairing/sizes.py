"""Into which tables a number of players is split.

>>> split(23, preferred=4, allowed=(3, 4))
(4, 4, 4, 4, 4, 3)
>>> split(5, preferred=4, allowed=(3, 4)) is None
True
>>> plan(5, preferred=4, allowed=(3, 4))
Plan(sizes=(4,), byes=1)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from rules.texts import Text, all_of, clauses, say, say_many

LAST_RESORT = 2
"""Tables of two stand among larger ones only if nothing else is possible."""


class Plan(Struct, frozen=True):
    """The tables of a round, the common ones first, and how many players sit out."""

    sizes: tuple[int, ...]
    byes: int = 0


def plan(players: int, preferred: int, allowed: Iterable[int]) -> Plan:
    """The fewest byes, then the fewest tables of another size than the preferred one."""
    sizes = (preferred, *allowed)
    for byes in range(players + 1):
        if (found := split(players - byes, preferred, sizes)) is not None:
            return Plan(found, byes)
    raise AssertionError("no players need no table")


def split(players: int, preferred: int, allowed: Iterable[int]) -> tuple[int, ...] | None:
    """The sizes of tables that seat everybody, or None if there are none."""
    sizes = sorted({preferred, *allowed}, key=lambda size: (size != preferred, abs(size - preferred), size))
    # Far from the end every table has the preferred size: a remainder is made up of few others.
    rest = min(players, preferred + (preferred - 1) * max(sizes)) if players else 0
    rest += (players - rest) % preferred
    rest = min(rest, players)
    found = _fewest_others(rest, preferred, sizes)
    return None if found is None else ((preferred,) * ((players - rest) // preferred) + found)


def _fewest_others(players: int, preferred: int, sizes: Iterable[int]) -> tuple[int, ...] | None:
    """By dynamic programming over the number of players who have a table."""
    best: list[tuple[tuple[int, int, int], tuple[int, ...]] | None] = [((0, 0, 0), ())]
    for seated in range(1, players + 1):
        candidates = [
            (_with(before[0], size, preferred), (*before[1], size))
            for size in sizes
            if size <= seated and (before := best[seated - size])
        ]
        best.append(min(candidates, default=None))
    found = best[players]
    return None if found is None else tuple(sorted(found[1], key=lambda size: (size != preferred, -size)))


def _with(cost: tuple[int, int, int], size: int, preferred: int) -> tuple[int, int, int]:
    """Tables of two, other tables of another size than the preferred one, and how far they are from it."""
    pairs, others, distance = cost
    is_pair = size == LAST_RESORT != preferred
    return pairs + is_pair, others + (size != preferred), distance + abs(size - preferred)


def explained(plan: Plan) -> Text:
    """
    >>> str(explained(Plan((4, 4, 3), 1)))
    '2 tables of 4 and 1 table of 3; 1 player sits out'
    """
    sizes = sorted(set(plan.sizes), key=plan.sizes.index)
    tables = [
        say_many("{count} table of {size}", "{count} tables of {size}", plan.sizes.count(size), size=size)
        for size in sizes
    ]
    parts = [say("{tables}", tables=all_of(tables))]
    if plan.byes:
        parts.append(say_many("{count} player sits out", "{count} players sit out", plan.byes))
    return clauses(parts)
