"""The hub: tells everybody in this process who listens to a game what has been committed to it, by whichever process.

One thread hears the hints of the log for all listeners, reads new commits once a game, and hands the same commits to
every listener of that game. A hint may be lost, and a listener may be slow: each listener counts versions, and reads
from the log itself whatever it has not been handed. So it gets every commit once, in order, whatever happens to hints.

>>> from events.games import Games
>>> from events.memory_log import MemoryLog
>>> games = Games(MemoryLog())
>>> game = games.create("el_grande", players=2).id
>>> with Hub(games) as hub, hub.listening(game) as listener:
...     first = listener.next(seconds=1)
...     _ = games.join(game, "ana")
...     second = listener.next(seconds=1)
>>> [commit.header.version for commit in [*first, *second]]
[1, 2]
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic

from events.codec import Commit
from events.errors import StoreTrouble
from events.games import Games
from events.log import ANYTHING, Hint

log = logging.getLogger(__name__)

MOST_WAITING = 16
"""So many handouts wait for a listener. One that is slower reads from the log instead."""

PAGE = 100
"""So many commits are read at a time by who catches up."""

# How often the thread looks whether it should end, and how long it waits before it tries a lost store again.
SECONDS_A_TURN = 0.25
SHORTEST_WAIT, LONGEST_WAIT = 0.05, 2.0

Heard = Callable[[Sequence[Commit], int], None]
"""Told of commits that were handed out, and to how many listeners."""


class Closed(Exception):
    """The hub ends: whoever listens must come again, and can go on where it stopped."""


class Hub:
    """Fans out the commits of all games to the listeners of this process."""

    def __init__(self, games: Games, heard: Heard = lambda commits, listeners: None) -> None:
        self._games = games
        self._heard = heard
        self._lock = Lock()
        self._topics: dict[str, _Topic] = {}
        self._closing = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Hub:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def listening(self, game: str, after: int = 0) -> Iterator[Listener]:
        """Hears every commit of the game after a version, until it is left."""
        listener = self.add(game, after)
        try:
            yield listener
        finally:
            self.remove(listener)

    def add(self, game: str, after: int = 0) -> Listener:
        listener = Listener(self._games, game, after)
        with self._lock:
            self._topics.setdefault(game, _Topic()).listeners.append(listener)
            if self._closing.is_set():
                listener.end()
            elif self._thread is None:
                # Begun by the first listener: a process that is forked before has no thread to lose.
                self._thread = Thread(target=self._run, name="hub", daemon=True)
                self._thread.start()
        return listener

    def remove(self, listener: Listener) -> None:
        with self._lock:
            topic = self._topics[listener.game]
            topic.listeners.remove(listener)
            if not topic.listeners:
                del self._topics[listener.game]

    def close(self) -> None:
        """Every listener is told at once."""
        self._closing.set()
        with self._lock:
            for listener in self._listeners():
                listener.end()
            thread = self._thread
        if thread:
            thread.join(timeout=5)

    def _listeners(self) -> list[Listener]:
        return [listener for topic in self._topics.values() for listener in topic.listeners]

    # In the thread

    def _run(self) -> None:
        hints, failures = self._games.log.hints(), 0
        while not self._closing.is_set():
            try:
                if hint := hints.next(SECONDS_A_TURN):
                    self._hear(hint)
                failures = 0
            except Exception as error:
                if failures == 0:
                    log.warning("the hub hears nothing: %s", error, exc_info=not isinstance(error, StoreTrouble))
                hints.close()
                self._closing.wait(_wait_after(failures))
                failures += 1
        hints.close()

    def _hear(self, hint: Hint) -> None:
        with self._lock:
            games = list(self._topics) if hint == ANYTHING else [hint.game] if hint.game in self._topics else []
        for game in games:
            self._hand_out(game, hint.version)

    def _hand_out(self, game: str, version: int) -> None:
        """Read once what is new, for all who listen to the game; `version` 0: whatever that is."""
        with self._lock:
            topic = self._topics.get(game)
            if topic is None or 0 < version <= topic.version:
                return
            if topic.version == 0 and version == 0:
                # Nothing was handed out yet, so that each listener is somewhere else.
                return topic.look()
            known = topic.version or version - 1
        try:
            commits = self._games.commits(game, known)
        except StoreTrouble:
            raise
        except Exception:
            # Something is wrong with this game: whoever listens to it will find out.
            with self._lock:
                return topic.look()
        if commits:
            with self._lock:
                topic.hand_out(commits)
                listeners = len(topic.listeners)
            self._heard(commits, listeners)


class _Topic:
    """A game that somebody listens to."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self.version = 0
        """Of the last commit that was handed out."""

    def hand_out(self, commits: Sequence[Commit]) -> None:
        self.version = commits[-1].header.version
        for listener in self.listeners:
            listener.hand(commits)

    def look(self) -> None:
        for listener in self.listeners:
            listener.look()


class Listener:
    """Who listens to one game, in a thread of its own."""

    def __init__(self, games: Games, game: str, after: int) -> None:
        self.game = game
        self.version = after
        """Of the last commit that `next` gave."""
        self._games = games
        self._handed: SimpleQueue[Sequence[Commit] | None] = SimpleQueue()
        self._behind = True
        self._ended = False

    def next(self, seconds: float) -> list[Commit]:
        """The commits that follow, as soon as there are any; nothing if there are none within so many seconds.

        While the store is away there are none. Raises `Closed` when the hub ends.
        """
        deadline = monotonic() + seconds
        commits = self._caught_up() if self._behind else []
        while not commits:
            if self._ended:
                raise Closed
            try:
                handed = self._handed.get(timeout=max(0, deadline - monotonic()))
            except Empty:
                # Nobody said anything, but hints can be lost.
                return self._caught_up()
            commits = self._fitting(handed)
        return commits

    def _fitting(self, handed: Sequence[Commit] | None) -> list[Commit]:
        """What of this is new here; what the log says, if there is a gap."""
        if handed is None or self._behind or handed[0].header.version > self.version + 1:
            return self._caught_up()
        return self._taken([commit for commit in handed if commit.header.version > self.version])

    def _caught_up(self) -> list[Commit]:
        self._behind = False
        try:
            commits = self._games.commits(self.game, self.version, self.version + PAGE)
        except StoreTrouble:
            # The hub calls when the store is back, and it is tried again after every silence.
            return []
        if len(commits) == PAGE:
            self._behind = True
        return self._taken(commits)

    def _taken(self, commits: list[Commit]) -> list[Commit]:
        if commits:
            self.version = commits[-1].header.version
        return commits

    # Called by the hub

    def hand(self, commits: Sequence[Commit]) -> None:
        if self._handed.qsize() < MOST_WAITING:
            self._handed.put(commits)
        else:
            self.look()

    def look(self) -> None:
        """Make it read the log by itself."""
        if not self._behind:
            self._behind = True
            self._handed.put(None)

    def end(self) -> None:
        self._ended = True
        self._handed.put(None)


def _wait_after(failures: int) -> float:
    """Longer each time, and not the same for all processes."""
    return min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** min(failures, 10)) * random.uniform(0.5, 1)
