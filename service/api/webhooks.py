"""The webhooks of an account and their deliveries. `docs/webhooks.md` is for authors of receivers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, url_for

from service.api.context import current_account, limited_account, webhooks
from service.api.operation import Body, Reply, operation
from service.api.schemas.fields import NO_FIELDS
from service.api.schemas.webhooks import (
    A_DELIVERY,
    A_SECRET,
    A_URL,
    A_WEBHOOK,
    CreateWebhookRequest,
    DeliveriesQuery,
    DeliveryPageResponse,
    DeliveryResponse,
    UpdateWebhookRequest,
    WebhookListResponse,
    WebhookResponse,
    WebhookTestResponse,
    WebhookWithSecretResponse,
)
from service.http import authentication
from service.http.context import services, waiting
from service.http.idempotency import idempotency_key
from service.http.responses import json_response, no_store
from service.language import rendered
from service.notifications.deliveries import Delivery, Outcome
from service.notifications.mailboxes import Webhook
from service.notifications.notices import disabled_because

blueprint = Blueprint("webhooks", __name__)
blueprint.after_request(no_store)


@blueprint.post("/me/webhooks")
@authentication.needs("account")
@operation(
    Reply(201, WebhookWithSecretResponse, A_WEBHOOK | {"secret": A_SECRET}),
    body=Body(CreateWebhookRequest, {"url": A_URL, "events": ["your_turn", "game_over"]}),
)
def create(body: dict[str, Any]) -> Response:
    """Create a webhook: the events you choose are delivered to its URL. The secret is shown only now."""
    account = limited_account("webhooks")
    services().reserve.check()
    hook = webhooks().create(account, body["url"], body["events"], idempotency_key())
    return json_response(representation_with_secret(hook), 201, location=url_for("webhooks.look", webhook=hook.id))


@blueprint.get("/me/webhooks")
@authentication.needs("account")
@operation(Reply(200, WebhookListResponse, {"webhooks": [A_WEBHOOK]}))
def find() -> Response:
    """Your webhooks, oldest first, without their secrets."""
    return json_response({"webhooks": [representation(hook) for hook in webhooks().all(current_account())]})


@blueprint.get("/me/webhooks/<webhook>")
@authentication.needs("account")
@operation(Reply(200, WebhookResponse, A_WEBHOOK))
def look(webhook: str) -> Response:
    """One of your webhooks."""
    return json_response(representation(webhooks().look(current_account(), webhook)))


@blueprint.patch("/me/webhooks/<webhook>")
@authentication.needs("account")
@operation(Reply(200, WebhookResponse, A_WEBHOOK), body=Body(UpdateWebhookRequest, {"enabled": True}))
def change(body: dict[str, Any], webhook: str) -> Response:
    """Change the URL or the events of a webhook; disable it, or enable it again."""
    return json_response(representation(webhooks().change(limited_account("webhooks"), webhook, body)))


@blueprint.delete("/me/webhooks/<webhook>")
@authentication.needs("account")
@operation(Reply(204))
def delete(webhook: str) -> None:
    """Delete a webhook and its deliveries."""
    webhooks().delete(current_account(), webhook)


@blueprint.post("/me/webhooks/<webhook>/secret")
@authentication.needs("account")
@operation(Reply(200, WebhookWithSecretResponse, A_WEBHOOK | {"secret": A_SECRET}), body=NO_FIELDS)
def rotate(_: dict[str, Any], webhook: str) -> Response:
    """Replace the secret; the new one is shown only now. For a day the former one signs every delivery, too."""
    account = limited_account("webhooks")
    return json_response(representation_with_secret(webhooks().rotate(account, webhook, idempotency_key())))


@blueprint.post("/me/webhooks/<webhook>/test")
@authentication.needs("account")
@operation(
    Reply(200, WebhookTestResponse, {"arrived": True, "status": 204, "why": None, "milliseconds": 87}), body=NO_FIELDS
)
def test(_: dict[str, Any], webhook: str) -> Response:
    """Send a test delivery at once, and answer with its outcome."""
    account = limited_account("webhook_tests")
    with waiting():
        return json_response(outcome_representation(webhooks().test(account, webhook)))


@blueprint.get("/me/webhooks/<webhook>/deliveries")
@authentication.needs("account")
@operation(Reply(200, DeliveryPageResponse, {"deliveries": [A_DELIVERY], "next": None}), query=DeliveriesQuery)
def deliveries(query: dict[str, Any], webhook: str) -> Response:
    """The deliveries of a webhook, newest first: those that wait, are parked, or have arrived lately."""
    found = webhooks().deliveries(current_account(), webhook, query["state"], query["before"], query["limit"] + 1)
    page = found[: query["limit"]]
    more = page[-1].number if len(found) > len(page) else None
    return json_response({"deliveries": [delivery_representation(delivery) for delivery in page], "next": more})


@blueprint.post("/me/webhooks/<webhook>/deliveries/<number>/retry")
@authentication.needs("account")
@operation(Reply(200, DeliveryResponse, A_DELIVERY), body=NO_FIELDS)
def retry(_: dict[str, Any], webhook: str, number: str) -> Response:
    """Try a parked delivery again, at once."""
    return json_response(delivery_representation(webhooks().retry(limited_account("webhooks"), webhook, number)))


def representation(hook: Webhook) -> dict[str, Any]:
    return {
        "id": hook.id,
        "url": hook.url,
        "events": hook.events,
        "enabled": not hook.disabled,
        "disabled_because": rendered(disabled_because(hook.disabled)) if hook.disabled else None,
        "created_at": hook.created_at,
    }


def representation_with_secret(hook: Webhook) -> dict[str, Any]:
    return representation(hook) | {"secret": hook.secret}


def outcome_representation(outcome: Outcome) -> dict[str, Any]:
    return {
        "arrived": outcome.has_arrived,
        "status": outcome.status,
        "why": rendered(outcome.why) if outcome.why else None,
        "milliseconds": outcome.milliseconds,
    }


def delivery_representation(delivery: Delivery) -> dict[str, Any]:
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
        "why": rendered(delivery.why) if delivery.why else None,
    }
