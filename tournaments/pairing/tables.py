"""Tables of three and more: few repeated meetings first, then level tables. Some walks of swaps decide small fields,
and for the smallest every way to fill the tables is looked at.

>>> from msgspec.structs import replace
>>> from tournaments.encounters import encounters
>>> from tournaments.results import Round, Table
>>> field = Field(tuple(Entrant(name) for name in "abcdefghi"), encounters([]))
>>> first = seated(field, (3, 3, 3), 3, b"seed")
>>> again = replace(field, encounters=encounters([Round(3, tuple(Table(table) for table in first))]))
>>> second = seated(again, (3, 3, 3), 3, b"seed")
>>> max(len(set(one) & set(other)) for one in first for other in second)
1
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing.annealing import annealed
from tournaments.pairing.costs import costs
from tournaments.pairing.entrants import Entrant, Field
from tournaments.pairing.exhaustive import UP_TO, best_of_all
from tournaments.pairing.search import NEIGHBOURS, Seating, cut, polish, repair
from tournaments.points import UNIT

ANNEALED_UP_TO = 128
"""Players: in larger fields swaps near by find what there is to find."""

WALKS, WALKS_OF_SMALL, SMALL = 2, 4, 32
"""In the smallest fields there is little room, and most to find."""


def seated(field: Field, sizes: Sequence[int], preferred: int, seed: bytes) -> tuple[tuple[str, ...], ...]:
    """The players of each table, the leaders' first, of a field in pairing order. Seats come later."""
    if field.wishes.odd_tables_first:
        sizes = sorted(sizes, key=lambda size: size == preferred)
    tables = best_tables(field, sizes, preferred, seed)
    if len(field.entrants) <= ANNEALED_UP_TO:
        tables = _by_score(field, tables)
    return tuple(tuple(field.entrants[player].id for player in sorted(table)) for table in tables)


def leaders(field: Field, size: int) -> tuple[Entrant, ...]:
    """The first players of a field for one table, but for those who are kept apart."""
    found: list[Entrant] = []
    for entrant in field.entrants:
        if len(found) < size and not any(field.are_kept_apart(entrant, leader) for leader in found):
            found.append(entrant)
    return tuple(found)


def best_tables(field: Field, sizes: Sequence[int], preferred: int, seed: bytes) -> list[list[int]]:
    """Tables of players by their index in the field, which is in pairing order."""
    seating = Seating(costs(field, sizes, preferred), cut(sizes))
    repair(seating)
    polish(seating, NEIGHBOURS)
    if len(field.entrants) > ANNEALED_UP_TO:
        return seating.tables
    polish(seating, len(sizes))
    found = _annealed(seating, seed)
    if len(field.entrants) <= UP_TO:
        # A search that was cut off may have stopped at tables that a swap betters.
        found = Seating(found.costs, best_of_all(found.costs, found.tables))
        polish(found, len(sizes))
    return found.tables


def _annealed(seating: Seating, seed: bytes) -> Seating:
    """The best of several walks, each polished to the end."""
    walks = WALKS_OF_SMALL if len(seating.costs.scores) <= SMALL else WALKS
    best = seating
    for number in range(walks):
        if not best.total:
            break
        found = Seating(seating.costs, annealed(best, seed, number))
        repair(found)
        polish(found, len(found.tables))
        best = min(best, found, key=lambda candidate: candidate.total)
    return best


def _by_score(field: Field, tables: list[list[int]]) -> list[list[int]]:
    """The highest scores first. A search among neighbours alone has them in order already."""

    def rank(table: list[int]) -> tuple[int, int]:
        return -UNIT * sum(field.entrants[player].score for player in table) // len(table), min(table)

    return sorted(tables, key=rank)
