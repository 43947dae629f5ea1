"""What clients send, read once and for all views: small, JSON, an object."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, Request, g, request
from marshmallow import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from rules.errors import Unreadable

MOST_BYTES = 64 * 1024
DEEPEST = 32
API = "/api/"


def register(app: Flask) -> None:
    # One more than allowed is read, so that a body that came without its length is known to be too long.
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES + 1
    app.before_request(read)


def read() -> None:
    """Refuse a body that no view could use, before any view looks at it."""
    if not request.path.startswith(API) or request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if (request.content_length or 0) > MOST_BYTES or len(request.get_data()) > MOST_BYTES:
        raise RequestEntityTooLarge(f"a body has {MOST_BYTES} bytes at most")
    g.body = parsed(request.get_data())


def parsed(body: bytes) -> Any:
    if not body:
        return {}
    if not request.is_json:
        raise UnsupportedMediaType("send JSON, with Content-Type: application/json")
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise Unreadable(f"the body is not JSON: {problem}") from None
    except RecursionError:
        raise Unreadable("the body is nested too deeply") from None
    if not isinstance(value, dict):
        raise Unreadable("the body is not an object")
    if depth(value) > DEEPEST:
        raise Unreadable("the body is nested too deeply")
    return value


def depth(value: Any, above: int = 0) -> int:
    """How many objects and lists are inside each other; stops counting when there are too many."""
    if above > DEEPEST or not isinstance(value, (dict, list)):
        return above
    inner = value.values() if isinstance(value, dict) else value
    return max((depth(item, above + 1) for item in inner), default=above + 1)


class BodyParser(FlaskParser):
    """Gives views the body that was read already, and refuses parameters that nobody knows."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}

    def _raw_load_json(self, req: Request) -> Any:
        return g.body
