"""Headers that every answer has: for the security of those who look at it, for scripts of other sites, for caches."""

from __future__ import annotations

from flask import Flask, Response, request

from service.bodies import API

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


def register(app: Flask) -> None:
    app.after_request(complete)


def complete(response: Response) -> Response:
    """What a view says itself stays as it is."""
    is_interface = request.path.startswith(API)
    standard = BY_METHOD.get(request.method, INTERFACE) if is_interface else PAGES
    said = {name.lower() for name, _ in response.headers}
    response.headers.extend([line for line in standard.items() if line[0].lower() not in said])
    return response
