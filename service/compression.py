"""Long answers go out compressed to those who can read that."""

from __future__ import annotations

import gzip

from flask import Flask, Response, request

SHORTEST = 1024
LEVEL = 5
KINDS = ("application/json", "application/problem+json", "text/", "application/javascript", "image/svg+xml")


def register(app: Flask) -> None:
    app.after_request(compress)


def compress(response: Response) -> Response:
    if not (response.mimetype or "").startswith(KINDS):
        return response
    if "Accept-Encoding" not in response.headers.get("Vary", ""):
        response.vary.add("Accept-Encoding")
    if is_worth_it(response) and request.accept_encodings.best_match(["gzip", "identity"]) == "gzip":
        response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def is_worth_it(response: Response) -> bool:
    """Streams are not: they are sent as they come."""
    if response.is_streamed or response.direct_passthrough or response.content_encoding:
        return False
    return (response.content_length or 0) > SHORTEST
