"""The outside world: HTTP, pages, accounts, the command line. Only `create_app` wires things together.

What may not enter: rules of a game, pairing, anything a program without a network would need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def create_app() -> Flask:
    """The web application, as plain WSGI; any server can run it."""
    # Imported here so that commands without a web server start without Flask.
    from flask import Flask

    from service import api, errors, web

    app = Flask(__name__, static_folder=None)
    errors.register(app)
    web.register(app)
    api.register(app)
    return app
