"""Tournaments: make one, find one, look at its players, rounds and standings."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

from flask import Blueprint, Response, url_for
from msgspec import Raw

from events.errors import Declined, NotNow
from rules.catalogue import DEFAULT
from rules.texts import say
from service.api.context import current_account, optional_account, profiles, tournament_service
from service.api.operation import Body, Reply, operation
from service.api.schemas.tournaments import (
    CrosstableResponse,
    NewTournamentRequest,
    PartQuery,
    PlanRequest,
    PlayersQuery,
    RoundQuery,
    RoundTableWithReasonsResponse,
    StandingsQuery,
    StandingsResponse,
    TournamentHistoryQuery,
    TournamentHistoryResponse,
    TournamentPageResponse,
    TournamentPlanResponse,
    TournamentPlayersResponse,
    TournamentPresetsResponse,
    TournamentResponse,
    TournamentRoundResponse,
    TournamentRulingsResponse,
    TournamentsQuery,
)
from service.http import authentication, tournament_requests
from service.http.authentication import needs
from service.http.idempotency import submission
from service.http.responses import conditional_response, encode, json_response
from service.language import rendered
from service.tournaments import tournament_representations
from service.tournaments.actions import named_player
from service.tournaments.plans import planned
from service.tournaments.presets import PRESETS, agreed
from service.tournaments.tournament_representations import is_staff, may_know_standings
from service.tournaments.tournament_service import STATUSES, TournamentFilter
from tournaments.tournament import CANCELLED, PairedRound, Participant, Tournament

blueprint = Blueprint("tournaments", __name__)

ME = "me"
Item = TypeVar("Item")

NEW_TOURNAMENT = {"title": "Club evening", "game": DEFAULT, "preset": "casual-evening"}
A_PLAN = {"players": 22, "size": 4, "sizes": [3], "rounds": 5}


class NothingThere(Declined):
    code = "not_found"


# Tournaments


@blueprint.post("/tournaments")
@needs("play")
@operation(Reply(201, TournamentResponse), body=Body(NewTournamentRequest, NEW_TOURNAMENT))
def create(body: dict[str, Any]) -> Response:
    """Make a tournament, open for players. You own it."""
    account = current_account()
    made = tournament_requests.begin(account, agreed(body, body.pop("preset")), submission(account))
    return json_response(
        tournament_representations.resource(made, account, profiles()),
        201,
        version=made.version,
        location=url_for("tournaments.look", tournament=made.id),
    )


@blueprint.get("/tournaments")
@operation(Reply(200, TournamentPageResponse), query=TournamentsQuery)
def find(query: dict[str, Any]) -> Response:
    """Tournaments, the newest first: public ones, or those in which you play or work. Cancelled ones if asked for."""
    account = optional_account()
    if query["mine"] and not account:
        return json_response({"tournaments": [], "next": None})
    usual = tuple(status for status in STATUSES if status != CANCELLED or query["mine"])
    statuses = (query["status"],) if query["status"] else usual
    wanted = TournamentFilter(statuses, str(account) if query["mine"] else "", query["limit"], query["cursor"])
    found = tournament_service().find(wanted, account)
    listed = [tournament_representations.listed(each, profiles()) for each in found.tournaments]
    return json_response({"tournaments": listed, "next": found.next or None})


@blueprint.get("/tournaments/presets")
@operation(Reply(200, TournamentPresetsResponse))
def presets() -> Response:
    """Agreements for common events: name one when you make a tournament, and change what is different."""
    shown = [
        {
            "name": name,
            "title": rendered(preset.title),
            "description": rendered(preset.description),
            "options": tournament_representations.options(agreed({"title": "", "game": ""}, name)),
        }
        for name, preset in PRESETS.items()
    ]
    return json_response({"presets": shown})


@blueprint.post("/tournaments/plan")
@needs("read")
@operation(Reply(200, TournamentPlanResponse), body=Body(PlanRequest, A_PLAN))
def plan(body: dict[str, Any]) -> Response:
    """How so many players are split into tables, and how many rounds they can play without meeting twice."""
    return json_response(planned(body["players"], body["size"], body.get("sizes", ()), body["rounds"]))


@blueprint.get("/tournaments/<tournament>")
@operation(Reply(200, TournamentResponse))
def look(tournament: str) -> Response:
    """A tournament: what is agreed, how far it has come, and your part in it."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    return versioned(found, tournament_representations.resource(found, account, profiles()))


def versioned(tournament: Tournament, body: Any) -> Response:
    """The answer, unless the client has it already. What it is made of depends on the client."""
    written = encode(body)
    return conditional_response(f"{tournament.version}.{sha256(written).hexdigest()[:16]}", lambda: Raw(written))


def part(items: Sequence[Item], query: dict[str, Any]) -> tuple[Sequence[Item], int | None]:
    """A part of a list, and where the next one begins."""
    end = query["begin"] + query["limit"]
    return items[query["begin"] : end], end if end < len(items) else None


# Players


@blueprint.get("/tournaments/<tournament>/players")
@operation(Reply(200, TournamentPlayersResponse), query=PlayersQuery)
def players(query: dict[str, Any], tournament: str) -> Response:
    """The players, in the order of their starting numbers; before the start, in the order in which they came."""
    found = tournament_service().look(tournament, optional_account())
    everybody = sorted(found.participants.values(), key=lambda player: player.number)
    if query["query"]:
        authentication.limit("searches_from_an_address")
        everybody = with_handles(everybody, query["query"])
    some, following = part(everybody, query)
    shown = tournament_representations.players(found, profiles(), some)
    return versioned(found, about(found) | {"total": len(everybody), "players": shown, "next": following})


def with_handles(players: Sequence[Participant], beginning: str) -> list[Participant]:
    """Players whose handle begins like this."""
    person = tournament_representations.people([player.account for player in players], profiles())
    wanted = beginning.casefold()
    return [player for player in players if (person(player.account)["handle"] or "").casefold().startswith(wanted)]


def about(tournament: Tournament) -> dict[str, Any]:
    return {"version": tournament.version}


# Rounds


@blueprint.get("/tournaments/<tournament>/rounds/<round>")
@operation(Reply(200, TournamentRoundResponse), query=RoundQuery)
def look_at_round(query: dict[str, Any], tournament: str, round: str) -> Response:
    """A round: its tables, and how good its pairing is. One that is not published is for staff."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    paired = seen_round(found, round, account)
    numbers = tables_of(found, paired, query["player"], account)
    some, following = part(numbers, query)
    outdated = bool(paired.starts_at) and tournament_service().figures.is_outdated(found, paired.number)
    shown = tournament_representations.round_of(found, paired, profiles(), some, is_outdated=outdated)
    if not may_know_standings(found, account):
        shown |= {"certificate": None}
    if query["begin"]:
        shown |= {"unpaired": []}
    return versioned(found, about(found) | shown | {"next": following})


def seen_round(tournament: Tournament, round: str, account: str | None) -> PairedRound:
    """A round that this account may see."""
    number = numbered(round)
    if 0 < number <= len(tournament.rounds):
        return tournament.rounds[number - 1]
    proposal = tournament.proposal
    if proposal and proposal.number == number and is_staff(tournament, account):
        return proposal
    raise NothingThere(say("there is no round {round}", round=round))


def numbered(text: str) -> int:
    """A number in an address; -1 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 and str(int(text)) == text else -1


def tables_of(tournament: Tournament, paired: PairedRound, handle: str, account: str | None) -> Sequence[int]:
    if not handle:
        return range(len(paired.round.tables))
    if handle == ME:
        player = tournament.player_of(account) if account else ""
    else:
        player = named_player(tournament_service(), tournament, handle)
    return [number for number, table in enumerate(paired.round.tables) if player and player in table.players]


@blueprint.get("/tournaments/<tournament>/rounds/<round>/tables/<table>")
@operation(Reply(200, RoundTableWithReasonsResponse))
def look_at_table(tournament: str, round: str, table: str) -> Response:
    """A table, and why these players sit at it."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    paired, number = seen_round(found, round, account), numbered(table)
    if not 0 <= number < len(paired.round.tables):
        raise NothingThere(say("there is no table {table} in round {round}", table=table, round=round))
    shown = tournament_representations.shown_at(found, paired, [number], profiles())
    seats = tournament_representations.table_of(found, paired, number, paired.round.tables[number], shown)
    why = tournament_representations.why(found, paired, number) if may_know_standings(found, account) else []
    return versioned(found, seats | {"round": paired.number, "why": why})


# Standings


@blueprint.get("/tournaments/<tournament>/standings")
@operation(Reply(200, StandingsResponse), query=StandingsQuery)
def standings(query: dict[str, Any], tournament: str) -> Response:
    """The standings, each tie-break with its definition, each row with the one that decided it."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    check_standings(found, account)
    number = query["round"] or len(found.rounds)
    if number > len(found.rounds):
        raise NothingThere(say("there is no round {round}", round=number))
    figures = tournament_service().figures
    rows = figures.standings_after(found, number) if query["round"] else figures.standings(found)
    some, following = part(rows, query)
    shown = tournament_representations.standings(found, some, profiles())
    return versioned(found, about(found) | shown | {"round": number, "total": len(rows), "next": following})


def check_standings(tournament: Tournament, account: str | None) -> None:
    if not may_know_standings(tournament, account):
        raise NotNow(say("the standings are shown at the end"))


@blueprint.get("/tournaments/<tournament>/crosstable")
@operation(Reply(200, CrosstableResponse), query=PartQuery)
def crosstable(query: dict[str, Any], tournament: str) -> Response:
    """Every player's rounds in a row, in the order of the standings."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    check_standings(found, account)
    lines = tournament_service().figures.crosstable(found)
    some, following = part(lines, query)
    shown = tournament_representations.crosstable_lines(found, some, profiles())
    parts = {"stage": found.stage, "total": len(lines), "lines": shown, "next": following}
    return versioned(found, about(found) | parts)


# Rulings and history


@blueprint.get("/tournaments/<tournament>/rulings")
@operation(Reply(200, TournamentRulingsResponse))
def rulings(tournament: str) -> Response:
    """Every ruling with its reason, also those that were reversed."""
    found = tournament_service().look(tournament, optional_account())
    return versioned(found, about(found) | {"rulings": tournament_representations.rulings(found, profiles())})


@blueprint.get("/tournaments/<tournament>/history")
@operation(Reply(200, TournamentHistoryResponse), query=TournamentHistoryQuery)
def history(query: dict[str, Any], tournament: str) -> Response:
    """Everything that happened, the newest first. A round that is not published is for staff."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    commits = tournament_service().history(found, query["before"], query["limit"])
    more = commits[-1].header.version if commits and commits[-1].header.version > 1 else None
    shown = tournament_representations.commits(found, commits, profiles(), for_staff=is_staff(found, account))
    return json_response({"commits": shown, "next": more})
