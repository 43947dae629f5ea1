"""Headers of every answer: for the security of readers, for scripts of other sites, for caches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from service.http.cors import FOR_ALL_SITES, FOR_APPS
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
EMBEDDED = {name: value for name, value in SECURITY.items() if name != "X-Frame-Options"} | {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *",
}
"""Of pages that any site may show in a frame. They read no cookie, and nothing can be changed on them."""
PART_OF_A_PAGE = {"X-Content-Type-Options": "nosniff"}
"""Of style sheets, scripts and fonts. They are no documents: the policy of the page that asks for them counts.

A browser that is led to one shows its text, or saves it.
"""
PARTS = ("text/css", "text/javascript", "font/")
DATA = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-cache",
    "Vary": "Accept, Accept-Encoding, Accept-Language, Authorization, Cookie, Origin",
} | FOR_ALL_SITES
"""Of all that programs read. It is no document, so that what a document may do is not told; every header costs."""
INTERFACE = SECURITY | DATA
"""Of the pages that the interface shows to browsers."""


def lines(headers: dict[str, str]) -> list[tuple[str, tuple[str, str]]]:
    """Headers by their names in small letters."""
    return [(name.lower(), (name, value)) for name, value in headers.items()]


FOR_PROGRAMS = (API, *FOR_APPS)
OF_PAGES, OF_FRAMES, OF_PARTS = lines(PAGES), lines(EMBEDDED), lines(PART_OF_A_PAGE)
OF_THE_INTERFACE, OF_DATA = lines(INTERFACE), lines(DATA)
PAGE = "text/html"
FRAMED = re.compile("/games/[^/]+/embed")


def missing(environ: dict[str, Any], present: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers that an answer must have, and the view has not set."""
    names = {name.lower(): value for name, value in present}
    standard = expected(environ["PATH_INFO"], names.get("content-type", ""))
    return [line for name, line in standard if name not in names]


def expected(path: str, kind: str) -> list[tuple[str, tuple[str, str]]]:
    if path.startswith(FOR_PROGRAMS):
        return OF_THE_INTERFACE if kind.startswith(PAGE) else OF_DATA
    if kind.startswith(PARTS):
        return OF_PARTS
    return OF_FRAMES if FRAMED.fullmatch(path) else OF_PAGES
