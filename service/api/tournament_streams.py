"""A tournament as it happens. `docs/streams.md` tells clients how to listen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from service.api.context import optional_account, tournament_service
from service.api.operation import Reply, operation
from service.api.schemas.streams import StreamHeaders
from service.api.schemas.tournaments import TournamentCommitResponse, TournamentStreamQuery
from service.api.streams import form, watched_response
from service.http.context import network, services
from service.live.streams import EventStream, Lines

blueprint = Blueprint("tournament_streams", __name__)


@blueprint.get("/tournaments/<tournament>/stream")
@operation(
    Reply(200, "TournamentStreamData", content_type=EventStream.content_type, description="Everything that happens."),
    Reply(200, TournamentCommitResponse, content_type=Lines.content_type, description="Everything that happens."),
    query=TournamentStreamQuery,
    headers=StreamHeaders,
)
def stream(query: dict[str, Any], back: dict[str, Any], tournament: str) -> Response:
    """Everything that happens, as soon as it does; with `Accept: application/x-ndjson` one commit a line."""
    account = optional_account(fresh=True)
    found = tournament_service().look(tournament, account)
    wanted = query["after"] if back["last_seen"] is None else back["last_seen"]
    after = found.version if wanted is None else wanted
    streams = services().tournament_streams
    return watched_response(streams.of_tournament(found, account, after, form(), network()))
