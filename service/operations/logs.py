"""One JSON object a line on the error output, whichever process, library or part of ours has something to say.

Everything goes through the standard library's logging. The message is the `event`; everything else is a field:
`log.info("delivery", extra={"fields": {"game": game}})`.
"""

from __future__ import annotations

import atexit
import json
import logging
import sys
from collections import deque
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from threading import Event, Thread
from time import sleep, time
from typing import Any, NamedTuple

import msgspec

QUIET = {"apscheduler": logging.ERROR}
"""A tick that takes longer than the time to the next one is no news."""

SECONDS_TO_GATHER = 0.05
MOST_WAITING = 10_000
"""Where the output takes no more, the oldest lines are lost first."""

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
    if outputs():
        return
    handler = ErrorOutput()
    handler.setFormatter(JsonFormatter())
    root.addHandler(handler)
    atexit.register(flush)
    # Not in the line, and every request has a line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.getLogger("service").setLevel(logging.INFO)
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)


def write(event: str, fields: dict[str, Any]) -> None:
    """A line of the level `info`, at little cost: every request has one."""
    for output in outputs():
        output.put(Line(time(), event, fields))


def flush() -> None:
    """Write the lines that wait for others."""
    for output in outputs():
        output.flush()


def outputs() -> list[ErrorOutput]:
    return [handler for handler in logging.getLogger().handlers if isinstance(handler, ErrorOutput)]


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
        line["at"] = moment(record.created)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return as_text(line)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def as_text(line: dict[str, Any]) -> str:
    """In ASCII, because clients choose the path: other characters could break the line, or command a terminal."""
    text = msgspec.json.encode(line, enc_hook=str).decode()
    return text if text.isascii() else json.dumps(line, default=str)


class Line(NamedTuple):
    """A line that has no record of the standard library: to make one costs more than all the rest of the line."""

    created: float
    event: str
    fields: dict[str, Any]

    def format(self) -> str:
        return as_text(self.fields | {"event": self.event, "level": "info", "at": moment(self.created)})


class ErrorOutput(logging.Handler):
    """The error output as it is when something is written. Games go on when it is full, or gone.

    Warnings and errors are written at once. Other lines wait a moment for each other and are written together, by a
    thread of their own: no request waits for an output that is slow.
    """

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[logging.LogRecord | Line] = deque(maxlen=MOST_WAITING)
        self._has_some = Event()
        self._writer: Thread | None = None

    def handle(self, record: logging.LogRecord) -> bool:
        """As any handler does, without its lock: that is needed for writing only."""
        self.emit(record)
        return True

    def emit(self, record: logging.LogRecord) -> None:
        self.put(record)
        if record.levelno >= logging.WARNING:
            self.flush()

    def put(self, line: logging.LogRecord | Line) -> None:
        """Soon it will be written."""
        self._waiting.append(line)
        if not self._has_some.is_set():
            self._has_some.set()
            self._start_writer()

    def flush(self) -> None:
        """Write everything that waits."""
        with self.lock or nullcontext(), suppress(OSError, ValueError):
            self._has_some.clear()
            waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
            lines = [line.format() if isinstance(line, Line) else self.format(line) for line in waiting]
            if lines:
                sys.stderr.write("\n".join([*lines, ""]))
                sys.stderr.flush()

    def _start_writer(self) -> None:
        """Once in every process: a thread does not survive a fork."""
        if not self._writer or not self._writer.is_alive():
            self._writer = Thread(target=self._write, name="log", daemon=True)
            self._writer.start()

    def _write(self) -> None:
        while self._has_some.wait():
            sleep(SECONDS_TO_GATHER)
            self.flush()
