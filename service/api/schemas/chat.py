"""The chat of a table, complaints about it, and people who are not read."""

from __future__ import annotations

from marshmallow import fields, validate

from service.accounts.audit_log import LONGEST_REASON as LONGEST_AUDITED
from service.accounts.silences import LONGEST
from service.api.schemas.audit import AuditQuery
from service.api.schemas.fields import (
    LARGEST_VERSION,
    FullMatch,
    RequestSchema,
    ResponseSchema,
    doc,
    not_blank,
    short_text,
)
from service.api.schemas.players import PlayerResponse
from service.chat.complaints import ALL, LONGEST_REASON, OUTCOMES, STATES
from service.chat.moderation import ACTS
from service.chat.rooms import LONGEST_MESSAGE, MOST_MESSAGES, ROOMS
from service.text_patterns import WRITTEN

# Requests


def room() -> fields.String:
    return fields.String(
        load_default="",
        validate=validate.OneOf(("", *ROOMS)),
        metadata=doc("Your own room if left out: that of the players if you sit there. After the end, any."),
    )


class ChatStreamQuery(RequestSchema):
    room = room()
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST_VERSION), metadata=doc("Only messages after this one.")
    )


class ChatQuery(ChatStreamQuery):
    limit = fields.Integer(
        load_default=MOST_MESSAGES, validate=validate.Range(1, MOST_MESSAGES), metadata=doc("The most at once.")
    )


class NewMessageRequest(RequestSchema):
    """A message to everybody in your room."""

    text = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_MESSAGE), FullMatch(WRITTEN), not_blank],
        metadata=doc("One line of plain text; nothing in it is markup."),
    )


class ComplaintQuery(AuditQuery):
    state = fields.String(
        load_default=ALL,
        validate=validate.OneOf(STATES),
        metadata=doc("`open`: only those that were not decided yet."),
    )


class ComplaintActRequest(RequestSchema):
    """What is done about a complaint."""

    acts = fields.List(
        fields.String(validate=validate.OneOf(ACTS)),
        required=True,
        validate=validate.Length(1, len(ACTS)),
        metadata=doc("`remove_message`, `silence` or both; or else `dismiss`, or `lift_silence`, alone."),
    )
    days = fields.Integer(
        load_default=None,
        allow_none=True,
        validate=validate.Range(1, LONGEST),
        metadata=doc("For how long its author is silenced: writes in no chat. For good, if it is left out."),
    )
    reason = short_text("For the audit log.", LONGEST_AUDITED, WRITTEN)


class NewComplaintRequest(RequestSchema):
    """What is wrong with a message."""

    reason = short_text("In a sentence, for the administrators.", LONGEST_REASON, WRITTEN)


# Responses


class MessageResponse(ResponseSchema):
    """A message, or the removal of one."""

    id = fields.Integer(required=True, metadata=doc("Counts the messages of the room. The last 500 are kept."))
    room = fields.String(required=True, validate=validate.OneOf(ROOMS))
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    player = fields.Nested(PlayerResponse, required=True, metadata=doc("The author."))
    seat = fields.String(required=True, allow_none=True, metadata=doc("The seat of the author, if they have one."))
    text = fields.String(required=True, metadata=doc("Plain text; empty if it was removed."))
    removed = fields.Boolean(required=True)
    removes = fields.Integer(
        required=True, allow_none=True, metadata=doc("The message whose removal this one tells of, if any.")
    )


class MessagePageResponse(ResponseSchema):
    room = fields.String(required=True, validate=validate.OneOf(ROOMS))
    messages = fields.List(fields.Nested(MessageResponse), required=True)
    may_write = fields.Boolean(required=True, metadata=doc("Whether you may write in your room now."))


class ChatStreamByeResponse(ResponseSchema):
    """The stream ends: come back, and go on after this message."""

    id = fields.Integer(required=True)


class MutesResponse(ResponseSchema):
    players = fields.List(fields.Nested(PlayerResponse), required=True, metadata=doc("People whom you do not read."))


class ComplaintResponse(ResponseSchema):
    """A complaint about a message."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    room = fields.String(required=True)
    message = fields.Integer(required=True)
    author = fields.String(required=True, metadata=doc("The account that wrote it."))
    text = fields.String(required=True, metadata=doc("The message, as it was then."))
    by = fields.String(required=True, metadata=doc("The account that complains; empty if it was deleted."))
    reason = fields.String(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    author_handle = fields.String(required=True)
    by_handle = fields.String(required=True)
    outcome = fields.String(
        required=True, validate=validate.OneOf(OUTCOMES), metadata=doc("What was decided; empty: nothing yet.")
    )
    decided_at = fields.Integer(required=True, allow_none=True)
    about_message = fields.Integer(required=True, metadata=doc("How many people have complained of the message."))
    about_author = fields.Integer(required=True, metadata=doc("How many messages of this author were complained of."))
    silenced_until = fields.Integer(
        required=True, allow_none=True, metadata=doc("Until when its author writes in no chat, if they are silenced.")
    )


class NearMessageResponse(ResponseSchema):
    """A message near the one that is complained of."""

    id = fields.Integer(required=True)
    at = fields.Integer(required=True)
    player = fields.Nested(PlayerResponse, required=True)
    text = fields.String(required=True)
    removed = fields.Boolean(required=True)


class ComplaintInContextResponse(ComplaintResponse):
    """A complaint, with the words around the message."""

    around = fields.List(
        fields.Nested(NearMessageResponse),
        required=True,
        metadata=doc("Up to three messages before it, itself, and three after it, as far as the room keeps them."),
    )


class ComplaintPageResponse(ResponseSchema):
    complaints = fields.List(fields.Nested(ComplaintResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` for the next page, if any."))
