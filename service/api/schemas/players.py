"""Players: the public part of an account."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.fields import ResponseSchema, doc


class PlayerResponse(ResponseSchema):
    id = fields.String(required=True, metadata=doc("Never changes, and means nothing by itself."))
    handle = fields.String(required=True, allow_none=True, metadata=doc("Null when the account is gone."))


class PlayerPageResponse(PlayerResponse):
    games = fields.Integer(required=True, metadata=doc("How many public games."))
