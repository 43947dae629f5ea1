"""Live streams of games: every commit as it is made, as one viewer may know it. `docs/streams.md` is for clients.

An open stream holds a thread of the server, so there is a limit, which leaves enough threads for everything else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from flask import Flask, Response
from werkzeug.exceptions import ServiceUnavailable

from events.codec import Commit
from events.facts import GameAborted, SeatLeft, SeatTaken, SecretRevealed
from events.games import ABORTED, OVER, Game, Games
from events.hub import Closed, Hub, Listener
from rules.kernel import Viewer
from rules.wire import encode
from service import metrics, threads
from service.seeing import event

THREADS_FOR_THE_REST = 16
"""So many threads are never taken by streams."""

HEARTBEAT = "HIDALGO_HEARTBEAT"
"""Seconds of silence after which a stream says that it is there, and the server learns whether the client is."""
DEFAULT_HEARTBEAT = 10.0

# After this time a client must come again, and is asked again who it is.
LONGEST_STREAM = 3600.0

BYTES_KEPT = 8 * 1024 * 1024
"""So much of what goes out is kept for the next who wants the same."""


@dataclass(frozen=True)
class Seen:
    """A game that somebody may see, and as whom."""

    game: Game
    viewer: Viewer
    account: str | None


def register(app: Flask, games: Games) -> None:
    app.extensions["streams"] = Streams(
        games,
        limit=max(1, threads() - THREADS_FOR_THE_REST),
        heartbeat=float(os.environ.get(HEARTBEAT) or DEFAULT_HEARTBEAT),
    )


class NoRoom(ServiceUnavailable):
    """Too many streams are open in this process: the client asks now and then instead, or comes back later."""

    problem_code = "too_many_streams"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"all {limit} streams are in use; ask for new events instead, or come back later", retry_after=5
        )


class Stopping(ServiceUnavailable):
    problem_code = "stopping"

    def __init__(self) -> None:
        super().__init__("the service is stopping; come back in a moment", retry_after=1)


# How it is written


class EventStream:
    """Server-sent events, as browsers read them."""

    content_type = "text/event-stream"
    opening = b"retry: 2000\n\n"
    heartbeat = b":\n\n"

    def commit(self, version: int, body: bytes) -> bytes:
        return b"id: %d\nevent: commit\ndata: %b\n\n" % (version, body)

    def end(self, version: int, status: str) -> bytes:
        return b"event: end\ndata: %b\n\n" % encode({"version": version, "status": status})

    def bye(self, version: int) -> bytes:
        return b"event: bye\ndata: %b\n\n" % encode({"version": version})


class Lines:
    """One commit a line, as JSON. An empty line says that the stream is there; it ends without a word."""

    content_type = "application/x-ndjson"
    opening = heartbeat = b"\n"

    def commit(self, version: int, body: bytes) -> bytes:
        return body + b"\n"

    def end(self, version: int, status: str) -> bytes:
        return b""

    def bye(self, version: int) -> bytes:
        return b""


Form = EventStream | Lines
FORMS: dict[str, Form] = {form.content_type: form for form in (EventStream(), Lines())}


# Who listens


class Streams:
    """All streams of this process."""

    def __init__(self, games: Games, *, limit: int, heartbeat: float) -> None:
        self.limit = limit
        self.heartbeat = heartbeat
        self._hub = Hub(games, metrics.handed_out)
        self._frames = Frames()
        self._lock = Lock()
        self.open = 0
        self._stopping = False

    def close(self) -> None:
        """Every stream says goodbye and ends; clients come back, and go on where they stopped."""
        self._stopping = True
        self._hub.close()

    def answer(self, seen: Seen, after: int, form: Form) -> Response:
        """What is committed to the game after a version, until the game or the stream ends."""
        ending = ExitStack()
        self._take_place()
        ending.callback(self._leave_place)
        # Nobody has seen what is not there yet. Who could skip it would skip the commit by which they leave their seat.
        listener = self._hub.add(seen.game.id, min(after, seen.game.version))
        ending.callback(self._hub.remove, listener)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        response = Response(self._told(seen, listener, form), headers=headers, content_type=form.content_type)
        # Not in the generator: one that was never begun is never finished.
        response.call_on_close(ending.close)
        return response

    def _take_place(self) -> None:
        with self._lock:
            if self._stopping:
                raise Stopping
            if self.open >= self.limit:
                metrics.STREAMS_REFUSED.inc()
                raise NoRoom(self.limit)
            self.open += 1
        metrics.STREAMS_OPEN.inc()

    def _leave_place(self) -> None:
        with self._lock:
            self.open -= 1
        metrics.STREAMS_OPEN.dec()

    def _told(self, seen: Seen, listener: Listener, form: Form) -> Iterator[bytes]:
        end = monotonic() + LONGEST_STREAM
        yield form.opening
        if is_finished(seen.game) and listener.version >= seen.game.version:
            yield form.end(listener.version, seen.game.status)
            return
        while monotonic() < end:
            try:
                commits = listener.next(self.heartbeat)
            except Closed:
                break
            said, is_last = self._said(seen, commits, form)
            yield said or form.heartbeat
            if is_last:
                return
        yield form.bye(listener.version)

    def _said(self, seen: Seen, commits: Sequence[Commit], form: Form) -> tuple[bytes, bool]:
        """What is to be said of these commits, and whether nothing more is to be said after them."""
        said = []
        for commit in commits:
            said.append(self._frames.of(commit, seen, form))
            if status := status_at_the_end(commit):
                return b"".join((*said, form.end(commit.header.version, status))), True
            if is_another_now(seen, commit):
                return b"".join((*said, form.bye(commit.header.version))), True
        return b"".join(said), False


def is_finished(game: Game) -> bool:
    return game.status in (OVER, ABORTED)


def status_at_the_end(commit: Commit) -> str:
    """How the game has ended with this commit; nothing if it goes on."""
    for fact in commit.facts:
        match fact:
            case SecretRevealed():
                return OVER
            case GameAborted():
                return ABORTED
    return ""


def is_another_now(seen: Seen, commit: Commit) -> bool:
    """Whether who listens has since stood up or sat down, and must not, or need not, hear the same any more."""
    if commit.header.version <= seen.game.version:
        return False
    return any(isinstance(fact, SeatTaken | SeatLeft) and fact.who == seen.account for fact in commit.facts)


class Frames:
    """Commits as they go out: made once for all streams of the same viewer."""

    def __init__(self, most: int = BYTES_KEPT) -> None:
        self._most = most
        self._size = 0
        self._made: dict[tuple[str, Viewer, str], bytes] = {}

    def of(self, commit: Commit, seen: Seen, form: Form) -> bytes:
        key = (commit.hash, seen.viewer, form.content_type)
        frame = self._made.get(key)
        if frame is None:
            body = encode(event(seen.game.rules, commit, seen.viewer))
            frame = form.commit(commit.header.version, body)
            self._keep(key, frame)
        return frame

    def _keep(self, key: tuple[str, Viewer, str], frame: bytes) -> None:
        if self._size + len(frame) > self._most:
            self._made.clear()
            self._size = 0
        self._made[key] = frame
        self._size += len(frame)
