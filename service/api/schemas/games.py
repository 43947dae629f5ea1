"""Tables: new ones, lists of them, seats, invitations."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from events.table.game import PRIVATE, PUBLIC
from rules.catalogue import DEFAULT
from rules.texts import say
from service.api.schemas.clocks import AgreedTimeResponse, TimeControlRequest, clock_field
from service.api.schemas.fields import (
    LONGEST_NAME,
    FullMatch,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    doc,
    integers_by_name,
    short_text,
    string_list,
)
from service.api.schemas.players import PlayerResponse
from service.games.game_index_keys import STATUSES, WITH, WITHOUT
from service.games.game_service import LONGEST_TITLE
from service.language import rendered
from service.text_patterns import NAME, WRITTEN

LONGEST_PACE = 10_000
"""Milliseconds. A bot that thinks longer is one that people wait for."""

# Requests


def at_most_16_options(options: dict[str, str]) -> None:
    if len(options) > 16:
        raise ValidationError(rendered(say("At most 16 options.")))


def nonce() -> fields.String:
    return short_text(
        "Anything: it is mixed into the game's chance, so that no other party can have chosen it.", 128, WRITTEN
    )


class NewGameRequest(RequestSchema):
    """A new table."""

    rules = fields.String(
        load_default=DEFAULT,
        validate=[validate.Length(max=LONGEST_NAME), FullMatch(NAME)],
        metadata=doc("The game, as `GET /rules` lists it."),
    )
    expansions = fields.List(
        fields.String(validate=[validate.Length(max=64), FullMatch(NAME)]),
        load_default=list,
        validate=validate.Length(max=16),
        metadata=doc("Expansions to play with."),
    )
    players = StrictInteger(
        required=True, validate=validate.Range(1, 16), metadata=doc("How many seats the table has.")
    )
    options = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=[validate.Length(max=64), FullMatch(NAME)]),
        load_default=dict,
        validate=at_most_16_options,
        metadata=doc("The agreements before the start, as `GET /rules/{game}` lists them.", maxProperties=16),
    )
    visibility = fields.String(
        load_default=PUBLIC,
        validate=validate.OneOf([PUBLIC, PRIVATE]),
        metadata=doc("Private games are seen only by their owner and their players."),
    )
    time = fields.Nested(
        TimeControlRequest,
        load_default=None,
        allow_none=True,
        metadata=doc("Clocks; without them, time does not count."),
    )
    may_resign = StrictBoolean(load_default=True, metadata=doc("Whether players may leave a running game."))
    may_take_back = StrictBoolean(load_default=True, metadata=doc("Whether players may take a move back."))
    title = short_text("A name for the table, which everybody sees.", LONGEST_TITLE, WRITTEN)
    starts_when_full = StrictBoolean(
        load_default=False, metadata=doc("Whether the game begins as soon as the last seat is taken.")
    )
    join = StrictBoolean(load_default=True, metadata=doc("Whether you sit down on the first seat."))
    nonce = nonce()


class SeatRequest(RequestSchema):
    """A seat to take."""

    seat = short_text("Which seat; the first free one if left out.")
    nonce = nonce()
    invitation = short_text("The word that opens a private table.", 128)
    bot = short_text("Seat this bot of the service instead, as `GET /rules` lists it. For the owner.")
    pace_ms = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(0, LONGEST_PACE),
        metadata=doc("So long the bot lets players look at the table before each of its answers."),
    )

    @validates_schema
    def seats_one(self, given: dict[str, str], **_: Any) -> None:
        if given.get("bot") and (given.get("nonce") or given.get("invitation")):
            raise ValidationError(rendered(say("A bot has neither a nonce nor an invitation.")), "bot")


class InvitationRequest(RequestSchema):
    """An invitation to be written."""

    seat = short_text("Only for this seat; for any if left out.")
    reusable = StrictBoolean(
        load_default=False,
        metadata=doc("Whether it is the link of the table: for any number of people, and any seat."),
    )


class PageQuery(RequestSchema):
    status = fields.String(load_default=lambda: "", validate=validate.OneOf(STATUSES), metadata=doc("Only these."))
    rules = short_text("Only games with these rules, such as `el_grande+anniversary`.", LONGEST_NAME)
    limit = fields.Integer(load_default=20, validate=validate.Range(1, 100), metadata=doc("The most at once."))
    cursor = short_text("Where the page before ended: its `next`.", 200)


class GamesQuery(PageQuery):
    player = short_text("Only games of this account.")
    game = short_text("Only this game, with any expansions.")
    expansion = short_text("Only games with this expansion; `-` for games without any.")
    players = fields.Integer(
        load_default=None, validate=validate.Range(1, 16), metadata=doc("Only tables with so many seats.")
    )
    clock = fields.String(
        load_default=lambda: "",
        validate=validate.OneOf([WITH, WITHOUT]),
        metadata=doc("Only games with clocks, or without."),
    )


# Responses


class SeatResponse(ResponseSchema):
    seat = fields.String(required=True)
    player = fields.Nested(PlayerResponse, required=True, allow_none=True)
    forfeited = fields.String(
        required=True, allow_none=True, metadata=doc("Why this seat is out of the running: `resigned` or `time`.")
    )
    nonce = fields.Boolean(required=True, metadata=doc("Whether this seat has added to the game's chance."))


class TournamentPlaceResponse(ResponseSchema):
    """The place of a table in a tournament."""

    tournament = fields.String(required=True)
    round = fields.Integer(required=True)
    table = fields.Integer(required=True)
    spectators_delay_ms = fields.Integer(
        metadata=doc("So long after its players all others see the game; not there: at once.")
    )
    chat = fields.Boolean(metadata=doc("Whether people may write messages there; not there: they may not."))


class GameResponse(ResponseSchema):
    """A game: its agreements, its seats, its progress."""

    id = fields.String(required=True)
    rules = fields.String(required=True, metadata=doc("The game and its expansions, joined by `+`."))
    game = fields.String(required=True)
    expansions = string_list("Expansions played with.")
    players = fields.Integer(required=True, metadata=doc("How many seats there are."))
    options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    visibility = fields.String(required=True, validate=validate.OneOf([PUBLIC, PRIVATE]))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    version = fields.Integer(required=True, metadata=doc("How many commits there are; the ETag begins with it."))
    head = fields.String(required=True, metadata=doc("The hash of the last commit."))
    commitment = fields.String(required=True, metadata=doc("Fixes the game's secret without telling it."))
    seats = fields.List(fields.Nested(SeatResponse), required=True)
    mine = fields.String(required=True, allow_none=True, metadata=doc("Your seat, if you have one."))
    owner = fields.String(
        required=True, metadata=doc("The account that may start and abort it; empty at a tournament's table.")
    )
    waiting = string_list("The seats that are asked now.")
    time = fields.Nested(
        AgreedTimeResponse, required=True, allow_none=True, metadata=doc("The time control, if one was agreed.")
    )
    may_resign = fields.Boolean(required=True)
    may_take_back = fields.Boolean(required=True)
    take_back = string_list("Seats that want the last move of the first of them to be taken back.")
    clock = clock_field()
    scores = integers_by_name("Points by seat.")
    places = integers_by_name("Final place by seat, once it is over; seats that share a place have the same number.")
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    title = fields.String(required=True, metadata=doc("The name of the table; empty if it has none."))
    starts_when_full = fields.Boolean(
        required=True, metadata=doc("Whether the game begins as soon as the last seat is taken.")
    )
    tournament = fields.Nested(
        TournamentPlaceResponse,
        required=True,
        allow_none=True,
        metadata=doc("The tournament that the table belongs to: it seats the players and starts the game."),
    )


class GamePageResponse(ResponseSchema):
    games = fields.List(fields.Nested(GameResponse), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc("The cursor of the next page, if any."))
    is_complete = fields.Boolean(
        required=True, metadata=doc("Whether all games can be found; not while the index is made anew.")
    )


class InvitationResponse(ResponseSchema):
    invitation = fields.String(required=True, metadata=doc("The word to send along when sitting down; shown once."))
    url = fields.String(required=True, metadata=doc("The page on which people sit down with it."))
    seat = fields.String(required=True, allow_none=True, metadata=doc("The seat it is for."))
