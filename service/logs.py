"""One line of JSON for every request, on the error output: what was asked, what came of it, how long it took.

No query, body, token or address: only what an operator needs to find a problem again.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from time import perf_counter
from typing import Any

import msgspec
import structlog
from flask import Flask, Response, current_app, g, got_request_exception, request

from service.request_ids import request_id

SWITCH = "HIDALGO_ACCESS_LOG"
"""`off`: nothing but what went wrong on our side is written."""


def register(app: Flask) -> None:
    app.extensions["log"] = logger()
    # What goes wrong is told once, in our own form.
    app.logger.disabled = True
    got_request_exception.connect(broken, app)
    if os.environ.get(SWITCH) != "off":
        app.before_request(begin)
        app.after_request(finish)


def logger() -> Any:
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(serializer=as_text),
    ]
    return structlog.wrap_logger(ErrorOutput(), processors, structlog.make_filtering_bound_logger(logging.INFO))


def as_text(line: dict[str, Any], **_: Any) -> str:
    """In ASCII, because clients choose the path: other characters could break the line, or command a terminal."""
    text = msgspec.json.encode(line, enc_hook=str).decode()
    return text if text.isascii() else json.dumps(line, default=str)


class ErrorOutput:
    """The error output as it is when something is written. Games go on when it is full, or gone."""

    def write(self, line: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()

    info = warning = error = write


def begin() -> None:
    g.began = perf_counter()


def finish(response: Response) -> Response:
    current_app.extensions["log"].info(
        "request",
        method=request.method,
        path=request.path,
        status=response.status_code,
        ms=round((perf_counter() - g.get("began", perf_counter())) * 1000, 2),
        request_id=request_id(),
        account=getattr(request.environ.get("hidalgo.identity"), "account", None),
    )
    return response


def broken(app: Flask, exception: BaseException) -> None:
    """Something that should never happen: with everything that helps to find it."""
    log = app.extensions["log"]
    log.error("broken", method=request.method, path=request.path, request_id=request_id(), exc_info=exception)


def warn(event: str, **about: Any) -> None:
    """Something that the operator can mend."""
    current_app.extensions["log"].warning(event, path=request.path, request_id=request_id(), **about)
