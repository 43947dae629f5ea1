"""Files that pages are made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from flask import Response, request

from service.http.chunked import chunked_response

SECONDS_TO_KEEP = 86_400
PIECE = 64 * 1024


def sent(file: Path) -> Response:
    """A file of ours, which clients may keep for a day."""
    body, kind = content(file), guess_type(file.name)[0]
    if request.if_none_match.contains_weak(etag(file)):
        response = Response(status=304)
    elif len(body) <= PIECE:
        response = Response(body, content_type=kind)
    else:
        response = chunked_response(cut(body), kind)
        response.content_length = len(body)
    response.set_etag(etag(file))
    response.cache_control.max_age = SECONDS_TO_KEEP
    return response


def cut(body: bytes) -> Iterator[bytes]:
    return (body[start : start + PIECE] for start in range(0, len(body), PIECE))


@cache
def content(file: Path) -> bytes:
    return file.read_bytes()


@cache
def etag(file: Path) -> str:
    return sha256(content(file)).hexdigest()[:16]
