"""Long answers go out compressed to clients that can read that."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Flask, Response
from werkzeug.http import parse_accept_header

from service.http.context import environ
from service.http.request_bodies import API
from service.http.responses import JSON

SHORTEST = 1024
LEVEL = 6
GZIP = 31
"""The form in which zlib writes."""
KINDS = ("application/json", "application/problem+json", "text/", "application/javascript", "image/svg+xml")


def register(app: Flask) -> None:
    app.after_request(compress)


def compress(response: Response) -> Response:
    if not environ()["PATH_INFO"].startswith(API) and is_text(response):
        response.vary.add("Accept-Encoding")  # The interface has it in all of its answers.
    if "HTTP_ACCEPT_ENCODING" in environ() and is_worth_it(response) and is_wanted():
        if response.is_streamed:
            response.response = compressed(response.iter_encoded())
        else:
            response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def compressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    squeeze = zlib.compressobj(LEVEL, wbits=GZIP)
    for chunk in chunks:
        if ready := squeeze.compress(chunk):
            yield ready
    yield squeeze.flush()


def is_worth_it(response: Response) -> bool:
    """Streams of events are not: they are sent as they come. Long lists in pieces are."""
    if response.direct_passthrough or response.content_encoding:
        return False
    if response.is_streamed:
        return response.content_type == JSON
    return is_text(response) and is_long(response.get_data())


def is_long(body: bytes) -> bool:
    return len(body) > SHORTEST


def is_text(response: Response) -> bool:
    return (response.content_type or "").startswith(KINDS)


def is_wanted() -> bool:
    return parse_accept_header(environ().get("HTTP_ACCEPT_ENCODING", "")).best_match(["gzip", "identity"]) == "gzip"
