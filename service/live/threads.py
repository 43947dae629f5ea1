"""Threads of this process that a client can hold for long: by a stream, by a body that does not come, by an answer that
is not read. There is always one for the next request, and always a place for the next address.

A client holds places under its names: the network it comes from, and its account. A name has at most half of the places
that the others have left.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition

from events.errors import Busy, TryLater
from rules.texts import say
from service.operations import metrics
from service.settings import THREADS_WITHOUT_STREAM

THREADS_FREE = 8
"""So many threads never wait for a client: half of those that streams leave."""
MOST_WAITING = 24
"""So many threads wait for the clients of one name."""
SECONDS_TO_WAIT = 0.25
"""For a thread that may wait. Bodies that are there are read in no time."""


class NoRoom(TryLater):
    """The client asks now and then instead of opening a stream, or comes back later."""

    code = "too_many_streams"
    retry_after = 5.0

    def __init__(self, taken: int, most: int) -> None:
        super().__init__(
            say("all {limit} streams are in use; ask for new events instead, or come back later", limit=most)
            if taken >= most
            else say(
                "your address or account has its share of all streams; close one, ask for new events instead, or come "
                "back later"
            )
        )


class Threads:
    def __init__(self, total: int) -> None:
        self.total = total
        self._streams, self._waiting, self._queue = Places(), Places(), Places()
        self._changed = Condition()

    @contextmanager
    def stream(self, *names: str) -> Iterator[None]:
        """A thread for a stream, or `NoRoom`."""
        with self._changed:
            most = min(self.total - THREADS_WITHOUT_STREAM, self.total - THREADS_FREE - self._waiting.taken)
            if not self._streams.has_share(most, names):
                metrics.STREAMS_REFUSED.inc()
                raise NoRoom(self._streams.taken, most)
            self._streams.take(names)
        try:
            with metrics.STREAMS_OPEN.track_inprogress():
                yield
        finally:
            self._leave(self._streams, names)

    def waiting(self, *names: str) -> Waiting:
        """A thread that may wait for a client, or `Busy`."""
        return Waiting(self, names)

    def begin_to_wait(self, names: Iterable[str]) -> None:
        with self._changed:
            if not self._may_wait(names):
                self._stand_in_queue(names)
            self._waiting.take(names)

    def end_to_wait(self, names: Iterable[str]) -> None:
        self._leave(self._waiting, names)

    def _may_wait(self, names: Iterable[str]) -> bool:
        return self._waiting.has_share(self.total - THREADS_FREE - self._streams.taken, names, MOST_WAITING)

    def _stand_in_queue(self, names: Iterable[str]) -> None:
        """Until this thread may wait. The queue has threads as well, and a name only its share of them."""
        left = self.total - THREADS_FREE - self._streams.taken - self._waiting.taken
        if self._queue.has_share(left, names, MOST_WAITING):
            with self._queue.taken_by(names):
                if self._changed.wait_for(lambda: self._may_wait(names), SECONDS_TO_WAIT):
                    return
        raise Busy(say("too many requests, of yours or of others, are slow to come or to be read"))

    def _leave(self, places: Places, names: Iterable[str]) -> None:
        with self._changed:
            places.leave(names)
            if self._queue.taken:
                self._changed.notify_all()


class Waiting:
    """While a thread may wait. Every request with a body does so: this costs a third of a generator.

    An answer that is dropped before it is sent is never closed, so this ends with it at the latest.
    """

    __slots__ = ("_is_held", "_names", "_threads")

    def __init__(self, threads: Threads, names: Iterable[str]) -> None:
        self._threads, self._names, self._is_held = threads, names, False

    def __enter__(self) -> None:
        self._threads.begin_to_wait(self._names)
        self._is_held = True

    def __exit__(self, *_: object) -> None:
        self._is_held = False
        self._threads.end_to_wait(self._names)

    def __del__(self) -> None:
        if self._is_held:
            self.__exit__()


class Places:
    """Places that are taken, and how many of them under each name.

    >>> places = Places()
    >>> for name in ("ana", "ana", "ben"):
    ...     places.take([name])
    >>> [places.has_share(5, [name]) for name in ("ana", "ben", "eve")]
    [False, True, True]
    """

    def __init__(self) -> None:
        self.taken = 0
        self._by: dict[str, int] = {}

    def has_share(self, most: int, names: Iterable[str], most_of_one: int = sys.maxsize) -> bool:
        """Whether a place is left of so many, and each name has less than half of those that the others have left."""
        for name in names:
            held = self._by.get(name, 0)
            if held >= min(share(most, others=self.taken - held), most_of_one):
                return False
        return self.taken < most

    def take(self, names: Iterable[str]) -> None:
        self.taken += 1
        for name in names:
            self._by[name] = self._by.get(name, 0) + 1

    def leave(self, names: Iterable[str]) -> None:
        self.taken -= 1
        for name in names:
            self._by[name] -= 1
            if not self._by[name]:
                del self._by[name]

    @contextmanager
    def taken_by(self, names: Iterable[str]) -> Iterator[None]:
        self.take(names)
        try:
            yield
        finally:
            self.leave(names)


def share(most: int, others: int) -> int:
    """Half of the places that the others leave, of so many.

    >>> share(240, others=0), share(240, others=120), share(240, others=239), share(240, others=240)
    (120, 60, 1, 0)
    """
    return max(0, (most - others + 1) // 2)
