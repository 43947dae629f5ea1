"""Tables: new ones, lists of them, seats, invitations."""

from __future__ import annotations

from marshmallow import ValidationError, fields, validate

from events.table.game import PRIVATE, PUBLIC
from rules.catalogue import DEFAULT
from rules.texts import say
from service.api.schemas.clocks import TimeControlRequest, clock_field
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
from service.games.game_index import STATUSES
from service.language import rendered
from service.text_patterns import NAME, WRITTEN

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
    join = StrictBoolean(load_default=True, metadata=doc("Whether you sit down on the first seat."))
    nonce = nonce()


class SeatRequest(RequestSchema):
    """A seat to take."""

    seat = short_text("Which seat; the first free one if left out.")
    nonce = nonce()
    invitation = short_text("The word that opens a private table.", 128)


class InvitationRequest(RequestSchema):
    """An invitation to be written."""

    seat = short_text("Only for this seat; for any if left out.")


class PageQuery(RequestSchema):
    status = fields.String(load_default=lambda: "", validate=validate.OneOf(STATUSES), metadata=doc("Only these."))
    rules = short_text("Only games with these rules, such as `el_grande+anniversary`.", LONGEST_NAME)
    limit = fields.Integer(load_default=20, validate=validate.Range(1, 100), metadata=doc("The most at once."))
    cursor = short_text("Where the page before ended: its `next`.", 200)


class GamesQuery(PageQuery):
    player = short_text("Only games of this account.")


# Responses


class SeatResponse(ResponseSchema):
    seat = fields.String(required=True)
    player = fields.Nested(PlayerResponse, required=True, allow_none=True)
    forfeited = fields.String(
        required=True, allow_none=True, metadata=doc("Why this seat is out of the running: `resigned` or `time`.")
    )
    nonce = fields.Boolean(required=True, metadata=doc("Whether this seat has added to the game's chance."))


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
    owner = fields.String(required=True, metadata=doc("The account that may start and abort it."))
    waiting = string_list("The seats that are asked now.")
    time = fields.Nested(
        TimeControlRequest, required=True, allow_none=True, metadata=doc("The time control, if one was agreed.")
    )
    may_resign = fields.Boolean(required=True)
    may_take_back = fields.Boolean(required=True)
    take_back = string_list("Seats that want the last move of the first of them to be taken back.")
    clock = clock_field()
    scores = integers_by_name("Points by seat.")
    places = integers_by_name("Final place by seat, once it is over; seats that share a place have the same number.")
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


class GamePageResponse(ResponseSchema):
    games = fields.List(fields.Nested(GameResponse), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc("The cursor of the next page, if any."))


class InvitationResponse(ResponseSchema):
    invitation = fields.String(required=True, metadata=doc("The word to send along when sitting down; shown once."))
    seat = fields.String(required=True, allow_none=True, metadata=doc("The seat it is for."))
