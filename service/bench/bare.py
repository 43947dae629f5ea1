"""The least that could take a move: read JSON, check it with a schema, append as many bytes to a stream, answer.

There are no accounts, no rules and no game; nothing is published, logged or counted. The endpoint on Flask is the
yardstick of our own move path, which is built on Flask; the one on FastAPI tells where another choice would have led;
the one without a framework tells what the server, Python and the store take by themselves.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import msgspec

from events.store import connect
from events.store.direct import direct
from rules.codec import encode
from service.operations.serving import listening_address, run_server, url
from service.settings import Settings

PATH = "/api/v1/games/{game}/moves"
ENTRY = 600
"""About as many bytes as a commit."""
SECONDS_KEPT = 3600
"""A connection waits so long for its next turn, at least."""

FLASK = "from service.bench.bare import serve; serve('flask_endpoint')"
WSGI = "from service.bench.bare import serve; serve('wsgi_endpoint')"
FASTAPI = "from service.bench.bare import serve_fastapi; serve_fastapi()"


def serve(endpoint: str) -> None:
    """On the same server as ours, with the same settings."""
    address, port = listening_address("127.0.0.1", 0)
    print(url(address, port), flush=True)
    run_server(address, port, Settings.from_env(), f"service.bench.bare:{endpoint}")


def flask_endpoint() -> Callable[..., Any]:
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


def wsgi_endpoint() -> Callable[..., Any]:
    """No framework, no schema, and nothing around a command: what our move path is made of, and no more."""
    store = direct(connect(Settings.from_env().store_url or "").commands)

    def move(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["REQUEST_METHOD"] == "GET":
            start_response("200 OK", [("Content-Length", "2")])
            return [b"ok"]
        read = msgspec.json.decode(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        version = store("XADD", f"bench:bare:{environ['PATH_INFO']}", "*", "c", encode(read).ljust(ENTRY))
        answer = encode({"version": version.decode()})
        start_response("201 CREATED", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))])
        return [answer]

    return move


def has_fastapi() -> bool:
    """Whether the extra `bench` is installed."""
    return all(find_spec(name) for name in ("fastapi", "uvicorn"))


def serve_fastapi() -> None:
    import uvicorn

    address, port = listening_address("127.0.0.1", 0)
    print(url(address, port), flush=True)
    uvicorn.run(
        "service.bench.bare:fastapi_endpoint",
        factory=True,
        host=address,
        port=port,
        workers=Settings.from_env().workers,
        log_level="error",
        access_log=False,
        timeout_keep_alive=SECONDS_KEPT,
    )


def fastapi_endpoint() -> Callable[..., Any]:
    """As its own documentation would write it: a pydantic model, and the asynchronous client of the same store."""
    from fastapi import FastAPI
    from pydantic import BaseModel, ConfigDict, Field
    from redis.asyncio import Redis

    class Move(BaseModel):
        model_config = ConfigDict(extra="allow")

        decision: str = Field(min_length=1, max_length=64)
        kind: str = Field(min_length=1, max_length=64)

    app, redis = FastAPI(), Redis.from_url(Settings.from_env().store_url or "", protocol=2)

    @app.get("/healthz")
    async def healthz() -> str:
        return "ok"

    @app.post(PATH.format(game="{game}"), status_code=201)
    async def move(game: str, checked: Move) -> dict[str, str]:
        version: Any = await redis.xadd(f"bench:bare:{game}", {"c": checked.model_dump_json().encode().ljust(ENTRY)})
        return {"version": version.decode()}

    return app
