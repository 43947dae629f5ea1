"""The pairings of a round, to be printed and hung up. Those of a large round are several pages, each with its part of
the tables and of the names in alphabetical order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from flask import Response
from werkzeug.exceptions import NotFound

from service.web.pages import page
from service.web.tournaments.blueprint import pages
from service.web.tournaments.event import SITS_OUT
from service.web.tournaments.event_frame import look, page_number
from service.web.tournaments.people import Names
from service.web.tournaments.table_cards import colours_of

TABLES = 200
"""So many stand on a page."""

Entry = TypeVar("Entry")


@pages.get("/tournaments/<tournament>/rounds/<int:number>/print")
def pairings(tournament: str, number: int) -> Response:
    frame = look(tournament)
    if not 0 < number <= len(frame.tournament.rounds):
        raise NotFound
    paired, options = frame.tournament.rounds[number - 1], frame.tournament.options
    tables = list(enumerate(paired.round.tables, start=1))
    names = Names(frame.tournament, [*(p for _, table in tables for p in table.players), *paired.round.unpaired])
    by_name = [(names.name(player), table) for table, at in tables for player in at.players]
    some, count = part_of(tables), -(-len(tables) // TABLES)
    return page(
        "tournaments/print.html",
        frame=frame,
        tournament=frame.tournament,
        paired=paired,
        count=len(tables),
        tables=[
            (table, list(zip(colours_of(options, len(at.players)), map(names.name, at.players), strict=True)))
            for table, at in some
        ],
        by_name=part_of(sorted(by_name, key=lambda entry: str(entry[0]).lower()), count),
        out=[(names.name(player), SITS_OUT[why]) for player, why in paired.round.unpaired.items()],
        sheet=page_number(),
        sheets=[frame.address("pairings", number=number, page=each) for each in range(1, count + 1)],
    )


def part_of(entries: Sequence[Entry], count: int = 0) -> Sequence[Entry]:
    """What stands on the page that is asked for: so many tables, or one of `count` equal parts."""
    size = -(-len(entries) // count) if count else TABLES
    return entries[(page_number() - 1) * size : page_number() * size]
