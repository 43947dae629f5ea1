"""The chat of a table: read, write, follow, remove, complain; and people whom an account does not read."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from rules.texts import say
from service.api.context import current_account, limited_account, optional_account, profiles
from service.api.operation import Body, Reply, operation
from service.api.schemas.chat import (
    ChatQuery,
    ChatStreamQuery,
    ComplaintActRequest,
    ComplaintInContextResponse,
    ComplaintPageResponse,
    ComplaintQuery,
    ComplaintResponse,
    MessagePageResponse,
    MessageResponse,
    MutesResponse,
    NewComplaintRequest,
    NewMessageRequest,
)
from service.api.schemas.streams import StreamHeaders
from service.api.streams import form, watched_response
from service.chat.chat_service import ChatService
from service.chat.moderation import Act, Moderation, Staff
from service.chat.rooms import NoSuchMessage
from service.games.representations import player_resource
from service.http import authentication
from service.http.context import network, services
from service.http.responses import json_response, no_store
from service.live.streams import EventStream, Lines

blueprint = Blueprint("chat", __name__)
blueprint.after_request(no_store)

A_MESSAGE = {
    "id": 3,
    "room": "players",
    "at": 1794835212480,
    "player": {"id": "a_mZ4rk0Qb2sVxW9cD", "handle": "el_cid", "bot": False},
    "seat": "red",
    "text": "Have fun, everybody",
    "removed": False,
    "removes": None,
}


def chat() -> ChatService:
    return services().chat


@blueprint.get("/games/<game>/chat")
@operation(
    Reply(200, MessagePageResponse, {"room": "players", "messages": [A_MESSAGE], "may_write": True}), query=ChatQuery
)
def look(query: dict[str, Any], game: str) -> Response:
    """The last messages of a room, oldest first, but for those of people whom you have muted."""
    account = optional_account()
    room = chat().room(game, account, query["room"])
    found = chat().messages(room, query["after"], query["limit"])
    return json_response({"room": room.name, "messages": found, "may_write": chat().may_write(room.game, room.account)})


@blueprint.post("/games/<game>/chat")
@authentication.needs("play")
@operation(Reply(201, MessageResponse, A_MESSAGE), body=Body(NewMessageRequest, {"text": "Have fun, everybody"}))
def write(body: dict[str, str], game: str) -> Response:
    """Write a message in your room: to the players if you sit at the table, else to the other spectators."""
    account = limited_account("messages")
    services().reserve.check()
    return json_response(chat().write(game, account, body["text"]), 201)


@blueprint.get("/games/<game>/chat/stream")
@operation(
    Reply(200, "ChatStreamData", content_type=EventStream.content_type, description="Messages, as they are written."),
    Reply(200, MessageResponse, content_type=Lines.content_type, description="Messages, as they are written."),
    query=ChatStreamQuery,
    headers=StreamHeaders,
)
def stream(query: dict[str, Any], back: dict[str, Any], game: str) -> Response:
    """Messages of a room after a number, as they come; with `Accept: application/x-ndjson` one a line."""
    room = chat().room(game, optional_account(fresh=True), query["room"])
    after = query["after"] if back["last_seen"] is None else back["last_seen"]
    after = min(after, chat().chat.newest(room.topic))
    return watched_response(services().chat_streams.of_room(room, after, form(), network()))


@blueprint.delete("/games/<game>/chat/<room>/<message>")
@authentication.needs("play")
@operation(Reply(204))
def remove(game: str, room: str, message: str) -> Response:
    """Remove a message: one of your own, or any if you own the table, run its tournament or administer the service.

    Its place stays, without its text. What staff remove of others is told in the audit log.
    """
    identity = authentication.current(fresh=True)
    authentication.limit_account("messages", identity.account)
    chat().remove(game, identity.account, room, number(message), is_admin="admin" in identity.scopes)
    return Response(status=204)


@blueprint.post("/games/<game>/chat/<room>/<message>/complaint")
@authentication.needs("play")
@operation(Reply(204), body=Body(NewComplaintRequest, {"reason": "an insult"}, required=False))
def complain(body: dict[str, str], game: str, room: str, message: str) -> Response:
    """Tell the administrators of a message. They get a copy of it, and your reason."""
    chat().complain(game, limited_account("complaints"), room, number(message), body["reason"])
    return Response(status=204)


@blueprint.get("/complaints")
@authentication.needs("admin")
@operation(Reply(200, ComplaintPageResponse), query=ComplaintQuery)
def complaints(query: dict[str, Any]) -> Response:
    """Complaints about messages, the newest first. For administrators."""
    found = moderation().complaints.page(query["limit"], query["before"], query["state"])
    return json_response({"complaints": moderation().shown(found.complaints), "next": found.next})


@blueprint.get("/complaints/<complaint>")
@authentication.needs("admin")
@operation(Reply(200, ComplaintInContextResponse))
def complaint_in_context(complaint: str) -> Response:
    """A complaint, with what was written before and after the message. For administrators."""
    found = moderation().complaints.one(complaint)
    [shown] = moderation().shown([found])
    return json_response(shown | {"around": moderation().around(found)})


@blueprint.post("/complaints/<complaint>/acts")
@authentication.needs("admin")
@operation(
    Reply(200, ComplaintResponse),
    body=Body(ComplaintActRequest, {"acts": ["remove_message", "silence"], "days": 7, "reason": "insults"}),
)
def act(body: dict[str, Any], complaint: str) -> Response:
    """Remove the message, silence its author for days or for good, or both; dismiss the complaint; lift a silence.

    Every act is told in the audit log. All complaints about the message are closed, and the people who complained get a
    notice. For administrators.
    """
    identity = authentication.current(fresh=True)
    done = moderation().act(
        complaint, Act(body["acts"], body["reason"], body["days"]), Staff(identity.account, identity.handle)
    )
    [shown] = moderation().shown([done])
    return json_response(shown)


def moderation() -> Moderation:
    return services().moderation


def number(message: str) -> int:
    if not (message.isascii() and message.isdigit() and len(message) < 10):
        raise NoSuchMessage(say("there is no such message"))
    return int(message)


# People who are not read


@blueprint.get("/me/mutes")
@authentication.needs("read")
@operation(Reply(200, MutesResponse, {"players": [A_MESSAGE["player"]]}))
def mutes() -> Response:
    """The people whose messages you do not read."""
    muted = chat().mutes.of(current_account())
    found = profiles()(muted)
    return json_response({"players": [player_resource(account, found.get(account)) for account in sorted(muted)]})


@blueprint.put("/me/mutes/<player>")
@authentication.needs("play")
@operation(Reply(204))
def mute(player: str) -> Response:
    """Read nothing of this account any more, at any table. It is not told."""
    chat().mutes.mute(limited_account("changes"), player)
    return Response(status=204)


@blueprint.delete("/me/mutes/<player>")
@authentication.needs("play")
@operation(Reply(204))
def unmute(player: str) -> Response:
    """Read this account again."""
    chat().mutes.unmute(limited_account("changes"), player)
    return Response(status=204)
