"""A tournament: the tables of a round with live scores, standings, crosstable, players, announcements and log."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from flask import Response, request
from werkzeug.exceptions import NotFound

from rules.errors import Refused
from rules.texts import Text, say
from service.http.context import services
from service.http.responses import conditional
from service.language import rendered
from service.tournaments.tournament_representations import commits
from service.web.pages import page
from service.web.tournaments.blueprint import pages
from service.web.tournaments.event_frame import FEW_TABLES, ROWS, Frame, frame_values, look, page_number
from service.web.tournaments.people import Names, Person
from service.web.tournaments.ruling_rows import ruling_rows
from service.web.tournaments.standings_rows import columns, shown_rows, standings
from service.web.tournaments.table_cards import TableCards
from tournaments.results import ABSENT, BYE, FULL_BYE, HALF_BYE, ZERO_BYE
from tournaments.standings import Row
from tournaments.tournament import PairedRound

FEW_ROWS = 11
"""So many rows of the standings stand beside the tables."""
FEW_COLUMNS = 4
LOG_ROWS = 50

SITS_OUT = {
    BYE: say("has a bye"),
    HALF_BYE: say("has asked for a bye"),
    FULL_BYE: say("has a bye"),
    ZERO_BYE: say("sits out"),
    ABSENT: say("is not there"),
}


@pages.get("/tournaments/<tournament>")
def event(tournament: str) -> Response:
    """A round with its tables; before the first one, what was agreed."""
    return shown(look(tournament), None)


def shown(frame: Frame, refusal: Refused | None) -> Response:
    if not frame.tournament.rounds:
        return page("tournaments/overview.html", refusal=refusal, **frame_values(frame, "event"), **overview(frame))
    paired = asked_round(frame)
    cards = TableCards(frame.tournament, paired, tables_of(frame, paired), frame.account)
    marked = tag(frame, cards.state)
    if request.method == "GET" and request.args.get("part") == "games":
        return conditional(marked, lambda: page("tournaments/live.html", **live(frame, paired, cards, marked)))
    values = frame_values(frame, "event") | live(frame, paired, cards, marked)
    return page("tournaments/event.html", refusal=refusal, **values)


def asked_round(frame: Frame) -> PairedRound:
    """The round that the address names; by default the last one."""
    rounds = frame.tournament.rounds
    asked = request.args.get("round", str(len(rounds)))
    if not (asked.isascii() and asked.isdigit() and len(asked) < 4 and 0 < int(asked) <= len(rounds)):
        raise NotFound
    return rounds[int(asked) - 1]


def tables_of(frame: Frame, paired: PairedRound) -> Sequence[int]:
    """One page of tables. The reader's own stands first, where there are several pages."""
    numbers = list(range(len(paired.round.tables)))
    if len(numbers) <= FEW_TABLES:
        return numbers
    own = [number for number in numbers if frame.mine and frame.mine in paired.round.tables[number].players]
    first = (page_number() - 1) * FEW_TABLES
    return [*own, *[number for number in numbers if number not in own]][first : first + FEW_TABLES]


def tag(frame: Frame, state: str) -> str:
    about = f"{frame.tournament.id} {frame.tournament.version} {frame.account} {state}"
    return sha256(about.encode()).hexdigest()[:24]


def live(frame: Frame, paired: PairedRound, cards: TableCards, marked: str) -> dict[str, Any]:
    """The part of the page that its script keeps up to date."""
    tables, number = len(paired.round.tables), page_number()
    more: dict[str, Any] = {"round": paired.number} if paired.number < len(frame.tournament.rounds) else {}
    return {
        "frame": frame,
        "tournament": frame.tournament,
        "tag": marked,
        "address": frame.address(**more, page=number if number > 1 else None),
        "now": services().games.now(),
        "paired": paired,
        "cards": cards.cards,
        "sits_out": sits_out(frame, paired),
        "is_outdated": is_outdated(frame, paired),
        "more": {
            "previous": frame.address(**more, page=number - 1) if number > 1 else "",
            "next": frame.address(**more, page=number + 1) if number * FEW_TABLES < tables else "",
        },
        "certificate": paired.certificate,
        "can_call": can_call(frame, paired),
        **beside(frame),
    }


def can_call(frame: Frame, paired: PairedRound) -> bool:
    """Whether the reader sits at a table of the last round, and can call an arbiter to it."""
    is_last = paired.number == len(frame.tournament.rounds) and bool(paired.started_at)
    return is_last and bool(frame.mine) and any(frame.mine in table.players for table in paired.round.tables)


def is_outdated(frame: Frame, paired: PairedRound) -> bool:
    return services().tournament_service.figures.is_outdated(frame.tournament, paired.number)


def sits_out(frame: Frame, paired: PairedRound) -> list[tuple[Person, Text]]:
    """Those who sit at no table, and why; players who have left are not among them."""
    out = {
        player: why
        for player, why in paired.round.unpaired.items()
        if not frame.tournament.participants[player].is_withdrawn
    }
    few = dict(list(out.items())[:FEW_TABLES])
    names = Names(frame.tournament, few)
    return [(names.player(player), SITS_OUT[why]) for player, why in few.items()]


def beside(frame: Frame) -> dict[str, Any]:
    """The first of the standings, and the reader."""
    if not frame.shows_standings:
        return {"rows": [], "columns": []}
    rows = standings(frame.tournament)
    return {"rows": shown_rows(frame, few_rows(rows, frame.mine)), "columns": columns(frame.tournament)[:FEW_COLUMNS]}


def few_rows(rows: Sequence[Row], mine: str) -> list[Row]:
    few = list(rows[:FEW_ROWS])
    own = [row for row in rows[FEW_ROWS:] if row.player == mine]
    return [*few[:-1], *own] if own else few


def overview(frame: Frame) -> dict[str, Any]:
    """Before the first round."""
    tournament = frame.tournament
    some = list(tournament.participants.values())[-FEW_TABLES:][::-1]
    names = Names(tournament, [player.id for player in some])
    return {
        "people": [(names.player(player.id), player) for player in some],
        "me": tournament.participants.get(frame.mine),
        "announcements": tournament.announcements[::-1],
    }


# Standings and crosstable


@pages.get("/tournaments/<tournament>/standings", endpoint="standings")
def whole_standings(tournament: str) -> Response:
    frame = look(tournament)
    rows = one_page(standings_or_nothing(frame))
    return page(
        "tournaments/standings.html",
        **frame_values(frame, "standings"),
        rows=shown_rows(frame, rows),
        columns=columns(frame.tournament),
        more=more_pages(frame, "standings", len(frame.tournament.participants)),
    )


def standings_or_nothing(frame: Frame) -> tuple[Row, ...]:
    if not frame.shows_standings:
        raise NotFound
    return standings(frame.tournament)


def one_page(rows: Sequence[Any]) -> Sequence[Any]:
    first = (page_number() - 1) * ROWS
    return rows[first : first + ROWS]


def more_pages(frame: Frame, endpoint: str, count: int) -> dict[str, str]:
    number = page_number()
    return {
        "previous": frame.address(endpoint, page=number - 1) if number > 1 else "",
        "next": frame.address(endpoint, page=number + 1) if number * ROWS < count else "",
    }


@pages.get("/tournaments/<tournament>/crosstable")
def crosstable(tournament: str) -> Response:
    frame = look(tournament)
    standings_or_nothing(frame)
    lines = one_page(services().tournament_service.figures.crosstable(frame.tournament))
    names = Names(frame.tournament, [line.player for line in lines])
    return page(
        "tournaments/crosstable.html",
        **frame_values(frame, "crosstable"),
        lines=[(line, names.player(line.player)) for line in lines],
        rounds=[paired.number for paired in frame.tournament.rounds_of(frame.tournament.stage)],
        more=more_pages(frame, "crosstable", len(frame.tournament.participants)),
    )


# Players


@pages.get("/tournaments/<tournament>/players")
def players(tournament: str) -> Response:
    return shown_players(look(tournament), None)


def shown_players(frame: Frame, refusal: Refused | None) -> Response:
    found = list(frame.tournament.participants.values())
    some = one_page(sorted(found, key=lambda player: player.number or len(found) + 1))
    names = Names(frame.tournament, [player.id for player in some])
    return page(
        "tournaments/players.html",
        refusal=refusal,
        **frame_values(frame, "players"),
        people=[(names.player(player.id), player) for player in some],
        me=frame.tournament.participants.get(frame.mine),
        invited=invited(frame) if frame.is_staff else [],
        more=more_pages(frame, "players", len(found)),
    )


def invited(frame: Frame) -> list[Person]:
    """The first of those who have not answered yet."""
    few = list(frame.tournament.invited)[:ROWS]
    names = Names(frame.tournament, few)
    return [names.player(player) for player in few]


# Announcements, rulings and everything that has happened


@pages.get("/tournaments/<tournament>/log")
def log(tournament: str) -> Response:
    frame = look(tournament)
    before = request.args.get("before", "")
    last = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None
    found = services().tournament_service.history(frame.tournament, last, LOG_ROWS)
    rows = commits(frame.tournament, found, services().accounts.profiles, for_staff=frame.is_staff)
    oldest = found[-1].header.version if found else 1
    return page(
        "tournaments/log.html",
        **frame_values(frame, "log"),
        announcements=frame.tournament.announcements[::-1],
        rulings=ruling_rows(frame),
        commits=[row | {"texts": [fact["text"] for fact in row["facts"] if fact["text"]]} for row in rows],
        older=frame.address("log", before=oldest) if oldest > 1 else "",
        service_name=rendered(say("the service")),
    )
