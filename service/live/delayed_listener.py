"""A listener to a game that hears every commit some time after it was made: spectators of a broadcast have it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from events.log.codec import Commit
from events.workers.hub import Listener


class DelayedListener:
    def __init__(self, listener: Listener[Commit], delay_ms: int, now: Callable[[], int]) -> None:
        self._listener, self._delay_ms, self._now = listener, delay_ms, now
        self._waiting: deque[Commit] = deque()
        self.number = listener.number
        """Of the last commit that `next` gave."""

    def next(self, seconds: float) -> list[Commit]:
        """As of any listener; commits come when they are old enough."""
        deadline = monotonic() + seconds
        while not (ripe := self._ripe()) and (left := deadline - monotonic()) > 0:
            self._waiting += self._listener.next(min(left, self._seconds_to_go(left)))
        return ripe

    def end(self) -> None:
        self._listener.end()

    def _ripe(self) -> list[Commit]:
        moment = self._now() - self._delay_ms
        ripe: list[Commit] = []
        while self._waiting and self._waiting[0].header.at <= moment:
            ripe.append(self._waiting.popleft())
            self.number = ripe[-1].header.version
        return ripe

    def _seconds_to_go(self, longest: float) -> float:
        if not self._waiting:
            return longest
        return max(0.001, (self._waiting[0].header.at + self._delay_ms - self._now()) / 1000)
