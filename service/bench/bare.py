"""The least that could take a move: read JSON, check it with a schema, append as many bytes to a stream, answer.

There are no accounts, no rules and no game; nothing is published, logged or counted.
"""

from collections.abc import Callable
from typing import Any

from events.store import connect
from rules.codec import encode
from service.operations.serving import listening_address, run_server, url
from service.settings import Settings

PATH = "/api/v1/games/{game}/moves"
ENTRY = 600
"""About as many bytes as a commit."""

FLASK = "from service.bench.bare import serve_flask; serve_flask()"


def serve_flask() -> None:
    address, port = listening_address("127.0.0.1", 0)
    print(url(address, port), flush=True)
    run_server(address, port, Settings.from_env(), "service.bench.bare:flask_endpoint")


def flask_endpoint() -> Callable[..., Any]:
    """On the same server as ours, with the same settings."""
    from flask import Flask, request
    from marshmallow import INCLUDE, Schema, fields, validate

    class MoveSchema(Schema):
        class Meta:
            unknown = INCLUDE

        decision = fields.String(required=True, validate=validate.Length(1, 64))
        kind = fields.String(required=True, validate=validate.Length(1, 64))

    app, schema, redis = Flask(__name__), MoveSchema(), connect(Settings.from_env().store_url or "").commands

    @app.get("/healthz")
    def healthz() -> str:
        return "ok"

    @app.post(PATH.format(game="<game>"))
    def move(game: str) -> tuple[dict[str, Any], int]:
        checked = schema.load(request.get_json())
        version: Any = redis.xadd(f"bench:bare:{game}", {"c": encode(checked).ljust(ENTRY)})
        return {"version": version.decode()}, 201

    return app
