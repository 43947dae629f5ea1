"""Deliveries to webhooks in the OpenAPI document: the request that the service sends to a receiver."""

from __future__ import annotations

from typing import Any

from rules.shapes import reference
from service.http.responses import JSON

HEADERS = {
    "webhook-id": "The id of the delivery, the same at every try.",
    "webhook-timestamp": "The time of this try, in seconds since 1970.",
    "webhook-signature": "Signatures by your secret (Standard Webhooks), separated by spaces.",
}


def webhooks() -> dict[str, Any]:
    return {
        "delivery": {
            "post": {
                "operationId": "deliver",
                "summary": "An event that one of your webhooks is subscribed to.",
                "description": "Sent at least once, in order for each game. Its kind tells what is in the body.",
                "tags": ["webhooks"],
                "security": [],
                "parameters": [header(name, text) for name, text in HEADERS.items()],
                "requestBody": {"required": True, "content": {JSON: {"schema": reference("Delivery")}}},
                "responses": {
                    "2XX": {"description": "It has arrived."},
                    "default": {"description": "It has not arrived, and is tried again."},
                },
            }
        }
    }


def header(name: str, text: str) -> dict[str, Any]:
    return {"in": "header", "name": name, "required": True, "description": text, "schema": {"type": "string"}}
