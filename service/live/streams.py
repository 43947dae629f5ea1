"""Live streams: the commits of a game as one viewer may know them, the notices of an inbox.

`docs/streams.md` tells clients how to listen.

An open stream holds a thread of the server, so there is a limit (`service.live.threads`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

from cachetools import LRUCache

from events.errors import TryLater
from events.games import Games
from events.log.codec import Commit
from events.table.facts import GameAborted, SeatHandedOver, SeatLeft, SeatTaken, SecretRevealed
from events.table.game import ABORTED, OVER, Game
from events.workers.hub import Closed, Commits, Hub, Listener
from rules.codec import encode
from rules.kernel import Viewer
from rules.texts import say
from service.games.broadcast import broadcast_delay
from service.games.representations import event
from service.language import current, in_this_language
from service.live.delayed_listener import DelayedListener
from service.live.threads import Threads
from service.notifications.inbox import Inboxes
from service.notifications.notice_names import NamesOf, no_names
from service.notifications.notices import Notice, representation
from service.operations import metrics

LONGEST_STREAM = 3600.0
"""Seconds. Then the client must come again, and authenticate again."""

BYTES_CACHED = 8 * 1024 * 1024
"""So many bytes of sent events are kept for the next client that wants the same."""


@dataclass(frozen=True)
class Seen:
    """A game, and the viewer as whom the account sees it."""

    game: Game
    viewer: Viewer
    account: str | None


class Stopping(TryLater):
    code = "stopping"

    def __init__(self) -> None:
        super().__init__(say("the service is stopping; come back in a moment"))


@dataclass(frozen=True)
class Stream:
    """The bytes for one client. It must be closed, even if none of it was sent."""

    content_type: str
    chunks: Iterator[bytes]
    close: Callable[[], None]
    end: Callable[[], None]
    """Makes it say goodbye soon."""


# How it is written


class EventStream:
    """Server-sent events, as browsers read them."""

    content_type = "text/event-stream"
    opening = b"retry: 2000\n\n"
    keep_alive = b":\n\n"

    def item(self, kind: str, number: int, body: bytes) -> bytes:
        return b"id: %d\nevent: %b\ndata: %b\n\n" % (number, kind.encode(), body)

    def unnumbered(self, kind: str, body: bytes) -> bytes:
        """An item without a number: it is not missed by a client that comes back."""
        return b"event: %b\ndata: %b\n\n" % (kind.encode(), body)

    def last(self, kind: str, about: dict[str, Any]) -> bytes:
        return b"event: %b\ndata: %b\n\n" % (kind.encode(), encode(about))


class Lines:
    """One item a line, as JSON. An empty line says that the stream is there; it ends without a word."""

    content_type = "application/x-ndjson"
    opening = keep_alive = b"\n"

    def item(self, kind: str, number: int, body: bytes) -> bytes:
        return body + b"\n"

    def unnumbered(self, kind: str, body: bytes) -> bytes:
        return body + b"\n"

    def last(self, kind: str, about: dict[str, Any]) -> bytes:
        return b""


Form = EventStream | Lines
FORMS: dict[str, Form] = {form.content_type: form for form in (EventStream(), Lines())}


# Streams

Encode = Callable[[Sequence[Any]], tuple[bytes, bool]]
"""The bytes for some items, and whether they are the last ones."""


class Streams:
    """All streams of this process."""

    def __init__(
        self, games: Games, inboxes: Inboxes, *, threads: Threads, keep_alive: float, names_of: NamesOf = no_names
    ) -> None:
        self.threads = threads
        self.keep_alive = keep_alive
        self._games, self._now = Hub(Commits(games), metrics.handed_out), games.now
        self._inboxes = Hub(inboxes)
        self._frames, self._names_of = Frames(), names_of
        self._stopping = False

    def close(self) -> None:
        """Every stream says goodbye and ends; clients come back, and go on where they stopped."""
        self._stopping = True
        self._games.close()
        self._inboxes.close()

    def of_game(self, seen: Seen, after: int, form: Form, network: str) -> Stream:
        """The commits of the game after a version, until the game or the stream ends."""
        # A version that is not there yet was not seen: skipping it could skip the commit that takes a seat away.
        after = min(after, seen.game.version)
        has_all = is_finished(seen.game) and after == seen.game.version
        end = form.last("end", {"version": after, "status": seen.game.status}) if has_all else None
        delay_ms = broadcast_delay(seen.game, seen.account)
        listening = partial(self._listening, seen.game.id, after, delay_ms)
        holders = (network, seen.account) if seen.account else (network,)
        return self._opened(holders, listening, form, "version", partial(self._encoded_commits, seen, form), end)

    @contextmanager
    def _listening(self, game: str, after: int, delay_ms: int) -> Iterator[Listener[Commit] | DelayedListener]:
        with self._games.listening(game, after) as listener:
            yield DelayedListener(listener, delay_ms, self._now) if delay_ms else listener

    def of_inbox(self, account: str, after: int, form: Form, network: str) -> Stream:
        """The notices of an account after a number, until the stream ends."""
        listening = partial(self._inboxes.listening, account, after)
        return self._opened((network, account), listening, form, "id", partial(encoded_notices, form, self._names_of))

    def _opened(
        self,
        holders: Sequence[str],
        listening: Callable[[], AbstractContextManager[Listener[Any] | DelayedListener]],
        form: Form,
        counted_by: str,
        encode_items: Encode,
        end: bytes | None = None,
    ) -> Stream:
        if self._stopping:
            raise Stopping
        with ExitStack() as entered:
            entered.enter_context(self.threads.stream(*holders))
            listener = entered.enter_context(listening())
            ending = entered.pop_all()
        chunks = self._chunks(listener, form, counted_by, encode_items) if end is None else iter([form.opening, end])
        return Stream(form.content_type, in_this_language(chunks), ending.close, listener.end)

    def _chunks(
        self, listener: Listener[Any] | DelayedListener, form: Form, counted_by: str, encode_items: Encode
    ) -> Iterator[bytes]:
        end = monotonic() + LONGEST_STREAM
        yield form.opening
        while monotonic() < end:
            try:
                items = listener.next(self.keep_alive)
            except Closed:
                break
            chunk, is_last = encode_items(items)
            yield chunk or form.keep_alive
            if is_last:
                return
        yield form.last("bye", {counted_by: listener.number})

    def _encoded_commits(self, seen: Seen, form: Form, commits: Sequence[Commit]) -> tuple[bytes, bool]:
        frames = []
        for commit in commits:
            frames.append(self._frames.of(commit, seen, form))
            if status := status_at_the_end(commit):
                end = form.last("end", {"version": commit.header.version, "status": status})
                return b"".join((*frames, end)), True
            if is_another_now(seen, commit):
                return b"".join((*frames, form.last("bye", {"version": commit.header.version}))), True
        return b"".join(frames), False


def encoded_notices(form: Form, names_of: NamesOf, notices: Sequence[Notice]) -> tuple[bytes, bool]:
    names = names_of(notices)
    return b"".join(form.item("notice", each.id, encode(representation(each, names))) for each in notices), False


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
    """Whether the listener has stood up or sat down since: it must not, or need not, hear the same any more."""
    if commit.header.version <= seen.game.version:
        return False
    changed = {account for fact in commit.facts if isinstance(fact, SEAT_CHANGES) for account in accounts_of(fact)}
    return seen.account in changed


SEAT_CHANGES = (SeatTaken, SeatLeft, SeatHandedOver)


def accounts_of(fact: SeatTaken | SeatLeft | SeatHandedOver) -> tuple[str, ...]:
    """The accounts that have sat down or stood up."""
    return (fact.former, fact.who) if isinstance(fact, SeatHandedOver) else (fact.who,)


FrameKey = tuple[str, Viewer, str, str]
"""The hash of a commit, the viewer, the content type and the language."""


class Frames:
    """Commits as they go out: made once for all streams of the same viewer and language. For many threads."""

    def __init__(self, most_bytes: int = BYTES_CACHED) -> None:
        self._made: LRUCache[FrameKey, bytes] = LRUCache(most_bytes, getsizeof=len)
        self._lock = Lock()

    def of(self, commit: Commit, seen: Seen, form: Form) -> bytes:
        key = (commit.hash, seen.viewer, form.content_type, current().tag)
        with self._lock:
            frame = self._made.get(key)
        if frame is None:
            body = encode(event(seen.game.rules, commit, seen.viewer))
            frame = form.item("commit", commit.header.version, body)
            self._keep(key, frame)
        return frame

    def _keep(self, key: FrameKey, frame: bytes) -> None:
        with self._lock:
            if len(frame) <= self._made.maxsize:
                self._made[key] = frame
