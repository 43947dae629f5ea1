"""What clients send, read once and for all views: small, JSON, an object."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from flask import Flask, request
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from rules.errors import Unreadable

MOST_BYTES = 64 * 1024
DEEPEST = 32
API = "/api/"
BODY = "hidalgo.body"


def register(app: Flask) -> None:
    # One more than allowed is read, so that a body that came without its length is known to be too long.
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES + 1
    app.before_request(read)


def read() -> None:
    """Refuse a body that no view could use, before any view looks at it."""
    environ = request.environ
    if not environ["PATH_INFO"].startswith(API) or environ["REQUEST_METHOD"] in ("GET", "HEAD", "OPTIONS"):
        return
    body = whole(environ)
    if len(body) > MOST_BYTES:
        raise RequestEntityTooLarge(f"a body has {MOST_BYTES} bytes at most")
    environ[BODY] = parsed(body, environ.get("CONTENT_TYPE", "")) if body else {}


def whole(environ: dict[str, Any]) -> bytes:
    """What was sent; one more byte than allowed if it is too long, or came without its length."""
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isascii() and length.isdigit() and int(length) <= MOST_BYTES:
        return environ["wsgi.input"].read(int(length))
    return request.get_data()


def parsed(body: bytes, content_type: str) -> Any:
    if not is_json(content_type):
        raise UnsupportedMediaType("send JSON, with Content-Type: application/json")
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise Unreadable(f"the body is not JSON: {problem}") from None
    except RecursionError:
        raise Unreadable("the body is nested too deeply") from None
    if not isinstance(value, dict):
        raise Unreadable("the body is not an object")
    if body.count(b"{") + body.count(b"[") > DEEPEST and depth(value) > DEEPEST:
        raise Unreadable("the body is nested too deeply")
    return value


def is_json(content_type: str) -> bool:
    """
    >>> is_json("application/json; charset=utf-8"), is_json("application/merge-patch+json"), is_json("text/json")
    (True, True, False)
    """
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


def depth(value: Any, above: int = 0) -> int:
    """How many objects and lists are inside each other; stops counting when there are too many."""
    if above > DEEPEST or not isinstance(value, (dict, list)):
        return above
    inner = value.values() if isinstance(value, dict) else value
    return max((depth(item, above + 1) for item in inner), default=above + 1)


class BodyParser(FlaskParser):
    """Gives views the body that was read already, and refuses parameters that nobody knows."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}

    def read(self, schema: Schema, location: str) -> Any:
        """What was sent there, as the schema reads it. Most requests are a body and no query: a shorter way."""
        environ = request.environ
        if location == "query" and not environ.get("QUERY_STRING"):
            return dict(said_nothing(schema))
        if location != "json":
            return self.parse(schema, location=location)
        try:
            return schema.load(environ[BODY])
        except ValidationError as problem:
            self._on_validation_error(problem, request, schema, location, error_status_code=None, error_headers=None)


@cache
def said_nothing(schema: Schema) -> Mapping[str, Any]:
    """What a schema without required fields makes of nothing."""
    return schema.load({})
