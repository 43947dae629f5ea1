"""The catalogue of games. What there is to say of each comes with its rules (`rules.schemas`)."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.fields import ResponseSchema, components, doc


class BotResponse(ResponseSchema):
    name = fields.String(required=True, metadata=doc("To be named when it is seated."))
    title = fields.String(required=True, metadata=doc("The name that people know it by."))
    strength = fields.Integer(required=True, metadata=doc("How strong it plays: 1 is the weakest."))
    text = fields.String(required=True, metadata=doc("How it plays, in a sentence."))


class CatalogueResponse(ResponseSchema):
    games = components("GameRules")
    bots = fields.List(
        fields.Nested(BotResponse), required=True, metadata=doc("Bots of the service, which play all games.")
    )
