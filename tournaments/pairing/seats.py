"""Seats: of all orders of a table, the one in which everybody has had their seat least often.

A seat costs a player four times as much with every time more than their rarest seat; then the sum of relative positions
should be even, so that nobody always comes late. At most 720 orders are tried; equal ones are chosen by lot.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

from rules.fairness import Chance
from tournaments.encounters import LAST_SEAT, Encounters, relative_position

STEEP = 2
"""In bits: how much dearer a seat is with every time."""


def seat(players: Sequence[str], encounters: Encounters, chance: Chance) -> tuple[str, ...]:
    """The players in the order of their seats."""
    drawn = chance.shuffled(sorted(players))
    rows = [seat_costs(encounters, player, len(drawn)) for player in drawn]
    best = min(orders(len(drawn)), key=lambda order: sum([row[seat] for row, seat in zip(rows, order, strict=True)]))
    placed = dict(zip(best, drawn, strict=True))
    return tuple(placed[number] for number in range(len(drawn)))


def seat_costs(encounters: Encounters, player: str, size: int) -> list[int]:
    """What each seat of a table of this size costs a player."""
    had = encounters.seats.get(player, ())
    counts = [had.count(number) for number in range(size)]
    rarest = min(counts)
    # Half of the way to the last seat is what everybody should have on average.
    lateness = 2 * encounters.positions.get(player, 0) - LAST_SEAT * len(had)
    return [
        (MORE << (STEEP * (count - rarest))) + (lateness + 2 * relative_position(number, size) - LAST_SEAT) ** 2
        for number, count in enumerate(counts)
    ]


MORE = 1 << 24
"""The lateness of a whole tournament is less."""


@cache
def orders(size: int) -> tuple[tuple[int, ...], ...]:
    """Every way to give seats to players, by player."""
    return tuple(permutations(range(size)))
