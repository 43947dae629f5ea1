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
    "Vary": "Accept, Accept-Encoding, Authorization, Cookie",
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
BY_METHOD = {"GET": READING, "HEAD": READING, "OPTIONS": ASKING_FIRST}


def missing(environ: dict[str, Any], present: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers that an answer must have, and the view has not set."""
    is_interface = environ["PATH_INFO"].startswith(API)
    standard = BY_METHOD.get(environ["REQUEST_METHOD"], INTERFACE) if is_interface else PAGES
    names = {name.lower() for name, _ in present}
    return [line for line in standard.items() if line[0].lower() not in names]
