"""The card of a player: rounds, opponents, seats, points."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Response, url_for
from werkzeug.exceptions import NotFound

from rules.kernel import Player
from rules.texts import Text
from service.web.pages import page
from service.web.tournaments.blueprint import pages
from service.web.tournaments.event import SITS_OUT
from service.web.tournaments.event_frame import Frame, frame_values, look
from service.web.tournaments.people import Names, Person
from service.web.tournaments.standings_rows import columns, shown_rows, standings
from service.web.tournaments.table_cards import colours_of
from tournaments.history import points_at
from tournaments.points import shown_points
from tournaments.results import standing_places
from tournaments.tournament import PairedRound


class PlayedRound(NamedTuple):
    """A round of the player."""

    number: int
    table: int | None
    address: str
    """Of its game; empty: there is none."""
    seat: int
    """From 1."""
    colour: Player
    opponents: list[Person]
    place: int
    """At the table; 0: the table is not done."""
    score: int | None
    points: str
    why: Text | None
    """Of a round without a table."""


@pages.get("/tournaments/<tournament>/players/<player>", endpoint="player_card")
def card(tournament: str, player: str) -> Response:
    frame = look(tournament)
    if player not in frame.tournament.participants:
        raise NotFound
    seen = [paired for paired in frame.tournament.rounds if sits_in(paired, player)]
    met = {
        other for paired in seen for table in paired.round.tables if player in table.players for other in table.players
    }
    names = Names(frame.tournament, {player, *met})
    return page(
        "tournaments/player-card.html",
        **frame_values(frame, "players"),
        person=names.player(player),
        entered=frame.tournament.participants[player],
        rounds=[of_round(frame, paired, player, names) for paired in seen],
        **standing(frame, player),
    )


def sits_in(paired: PairedRound, player: str) -> bool:
    return player in paired.round.unpaired or any(player in table.players for table in paired.round.tables)


def standing(frame: Frame, player: str) -> dict[str, Any]:
    if not frame.shows_standings:
        return {"row": None, "columns": []}
    own = [row for row in standings(frame.tournament) if row.player == player]
    return {"row": next(iter(shown_rows(frame, own)), None), "columns": columns(frame.tournament)}


def of_round(frame: Frame, paired: PairedRound, player: str, names: Names) -> PlayedRound:
    found = [number for number, table in enumerate(paired.round.tables) if player in table.players]
    if not found:
        why = SITS_OUT[paired.round.unpaired[player]]
        return PlayedRound(paired.number, None, "", 0, "", [], 0, None, "", why)
    number = found[0]
    table, options = paired.round.tables[number], frame.tournament.options
    seat, result, game = table.players.index(player), table.result, paired.games.get(number)
    return PlayedRound(
        number=paired.number,
        table=number,
        address=url_for("replay_page.viewer", game=game) if game else "",
        seat=seat + 1,
        colour=colours_of(options, len(table.players))[seat],
        opponents=[names.player(other) for other in table.players if other != player],
        place=standing_places(table)[seat] if result else 0,
        score=result.victory_points[seat] if result and result.victory_points else None,
        points=shown_points(points_at(options.points, table, result)[seat]) if result else "",
        why=None,
    )
