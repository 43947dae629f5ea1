"""JSON responses: with the version of the game as their ETag, and 304 for a client that has it already."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import msgspec
from flask import Response, request
from werkzeug.http import HTTP_STATUS_CODES

from service.language import IN_ENGLISH, current

JSON = "application/json"
encode = msgspec.json.Encoder().encode


class PlainResponse(NamedTuple):
    """A response as it is sent. Flask makes its own of it; a direct view does without, which costs more than a move."""

    status: str
    """With its phrase."""
    headers: list[tuple[str, str]]
    body: bytes

    def for_flask(self) -> Response:
        return Response(self.body, self.status, self.headers)


def json_response(body: Any, status: int = 200, *, version: int | None = None, location: str = "") -> Response:
    """A body as JSON; `version` is the game's, and its ETag."""
    return plain_json_response(body, status, version=version, location=location).for_flask()


def plain_json_response(
    body: Any, status: int = 200, *, version: int | None = None, location: str = ""
) -> PlainResponse:
    """The same for a direct view."""
    written, headers = encode(body), [("Content-Type", JSON)]
    if version is not None:
        headers.append(("ETag", f'"{version}"'))
    if location:
        headers.append(("Location", location))
    headers.append(("Content-Length", str(len(written))))
    return PlainResponse(status_line(status), headers, written)


@cache
def status_line(status: int) -> str:
    """
    >>> status_line(201)
    '201 CREATED'
    """
    return f"{status} {HTTP_STATUS_CODES[status].upper()}"


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
