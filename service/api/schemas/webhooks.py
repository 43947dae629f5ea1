"""Webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from service.api.schemas.fields import (
    LARGEST_VERSION,
    Component,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    doc,
    string_list,
)
from service.api.schemas.moves import EventResponse
from service.notifications.deliveries import STATES
from service.notifications.notices import ABOUT_GAMES
from service.notifications.receiver_addresses import LONGEST_URL
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS
from service.notifications.webhooks import COMMIT, EVENTS, TEST

A_URL = "https://bot.example/hidalgo"
A_WEBHOOK = {
    "id": "w_mZ4rk0Qb2sVx",
    "url": A_URL,
    "events": ["game_over", "your_turn"],
    "enabled": True,
    "disabled_because": None,
    "created_at": 1794835212480,
}
A_SECRET = "whsec_…"
A_DELIVERY = {
    "id": "w_mZ4rk0Qb2sVx.17",
    "number": 17,
    "kind": "your_turn",
    "game": "kT3sB0Yc9xwVQ2mH",
    "version": 12,
    "state": "waiting",
    "attempts": 2,
    "created_at": 1794835212480,
    "tried_at": 1794835219702,
    "next_at": 1794835228311,
    "status": 503,
    "why": "the receiver answered 503",
}


# Requests


def url(**more: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(1, LONGEST_URL), metadata=doc("The receiver: https, and a public address."), **more
    )


def events(**more: Any) -> fields.List:
    return fields.List(
        fields.String(validate=validate.OneOf(EVENTS)),
        validate=validate.Length(1, len(EVENTS)),
        metadata=doc("The events to deliver: kinds of notices, and `commit` for every commit of your games."),
        **more,
    )


class CreateWebhookRequest(RequestSchema):
    url = url(required=True)
    events = events(load_default=["your_turn"])


class UpdateWebhookRequest(RequestSchema):
    """Fields that are left out stay as they are."""

    url = url()
    events = events()
    enabled = StrictBoolean(
        metadata=doc("Whether deliveries are sent; true enables it also after it was disabled because it failed.")
    )


class DeliveriesQuery(RequestSchema):
    state = fields.String(
        load_default=lambda: "", validate=validate.OneOf(STATES), metadata=doc("Only deliveries in this state.")
    )
    before = fields.Integer(
        load_default=LARGEST_VERSION,
        validate=validate.Range(1, LARGEST_VERSION),
        metadata=doc("Only deliveries with lower numbers."),
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200), metadata=doc("The most at once."))


# Responses


class WebhookResponse(ResponseSchema):
    id = fields.String(required=True)
    url = fields.String(required=True)
    events = string_list("The events that are delivered.")
    enabled = fields.Boolean(required=True)
    disabled_because = fields.String(required=True, allow_none=True)
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


class WebhookWithSecretResponse(WebhookResponse):
    secret = fields.String(
        required=True, metadata=doc("The key of the signatures (Standard Webhooks); shown only now.")
    )


class WebhookListResponse(ResponseSchema):
    webhooks = fields.List(fields.Nested(WebhookResponse), required=True)


class WebhookTestResponse(ResponseSchema):
    arrived = fields.Boolean(required=True)
    status = fields.Integer(
        required=True, allow_none=True, metadata=doc("The status that the receiver answered, if any.")
    )
    why = fields.String(required=True, allow_none=True, metadata=doc("The reason for which it has not arrived."))
    milliseconds = fields.Integer(required=True)


class DeliveryResponse(ResponseSchema):
    id = fields.String(required=True, metadata=doc("The `webhook-id` of the request; the same at every try."))
    number = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(EVENTS))
    game = fields.String(
        required=True, metadata=doc("The game that it is about; the tournament, if it is about no game.")
    )
    version = fields.Integer(required=True, metadata=doc("Of the game; 0 if it is about a tournament."))
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    attempts = fields.Integer(required=True)
    created_at = fields.Integer(required=True)
    tried_at = fields.Integer(required=True, allow_none=True)
    next_at = fields.Integer(required=True, allow_none=True, metadata=doc("The time of the next try."))
    status = fields.Integer(required=True, allow_none=True, metadata=doc("The last status that the receiver answered."))
    why = fields.String(required=True, allow_none=True, metadata=doc("The reason for which it has not arrived."))


class DeliveryPageResponse(ResponseSchema):
    deliveries = fields.List(fields.Nested(DeliveryResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` for the next page, if any."))


# The bodies of deliveries


class AnyDeliveryResponse(ResponseSchema):
    delivery = fields.String(required=True, metadata=doc("The same as the header `webhook-id`."))


class NoticeDeliveryResponse(AnyDeliveryResponse):
    """A notice, as in the inbox."""

    kind = fields.String(required=True, validate=validate.OneOf(ABOUT_GAMES))
    notice = Component("GameNotice")


class TournamentDeliveryResponse(AnyDeliveryResponse):
    """A notice about a tournament, as in the inbox."""

    kind = fields.String(required=True, validate=validate.OneOf(ABOUT_TOURNAMENTS))
    notice = Component("TournamentNotice")


class CommitDeliveryResponse(AnyDeliveryResponse):
    """A commit to a game of yours, as your seat may know it."""

    kind = fields.String(required=True, validate=validate.OneOf([COMMIT]))
    game = fields.String(required=True)
    event = fields.Nested(EventResponse, required=True)


class TestDeliveryResponse(AnyDeliveryResponse):
    """A test that you have asked for."""

    kind = fields.String(required=True, validate=validate.OneOf([TEST]))
    webhook = fields.String(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


DELIVERIES: dict[type[Schema], tuple[str, ...]] = {
    NoticeDeliveryResponse: ABOUT_GAMES,
    TournamentDeliveryResponse: ABOUT_TOURNAMENTS,
    CommitDeliveryResponse: (COMMIT,),
    TestDeliveryResponse: (TEST,),
}
"""The kinds of deliveries that have the same fields: `Delivery` is one of them."""
