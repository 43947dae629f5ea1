"""The REST interface below `/api/v1`: one blueprint per module, listed here.

What may not enter: decisions. A view loads, calls and answers.
"""

from __future__ import annotations

from flask import Flask, request

from events.errors import StoreUnavailable
from rules.texts import say
from service.api import accounts, catalogue, clocks, games, inbox, moves, openapi, players, streams, webhooks

PREFIX = "/api/v1"

BLUEPRINTS = {
    catalogue.blueprint: "The games that can be played, and their material.",
    accounts.blueprint: "Accounts, and the sessions and tokens that they are known by.",
    games.blueprint: "Tables: make one, find one, sit down, begin, look.",
    moves.blueprint: "Decisions, the moves that answer them, and what follows.",
    clocks.blueprint: "Time, and leaving before the end.",
    streams.blueprint: "Games, live.",
    players.blueprint: "People, and the games they play.",
    inbox.blueprint: "Your notices, about all your games.",
    webhooks.blueprint: "Deliveries to a program of yours of everything that concerns you.",
}
"""The rooms of the interface; each is a tag in its description."""

DIRECT = ("play.move",)
"""The endpoints that are answered without Flask's dispatch."""


def register(app: Flask) -> None:
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix=PREFIX)
    tags = {blueprint.name: description for blueprint, description in BLUEPRINTS.items()}
    openapi.register(app, tags, PREFIX)


def refuse_without_store() -> None:
    """Without a store there are rules to read, and nothing else."""
    if request.path.startswith(PREFIX) and request.blueprint not in ("rules", "description"):
        raise StoreUnavailable(say("no store is configured"), "start with `hidalgo serve`, or set REDIS_URL")
