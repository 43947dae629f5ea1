"""Players: the public part of an account."""

from __future__ import annotations

from marshmallow import fields, validate

from rules.catalogue import DEFAULT, GAMES
from service.api.schemas.fields import LARGEST_VERSION, RequestSchema, ResponseSchema, doc


class PlayerResponse(ResponseSchema):
    id = fields.String(
        required=True,
        metadata=doc("Never changes, and means nothing by itself; of a bot of the service, `bot:` and its name."),
    )
    handle = fields.String(required=True, allow_none=True, metadata=doc("Null when the account is gone."))
    bot = fields.Boolean(
        required=True, metadata=doc("Whether a program plays: a bot of the service, or an account that says so.")
    )


class AnyRatingResponse(ResponseSchema):
    rating = fields.Integer(
        required=True, metadata=doc("What the player is worth for sure: a new player has 1000, and there is no top.")
    )
    mean = fields.Float(required=True, metadata=doc("Of the model, Bradley-Terry with partial pairing."))
    uncertainty = fields.Float(required=True, metadata=doc("The standard deviation of the mean."))
    games = fields.Integer(required=True, metadata=doc("How many rated games."))


class RatingResponse(AnyRatingResponse):
    """How strong a player is in a game, by all tables of tournaments."""

    game = fields.String(required=True, metadata=doc("The game, whichever its expansions."))


class PlayerPageResponse(PlayerResponse):
    games = fields.Integer(required=True, metadata=doc("How many public games."))
    ratings = fields.List(
        fields.Nested(RatingResponse), required=True, metadata=doc("Of games that the player was rated in.")
    )


class RatingStepResponse(AnyRatingResponse):
    """The rating after a game."""

    number = fields.Integer(required=True, metadata=doc("Counts the rated games of the player."))
    at = fields.Integer(required=True, metadata=doc("The end of the game, in milliseconds since 1970."))
    change = fields.Integer(required=True, metadata=doc("Of the rating, by this game."))
    place = fields.Integer(required=True, metadata=doc("Among the rated players of the table."))
    players = fields.Integer(required=True, metadata=doc("How many of them."))
    tournament = fields.String(required=True, allow_none=True, metadata=doc("Null if you may not see it."))
    round = fields.Integer(required=True, allow_none=True)


class RatingPageResponse(ResponseSchema):
    game = fields.String(required=True)
    steps = fields.List(fields.Nested(RatingStepResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` for the next page, if any."))


class RatingsQuery(RequestSchema):
    game = fields.String(
        load_default=lambda: DEFAULT, validate=validate.OneOf(list(GAMES)), metadata=doc("The game of the ratings.")
    )
    before = fields.Integer(
        load_default=LARGEST_VERSION,
        validate=validate.Range(1, LARGEST_VERSION),
        metadata=doc("Only games with lower numbers."),
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200), metadata=doc("The most at once."))
