"""The standings as a page shows them: with what has moved, and the tie-breaks with their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.texts import Text
from service.http.context import services
from service.web.tournaments.event_frame import Frame
from service.web.tournaments.people import Names, Person
from tournaments.standings import Row
from tournaments.tiebreaks import TIEBREAKS
from tournaments.tournament import FINISHED, Tournament


class Column(NamedTuple):
    code: str
    name: Text
    definition: Text


class StandingsRow(NamedTuple):
    place: int
    person: Person
    values: Sequence[str]
    decided_by: Text | None
    moved: int
    """Places that the player has won since the round before; less than 0: lost."""
    is_me: bool
    is_withdrawn: bool
    is_cut: bool
    """The last one who goes on to the next stage."""

    @property
    def state(self) -> str:
        return f"{self.place}.{'.'.join(self.values)}.{self.moved}.{self.is_withdrawn}.{self.person.name}"


def columns(tournament: Tournament) -> list[Column]:
    names = tournament.options.standings_list
    return [Column(name, TIEBREAKS[name].name, TIEBREAKS[name].definition) for name in names]


def standings(tournament: Tournament) -> tuple[Row, ...]:
    """Now, also by tables that are done in a round under way."""
    return services().tournament_service.figures.standings(tournament)


def shown_rows(frame: Frame, rows: Sequence[Row]) -> list[StandingsRow]:
    """Some rows of the standings, for the reader."""
    tournament, names = frame.tournament, Names(frame.tournament, [row.player for row in rows])
    before, cut = places_before(tournament), cut_of(tournament)
    return [
        StandingsRow(
            row.place,
            names.player(row.player),
            row.shown,
            TIEBREAKS[row.decided_by].name if row.decided_by in TIEBREAKS else None,
            before.get(row.player, row.place) - row.place,
            row.player == frame.mine,
            tournament.participants[row.player].is_withdrawn,
            row.place == cut,
        )
        for row in rows
    ]


def places_before(tournament: Tournament) -> dict[str, int]:
    """Everybody's place a round ago; empty if there was none."""
    closed = sum(bool(paired.closed_at) for paired in tournament.rounds)
    round = closed if tournament.current else closed - 1
    if round < 1 or tournament.rounds[round - 1].stage != tournament.stage:
        return {}
    rows = services().tournament_service.figures.standings_after(tournament, round)
    return {row.player: row.place for row in rows}


def cut_of(tournament: Tournament) -> int:
    """So many go on to the next stage; 0: there is none."""
    stages = tournament.options.stages
    is_last = tournament.stage + 1 >= len(stages)
    return 0 if is_last or tournament.status == FINISHED else stages[tournament.stage + 1].players
