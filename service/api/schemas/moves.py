"""Decisions, moves, positions and events."""

from __future__ import annotations

from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate

from service.api.schemas.beats import BeatResponse
from service.api.schemas.clocks import clock_field
from service.api.schemas.fields import (
    LARGEST_VERSION,
    Component,
    FullMatch,
    RequestSchema,
    ResponseSchema,
    components,
    doc,
    short_text,
    string_list,
)
from service.games.game_index_keys import STATUSES
from service.text_patterns import LONGEST_NAME, NAME, is_name

# Requests


class MoveRequest(Schema):
    """An answer to a decision, whose own schema has the further fields; the rules read them."""

    component = "Move"

    class Meta:
        unknown = INCLUDE

    def load(self, data: Any, **kwargs: Any) -> Any:
        """A move that fits stays as it is; only another is looked at field by field, for the faults in it."""
        if is_name(data.get("decision")) and is_name(data.get("kind")):
            return data
        return super().load(data, **kwargs)

    decision = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)],
        metadata=doc("The decision that this answers."),
    )
    kind = fields.String(
        required=True,
        validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)],
        metadata=doc("What kind of answer it is."),
    )


class TakeBackRequest(RequestSchema):
    """A move to take back."""

    of = short_text("The seat that has asked for agreement to take its last move back; your own if left out.")


class MoveQuery(RequestSchema):
    dry_run = fields.Boolean(
        load_default=False, truthy={"true"}, falsy={"false"}, metadata=doc("Only tell the facts that would follow.")
    )
    beats = fields.Boolean(
        load_default=False,
        truthy={"true"},
        falsy={"false"},
        metadata=doc("With `dry_run`: also tell what would be seen to happen."),
    )


class ViewerQuery(RequestSchema):
    viewer = fields.String(
        load_default=lambda: None,
        validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)],
        metadata=doc(
            "Through whose eyes: your own seat, or `spectator`; after the end any seat, or `everything`. "
            "By default your own seat, else `spectator`; after the end `everything`."
        ),
    )


class StateQuery(ViewerQuery):
    version = fields.Integer(
        load_default=lambda: None,
        validate=validate.Range(1, LARGEST_VERSION),
        metadata=doc("As it was then; now if left out."),
    )


class EventsQuery(ViewerQuery):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST_VERSION), metadata=doc("Only versions after this one.")
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(1, 1000), metadata=doc("The most at once, in pages.")
    )


# Responses


class DecisionsResponse(ResponseSchema):
    version = fields.Integer(required=True)
    waiting = string_list("The seats that are asked now.")
    decisions = components("Decision")


def fact_list() -> fields.List:
    return components("Fact", "What has happened, as the viewer may know it: secrets of others are masked.")


class MovedResponse(ResponseSchema):
    """A move that was made."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    facts = fact_list()
    story = string_list("The same in words.")
    waiting = string_list("The seats that are asked now.")
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))


class PreviewResponse(ResponseSchema):
    """A move that was tried, with its facts as far as the player may know them."""

    accepted = fields.Boolean(required=True)
    facts = fact_list()
    story = string_list("The same in words.")
    refusal = fields.String(required=True, allow_none=True, metadata=doc("Why not, in a sentence."))
    rule = fields.String(required=True, allow_none=True, metadata=doc("Which rule forbids it."))
    further = Component(
        "DecisionSchema",
        "The schema of the steps that may be sent along with these, as `several`; null if none may.",
        nullable=True,
    )
    beats = fields.List(
        fields.Nested(BeatResponse),
        required=True,
        metadata=doc("What would be seen to happen, if that was asked for; else nothing."),
    )
    told = string_list("The story with the names of the players, if `beats` were asked for; else nothing.")


class StateResponse(ResponseSchema):
    """The position as one viewer may see it."""

    version = fields.Integer(required=True)
    viewer = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    waiting = string_list("The seats that are asked.")
    clock = clock_field()
    state = Component("Position", "Null before the game begins.", nullable=True)


class EventResponse(ResponseSchema):
    """One accepted command, and the facts that followed from it."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    by = fields.String(required=True, metadata=doc("A seat, an account, `table` or `clock`."))
    decision = fields.String(required=True, metadata=doc("The decision answered; empty if there was none."))
    facts = fact_list()
    story = string_list("The same in words.")
    hash = fields.String(required=True)


class EventPageResponse(ResponseSchema):
    events = fields.List(fields.Nested(EventResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`after` for the next page, if any."))


class ExportedHeaderResponse(ResponseSchema):
    """Everything about a commit but its facts."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    by = fields.String(required=True)
    command = fields.String(required=True)
    decision = fields.String(required=True)
    schema = fields.Integer(required=True, metadata=doc("The shape of its facts."))
    rules = fields.Integer(required=True, metadata=doc("The version of the game's rules that decided it."))
    previous = fields.String(required=True, metadata=doc("The hash of the commit before."))


class ExportedFactResponse(ResponseSchema):
    """A fact as it is stored, with its salt; or its digest, if it is hidden from the viewer."""

    fact = fields.Dict(metadata=doc("In the shape that the header names: that of older games may differ."))
    masked = fields.Dict(metadata=doc("The fact as those see it who may not know all of it."))
    salt = fields.String()
    digest = fields.String()


class ExportedCommitResponse(ResponseSchema):
    header = fields.Nested(ExportedHeaderResponse, required=True)
    facts = fields.List(fields.Nested(ExportedFactResponse), required=True)
    hash = fields.String(required=True)


class ExportResponse(ResponseSchema):
    """A file for `hidalgo verify`; `docs/verify.md` has all of the format."""

    format = fields.String(required=True)
    schema = fields.Integer(required=True)
    viewer = fields.String(required=True)
    commits = fields.List(fields.Nested(ExportedCommitResponse), required=True)
