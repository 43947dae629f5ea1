"""The inbox of an account: notices about all its games. `docs/streams.md` is for authors of clients."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from service.api.context import current_account, inboxes, profiles
from service.api.operation import Reply, operation
from service.api.schemas.inbox import InboxQuery, InboxStreamQuery, NoticePageResponse
from service.api.schemas.streams import StreamHeaders
from service.api.streams import form, streams, watched_response
from service.http import authentication
from service.http.context import network
from service.http.responses import json_response
from service.live.streams import EventStream, Lines
from service.notifications.notice_names import names_of
from service.notifications.notices import representation

blueprint = Blueprint("inbox", __name__)

A_NOTICE = {
    "id": 17,
    "kind": "your_turn",
    "text": "it is your turn as blue: Which power card do you play?",
    "at": 1794835212480,
    "game": "kT3sB0Yc9xwVQ2mH",
    "version": 12,
    "seat": "blue",
    "bot": False,
    "webhook": None,
    "tournament": None,
}


@blueprint.get("/me/inbox")
@authentication.needs("read")
@operation(Reply(200, NoticePageResponse, {"notices": [A_NOTICE], "next": None}), query=InboxQuery)
def look(query: dict[str, Any]) -> Response:
    """Your notices after a number, oldest first."""
    found = inboxes().read(current_account(), query["after"], query["limit"] + 1)
    page = found[: query["limit"]]
    more = page[-1].id if len(found) > len(page) else None
    names = names_of(profiles(), page)
    return json_response({"notices": [representation(notice, names) for notice in page], "next": more})


@blueprint.get("/me/inbox/stream")
@authentication.needs("read")
@operation(
    Reply(200, "InboxStreamData", content_type=EventStream.content_type, description="Notices without end."),
    Reply(200, "Notice", content_type=Lines.content_type, description="Notices without end."),
    query=InboxStreamQuery,
    headers=StreamHeaders,
)
def stream(query: dict[str, Any], back: dict[str, Any]) -> Response:
    """Your notices after a number, as they come; with `Accept: application/x-ndjson` one a line."""
    after = query["after"] if back["last_seen"] is None else back["last_seen"]
    # With a number that is not there yet, the stream would be silent until then.
    account = authentication.current(fresh=True).account
    after = min(after, inboxes().newest(account))
    return watched_response(streams().of_inbox(account, after, form(), network()))
