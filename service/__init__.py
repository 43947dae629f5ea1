"""The outside world: HTTP, pages, accounts, the command line. Only `create_app` wires things together.

What may not enter: rules of a game, pairing, anything a program without a network would need.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


STORE_URL = "HIDALGO_STORE_URL"
"""Where `hidalgo serve` tells its workers which store to use."""


def create_app(store_url: str | None = None) -> Flask:
    """The web application, as plain WSGI; any server can run it."""
    # Imported here so that commands without a web server start without Flask.
    from flask import Flask

    from events.store import connect
    from service import api, errors, web

    app = Flask(__name__, static_folder=None)
    if store_url := store_url or os.environ.get(STORE_URL) or os.environ.get("REDIS_URL"):
        app.extensions["store"] = connect(store_url)
    errors.register(app)
    web.register(app)
    api.register(app)
    return app
