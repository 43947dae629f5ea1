"""The history of a tournament as everybody may know it: players, rounds, points. Pure.

Scores, pairings, standings, certificates and files are all functions of it.

>>> history = History((Player("ana", 1), Player("ben", 2)), (Round(2, (Table(("ana", "ben"), Result((2, 1))),)),))
>>> scores(history)
{'ana': 0, 'ben': 1440}
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tournaments.points import PointScheme, table_points, win_points
from tournaments.results import (
    BYE,
    FULL_BYE,
    HALF_BYE,
    Result,
    Round,
    Table,
    standing_places,
)

BYE_WIN, BYE_HALF, BYE_ZERO = "win", "half", "zero"
BYE_VALUES = (BYE_WIN, BYE_HALF, BYE_ZERO)
"""What a player gets whom the pairing leaves over: never more than a win."""


class Player(Struct, frozen=True, omit_defaults=True):
    """Somebody who takes part."""

    id: str
    number: int
    """The starting number: 1 is the strongest."""
    rating: int = 0
    team: str = ""


class Adjustment(Struct, frozen=True, omit_defaults=True):
    """Points that a ruling adds or takes."""

    player: str
    units: int
    round: int
    """After which it counts."""


class History(Struct, frozen=True, omit_defaults=True):
    """Everything that standings and pairings depend on."""

    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    points: PointScheme = PointScheme()
    bye: str = BYE_WIN
    adjustments: tuple[Adjustment, ...] = ()

    def before(self, round: int) -> History:
        """The history that the pairing of a round knew."""
        earlier = tuple(adjustment for adjustment in self.adjustments if adjustment.round < round)
        return replace(self, rounds=self.rounds[: round - 1], adjustments=earlier)


def scores(history: History) -> dict[str, int]:
    """What every player has, in units."""
    found = {player.id: 0 for player in history.players}
    for number, round in enumerate(history.rounds, start=1):
        add_points(found, history, round, number)
    return found


def add_points(found: dict[str, int], history: History, round: Round, number: int) -> None:
    """Adds what players get for a round, and by rulings after it."""
    for player, units in round_points(history, round):
        found[player] += units
    for adjustment in history.adjustments:
        if adjustment.round == number:
            found[adjustment.player] += adjustment.units


def round_points(history: History, round: Round) -> Iterator[tuple[str, int]]:
    """What players get for a round, as far as it has results."""
    for table in round.tables:
        if table.result:
            yield from zip(table.players, points_at(history.points, table, table.result), strict=True)
    for player, kind in round.unpaired.items():
        yield player, bye_points(history, round.size, kind)


def points_at(scheme: PointScheme, table: Table, result: Result) -> tuple[int, ...]:
    """What each seat of a table gets. A player alone wins; players who left the game get nothing."""
    if not result.absent and not result.abandoned:
        return table_points(scheme, standing_places(table), result.victory_points)
    size = len(table.players) - len(result.absent)
    if size == 1:
        return tuple(
            0 if seat in result.absent else win_points(scheme, len(table.players)) for seat in range(len(table.players))
        )
    seats = [seat for seat in range(len(table.players)) if seat not in result.absent]
    places = standing_places(table)
    vps = [result.victory_points[seat] for seat in seats] if result.victory_points else []
    points = dict(zip(seats, table_points(scheme, [places[seat] for seat in seats], vps) if seats else (), strict=True))
    return tuple(0 if seat in result.abandoned else points.get(seat, 0) for seat in range(len(table.players)))


def bye_points(history: History, size: int, kind: str) -> int:
    """What a player gets who sits at no table."""
    win = win_points(history.points, size)
    worth = {BYE_WIN: win, BYE_HALF: win // 2, BYE_ZERO: 0}
    return {BYE: worth[history.bye], FULL_BYE: win, HALF_BYE: win // 2}.get(kind, 0)


def is_first_player_white(history: History) -> bool:
    """The initial colour: whether the strongest player who was paired in the first round had the first seat there."""
    seats = {player: seat for table in history.rounds[0].tables for seat, player in enumerate(table.players)}
    paired = [player for player in history.players if player.id in seats]
    return not paired or seats[min(paired, key=lambda player: player.number).id] == 0


def canonical(value: Any) -> bytes:
    """The same value always gives the same bytes."""
    return msgspec.json.encode(value, order="sorted")


def digest(value: Any) -> str:
    return sha256(canonical(value)).hexdigest()


def history_digest(history: History) -> str:
    """Of points and all rounds, each bound to those before it."""
    found = agreement_digest(history)
    for number, round in enumerate(history.rounds, start=1):
        found = next_digest(found, history, round, number)
    return found


def agreement_digest(history: History) -> str:
    """Of the points alone: players may enter later."""
    return digest((history.points, history.bye))


def next_digest(before: str, history: History, round: Round, number: int) -> str:
    return digest((before, round, [made for made in history.adjustments if made.round == number]))
