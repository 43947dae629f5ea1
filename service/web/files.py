"""Files that pages are made of."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Response, request

from service.http.chunked import chunked_response
from service.http.compression import is_long, is_text, is_wanted

SECONDS_TO_KEEP = 86_400
SECONDS_OF_A_VERSION = 365 * 86_400
PIECE = 64 * 1024

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}

HERE = Path(__file__).parent
STATIC, CLIENT = HERE / "static", HERE / "client"
FILES = {str(file.relative_to(STATIC)): file for file in sorted(STATIC.rglob("*")) if file.is_file()}


def sent(body: bytes, suffix: str, version: str = "") -> Response:
    """A file of ours, which clients may keep for a day; under the version that it has, for a year."""
    response = sent_body(body, KINDS.get(suffix))
    if version == static_version():
        response.cache_control.max_age = SECONDS_OF_A_VERSION
        response.cache_control.immutable = True
    return response


def sent_body(body: bytes, kind: str | None) -> Response:
    """The same bytes for everybody, which clients may keep for a day."""
    if request.if_none_match.contains_weak(etag(body)):
        response = Response(status=304, content_type=kind)
    else:
        response = whole_or_packed(body, kind)
    response.set_etag(etag(body))
    response.cache_control.max_age = SECONDS_TO_KEEP
    return response


def whole_or_packed(body: bytes, kind: str | None) -> Response:
    response = Response(content_type=kind)
    if is_text(response) and is_long(body) and is_wanted():
        response.headers["Content-Encoding"], body = "gzip", packed(body)
    if len(body) <= PIECE:
        response.set_data(body)
        return response
    pieces = chunked_response(cut(body), kind)
    pieces.headers.extend(response.headers)
    pieces.content_length = len(body)
    return pieces


@cache
def packed(body: bytes) -> bytes:
    """Compressed once for everybody, as far as it goes."""
    return gzip.compress(body, 9, mtime=0)


def cut(body: bytes) -> Iterator[bytes]:
    return (body[start : start + PIECE] for start in range(0, len(body), PIECE))


@cache
def content(file: Path) -> bytes:
    return file.read_bytes()


@cache
def etag(body: bytes) -> str:
    return sha256(body).hexdigest()[:16]


@cache
def static_version() -> str:
    """Another for every change of any static file, and of the way in which they are joined.

    All have the same one: they name each other by relative addresses.
    """
    files = *FILES.values(), *sorted(CLIENT.glob("*.js")), HERE / "bundles.py"
    return sha256("".join(etag(content(file)) for file in files).encode()).hexdigest()[:12]
