"""The inbox of an account: notices about all its games. `docs/streams.md` is for authors of clients."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields, validate

from service.api.blueprint import Blueprint, inboxes, me
from service.api.schemas import MOST_VERSIONS, Sent, Told, about
from service.api.streams import ComingBack, form, streams
from service.http import authentication
from service.http.chunked import streamed
from service.http.responses import answer
from service.live.streams import EventStream
from service.notifications.notices import KINDS, representation

blueprint = Blueprint("inbox", __name__, description="Your notices, about all your games.")

A_NOTICE = {
    "id": 17,
    "kind": "your_turn",
    "text": "it is your turn as blue: Which power card do you play?",
    "at": 1794835212480,
    "game": "kT3sB0Yc9xwVQ2mH",
    "version": 12,
    "seat": "blue",
    "webhook": None,
}


class InboxStreamQuery(Sent):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, MOST_VERSIONS), metadata=about("Only notices after this one.")
    )


class InboxQuery(InboxStreamQuery):
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 1000), metadata=about("The most at once."))


class NoticeResponse(Told):
    """A message about a game or a webhook of yours."""

    id = fields.Integer(required=True, metadata=about("Counts your notices. Old ones go: the last 1,000 are kept."))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    text = fields.String(required=True, metadata=about("A sentence for people."))
    at = fields.Integer(required=True, metadata=about("Milliseconds since 1970."))
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True, metadata=about("Of the game, when it happened."))
    seat = fields.String(required=True, allow_none=True, metadata=about("The seat that it is about."))
    webhook = fields.String(required=True, allow_none=True)


class NoticePageResponse(Told):
    notices = fields.List(fields.Nested(NoticeResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=about("`after` for the next page, if any."))


@blueprint.route("/me/inbox")
@authentication.needs("read")
@blueprint.arguments(InboxQuery, location="query")
@blueprint.response(200, NoticePageResponse, example={"notices": [A_NOTICE], "next": None})
def look(query: dict[str, Any]) -> Response:
    """Your notices after a number, oldest first."""
    found = inboxes().read(me(), query["after"], query["limit"] + 1)
    page = found[: query["limit"]]
    more = page[-1].id if len(found) > len(page) else None
    return answer({"notices": [representation(notice) for notice in page], "next": more})


@blueprint.route("/me/inbox/stream")
@authentication.needs("read")
@blueprint.arguments(InboxStreamQuery, location="query")
@blueprint.arguments(ComingBack, location="headers")
@blueprint.response(200, NoticeResponse, content_type=EventStream.content_type, description="Notices without end.")
def stream(query: dict[str, Any], back: dict[str, Any]) -> Response:
    """Your notices after a number, as they come; with `Accept: application/x-ndjson` one a line."""
    after = query["after"] if back["last_seen"] is None else back["last_seen"]
    # With a number that is not there yet, the stream would be silent until then.
    return streamed(streams().of_inbox(me(), min(after, inboxes().newest(me())), form()))
