"""One JSON object a line on the error output, whichever process, library or part of ours has something to say.

Everything goes through the standard library's logging. The message is the `event`; everything else is a field:
`log.info("delivery", extra={"fields": {"game": game}})`.
"""

from __future__ import annotations

import json
import logging
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

QUIET = {"apscheduler": logging.ERROR}
"""A tick that takes longer than the time to the next one is no news."""

THROUGH_OURS: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"propagate": True}},
}
"""For a server that would else write lines of its own form."""


def configure() -> None:
    """Once in every process; a second time changes nothing."""
    root = logging.getLogger()
    if any(isinstance(handler, ErrorOutput) for handler in root.handlers):
        return
    handler = ErrorOutput()
    handler.setFormatter(JsonFormatter())
    root.addHandler(handler)
    # Not in the line, and every request has a line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.getLogger("service").setLevel(logging.INFO)
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)


class JsonFormatter(logging.Formatter):
    """
    >>> about = {"msg": "delivery", "levelname": "INFO", "created": 1767225600.25, "fields": {"game": "5tGm2WzQ"}}
    >>> JsonFormatter().format(logging.makeLogRecord(about))
    '{"game":"5tGm2WzQ","event":"delivery","level":"info","at":"2026-01-01T00:00:00.250000Z"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        line = dict(getattr(record, "fields", ()))
        line["event"] = record.getMessage()
        line["level"] = record.levelname.lower()
        line["at"] = (
            datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        )
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return as_text(line)


def as_text(line: dict[str, Any]) -> str:
    """In ASCII, because clients choose the path: other characters could break the line, or command a terminal."""
    text = msgspec.json.encode(line, enc_hook=str).decode()
    return text if text.isascii() else json.dumps(line, default=str)


class ErrorOutput(logging.Handler):
    """The error output as it is when something is written. Games go on when it is full, or gone."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
