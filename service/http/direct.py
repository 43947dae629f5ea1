"""Direct views: they answer without Flask's dispatch.

To find a view, make a context, call hooks and look at the response costs as much as everything that a move does. A
direct view is called at once: with its permissions and schemas, which are wrapped around it, and with the same body,
compression, log and metrics as any other. Whatever it raises is left to Flask, which finds the error in the
environment, raises it before the view, and answers as always.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from flask import Flask, Response

from service.http.compression import compress, is_long
from service.http.context import Environ, environ
from service.http.request_bodies import read
from service.http.responses import PlainResponse
from service.operations.metrics import ENDPOINT

ERROR = "hidalgo.error"

StartResponse = Callable[..., Any]


class DirectView(NamedTuple):
    endpoint: str
    method: str
    path: re.Pattern[str]
    view: Callable[..., Any]


def direct_views(app: Flask, endpoints: Iterable[str]) -> Sequence[DirectView]:
    """Views by their endpoints; each has one rule and takes nothing but its path and a body."""
    return [_direct_view(app, endpoint) for endpoint in endpoints]


def _direct_view(app: Flask, endpoint: str) -> DirectView:
    [rule] = app.url_map.iter_rules(endpoint)
    [method] = (rule.methods or set()) - {"HEAD", "OPTIONS"}
    # Words that need no decoding: Flask knows how to read the others.
    path = re.sub("<([a-z_]+)>", r"(?P<\1>[A-Za-z0-9_-]+)", rule.rule)
    return DirectView(endpoint, method, re.compile(path), app.view_functions[endpoint])


def answer(views: Sequence[DirectView], asked: Environ, start_response: StartResponse) -> Iterable[bytes] | None:
    """The body of the response, if there is a direct view for the request and it raises nothing."""
    if asked.get("QUERY_STRING"):
        return None
    for endpoint, method, path, view in views:
        if method == asked["REQUEST_METHOD"] and (found := path.fullmatch(asked["PATH_INFO"])):
            asked[ENDPOINT] = endpoint
            try:
                read()
                status, headers, body = plain(view(**found.groupdict()))
            except Exception as error:
                asked[ERROR] = error
                return None
            start_response(status, headers)
            return [body]
    return None


def plain(response: Response | PlainResponse) -> PlainResponse:
    """The response as it is sent, compressed if it is long."""
    if isinstance(response, PlainResponse):
        if not is_long(response.body):
            return response
        response = response.for_flask()
    made = compress(response)
    return PlainResponse(made.status, list(made.headers.items()), made.get_data())


def raise_again() -> None:
    """Before every view that Flask calls: the error of a direct view for the same request."""
    if error := environ().get(ERROR):
        raise error
