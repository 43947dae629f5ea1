"""A cache of values that a process believes for some seconds."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import TTLCache

Value = TypeVar("Value")

MOST = 10_000


class SharedTTLCache(Generic[Value]):
    """At most so many values, each for some seconds; one that was not asked for lately goes first. For many threads.

    >>> words = SharedTTLCache(seconds=5, most=2)
    >>> for word in ("uno", "dos", "tres"):
    ...     words.put(word, len(word))
    >>> words.get("uno"), words.get("tres")
    (None, 4)
    """

    def __init__(self, seconds: float, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._values: TTLCache[str, Value] = TTLCache(most, seconds, clock)
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: Value) -> None:
        with self._lock:
            self._values[key] = value

    def forget(self, is_meant: Callable[[Value], bool]) -> None:
        with self._lock, self._values.timer:  # or else one could run out while it is looked at
            for key in [key for key, value in self._values.items() if is_meant(value)]:
                del self._values[key]
