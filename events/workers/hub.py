"""The hub: hands the commits of a game, made by any process, to all listeners of this process.

One thread hears the hints of the log for all listeners, reads new commits once a game, and hands the same commits to
every listener of that game. A hint may be lost, and a listener may be slow: each listener counts versions, and reads
from the log itself the commits that it has not been handed. So it gets every commit once, in order, also when hints are
lost.

The same holds for anything that is numbered and only grows, such as notices: a `Source` says how it is read.

>>> from events.games import Games
>>> from events.log.memory import MemoryLog
>>> from events.table.commands import Join
>>> games = Games(MemoryLog())
>>> game = games.create("el_grande", players=2).id
>>> with Hub(Commits(games)) as hub, hub.listening(game) as listener:
...     first = listener.next(seconds=1)
...     _ = games.submit(game, Join("ana"))
...     second = listener.next(seconds=1)
>>> [commit.header.version for commit in [*first, *second]]
[1, 2]
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from events.errors import StoreError
from events.log import ANYTHING, Hint, Hints
from events.log.codec import Commit
from events.repository import Repository
from events.workers.backoff import backoff

log = logging.getLogger(__name__)

MOST_WAITING = 16
"""So many handouts wait for a listener. One that is slower reads from the log instead."""

PAGE = 100
"""So many items are read at a time by a listener that catches up."""

# How often the thread looks whether it should end, and how long it waits at most before it tries a lost store again.
SECONDS_A_TURN = 0.25
LONGEST_WAIT = 2.0

Item = TypeVar("Item")

Heard = Callable[[Sequence[Item], int], None]
"""Called with items that were handed out, and the number of listeners."""


class Source(Protocol[Item]):
    """Topics, such as games, each with items whose numbers grow."""

    def hints(self) -> Hints:
        """Hears of new items; the hint's `game` is the topic, its `version` the item's number."""

    def read(self, topic: str, after: int, limit: int | None = None) -> list[Item]:
        """The items after a number, in order; so many at most."""

    def number(self, item: Item) -> int:
        """Its number in the topic."""


class Commits:
    """Games, or whatever else is kept in a log, as topics, and their commits."""

    def __init__(self, games: Repository[Any, Any]) -> None:
        self._games = games

    def hints(self) -> Hints:
        log: Any = self._games.log
        found: Hints = log.hints()
        return found

    def read(self, topic: str, after: int, limit: int | None = None) -> list[Commit]:
        return self._games.commits(topic, after, after + limit if limit else None)

    def number(self, item: Commit) -> int:
        return item.header.version


class Closed(Exception):
    """The hub ends: a listener must come again, and can go on where it stopped."""


class Hub(Generic[Item]):
    """Fans out the items of all topics to the listeners of this process."""

    def __init__(self, source: Source[Item], heard: Heard[Item] = lambda items, listeners: None) -> None:
        self._source = source
        self._heard = heard
        self._lock = Lock()
        self._topics: dict[str, _Topic[Item]] = {}
        self._closing = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Hub[Item]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def listening(self, topic: str, after: int = 0) -> Iterator[Listener[Item]]:
        """Hears every item of the topic after a number, until it is left."""
        listener = self.add(topic, after)
        try:
            yield listener
        finally:
            self.remove(listener)

    def add(self, topic: str, after: int = 0) -> Listener[Item]:
        listener = Listener(self._source, topic, after)
        with self._lock:
            self._topics.setdefault(topic, _Topic()).listeners.append(listener)
            if self._closing.is_set():
                listener.end()
            elif self._thread is None:
                # Begun by the first listener: a process that is forked before has no thread to lose.
                self._thread = Thread(target=self._run, name="hub", daemon=True)
                self._thread.start()
        return listener

    def remove(self, listener: Listener[Item]) -> None:
        with self._lock:
            topic = self._topics[listener.topic]
            topic.listeners.remove(listener)
            if not topic.listeners:
                del self._topics[listener.topic]

    def close(self) -> None:
        """Every listener ends at once."""
        self._closing.set()
        with self._lock:
            for listener in self._listeners():
                listener.end()
            thread = self._thread
        if thread:
            thread.join(timeout=5)

    def _listeners(self) -> list[Listener[Item]]:
        return [listener for topic in self._topics.values() for listener in topic.listeners]

    # In the thread

    def _run(self) -> None:
        hints, failures = self._source.hints(), 0
        while not self._closing.is_set():
            try:
                if hint := hints.next(SECONDS_A_TURN):
                    self._hear(hint)
                failures = 0
            except Exception as error:
                if failures == 0:
                    log.warning("the hub hears nothing: %s", error, exc_info=not isinstance(error, StoreError))
                hints.close()
                self._closing.wait(backoff(failures, longest=LONGEST_WAIT))
                failures += 1
        hints.close()

    def _hear(self, hint: Hint) -> None:
        with self._lock:
            topics = list(self._topics) if hint == ANYTHING else [hint.game] if hint.game in self._topics else []
        for topic in topics:
            self._hand_out(topic, hint.version)

    def _hand_out(self, name: str, number: int) -> None:
        """Read new items once, for all listeners of the topic; `number` 0: up to the newest."""
        with self._lock:
            topic = self._topics.get(name)
            if topic is None or 0 < number <= topic.number:
                return
            if topic.number == 0 and number == 0:
                # Nothing was handed out yet, so that each listener is somewhere else.
                return topic.look()
            position = topic.number or number - 1
        try:
            items = self._source.read(name, position)
        except StoreError:
            raise
        except Exception:
            # Something is wrong with this topic: its listeners will find out.
            with self._lock:
                return topic.look()
        if items:
            with self._lock:
                topic.hand_out(items, self._source.number(items[-1]))
                listeners = len(topic.listeners)
            self._heard(items, listeners)


class _Topic(Generic[Item]):
    """A topic that has listeners."""

    def __init__(self) -> None:
        self.listeners: list[Listener[Item]] = []
        self.number = 0
        """Of the last item that was handed out."""

    def hand_out(self, items: Sequence[Item], number: int) -> None:
        self.number = number
        for listener in self.listeners:
            listener.hand(items)

    def look(self) -> None:
        for listener in self.listeners:
            listener.look()


class Listener(Generic[Item]):
    """A listener of one topic, in a thread of its own."""

    def __init__(self, source: Source[Item], topic: str, after: int) -> None:
        self.topic = topic
        self.number = after
        """Of the last item that `next` gave."""
        self._source = source
        self._handed: SimpleQueue[Sequence[Item] | None] = SimpleQueue()
        self._behind = True
        self._ended = False
        self.called: Callable[[], None] = lambda: None
        """Called when there is something to hear, for a thread that waits for more than this listener."""

    def heard(self) -> list[Item]:
        """The items that follow, as far as they have come; without waiting. Raises `Closed` like `next`."""
        items: list[Item] = []
        while not items:
            if self._ended:
                raise Closed
            if self._behind:
                return self._caught_up()
            try:
                items = self._fitting(self._handed.get_nowait())
            except Empty:
                return []
        return items

    def next(self, seconds: float) -> list[Item]:
        """The items that follow, as soon as there are any; nothing if there are none within so many seconds.

        While the store is away there are none. Raises `Closed` when the hub ends, or this listener.
        """
        deadline = monotonic() + seconds
        items: list[Item] = []
        while not items:
            if self._ended:
                raise Closed
            if self._behind:
                items = self._caught_up()
                continue
            try:
                handed = self._handed.get(timeout=max(0, deadline - monotonic()))
            except Empty:
                # There was no hint, but hints can be lost.
                return self._caught_up()
            items = self._fitting(handed)
        return items

    def _fitting(self, handed: Sequence[Item] | None) -> list[Item]:
        """The new ones of these items; all that the source has, if there is a gap."""
        number = self._source.number
        if handed is None or self._behind or number(handed[0]) > self.number + 1:
            return self._caught_up()
        return self._taken([item for item in handed if number(item) > self.number])

    def _caught_up(self) -> list[Item]:
        self._behind = False
        try:
            items = self._source.read(self.topic, self.number, PAGE)
        except StoreError:
            # The hub calls when the store is back, and it is tried again after every silence.
            return []
        if len(items) == PAGE:
            self._behind = True
        return self._taken(items)

    def _taken(self, items: list[Item]) -> list[Item]:
        if items:
            self.number = self._source.number(items[-1])
        return items

    # Called by the hub

    def hand(self, items: Sequence[Item]) -> None:
        if self._handed.qsize() < MOST_WAITING:
            self._handed.put(items)
            self.called()
        else:
            self.look()

    def look(self) -> None:
        """Make it read by itself."""
        if not self._behind:
            self._behind = True
            self._handed.put(None)
            self.called()

    def end(self) -> None:
        self._ended = True
        self._handed.put(None)
        self.called()
