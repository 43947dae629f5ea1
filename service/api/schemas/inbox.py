"""Notices of an account."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.fields import LARGEST_VERSION, RequestSchema, ResponseSchema, doc
from service.notifications.notices import KINDS


class InboxStreamQuery(RequestSchema):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST_VERSION), metadata=doc("Only notices after this one.")
    )


class InboxQuery(InboxStreamQuery):
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 1000), metadata=doc("The most at once."))


class NoticeResponse(ResponseSchema):
    """A message about a game or a webhook of yours."""

    id = fields.Integer(required=True, metadata=doc("Counts your notices. Old ones go: the last 1,000 are kept."))
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    text = fields.String(required=True, metadata=doc("A sentence for people."))
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True, metadata=doc("Of the game, when it happened."))
    seat = fields.String(required=True, allow_none=True, metadata=doc("The seat that it is about."))
    webhook = fields.String(required=True, allow_none=True)


class NoticePageResponse(ResponseSchema):
    notices = fields.List(fields.Nested(NoticeResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`after` for the next page, if any."))
