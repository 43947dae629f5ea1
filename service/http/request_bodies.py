"""Bodies of requests, read once for all views: small, JSON, an object."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask
from werkzeug.wsgi import get_input_stream

from events.errors import Declined
from rules.errors import Unreadable
from rules.texts import say
from service.http.context import Environ, environ, waiting

MOST_BYTES = 64 * 1024
LARGER = {"/api/v1/studies/import": 8_000_000, "/api/v1/tournaments/import": 4_000_000}
"""Where files are sent, which may have more."""
DEEPEST = 32
API = "/api/"
BODY = "hidalgo.body"
RAW_BODY = "hidalgo.raw_body"


class TooLarge(Declined):
    code = "too_large"


class NotJson(Declined):
    code = "unsupported_media_type"


def register(app: Flask) -> None:
    app.before_request(read)


def read() -> None:
    """Refuse a body that no view could use, before any view looks at it."""
    asked = environ()
    if not asked["PATH_INFO"].startswith(API) or asked["REQUEST_METHOD"] in ("GET", "HEAD", "OPTIONS"):
        return
    most = most_bytes(asked)
    if declared_length(asked) > most or len(body := received(asked)) > most:
        raise TooLarge(say("a body has {most} bytes at most", most=most))
    asked[RAW_BODY] = body
    asked[BODY] = parsed(body, asked.get("CONTENT_TYPE", "")) if body else {}


def most_bytes(asked: Environ) -> int:
    return LARGER.get(asked["PATH_INFO"], MOST_BYTES)


def declared_length(asked: Environ) -> int:
    """The length of the body as the client declares it; 0 if it does not."""
    length = asked.get("CONTENT_LENGTH") or ""
    return int(length) if length.isascii() and length.isdigit() else 0


def received(asked: Environ) -> bytes:
    """The body; one more byte than allowed if it is too long and came without its length."""
    # The server waits for a body without end.
    with waiting():
        length = declared_length(asked)
        body: bytes = asked["wsgi.input"].read(length) if length else undeclared(asked)
    if len(body) < (length or ("HTTP_TRANSFER_ENCODING" in asked)):
        # The server does not report that it was cut off. Without a declared length, part of an object is no JSON.
        raise Unreadable(say("the body has not arrived"))
    return body


def undeclared(asked: Environ) -> bytes:
    """A body without its length; one more byte than allowed is read, which shows that it is too long."""
    return get_input_stream(asked, max_content_length=most_bytes(asked) + 1).read()


def parsed(body: bytes, content_type: str) -> Any:
    if not is_json(content_type):
        raise NotJson(say("send JSON, with Content-Type: application/json"))
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise Unreadable(say("the body is not JSON: {problem}", problem=str(problem))) from None
    except RecursionError:
        raise Unreadable(say("the body is nested too deeply")) from None
    if not isinstance(value, dict):
        raise Unreadable(say("the body is not an object"))
    if body.count(b"{") + body.count(b"[") > DEEPEST and depth(value) > DEEPEST:
        raise Unreadable(say("the body is nested too deeply"))
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
