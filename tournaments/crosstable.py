"""The crosstable: every player's rounds in a row, in the order of the standings. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tournaments.history import History
from tournaments.points import shown_points
from tournaments.scorecards import Entry, scorecards
from tournaments.standings import Row


class Cell(Struct, frozen=True):
    """A round of a player."""

    kind: str
    opponents: tuple[int, ...]
    """Their places in the standings."""
    place: int
    """At the table; 0 if there was no game."""
    points: str


class Line(Struct, frozen=True):
    place: int
    player: str
    cells: tuple[Cell, ...]
    points: str


def crosstable(history: History, rows: Sequence[Row]) -> tuple[Line, ...]:
    """A line for every row of the standings."""
    cards, places = scorecards(history), {row.player: row.place for row in rows}

    def cell(entry: Entry) -> Cell:
        opponents = tuple(sorted(places[opponent] for opponent in entry.opponents))
        return Cell(entry.kind, opponents, entry.place, shown_points(entry.points))

    return tuple(
        Line(row.place, row.player, tuple(cell(entry) for entry in cards[row.player].entries), shown_points(row.points))
        for row in rows
    )
