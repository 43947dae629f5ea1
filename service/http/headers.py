"""Headers of every answer: for the security of readers, for scripts of other sites, for caches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.http.request_bodies import API

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
PAGES = SECURITY | {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
}
INTERFACE = SECURITY | {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie",
}

# Any site may read, with a token that it has; cookies are never sent along, so that no site can act for a visitor.
READING = INTERFACE | {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
}
ASKING_FIRST = READING | {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, Authorization, If-None-Match, Last-Event-ID, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}


def lines(headers: dict[str, str]) -> list[tuple[str, tuple[str, str]]]:
    """Headers by their names in small letters."""
    return [(name.lower(), (name, value)) for name, value in headers.items()]


OF_PAGES, OF_WRITES = lines(PAGES), lines(INTERFACE)
OF_READS = {"GET": lines(READING), "HEAD": lines(READING), "OPTIONS": lines(ASKING_FIRST)}


def missing(environ: dict[str, Any], present: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers that an answer must have, and the view has not set."""
    is_interface = environ["PATH_INFO"].startswith(API)
    standard = OF_READS.get(environ["REQUEST_METHOD"], OF_WRITES) if is_interface else OF_PAGES
    names = {name.lower() for name, _ in present}
    return [line for name, line in standard if name not in names]
