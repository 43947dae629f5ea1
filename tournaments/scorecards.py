"""Scorecards: what every player did round by round, as tie-breaks ask for it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tournaments.history import History, bye_points, points_at
from tournaments.points import win_points
from tournaments.results import ABSENT, BYE, FULL_BYE, Result, Round, Table, standing_places

PLAYED, FORFEIT_WIN, FORFEIT_LOSS, ABANDONED, PENDING = "played", "forfeit_win", "forfeit_loss", "abandoned", "pending"

AVAILABLE = (PLAYED, FORFEIT_WIN, PENDING, BYE, FULL_BYE)
"""Rounds in which a player was there to play; the others are unplayed by choice."""


class Entry(Struct, frozen=True):
    """One round of a player."""

    kind: str
    """As above, or why the player sat at no table."""
    points: int
    opponents: tuple[str, ...] = ()
    """Those of the table; of a game that was not played, those it was scheduled with."""
    place: int = 0
    beaten: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    win: int = 0
    """What a win was worth in that round."""
    is_last_seat: bool = False
    victory_points: tuple[int, ...] = ()
    """The player's own, then those of the opponents; empty if they are not known."""

    @property
    def is_played(self) -> bool:
        return self.kind == PLAYED

    @property
    def is_by_choice(self) -> bool:
        return self.kind not in AVAILABLE


class Scorecard(Struct, frozen=True):
    player: str
    entries: tuple[Entry, ...]
    adjustment: int
    """Points of rulings that belong to no game."""

    @property
    def total(self) -> int:
        return sum([entry.points for entry in self.entries]) + self.adjustment


def scorecards(history: History) -> dict[str, Scorecard]:
    """Of every player, in the order of starting numbers."""
    entries: dict[str, list[Entry]] = {player.id: [] for player in sorted(history.players, key=lambda p: p.number)}
    for round in history.rounds:
        found = dict(_entries(history, round))
        absent = Entry(ABSENT, 0, win=win_points(history.points, round.size))
        for player, card in entries.items():
            card.append(found.get(player, absent))
    adjusted = dict.fromkeys(entries, 0)
    for adjustment in history.adjustments:
        adjusted[adjustment.player] += adjustment.units
    return {player: Scorecard(player, tuple(card), adjusted[player]) for player, card in entries.items()}


def _entries(history: History, round: Round) -> Iterator[tuple[str, Entry]]:
    win = win_points(history.points, round.size)
    for table in round.tables:
        if table.result:
            yield from _table_entries(history, table, table.result)
        else:
            yield from _pending(table, win)
    for player, kind in round.unpaired.items():
        yield player, Entry(kind, bye_points(history, round.size, kind), win=win)


def _pending(table: Table, win: int) -> Iterator[tuple[str, Entry]]:
    for seat, player in enumerate(table.players):
        others = tuple(other for other in table.players if other != player)
        yield player, Entry(PENDING, 0, others, win=win, is_last_seat=seat == len(others))


def _table_entries(history: History, table: Table, result: Result) -> Iterator[tuple[str, Entry]]:
    points, places, players = points_at(history.points, table, result), standing_places(table), table.players
    win = win_points(history.points, max(2, len(table.present)))
    seats = range(len(players))
    for seat, player in enumerate(players):
        kind = _kind(table, result, seat)
        others = [other for other in seats if other != seat and (other not in result.absent or kind != PLAYED)]
        opponents = tuple([players[other] for other in others])
        if kind != PLAYED:
            yield player, Entry(kind, points[seat], opponents, win=win, is_last_seat=seat == seats[-1])
            continue
        mine = places[seat]
        beaten = tuple([players[other] for other in others if places[other] > mine])
        tied = tuple([players[other] for other in others if places[other] == mine])
        vps = tuple([result.victory_points[other] for other in (seat, *others)]) if result.victory_points else ()
        yield player, Entry(PLAYED, points[seat], opponents, mine, beaten, tied, win, seat == seats[-1], vps)


def _kind(table: Table, result: Result, seat: int) -> str:
    if not result.absent and not result.abandoned:
        return PLAYED
    if seat in result.absent:
        return FORFEIT_LOSS
    if seat in result.abandoned:
        return ABANDONED
    return PLAYED if table.is_played else FORFEIT_WIN
