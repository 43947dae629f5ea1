"""The outside world: HTTP, pages, accounts, the command line. Only `create_app` wires things together.

What may not enter: rules of a game, pairing, anything a program without a network would need.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from events.store import Store


STORE_URL = "HIDALGO_STORE_URL"
"""Where `hidalgo serve` tells its workers which store to use."""

SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"
"""Where `hidalgo serve` tells its workers to count together."""


THREADS = "HIDALGO_THREADS"
"""How many requests a worker answers at once; `hidalgo serve` tells its workers."""
DEFAULT_THREADS = 256
"""Open event streams hold a thread each, so there are many; they cost little while idle."""

PROXIES = "HIDALGO_PROXIES"
"""Through how many proxies of the operator every request comes. Only they are believed where it came from."""


def threads() -> int:
    return int(os.environ.get(THREADS) or DEFAULT_THREADS)


def create_app(store_url: str | None = None) -> Flask:
    """The web application, as plain WSGI; any server can run it."""
    # Imported here so that commands without a web server start without Flask.
    from werkzeug.middleware.proxy_fix import ProxyFix

    from events.store import connect
    from service import api, web
    from service.http import access_log, compression, problems, request_bodies
    from service.http.application import Application
    from service.operations import metrics

    app = Application(__name__, static_folder=None)
    for part in (access_log, compression, request_bodies, problems, web, metrics, api):
        part.register(app)
    if proxies := int(os.environ.get(PROXIES) or 0):
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]
    if store_url := store_url or os.environ.get(STORE_URL) or os.environ.get("REDIS_URL"):
        wire(app, connect(store_url))
    else:
        app.before_request(api.refuse_without_store)
    return app


def create_worker() -> Flask:
    """The web application in a process that serves, and says so to the store for as long as it lives."""
    app = create_app()
    if heartbeat := app.extensions.get("heartbeat"):
        heartbeat.start()
    return app


def wire(app: Flask, store: Store) -> None:
    """Everything that needs the store."""
    from events.games import Games
    from events.log.redis import RedisLog
    from events.workers.heartbeat import Heartbeat
    from service.games.game_index import Listing
    from service.games.game_service import GameService
    from service.games.invitations import Invitations
    from service.games.lobby import Lobby
    from service.http import authentication
    from service.live import streams
    from service.notifications.inbox import Inboxes
    from service.notifications.receiver_addresses import AddressPolicy, networks_from
    from service.notifications.sender import Sender
    from service.notifications.webhooks import Webhooks

    heartbeat = Heartbeat(store, serving=True)
    games, listing = Games(RedisLog(store), now=heartbeat.now, outages=heartbeat.outages), Listing(store)
    inboxes = Inboxes(store)
    app.extensions["store"] = store
    app.extensions["heartbeat"] = heartbeat
    app.extensions["game_service"] = GameService(games, listing, Invitations(store))
    app.extensions["lobby"] = Lobby(games, listing)
    app.extensions["inboxes"] = inboxes
    app.extensions["webhooks"] = Webhooks(store, Sender(AddressPolicy(networks_from())))
    authentication.register(app, store)
    streams.register(app, games, inboxes)
