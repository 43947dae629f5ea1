"""The catalogue of games, and the material of each."""

from __future__ import annotations

from marshmallow import fields, validate

from rules.catalogue import GAMES
from service.api.schemas.fields import ResponseSchema, doc, string_list


class GameRulesResponse(ResponseSchema):
    game = fields.String(required=True, validate=validate.OneOf(list(GAMES)))
    title = fields.String(required=True)
    expansions = string_list("Expansions that there are.")
    players = fields.List(fields.Integer(), required=True, metadata=doc("For how many players."))
    options = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata=doc("The possible agreements; the first value is the default."),
    )


class CatalogueResponse(ResponseSchema):
    games = fields.List(fields.Nested(GameRulesResponse), required=True)


class RegionResponse(ResponseSchema):
    id = fields.String(required=True)
    names = fields.Dict(keys=fields.String(), values=fields.String(), required=True, metadata=doc("By language."))
    points = fields.List(fields.Integer(), required=True, metadata=doc("For first, second and third."))
    neighbours = string_list("Regions beside it.")
    coastal = fields.Boolean(required=True)


class CardResponse(ResponseSchema):
    id = fields.String(required=True)
    stack = fields.Integer(required=True, metadata=doc("Also how many caballeros it places."))
    title = fields.String(required=True)
    text = fields.String(required=True, metadata=doc("What its special action does, in a sentence."))
    copies = fields.Integer(required=True)


class PowerCardResponse(ResponseSchema):
    value = fields.Integer(required=True)
    caballeros = fields.Integer(required=True, metadata=doc("How many come to court."))
    text = fields.String(required=True, metadata=doc("What it does, in a sentence."))


class RuleBookResponse(GameRulesResponse):
    rules = fields.String(required=True, metadata=doc("The game and the chosen expansions."))
    seats = string_list("The seats, clockwise.")
    regions = fields.List(fields.Nested(RegionResponse), required=True)
    castillo = fields.List(fields.Integer(), required=True, metadata=doc("Its points."))
    scoreboards = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()), required=True)
    rounds = fields.Dict(keys=fields.String(), values=fields.List(fields.Integer()), required=True)
    scoring_rounds = fields.List(fields.Integer(), required=True)
    cards = fields.List(fields.Nested(CardResponse), required=True)
    power_cards = fields.List(fields.Nested(PowerCardResponse), required=True)
