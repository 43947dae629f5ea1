"""Watches the embedded server, and brings it back when it has died.

Every process that serves from a data directory watches its server, also one that another process has started: the lock
of the directory lets one of them start it, and the others find it. A process whose server cannot be brought back is
told so, to end: a supervisor of processes can then act.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread

from events.errors import StoreDiskFull, StoreNotStarted
from events.store.directory import socket_of
from events.store.embedded import Embedded

log = logging.getLogger(__name__)

MOST_FAILURES = 10
"""In a row: servers that do not start, or die soon after. Then it is given up."""

SOUND_LIFE = 1.0
"""Seconds after which a server that dies counts as one that had worked."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
SECONDS_BETWEEN_LOOKS = 0.5
"""While a server waits for room on its disk."""
SECONDS_TO_STOP = 10.0


@dataclass(frozen=True)
class Supervision:
    """What a process does when the server was started again here, and when it cannot be."""

    restarted: Callable[[], None]
    lost: Callable[[Exception], None]


class Supervisor:
    """Of one server, in a thread, from `start` to `stop`."""

    def __init__(self, embedded: Embedded, supervision: Supervision) -> None:
        self._embedded, self._supervision = embedded, supervision
        self._stopping = embedded.stopping
        self._connection: socket.socket | None = None
        self._failures = 0
        self._thread = Thread(target=self._run, name="store", daemon=True)

    def start(self) -> Supervisor:
        self._embedded.report = lambda sentence: log.warning("the store says", extra=fields(sentence=sentence))
        self._thread.start()
        return self

    def stop(self) -> None:
        """The server is not brought back any more."""
        self._stopping.set()
        if self._connection:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(SECONDS_TO_STOP)

    def _run(self) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            self._watch()
            died = time.monotonic()
            self._failures = self._failures + 1 if died - began < SOUND_LIFE else 0
            if not self._stopping.is_set():
                self._bring_back(died)

    def _watch(self) -> None:
        """Until the server hangs up; it never says anything by itself."""
        with socket.socket(socket.AF_UNIX) as connection, suppress(OSError):
            connection.connect(str(socket_of(self._embedded.data)))
            self._connection = connection
            is_for_reading = self._embedded.is_for_reading
            while not self._stopping.is_set():
                connection.settimeout(SECONDS_BETWEEN_LOOKS if is_for_reading else None)
                try:
                    connection.recv(1)
                    return
                except TimeoutError:
                    is_for_reading = not self._take_writes()

    def _take_writes(self) -> bool:
        if has_room := self._embedded.take_writes():
            log.warning("the store has room again")
        return has_room

    def _bring_back(self, died: float) -> None:
        problem: Exception = StoreNotStarted(f"the store ends again and again; see {self._embedded.data / 'redis.log'}")
        while self._failures < MOST_FAILURES:
            if self._stopping.wait(self._pause):
                return
            try:
                return self._restart(died)
            except Exception as trouble:
                self._failures += 1
                problem = trouble
        if not self._stopping.is_set():
            self._stopping.set()
            log.error("the store cannot be brought back", extra=fields(sentence=str(problem)))
            self._supervision.lost(problem)

    @property
    def _pause(self) -> float:
        return min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._failures) if self._failures else 0.0

    def _restart(self, died: float) -> None:
        sentence = ""
        try:
            self._embedded.start()
        except StoreDiskFull as full:
            sentence = str(full)
            self._embedded.start_for_reading()
        if self._embedded.is_started_here:
            self._supervision.restarted()
        away = round((time.monotonic() - died) * 1000)
        log.warning("the store was away", extra=fields(ms=away, takes_writes=not sentence, sentence=sentence))


def fields(**values: object) -> dict[str, object]:
    """For a line of the log."""
    return {"fields": values}
