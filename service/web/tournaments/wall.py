"""The wall: the boards of the round that is played, one group after the other, for a screen in the hall."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Response, request
from markupsafe import Markup

from replay.thumbnails import Sheet
from rules.catalogue import game_named, rules_named
from service.http.context import services
from service.http.responses import conditional
from service.web.pages import page
from service.web.tournaments.blueprint import pages
from service.web.tournaments.event import FEW_COLUMNS, tag
from service.web.tournaments.event_frame import Frame, legs, look
from service.web.tournaments.standings_rows import columns, shown_rows, standings
from service.web.tournaments.table_cards import TableCard, TableCards, thumbnail_of
from tournaments.tournament import PairedRound

MOST_BOARDS = 24
"""Tables that are played come first."""
LEADERS = 10


class Board(NamedTuple):
    card: TableCard
    picture: Markup


@pages.get("/tournaments/<tournament>/wall")
def wall(tournament: str) -> Response:
    frame = look(tournament)
    paired = frame.tournament.rounds[-1] if frame.tournament.rounds else None
    cards = TableCards(frame.tournament, paired, shown_tables(paired), frame.account) if paired else None
    marked = tag(frame, cards.state if cards else "")
    if request.args.get("part") == "games":
        return conditional(marked, lambda: page("tournaments/wall-part.html", **values(frame, paired, cards, marked)))
    return page("tournaments/wall.html", **values(frame, paired, cards, marked))


def shown_tables(paired: PairedRound) -> list[int]:
    numbers = range(len(paired.round.tables))
    return sorted(numbers, key=lambda number: paired.round.tables[number].result is not None)[:MOST_BOARDS]


def values(frame: Frame, paired: PairedRound | None, cards: TableCards | None, marked: str) -> dict[str, Any]:
    sheet = Sheet()
    boards = [Board(card, picture(frame, cards, card, sheet)) for card in cards.cards] if cards else []
    rows = standings(frame.tournament)[:LEADERS] if frame.shows_standings else ()
    return {
        "frame": frame,
        "tournament": frame.tournament,
        "legs": list(legs(frame)),
        "tag": marked,
        "address": frame.address("wall"),
        "now": services().games.now(),
        "paired": paired,
        "boards": boards,
        "shared": Markup(sheet.shared()),
        "rows": shown_rows(frame, rows),
        "columns": columns(frame.tournament)[:FEW_COLUMNS],
    }


def picture(frame: Frame, cards: TableCards, card: TableCard, sheet: Sheet) -> Markup:
    """The board as the public sees it; a table that is done shows its last position."""
    game = cards.games.get(card.number)
    if card.is_done and card.game:
        game = services().games.load(card.game)
    delayed = frame.tournament.options.spectators_delay_ms and not card.is_done and not frame.is_staff
    if not game or delayed or not (drawn := thumbnail_of(game)):
        return Markup()
    ground = game_named(game.rules).picture.ground(rules_named(game.rules))
    return Markup(sheet.add(ground, drawn.drawing, ""))
