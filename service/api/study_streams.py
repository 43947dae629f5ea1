"""A study as it changes. `docs/streams.md` tells clients how to listen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from service.api.context import optional_account, study_service
from service.api.operation import Reply, operation
from service.api.schemas.streams import StreamHeaders
from service.api.schemas.studies import StudyStreamQuery
from service.api.streams import form, watched_response
from service.http.context import network, services
from service.live.streams import EventStream, Lines

blueprint = Blueprint("study_streams", __name__)


@blueprint.get("/studies/<study>/stream")
@operation(
    Reply(200, "StudyStreamData", content_type=EventStream.content_type, description="Edits, and who is there."),
    Reply(200, "StudyStreamLine", content_type=Lines.content_type, description="Edits, and who is there."),
    query=StudyStreamQuery,
    headers=StreamHeaders,
)
def stream(query: dict[str, Any], back: dict[str, Any], study: str) -> Response:
    """Every edit as soon as it is made, and the members who are there; with `Accept: application/x-ndjson` as lines."""
    access = study_service().look(study, optional_account(fresh=True), query["key"])
    wanted = query["after"] if back["last_seen"] is None else back["last_seen"]
    after = access.version if wanted is None else wanted
    return watched_response(services().study_streams.of_study(access, query["key"], after, form(), network()))
