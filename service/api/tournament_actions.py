"""Actions in tournaments: every one is a commit in the tournament's own log. Rulings can be looked at before."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from service.api.context import limited_account, profiles, tournament_service
from service.api.operation import Body, Reply, operation
from service.api.schemas.tournament_actions import ActionRequest, RulingRequest
from service.api.schemas.tournaments import RulingPreviewResponse, TournamentActedResponse
from service.http.authentication import needs
from service.http.idempotency import submission
from service.http.responses import json_response
from service.tournaments import tournament_representations
from service.tournaments.actions import command
from service.tournaments.previews import previewed
from service.tournaments.tournament_representations import is_staff

blueprint = Blueprint("tournament_actions", __name__)

AN_ACTION = {"kind": "register"}
A_RULING = {
    "kind": "adjudicate",
    "round": 2,
    "table": 4,
    "result": {"places": [1, 2, 3, 4]},
    "reason": "The game was stopped by a power failure.",
}


@blueprint.post("/tournaments/<tournament>/actions")
@needs("play")
@operation(Reply(201, TournamentActedResponse), body=Body(ActionRequest, AN_ACTION))
def act(body: dict[str, Any], tournament: str) -> Response:
    """Do something in a tournament: one action. Players act for themselves, staff as their role says."""
    account = limited_account("actions")
    found, sent = tournament_service().look(tournament, account), submission(account)
    accepted = tournament_service().tournaments.repeated(found.id, sent)
    if not accepted:
        given = command(tournament_service(), found, account, body.pop("kind"), body)
        accepted = tournament_service().submit(tournament, given, sent)
    shown = tournament_representations.acted(
        accepted.after, accepted.commit, profiles(), for_staff=is_staff(accepted.after, account)
    )
    return json_response(shown, 201, version=accepted.commit.header.version)


@blueprint.post("/tournaments/<tournament>/actions/preview")
@needs("play")
@operation(Reply(200, RulingPreviewResponse), body=Body(RulingRequest, A_RULING))
def preview(body: dict[str, Any], tournament: str) -> Response:
    """What a ruling would change: points and places of players, and what a rewind takes back. Nothing is done."""
    account = limited_account("previews")
    found = tournament_service().look(tournament, account)
    given = command(tournament_service(), found, account, body.pop("kind"), body)
    return json_response(previewed(tournament_service(), tournament, given, profiles()))
