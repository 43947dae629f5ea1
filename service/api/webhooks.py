"""Webhooks: a program of yours is told what concerns you. `docs/webhooks.md` is for whoever writes it."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from marshmallow import fields, validate

from service.api.blueprint import Blueprint, me, webhooks
from service.api.schemas import MOST_VERSIONS, Flag, Nothing, Sent, Told, about, texts
from service.http import authentication
from service.http.preconditions import idempotency_key
from service.http.responses import answer
from service.notifications.deliveries import STATES, Delivery
from service.notifications.mailboxes import Hook
from service.notifications.receiver_addresses import LONGEST_URL
from service.notifications.webhooks import EVENTS

blueprint = Blueprint("webhooks", __name__, description="Programs of yours that are told what concerns you.")

A_URL = "https://bot.example/hidalgo"
A_WEBHOOK = {
    "id": "w_mZ4rk0Qb2sVx",
    "url": A_URL,
    "events": ["game_over", "your_turn"],
    "enabled": True,
    "disabled_because": None,
    "created_at": 1794835212480,
}
A_SECRET = "hdw_" + "…"
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


# What is sent


def url(**more: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(1, LONGEST_URL), metadata=about("Where to: https, and a public address."), **more
    )


def events(**more: Any) -> fields.List:
    return fields.List(
        fields.String(validate=validate.OneOf(EVENTS)),
        validate=validate.Length(1, len(EVENTS)),
        metadata=about("What you want to be told: kinds of notices, and `commit` for every commit of your games."),
        **more,
    )


class WebhookWish(Sent):
    url = url(required=True)
    events = events(load_default=["your_turn"])


class WebhookChange(Sent):
    """What is left out stays as it is."""

    url = url()
    events = events()
    enabled = Flag(metadata=about("Whether anything is sent; true also after it was disabled because it failed."))


class DeliveriesQuery(Sent):
    state = fields.String(load_default="", validate=validate.OneOf(STATES), metadata=about("Only these."))
    before = fields.Integer(
        load_default=MOST_VERSIONS, validate=validate.Range(1, MOST_VERSIONS), metadata=about("Only lower numbers.")
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200), metadata=about("The most at once."))


# What is answered


class Webhook(Told):
    id = fields.String(required=True)
    url = fields.String(required=True)
    events = texts("What it is told.")
    enabled = fields.Boolean(required=True)
    disabled_because = fields.String(required=True, allow_none=True)
    created_at = fields.Integer(required=True, metadata=about("Milliseconds since 1970."))


class NewWebhook(Webhook):
    secret = fields.String(required=True, metadata=about("By which you know that it is us; shown only now."))


class WebhookList(Told):
    webhooks = fields.List(fields.Nested(Webhook), required=True)


class TestResult(Told):
    arrived = fields.Boolean(required=True)
    status = fields.Integer(required=True, allow_none=True, metadata=about("What the receiver answered, if it did."))
    why = fields.String(required=True, allow_none=True, metadata=about("Why it has not arrived."))
    milliseconds = fields.Integer(required=True)


class DeliveryTold(Told):
    id = fields.String(required=True, metadata=about("Also sent along; the same at every try."))
    number = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(EVENTS))
    game = fields.String(required=True)
    version = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    attempts = fields.Integer(required=True)
    created_at = fields.Integer(required=True)
    tried_at = fields.Integer(required=True, allow_none=True)
    next_at = fields.Integer(required=True, allow_none=True, metadata=about("When it is tried again."))
    status = fields.Integer(required=True, allow_none=True, metadata=about("What the receiver answered last."))
    why = fields.String(required=True, allow_none=True, metadata=about("Why it has not arrived."))


class DeliveryPage(Told):
    deliveries = fields.List(fields.Nested(DeliveryTold), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=about("`before` for the next page, if any."))


# Views


@blueprint.after_request
def never_keep(response: Response) -> Response:
    """No cache may keep what is said here."""
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.route("/me/webhooks", methods=["POST"])
@authentication.needs("account")
@blueprint.arguments(WebhookWish, example={"url": A_URL, "events": ["your_turn", "game_over"]})
@blueprint.response(201, NewWebhook, example=A_WEBHOOK | {"secret": A_SECRET})
def create(wish: dict[str, Any]) -> Response:
    """Have a program of yours told what concerns you. The secret is shown only now."""
    authentication.limit("webhooks_from_an_address")
    hook = webhooks().create(me(), wish["url"], wish["events"], idempotency_key())
    return answer(with_secret(hook), 201, location=url_for("webhooks.look", webhook=hook.id))


@blueprint.route("/me/webhooks")
@authentication.needs("account")
@blueprint.response(200, WebhookList, example={"webhooks": [A_WEBHOOK]})
def find() -> Response:
    """Your webhooks, oldest first, without their secrets."""
    return answer({"webhooks": [described(hook) for hook in webhooks().all(me())]})


@blueprint.route("/me/webhooks/<webhook>")
@authentication.needs("account")
@blueprint.response(200, Webhook, example=A_WEBHOOK)
def look(webhook: str) -> Response:
    """One of your webhooks."""
    return answer(described(webhooks().look(me(), webhook)))


@blueprint.route("/me/webhooks/<webhook>", methods=["PATCH"])
@authentication.needs("account")
@blueprint.arguments(WebhookChange, example={"enabled": True})
@blueprint.response(200, Webhook, example=A_WEBHOOK)
def change(wish: dict[str, Any], webhook: str) -> Response:
    """Change where it leads or what it is told, switch it off or on again."""
    return answer(described(webhooks().change(me(), webhook, wish)))


@blueprint.route("/me/webhooks/<webhook>", methods=["DELETE"])
@authentication.needs("account")
@blueprint.response(204)
def delete(webhook: str) -> None:
    """Delete a webhook, and everything that waits for it."""
    webhooks().delete(me(), webhook)


@blueprint.route("/me/webhooks/<webhook>/secret", methods=["POST"])
@authentication.needs("account")
@blueprint.arguments(Nothing, required=False, example={})
@blueprint.response(200, NewWebhook, example=A_WEBHOOK | {"secret": A_SECRET})
def rotate(_: dict[str, Any], webhook: str) -> Response:
    """A new secret, shown only now. For a day everything is signed by the former one, too."""
    return answer(with_secret(webhooks().rotate(me(), webhook, idempotency_key())))


@blueprint.route("/me/webhooks/<webhook>/test", methods=["POST"])
@authentication.needs("account")
@blueprint.arguments(Nothing, required=False, example={})
@blueprint.response(200, TestResult, example={"arrived": True, "status": 204, "why": None, "milliseconds": 87})
def test(_: dict[str, Any], webhook: str) -> Response:
    """Send something at once, and tell what came of it."""
    authentication.limit("webhook_tests_of_an_account", me())
    came = webhooks().test(me(), webhook)
    told = {"arrived": came.has_arrived, "status": came.status, "why": came.why or None}
    return answer(told | {"milliseconds": came.milliseconds})


@blueprint.route("/me/webhooks/<webhook>/deliveries")
@authentication.needs("account")
@blueprint.arguments(DeliveriesQuery, location="query")
@blueprint.response(200, DeliveryPage, example={"deliveries": [A_DELIVERY], "next": None})
def deliveries(query: dict[str, Any], webhook: str) -> Response:
    """What waits, what is parked because it failed too often, and what has arrived lately; newest first."""
    found = webhooks().deliveries(me(), webhook, query["state"], query["before"], query["limit"] + 1)
    page = found[: query["limit"]]
    more = page[-1].number if len(found) > len(page) else None
    return answer({"deliveries": [delivery_described(delivery) for delivery in page], "next": more})


@blueprint.route("/me/webhooks/<webhook>/deliveries/<number>/retry", methods=["POST"])
@authentication.needs("account")
@blueprint.arguments(Nothing, required=False, example={})
@blueprint.response(200, DeliveryTold, example=A_DELIVERY)
def retry(_: dict[str, Any], webhook: str, number: str) -> Response:
    """A parked delivery waits again, and is tried at once."""
    return answer(delivery_described(webhooks().retry(me(), webhook, number)))


def described(hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id,
        "url": hook.url,
        "events": hook.events,
        "enabled": not hook.disabled,
        "disabled_because": hook.disabled or None,
        "created_at": hook.created_at,
    }


def with_secret(hook: Hook) -> dict[str, Any]:
    return described(hook) | {"secret": hook.secret}


def delivery_described(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "number": delivery.number,
        "kind": delivery.kind,
        "game": delivery.game,
        "version": delivery.version,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "created_at": delivery.created_at,
        "tried_at": delivery.tried_at,
        "next_at": delivery.next_at,
        "status": delivery.status,
        "why": delivery.why or None,
    }
