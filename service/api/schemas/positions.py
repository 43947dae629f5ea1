"""Many games at once, each with its position."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from rules.texts import say
from service.api.schemas.fields import ResponseSchema, doc, short_text, string_list
from service.api.schemas.games import GameResponse, GamesQuery
from service.api.schemas.moves import StateResponse
from service.games.lobby import MOST_GAMES
from service.language import rendered

LONGEST_LIST = 8000


class PositionsQuery(GamesQuery):
    games = short_text(
        f"Ids of games, at most {MOST_GAMES}, with commas in between; instead of all other fields.", LONGEST_LIST
    )

    @validates_schema
    def names_or_filters(self, given: dict[str, Any], **_: Any) -> None:
        named = given.get("games", "")
        if named and (given.get("status") or given.get("rules") or given.get("player") or given.get("cursor")):
            raise ValidationError(rendered(say("Either ids of games, or fields that choose some.")), "games")
        if len(named.split(",")) > MOST_GAMES:
            raise ValidationError(rendered(say("At most {most} games.", most=MOST_GAMES)), "games")


class GameWithPositionResponse(ResponseSchema):
    game = fields.Nested(GameResponse, required=True)
    position = fields.Nested(StateResponse, required=True, metadata=doc("As your seat, or a spectator, may see it."))


class PositionsResponse(ResponseSchema):
    positions = fields.List(fields.Nested(GameWithPositionResponse), required=True)
    missing = string_list("Ids of games that there are not, or not for you.")
    next = fields.String(required=True, allow_none=True, metadata=doc("The cursor of the next page, if any."))
