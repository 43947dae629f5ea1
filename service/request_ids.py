"""The name of a request, the same in the answer, in a problem and in the log."""

import re
import secrets

from flask import Flask, g, request
from flask.wrappers import Response

HEADER = "X-Request-Id"
FITTING = re.compile(r"[\x21-\x7e]{1,64}")


def register(app: Flask) -> None:
    app.after_request(tell)


def request_id() -> str:
    """The name the client or a proxy has given it, or a new one."""
    if "request_id" not in g:
        given = request.headers.get(HEADER, "")
        g.request_id = given if FITTING.fullmatch(given) else secrets.token_urlsafe(9)
    return str(g.request_id)


def tell(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    return response
