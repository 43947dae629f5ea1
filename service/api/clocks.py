"""Time, and leaving before the end. `docs/time.md` tells how time is counted."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from events.table.commands import Pause, Resign, Resume, Return, TakeVacation
from service.accounts.audit_log import PAUSE, RESUME
from service.api.audit import recorded
from service.api.context import current_account, game_service, limited_account, optional_account
from service.api.games import now, submitted
from service.api.operation import Body, Reply, operation
from service.api.schemas.audit import ReasonRequest
from service.api.schemas.clocks import LedgerResponse, VacationRequest
from service.api.schemas.fields import NO_FIELDS
from service.api.schemas.games import GameResponse
from service.games import representations
from service.games.broadcast import broadcast_delay
from service.http import authentication
from service.http.authentication import needs
from service.http.chunked import chunked_response, listing
from service.http.responses import JSON, conditional

blueprint = Blueprint("clocks", __name__)

A_REASON = Body(ReasonRequest, {"reason": "a dispute about the last move"}, required=False)


@blueprint.get("/games/<game>/clock")
@operation(Reply(200, LedgerResponse))
def ledger(game: str) -> Response:
    """The time of every seat, and the ledger: every change of the clocks, the same for all viewers."""
    account = optional_account()
    loaded = game_service().look(game, account)
    clock = representations.clocks(loaded, now(), broadcast_delay(loaded, account))
    about = {"version": loaded.version, "clock": clock}
    return conditional(
        loaded.version, lambda: chunked_response(listing(about, "rows", game_service().ledger(loaded)), JSON)
    )


@blueprint.post("/games/<game>/resign")
@needs("play")
@operation(Reply(200, GameResponse), body=NO_FIELDS)
def resign(_: dict[str, Any], game: str) -> Response:
    """Leave a running game for good. Your seat comes last, and the others play on; if one is left, the game is over."""
    return submitted(game, Resign(current_account()))


@blueprint.post("/games/<game>/return")
@needs("play")
@operation(Reply(200, GameResponse), body=NO_FIELDS)
def return_to_seat(_: dict[str, Any], game: str) -> Response:
    """Play again after your seat was played for you, because you were late too often."""
    return submitted(game, Return(limited_account("changes")))


@blueprint.post("/games/<game>/pause")
@needs("play")
@operation(Reply(200, GameResponse), body=A_REASON)
def pause(body: dict[str, Any], game: str) -> Response:
    """Ask for a pause: the clocks stand still when all players have asked, or at once for an organiser."""
    with recorded(PAUSE, game, body["reason"]):
        return submitted(game, Pause(limited_account("changes"), is_admin()))


@blueprint.post("/games/<game>/resume")
@needs("play")
@operation(Reply(200, GameResponse), body=A_REASON)
def resume(body: dict[str, Any], game: str) -> Response:
    """Let the clocks run again. Any player ends a pause by agreement, an organiser any other."""
    with recorded(RESUME, game, body["reason"]):
        return submitted(game, Resume(limited_account("changes"), is_admin()))


@blueprint.post("/games/<game>/vacation")
@needs("play")
@operation(Reply(200, GameResponse), body=Body(VacationRequest, {"days": 7}))
def take_vacation(body: dict[str, Any], game: str) -> Response:
    """Be away from now on, for some of the days that the table has agreed on: your clock stands still."""
    return submitted(game, TakeVacation(limited_account("changes"), body["days"]))


def is_admin() -> bool:
    return "admin" in authentication.current().scopes
