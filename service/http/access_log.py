"""The access log: one line for every request but probes that find the service healthy, with its method, path, status,
duration, id and account.

No query, body, token or address.
"""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, got_request_exception, request

from service.http.request_ids import name_of, request_id
from service.operations import logs

log = logging.getLogger(__name__)


def register(app: Flask) -> None:
    logs.configure()
    # A crash is logged once, in our own form.
    app.logger.disabled = True
    got_request_exception.connect(broken, app)


PROBES = ("/healthz", "/readyz")
"""Asked every few seconds by programs that watch the service, and by the command that starts it."""


def answered(environ: dict[str, Any], status: int, seconds: float) -> None:
    if status == 200 and environ["PATH_INFO"] in PROBES:
        return
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),
        "status": status,
        "ms": round(seconds * 1000, 2),
        "request_id": name_of(environ),
        "account": getattr(environ.get("hidalgo.identity"), "account", None),
    }
    logs.write("request", fields)


def broken(app: Flask, exception: BaseException) -> None:
    """Something that should never happen: with everything that helps to find it."""
    fields = {"method": request.method, "path": request.path, "request_id": request_id()}
    log.error("broken", extra={"fields": fields}, exc_info=exception)


def store_error(sentence: str) -> None:
    """Something that the operator can mend."""
    fields = {"path": request.path, "request_id": request_id(), "sentence": sentence}
    log.warning("store", extra={"fields": fields})
