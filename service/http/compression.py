"""Long answers go out compressed to clients that can read that."""

from __future__ import annotations

import gzip

from flask import Flask, Response
from werkzeug.http import parse_accept_header

from service.http.context import environ
from service.http.request_bodies import API

SHORTEST = 1024
LEVEL = 5
KINDS = ("application/json", "application/problem+json", "text/", "application/javascript", "image/svg+xml")


def register(app: Flask) -> None:
    app.after_request(compress)


def compress(response: Response) -> Response:
    if not environ()["PATH_INFO"].startswith(API) and is_text(response):
        response.vary.add("Accept-Encoding")  # The interface has it in all of its answers.
    if "HTTP_ACCEPT_ENCODING" in environ() and is_worth_it(response) and is_wanted():
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def is_worth_it(response: Response) -> bool:
    """Streams are not: they are sent as they come."""
    if response.is_streamed or response.direct_passthrough or response.content_encoding:
        return False
    return (response.content_length or 0) > SHORTEST and is_text(response)


def is_text(response: Response) -> bool:
    return (response.content_type or "").startswith(KINDS)


def is_wanted() -> bool:
    return parse_accept_header(environ()["HTTP_ACCEPT_ENCODING"]).best_match(["gzip", "identity"]) == "gzip"
