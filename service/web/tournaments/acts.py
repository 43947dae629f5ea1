"""The forms of a tournament but for rulings: players come and go, staff run the event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, request, url_for
from msgspec import to_builtins

from events.submission import Submission
from rules.bots import BOTS
from rules.errors import Refused, Unreadable
from rules.texts import say
from service.http.authentication import limit_account
from service.http.context import services
from service.http.forms import field
from service.tournaments.actions import command
from service.web.forms import form_of, go_to
from service.web.times import MINUTE
from service.web.tournaments import desk, event
from service.web.tournaments.blueprint import pages
from service.web.tournaments.draft import starts_at
from service.web.tournaments.event_frame import Frame, framed
from service.web.visitors import member
from tournaments.commands import SetStaff
from tournaments.results import HALF_BYE, ZERO_BYE
from tournaments.tournament import Tournament

MOST_BOTS = 64
"""So many are added at once."""

Fields = dict[str, Any]


def number(name: str) -> int:
    given = field(name).strip()
    if not given.isascii() or not given.removeprefix("-").isdigit() or len(given) > 9:
        raise Unreadable(say("{name} is a number", name=name))
    return int(given)


def of_player() -> Fields:
    return {"player": field("player").strip()}


def pair() -> Fields:
    return {"one": field("one").strip(), "other": field("other").strip()}


def reason() -> Fields:
    return {"reason": field("reason").strip()}


def of_table() -> Fields:
    """Tables are counted from 1 in pages."""
    return {"round": number("round"), "table": number("table") - 1}


def words(name: str) -> str:
    return field(name).replace("\r\n", "\n").strip()


def changes() -> Fields:
    """What an organiser changes of the agreement; the rest of it stays."""
    tournament = frame_of_form().tournament
    stages = to_builtins(tournament.options.stages)
    stages[tournament.stage]["rounds"] = number("rounds")
    options = {
        "title": field("title").strip(),
        "description": words("description"),
        "stages": stages,
        "schedule": {"starts_at": starts_at(field("starts")), "no_show_ms": minutes("no_show")},
        "entry": {"most": number("most"), "late_until": number("late_until")},
        "spectators_delay_ms": minutes("delay"),
        "hides_standings": bool(field("hides_standings")),
    }
    return {"options": options, "reason": words("reason")}


def minutes(name: str) -> int:
    return number(name) * MINUTE


def tables() -> list[list[str]]:
    """A line for each table, with the handles of its players."""
    lines = (line.replace(",", " ").split() for line in field("tables").splitlines())
    return [line for line in lines if line]


FIELDS: Mapping[str, Callable[[], Fields]] = {
    "register": of_player,
    "check_in": of_player,
    "withdraw": of_player,
    "return": of_player,
    "accept_seat": dict,
    "decline_seat": dict,
    "request_bye": lambda: of_player() | {"round": number("round"), "bye": HALF_BYE if field("half") else ZERO_BYE},
    "forbid_pair": pair,
    "allow_pair": pair,
    "change_options": changes,
    "set_staff": lambda: {"handle": field("handle").strip(), "role": field("role")},
    "announce": lambda: {"text": words("text")},
    "pause": lambda: {"reason": ""},
    "resume": dict,
    "cancel": reason,
    "start": dict,
    "finish": reason,
    "pin_tables": lambda: {"tables": tables()},
    "propose_round": dict,
    "publish_round": dict,
    "start_round": dict,
    "close_round": dict,
    "retract_round": reason,
    "call_arbiter": lambda: {"text": words("text")},
    "answer_call": lambda: of_table() | {"text": words("reason")},
    "hold_table": of_table,
    "release_table": of_table,
}
"""What the form of each action says."""


def frame_of_form() -> Frame:
    """The tournament that the address names, as it is now."""
    known = member()
    tournament = (request.view_args or {})["tournament"]
    return framed(services().tournament_service.look(tournament, known.account), known.account)


def shown_again(refusal: Refused) -> Response:
    """The page that the form stood on, with the refusal."""
    frame = frame_of_form()
    page = field("page")
    if page == "desk" and frame.is_staff:
        return desk.shown(frame, refusal)
    return event.shown_players(frame, refusal) if page == "players" else event.shown(frame, refusal)


@pages.post("/tournaments/<tournament>")
@form_of(shown_again)
def act(tournament: str) -> Response:
    frame = frame_of_form()
    account = frame.account or ""
    limit_account("actions", account)
    if field("act") == "add_bots":
        add_bots(frame.tournament, account)
    elif field("act") == "leave_staff":
        services().tournament_service.submit(tournament, SetStaff(account, account, ""), Submission(account))
        return go_to(url_for("tournaments_page.listed"))
    else:
        do(frame.tournament, account, field("act"))
    page = field("page")
    return go_to(frame.address(page if page in ("desk", "players") else "event"))


def do(tournament: Tournament, account: str, kind: str) -> None:
    if kind not in FIELDS:
        raise Unreadable(say("there is no action {kind}", kind=kind))
    service = services().tournament_service
    given = command(service, tournament, account, kind, FIELDS[kind]())
    service.submit(tournament.id, given, Submission(account))


def add_bots(tournament: Tournament, account: str) -> None:
    """Some more players that the service brings itself."""
    count, name = number("count"), field("bot")
    if not 1 <= count <= MOST_BOTS or name not in BOTS:
        raise Unreadable(say("1 to {most} bots come at once", most=MOST_BOTS))
    service, taken = services().tournament_service, set(tournament.participants)
    free = (f"bot:{name}:{each}" for each in range(1, 10_000))
    for _ in range(count):
        player = next(each for each in free if each not in taken)
        given = command(service, tournament, account, "register", {"player": player})
        service.submit(tournament.id, given, Submission(account))
