"""Tournaments as files: a log that can be verified, standings for spreadsheets, reports of arbiters; and import."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response, url_for

from rules.catalogue import DEFAULT
from service.api.context import limited_account, optional_account, profiles, tournament_service
from service.api.operation import Body, Reply, operation
from service.api.schemas.tournament_files import TournamentFileResponse, TournamentImportRequest
from service.api.schemas.tournaments import TournamentResponse
from service.api.tournaments import check_standings
from service.http import authentication
from service.http.authentication import needs
from service.http.chunked import chunked_response
from service.http.context import services
from service.http.idempotency import submission
from service.http.responses import JSON, json_response
from service.tournaments import tournament_files, tournament_imports, tournament_representations
from service.tournaments.tournament_files import CSV, TRF, as_handles
from service.tournaments.tournament_representations import is_staff
from tournaments import audit
from tournaments.tournament import Tournament

blueprint = Blueprint("tournament_files", __name__)

A_REPORT = {
    "game": DEFAULT,
    "document": "012 Spring open\nXXR 5\n"
    "001    1      ana                               1800\n001    2      bot:greedy:1                      1500\n",
}


@blueprint.get("/tournaments/<tournament>/export")
@operation(Reply(200, TournamentFileResponse))
def export(tournament: str) -> Response:
    """The whole log with its certificates, for `hidalgo tournament verify`; with the secret once it is over."""
    found, account = whole(tournament)
    log = tournament_service().tournaments.log
    file = audit.pieces(log.read(found.id), log.secret(found.id), for_staff=is_staff(found, account))
    return attachment(file, JSON, "tournament.json")


@blueprint.get("/tournaments/<tournament>/standings.csv")
@operation(Reply(200, content_type=CSV, description="The standings, as comma-separated values."))
def standings(tournament: str) -> Response:
    """The standings for a spreadsheet, all players in one file."""
    found, _ = whole(tournament)
    rows = tournament_service().figures.standings(found)
    return attachment(tournament_files.standings_csv(found, rows, as_handles(found, profiles())), CSV, "standings.csv")


@blueprint.get("/tournaments/<tournament>/report.trf")
@operation(Reply(200, content_type=TRF, description="A tournament report file, as arbiters exchange them."))
def report(tournament: str) -> Response:
    """A tournament report file (TRF-2026), for two players at a table."""
    found, account = whole(tournament)
    text = tournament_files.report_file(found, as_handles(found, profiles()), for_staff=is_staff(found, account))
    return attachment([text.encode()], TRF, "report.trf")


def whole(tournament: str) -> tuple[Tournament, str | None]:
    """A tournament of which the account may know everything that a file tells."""
    account = optional_account()
    found = tournament_service().look(tournament, account)
    check_standings(found, account)
    authentication.limit("reports_from_an_address")
    return found, account


def attachment(pieces: Iterable[bytes], content_type: str, name: str) -> Response:
    response = chunked_response(pieces, content_type)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


@blueprint.post("/tournaments/import")
@needs("play")
@operation(Reply(201, TournamentResponse), body=Body(TournamentImportRequest, A_REPORT))
def import_file(body: dict[str, Any]) -> Response:
    """Make a tournament of a report file: its players are registered with their ratings. You own it."""
    account = limited_account("tournaments")
    services().reserve.check()
    document, preset, handles = (body.pop(name) for name in ("document", "preset", "handles"))
    wanted = tournament_imports.read(tournament_service(), document, body, preset, handles)
    made = tournament_imports.imported(tournament_service(), account, wanted, submission(account))
    return json_response(
        tournament_representations.resource(made, account, profiles()),
        201,
        version=made.version,
        location=url_for("tournaments.look", tournament=made.id),
    )
