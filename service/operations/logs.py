"""One line of JSON for every request, on the error output: what was asked, what came of it, how long it took.

No query, body, token or address: only what an operator needs to find a problem again.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from flask import Flask, current_app, got_request_exception, request

from service.http.request_ids import name_of, request_id

SWITCH = "HIDALGO_ACCESS_LOG"
"""`off`: nothing but what went wrong on our side is written."""


def register(app: Flask) -> None:
    app.extensions["log"] = logger()
    # What goes wrong is told once, in our own form.
    app.logger.disabled = True
    got_request_exception.connect(broken, app)
    app.extensions["access_log"] = os.environ.get(SWITCH) != "off"


def logger() -> Any:
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(serializer=as_text),
    ]
    kind = structlog.make_filtering_bound_logger(logging.INFO)
    return structlog.wrap_logger(ErrorOutput(), processors, kind).bind()


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


def answered(app: Flask, environ: dict[str, Any], status: int, seconds: float) -> None:
    if not app.extensions["access_log"]:
        return
    app.extensions["log"].info(
        "request",
        method=environ["REQUEST_METHOD"],
        path=environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
        status=status,
        ms=round(seconds * 1000, 2),
        request_id=name_of(environ),
        account=getattr(environ.get("hidalgo.identity"), "account", None),
    )


def broken(app: Flask, exception: BaseException) -> None:
    """Something that should never happen: with everything that helps to find it."""
    log = app.extensions["log"]
    log.error("broken", method=request.method, path=request.path, request_id=request_id(), exc_info=exception)


def warn(event: str, **about: Any) -> None:
    """Something that the operator can mend."""
    current_app.extensions["log"].warning(event, path=request.path, request_id=request_id(), **about)
