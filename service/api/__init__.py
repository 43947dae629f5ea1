"""The REST interface below `/api/v1`: one blueprint per module, listed here.

What may not enter: decisions. A view loads, calls and answers.
"""

from __future__ import annotations

import flask_smorest
from flask import Flask, request

from events.errors import StoreUnavailable
from service.api import accounts, catalogue, clocks, description, games, inbox, moves, players, streams, webhooks

PREFIX = "/api/v1"

BLUEPRINTS = (
    catalogue.blueprint,
    accounts.accounts,
    games.blueprint,
    moves.blueprint,
    clocks.blueprint,
    streams.blueprint,
    players.blueprint,
    inbox.blueprint,
    webhooks.blueprint,
)


def register(app: Flask) -> None:
    api = description.Api(app)
    for blueprint in BLUEPRINTS:
        if isinstance(blueprint, flask_smorest.Blueprint):
            api.register_blueprint(blueprint, url_prefix=PREFIX)
        else:
            app.register_blueprint(blueprint, url_prefix=PREFIX)
    app.register_blueprint(description.blueprint, url_prefix=PREFIX)
    app.extensions["description"] = description.Description(api)


def refuse_without_store() -> None:
    """Without a store there are rules to read, and nothing else."""
    if request.path.startswith(PREFIX) and request.blueprint not in ("rules", "description"):
        raise StoreUnavailable("no store is configured: start with `hidalgo serve`, or set REDIS_URL")
