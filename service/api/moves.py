"""Play: decisions, moves, positions, events and exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, request

from events.table.commands import Move, TakeBack
from events.table.game import Game
from rules.kernel import Viewer
from service.api.context import current_account, game_service, limited_account, optional_account, profiles
from service.api.games import now, submitted
from service.api.operation import Body, Reply, operation
from service.api.schemas.games import GameResponse
from service.api.schemas.moves import (
    DecisionsResponse,
    EventPageResponse,
    EventResponse,
    EventsQuery,
    ExportResponse,
    MovedResponse,
    MoveQuery,
    MoveRequest,
    PreviewResponse,
    StateQuery,
    StateResponse,
    TakeBackRequest,
    ViewerQuery,
)
from service.games import representations
from service.games.game_service import GameService
from service.games.replay_representations import player_names
from service.games.representations import Moment
from service.http.authentication import needs
from service.http.chunked import chunked_response
from service.http.idempotency import submission
from service.http.responses import (
    JSON,
    PlainResponse,
    conditional_response,
    encode,
    json_response,
    plain_json_response,
)
from service.language import in_this_language

blueprint = Blueprint("play", __name__)

LINES = "application/x-ndjson"
A_MOVE = {"decision": "1-red", "kind": "play_power_card", "value": 7}


@blueprint.get("/games/<game>/decisions")
@needs("read")
@operation(Reply(200, DecisionsResponse))
def decisions(game: str) -> Response:
    """The decisions that wait for you, with everything that a program needs to answer them. For players of the game."""
    loaded, seat = game_service().at_the_table(game, current_account())
    return conditional_response(representations.etag(loaded, seat), lambda: representations.decisions(loaded, seat))


@blueprint.post("/games/<game>/moves")
@needs("play")
@operation(
    Reply(201, MovedResponse),
    Reply(200, PreviewResponse, description="With `dry_run`: nothing was done."),
    query=MoveQuery,
    body=Body(MoveRequest, A_MOVE),
)
def move(query: dict[str, Any], body: dict[str, Any], game: str) -> Response | PlainResponse:
    """Answer a decision. With `dry_run`, only learn the facts that would follow, as far as you may know them."""
    if query["dry_run"]:
        return json_response(tried(game, body, with_beats=query["beats"]))
    accepted = game_service().submit(game, Move(current_account(), body), submission(current_account()))
    return plain_json_response(representations.move_result(accepted), 201, version=accepted.after.version)


def tried(game: str, body: dict[str, Any], *, with_beats: bool) -> dict[str, Any]:
    if not with_beats:
        return representations.move_preview(*game_service().preview(game, current_account(), body))
    loaded, preview, beats = game_service().foresee(game, current_account(), body)
    return representations.move_preview(loaded, preview, beats, player_names(loaded, profiles()))


@blueprint.post("/games/<game>/take-back")
@needs("play")
@operation(Reply(200, GameResponse), body=Body(TakeBackRequest, {}, required=False))
def take_back(wanted: dict[str, Any], game: str) -> Response:
    """Take your last move back: at once while no move has followed and nothing was turned up, else when all agree."""
    return submitted(game, TakeBack(limited_account("changes"), wanted["of"]))


@blueprint.get("/games/<game>/state")
@operation(Reply(200, StateResponse), query=StateQuery)
def state(query: dict[str, Any], game: str) -> Response:
    """The position now or at an earlier version, through your eyes."""
    loaded, viewer = game_service().look_back(game, optional_account(), query["version"], query["viewer"])
    at = now() if query["version"] is None else Moment(loaded.at)
    return conditional_response(
        representations.etag(loaded, viewer), lambda: representations.position(loaded, viewer, at)
    )


@blueprint.get("/games/<game>/events")
@operation(
    Reply(200, EventPageResponse),
    Reply(200, EventResponse, content_type=LINES, description="A page of events, or all of them, one a line."),
    query=EventsQuery,
)
def events(query: dict[str, Any], game: str) -> Response:
    """Everything that happened, in pages; with `Accept: application/x-ndjson` all of it, one event a line."""
    loaded, viewer = game_service().look_back(game, optional_account(), None, query["viewer"])
    if request.accept_mimetypes.best_match([JSON, LINES]) == LINES:
        return chunked_response(in_this_language(lines(game_service(), loaded, viewer, query["after"])), LINES)
    return conditional_response(
        representations.etag(loaded, viewer), lambda: page(loaded, viewer, query["after"], query["limit"])
    )


def page(game: Game, viewer: Viewer, after: int, limit: int) -> dict[str, Any]:
    commits = game_service().commits(game, after, limit)
    last = commits[-1].header.version if commits else game.version
    events = [representations.event(game.rules, commit, viewer) for commit in commits]
    return {"events": events, "next": last if last < game.version else None}


def lines(service: GameService, game: Game, viewer: Viewer, after: int) -> Iterator[bytes]:
    for commit in service.all_commits(game, after):
        yield encode(representations.event(game.rules, commit, viewer)) + b"\n"


@blueprint.get("/games/<game>/export")
@operation(Reply(200, ExportResponse), query=ViewerQuery)
def export(query: dict[str, Any], game: str) -> Response:
    """A file for `hidalgo verify`, which checks it offline."""
    response = chunked_response(game_service().exported(game, optional_account(), query["viewer"]), JSON)
    response.headers["Content-Disposition"] = "attachment; filename=game.json"
    return response
