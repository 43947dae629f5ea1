"""What the rounds so far mean for the next pairing: meetings, seats, odd tables and byes of every player. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tournaments.results import BYE, Round, Table

LAST_SEAT = 60
"""The relative position of the last seat; the first is at 0, whatever the size of the table."""


class Encounters(Struct, frozen=True):
    """By player; players who have not played are missing."""

    met: dict[str, dict[str, int]] = {}
    """How often a player met each other one."""
    seats: dict[str, tuple[int, ...]] = {}
    """The seats that a player had, game by game."""
    positions: dict[str, int] = {}
    """The sum of relative positions: how late the player's first turns came, in all."""
    odd: dict[str, int] = {}
    """How often a player sat at a table of another size than most, or at none because the pairing left them over."""
    byes: dict[str, int] = {}
    """How often the pairing left a player over, or the opponent did not come: at most once, if it can be helped."""


def encounters(rounds: Iterable[Round]) -> Encounters:
    """Those of these rounds; a table without a result counts as if it had been played."""
    found = Encounters()
    for round in rounds:
        _add(found, round)
    return found


def encounters_after(before: Encounters, round: Round) -> Encounters:
    """With those of one more round."""
    found = Encounters(
        {player: met.copy() for player, met in before.met.items()},
        before.seats.copy(),
        before.positions.copy(),
        before.odd.copy(),
        before.byes.copy(),
    )
    _add(found, round)
    return found


def relative_position(seat: int, size: int) -> int:
    """
    >>> [relative_position(seat, 4) for seat in range(4)]
    [0, 20, 40, 60]
    """
    return LAST_SEAT * seat // (size - 1)


def _add(found: Encounters, round: Round) -> None:
    for table in round.tables:
        _add_table(found, table, is_odd=len(table.players) != round.size)
    for player, kind in round.unpaired.items():
        if kind == BYE:
            _count(found.odd, player)
            _count(found.byes, player)


def _add_table(found: Encounters, table: Table, *, is_odd: bool) -> None:
    present = table.present
    if len(present) < 2:
        for player in present:
            _count(found.byes, player)
        return
    for seat, player in enumerate(present):
        met = found.met.setdefault(player, {})
        for other in present:
            if other != player:
                _count(met, other)
        found.seats[player] = (*found.seats.get(player, ()), seat)
        found.positions[player] = found.positions.get(player, 0) + relative_position(seat, len(present))
        if is_odd:
            _count(found.odd, player)


def _count(counts: dict[str, int], player: str) -> None:
    counts[player] = counts.get(player, 0) + 1
