"""The table: all that its page shows, and what may change with every commit."""

from __future__ import annotations

from marshmallow import fields, validate

from events.table.commands.moves import WAYS_BACK
from service.api.schemas.clocks import clock_field
from service.api.schemas.fields import (
    LARGEST_VERSION,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    components,
    doc,
    string_list,
)
from service.api.schemas.replay import PlaceResponse, TimelineStepResponse, points_by_seat
from service.games.game_index_keys import STATUSES
from service.games.table_representations import SEAT_STATES
from service.text_patterns import LONGEST_NAME

MOST_FIELDS = 8
"""Of an answer that is given ahead."""

# Requests


class TableQuery(RequestSchema):
    after = fields.Integer(
        load_default=lambda: None,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("With the steps after this version, a page of them; without it no step comes along."),
    )


class AnswerAheadRequest(RequestSchema):
    """An answer to a question that may come."""

    answer = fields.Dict(
        keys=fields.String(validate=validate.Length(1, LONGEST_NAME)),
        values=fields.Raw(allow_none=True),
        required=True,
        validate=validate.Length(1, MOST_FIELDS),
        metadata=doc("As a move, without its `decision`."),
    )
    every = StrictBoolean(required=True, metadata=doc("Until you say otherwise; else the next time only."))


# Responses


class KeptAnswerResponse(ResponseSchema):
    """An answer that you have given ahead. Only you can see it."""

    decision = fields.String(required=True, metadata=doc("The kind of the decisions that it answers."))
    answer = fields.Dict(keys=fields.String(), values=fields.Raw(), required=True)
    every = fields.Boolean(required=True)


def kept_answers() -> fields.List:
    return fields.List(
        fields.Nested(KeptAnswerResponse), required=True, metadata=doc("The answers that you have given ahead.")
    )


class AheadResponse(ResponseSchema):
    ahead = kept_answers()


class AskedResponse(ResponseSchema):
    """The question that the game waits for. What may be answered is told to the players who are asked."""

    kind = fields.String(required=True, metadata=doc("The kind of the decision; empty if the game waits for nothing."))
    seats = string_list("The seats that are asked.")


class TableSeatResponse(ResponseSchema):
    seat = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.String(required=True, metadata=doc("The bot of the service that plays the seat; empty if none does."))
    state = fields.String(
        required=True,
        validate=validate.OneOf(SEAT_STATES),
        metadata=doc("`automatic`: the player is not waited for; `forfeited`: out of the running for good."),
    )


class TakingBackResponse(ResponseSchema):
    by = string_list("Seats that want the last move of the first of them to be taken back.")
    may = fields.String(
        required=True,
        validate=validate.OneOf(["", *WAYS_BACK]),
        metadata=doc("What you may do: take your last move back at once, ask the others, or agree; empty if nothing."),
    )


class TableResponse(ResponseSchema):
    """A table now, as you may know it."""

    version = fields.Integer(required=True)
    viewer = fields.String(required=True, metadata=doc("Your seat, or `spectator`."))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    asked = fields.Nested(AskedResponse, required=True)
    seats = fields.List(fields.Nested(TableSeatResponse), required=True)
    clock = clock_field()
    outlook = points_by_seat(
        "How the players would stand if everything that all of them see were scored now; empty unless the game runs."
    )
    places = points_by_seat("The final places; empty before the end.")
    take_back = fields.Nested(TakingBackResponse, required=True)
    may_resign = fields.Boolean(required=True)
    decisions = components("Decision", "The decisions that wait for you.")
    ahead = kept_answers()
    spaces = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata=doc("Every space in a sentence.")
    )
    cells = fields.List(
        fields.Nested(PlaceResponse),
        required=True,
        metadata=doc("The spaces of a map that grows; none if the ground has its own."),
    )
    steps = fields.List(
        fields.Nested(TimelineStepResponse), required=True, metadata=doc("As in the timeline, after `after`.")
    )
    next = fields.Integer(
        required=True, allow_none=True, metadata=doc("`after` of the next page of steps, if there are more.")
    )
