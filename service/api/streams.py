"""A game as it happens. `docs/streams.md` tells clients how to listen."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from marshmallow import EXCLUDE, Schema, fields, validate

from service.api import schemas
from service.api.blueprint import Blueprint, game_service, me_if_known
from service.api.schemas import MOST_VERSIONS, ViewerQuery, about
from service.http.chunked import streamed
from service.http.context import services
from service.live.streams import FORMS, EventStream, Form, Seen, Streams, is_finished

blueprint = Blueprint("streams", __name__, description="What happens, as it happens.")


class StreamQuery(ViewerQuery):
    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_VERSIONS),
        metadata=about("Begin after this version; with the whole game if left out."),
    )


class ComingBack(Schema):
    """What a browser says by itself when a stream was cut."""

    class Meta:
        unknown = EXCLUDE

    last_seen = fields.Integer(
        data_key="Last-Event-ID",
        load_default=None,
        validate=validate.Range(0, MOST_VERSIONS),
        metadata=about("The last version that has arrived; counts more than `after`."),
    )


@blueprint.route("/games/<game>/stream")
@blueprint.arguments(StreamQuery, location="query")
@blueprint.arguments(ComingBack, location="headers")
@blueprint.response(200, schemas.Event, content_type=EventStream.content_type, description="Events without end.")
@blueprint.alt_response(204, description="The game is over, and you have all of it: do not come back.")
def stream(query: dict[str, Any], back: dict[str, Any], game: str) -> Response:
    """Every commit after a version, as soon as it is made; with `Accept: application/x-ndjson` one event a line."""
    who = me_if_known()
    known, viewer = game_service().look_back(game, who, None, query["viewer"])
    after = query["after"] if back["last_seen"] is None else back["last_seen"]
    if back["last_seen"] is not None and is_finished(known) and after >= known.version:
        return Response(status=204)
    return streamed(streams().of_game(Seen(known, viewer, who), after, form()))


def streams() -> Streams:
    return services().streams


def form() -> Form:
    return FORMS[request.accept_mimetypes.best_match(list(FORMS), default=EventStream.content_type)]
