"""Scripts of other sites (CORS): with a token they may do what the token may, without one they read what is public.

No answer allows credentials, and cookies of such requests count for nothing (`service.http.origins`), so that every
answer can be for all origins alike.
"""

from __future__ import annotations

from service.http.context import Environ
from service.http.request_bodies import API

REQUEST_HEADERS = (
    "Accept",
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
RESPONSE_HEADERS = (
    "Allow",
    "Content-Disposition",
    "Content-Language",
    "Deprecation",
    "ETag",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
    "X-Request-Id",
)
FOR_APPS = ("/oauth/token", "/oauth/revoke", "/.well-known/")
"""Apps on other sites ask for tokens here; what they show is in the form, and no cookie counts."""

READ = "GET, HEAD"
WRITE = "GET, HEAD, POST, PUT, PATCH, DELETE"
SECONDS = 86_400
"""For so long a browser may believe the answer; some stop after two hours."""

FOR_ALL_SITES = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(RESPONSE_HEADERS),
}
"""In every answer of the interface."""

PREFLIGHT = [
    ("Access-Control-Allow-Headers", ", ".join(REQUEST_HEADERS)),
    ("Access-Control-Max-Age", str(SECONDS)),
    ("Vary", "Access-Control-Request-Headers, Access-Control-Request-Method, Origin"),
    ("Content-Length", "0"),
]
WITH_A_TOKEN = [("Access-Control-Allow-Methods", WRITE), *PREFLIGHT]
WITHOUT = [("Access-Control-Allow-Methods", READ), *PREFLIGHT]
OF_APPS = [("Access-Control-Allow-Methods", "GET, HEAD, POST"), *PREFLIGHT]


def preflight(asked: Environ) -> list[tuple[str, str]] | None:
    """The headers that answer a browser which asks whether a script may send a request; None: this is not asked."""
    if asked["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in asked:
        return None
    if asked["PATH_INFO"].startswith(FOR_APPS):
        return list(OF_APPS)
    if not asked["PATH_INFO"].startswith(API):
        return None
    named = asked.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "").lower().split(",")
    return list(WITH_A_TOKEN if "authorization" in map(str.strip, named) else WITHOUT)
