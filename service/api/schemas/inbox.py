"""Notices of an account."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.api.schemas.fields import LARGEST_VERSION, RequestSchema, ResponseSchema, components, doc, nothing
from service.notifications.notices import ABOUT_GAMES, WEBHOOK_DISABLED
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS


class InboxStreamQuery(RequestSchema):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST_VERSION), metadata=doc("Only notices after this one.")
    )


class InboxQuery(InboxStreamQuery):
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 1000), metadata=doc("The most at once."))


class AnyNoticeResponse(ResponseSchema):
    id = fields.Integer(required=True, metadata=doc("Counts your notices. Old ones go: the last 1,000 are kept."))
    text = fields.String(required=True, metadata=doc("A sentence for people."))
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


class GameNoticeResponse(AnyNoticeResponse):
    """A message about a game of yours."""

    kind = fields.String(required=True, validate=validate.OneOf(ABOUT_GAMES))
    game = fields.String(required=True)
    version = fields.Integer(required=True, metadata=doc("Of the game, when it happened."))
    seat = fields.String(required=True, allow_none=True, metadata=doc("The seat that it is about."))
    bot = fields.Boolean(required=True, metadata=doc("Whether it is about a seat that a program has taken."))
    webhook = nothing()
    tournament = fields.String(
        required=True, allow_none=True, metadata=doc("Of a `pairing`: the tournament whose table waits.")
    )
    invitation = fields.String(metadata=doc("Of a `rematch`: the word with which you sit down at the new table."))


class TournamentNoticeResponse(AnyNoticeResponse):
    """A message about a tournament in which you play, or which you run."""

    kind = fields.String(required=True, validate=validate.OneOf(ABOUT_TOURNAMENTS))
    tournament = fields.String(required=True)
    round = fields.Integer(required=True, allow_none=True, metadata=doc("The round that it is about."))
    table = fields.Integer(
        required=True, allow_none=True, metadata=doc("The table of the round that it is about, counted from 0.")
    )
    starts_at = fields.Integer(
        required=True, allow_none=True, metadata=doc("Of a round that was drawn: when it starts, in milliseconds.")
    )
    game = nothing()
    version = nothing()
    seat = nothing()
    bot = fields.Boolean(required=True)
    webhook = nothing()


class WebhookNoticeResponse(AnyNoticeResponse):
    """A message about a webhook of yours."""

    kind = fields.String(required=True, validate=validate.OneOf([WEBHOOK_DISABLED]))
    game = nothing()
    version = nothing()
    seat = nothing()
    bot = fields.Boolean(required=True)
    webhook = fields.String(required=True)
    tournament = nothing()


NOTICES: dict[type[Schema], tuple[str, ...]] = {
    GameNoticeResponse: ABOUT_GAMES,
    TournamentNoticeResponse: ABOUT_TOURNAMENTS,
    WebhookNoticeResponse: (WEBHOOK_DISABLED,),
}
"""The kinds of notices that have the same fields: `Notice` is one of them."""


class NoticePageResponse(ResponseSchema):
    notices = components("Notice")
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`after` for the next page, if any."))
