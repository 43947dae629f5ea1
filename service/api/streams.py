"""A game as it happens. `docs/streams.md` tells clients how to listen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from service.api.context import game_service, optional_account
from service.api.operation import Reply, operation
from service.api.schemas.moves import EventResponse
from service.api.schemas.streams import StreamHeaders, StreamQuery
from service.http import authentication
from service.http.chunked import stream_response
from service.http.context import network, services
from service.live.streams import FORMS, EventStream, Form, Lines, Seen, Stream, Streams, is_finished

blueprint = Blueprint("streams", __name__)


@blueprint.get("/games/<game>/stream")
@operation(
    Reply(200, "GameStreamData", content_type=EventStream.content_type, description="Events, until the game is over."),
    Reply(200, EventResponse, content_type=Lines.content_type, description="Events, until the game is over."),
    Reply(204, description="The game is over, and you have all of it: do not come back."),
    query=StreamQuery,
    headers=StreamHeaders,
)
def stream(query: dict[str, Any], back: dict[str, Any], game: str) -> Response:
    """Every commit after a version, as soon as it is made; with `Accept: application/x-ndjson` one event a line."""
    account = optional_account(fresh=True)
    loaded, viewer = game_service().look_back(game, account, None, query["viewer"])
    after = query["after"] if back["last_seen"] is None else back["last_seen"]
    if back["last_seen"] is not None and is_finished(loaded) and after >= loaded.version:
        return Response(status=204)
    return watched_response(streams().of_game(Seen(loaded, viewer, account), after, form(), network()))


def watched_response(stream: Stream) -> Response:
    """The stream, which ends with the rights of the client."""
    return stream_response(services().rights.watched(stream, authentication.credential()))


def streams() -> Streams:
    return services().streams


def form() -> Form:
    return FORMS[request.accept_mimetypes.best_match(list(FORMS), default=EventStream.content_type)]
