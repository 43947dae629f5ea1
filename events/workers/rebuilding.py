"""Makes an index beside a log anew, whenever it is not complete: some games at a time, from where it was left.

One process does so, beside requests, which serve meanwhile what is there. How far it has come is in the store, so that
another one goes on if it dies. An index that is found to be incomplete once more, as after games were restored, is made
anew from the beginning, also by a process that was about to finish.

| key | content |
|---|---|
| `hidalgo:{<index>}:complete` | the shape of the index, while every game of the log is in it |
| `hidalgo:{<index>}:rebuilding` | hash: the shape, the bucket, how many of its games were indexed; how often it began |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from msgspec import Struct

from events.log import Log
from events.store import Store, store_errors

SECONDS_AT_A_TIME = 0.5
"""So long a run takes: other work of the process is more urgent."""

FORGET = """
redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], 'shape', 'bucket', 'done')
redis.call('HINCRBY', KEYS[2], 'begun', 1)
"""

REMEMBER = """
if (redis.call('HGET', KEYS[2], 'begun') or '0') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], 'shape', ARGV[2], 'bucket', ARGV[3], 'done', ARGV[4])
return 1
"""

FINISH = """
if (redis.call('HGET', KEYS[2], 'begun') or '0') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[2], 'shape', 'bucket', 'done')
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""


class Position(Struct, frozen=True):
    begun: int
    bucket: int = 0
    done: int = 0
    """So many games of the bucket."""


class Completeness:
    """Whether an index has every game, and how far it has been made anew."""

    def __init__(self, store: Store, index: str, shape: str = "1") -> None:
        self._redis: Any = store.commands
        self.shape = shape
        self.keys = f"hidalgo:{{{index}}}:complete", f"hidalgo:{{{index}}}:rebuilding"

    def __bool__(self) -> bool:
        with store_errors():
            return bool(self._redis.get(self.keys[0]) == self.shape.encode())

    def set(self) -> None:
        with store_errors():
            self._redis.set(self.keys[0], self.shape)

    def forget(self) -> None:
        """The index is made anew, from the beginning."""
        self._run(FORGET)

    def position(self) -> Position:
        with store_errors():
            found = self._redis.hgetall(self.keys[1])
        begun = int(found.get(b"begun", 0))
        if found.get(b"shape") != self.shape.encode():
            return Position(begun)
        return Position(begun, int(found[b"bucket"]), int(found[b"done"]))

    def remember(self, position: Position) -> None:
        self._run(REMEMBER, position.begun, self.shape, position.bucket, position.done)

    def finish(self, position: Position) -> bool:
        """Whether the index is complete now; not if it has been begun anew."""
        return bool(self._run(FINISH, position.begun, self.shape))

    def _run(self, script: str, *words: Any) -> Any:
        with store_errors():
            return self._redis.execute_command("EVAL", script, len(self.keys), *self.keys, *words)


class Rebuilding:
    """For one thread."""

    def __init__(
        self,
        log: Log,
        complete: Completeness,
        index: Callable[[Sequence[str]], object],
        *,
        at_once: int = 50,
        last: Callable[[], object] = lambda: None,
    ) -> None:
        """`index` indexes so many games `at_once`; `last` is called before the index is complete."""
        self._log, self._complete, self._index, self._at_once, self._last = log, complete, index, at_once, last
        self._bucket: tuple[int, list[str]] = -1, []

    def attend(self, seconds: float = SECONDS_AT_A_TIME, is_urgent: Callable[[], bool] = lambda: False) -> bool:
        """Go on for a while, if the index is not complete; says whether it is. `is_urgent`: other work must be done."""
        if self._complete:
            return True
        at, end = self._complete.position(), monotonic() + seconds
        while at.bucket < self._log.buckets.count:
            some = self._games(at)
            self._index(some)
            at = Position(at.begun, at.bucket, at.done + len(some)) if some else Position(at.begun, at.bucket + 1)
            if monotonic() > end or is_urgent():
                self._complete.remember(at)
                return False
        self._last()
        return self._complete.finish(at)

    def _games(self, at: Position) -> Sequence[str]:
        """The next games of the bucket. Those that come into it meanwhile are indexed by their makers."""
        if self._bucket[0] != at.bucket or not at.done:
            self._bucket = at.bucket, list(self._log.games(at.bucket))
        return self._bucket[1][at.done : at.done + self._at_once]
