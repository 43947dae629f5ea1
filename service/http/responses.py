"""JSON responses: with the version of the game as their ETag, and 304 for a client that has it already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Response, request

from service.language import IN_ENGLISH, current

JSON = "application/json"
encode = msgspec.json.Encoder().encode


def json_response(body: Any, status: int = 200, *, version: int | None = None, location: str = "") -> Response:
    """A body as JSON; `version` is the game's, and its ETag."""
    headers = [("Content-Type", JSON)]
    if version is not None:
        headers.append(("ETag", f'"{version}"'))
    if location:
        headers.append(("Location", location))
    return Response(encode(body), status, headers)


def conditional_response(etag: str | int, body: Callable[[], Any]) -> Response:
    """The body as JSON, made only if the client has not got it (If-None-Match), in its language."""
    return conditional(etag, lambda: Response(encode(body()), content_type=JSON))


def conditional(etag: str | int, made: Callable[[], Response]) -> Response:
    """The response, made only if the client has not got it."""
    etag = etag_in_language(etag)
    response = Response(status=304) if request.if_none_match.contains_weak(etag) else made()
    response.set_etag(etag)
    return response


def etag_in_language(etag: str | int) -> str:
    """Another for each language but English, as the bytes are others."""
    return str(etag) if current() == IN_ENGLISH else f"{etag}.{current().tag}"


def no_store(response: Response) -> Response:
    """The response, which holds secrets: no cache may keep it."""
    response.headers["Cache-Control"] = "no-store"
    return response


def version_of(etag: str) -> str:
    """The version of the game in an ETag.

    >>> version_of("17.red"), version_of("17"), version_of("17.red.fr")
    ('17', '17', '17')
    """
    return etag.partition(".")[0]
