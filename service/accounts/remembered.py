"""What this process was told a moment ago."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Remembered(Generic[Value]):
    """At most `most` values, each for some seconds; the oldest goes first. Safe between threads.

    >>> words = Remembered(seconds=5, most=2)
    >>> for word in ("uno", "dos", "tres"):
    ...     words.put(word, len(word))
    >>> words.get("uno"), words.get("tres")
    (None, 4)
    """

    def __init__(self, seconds: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._most = most
        self._clock = clock
        self._values: dict[str, tuple[float, Value]] = {}
        self._lock = Lock()

    def get(self, key: str) -> Value | None:
        until, value = self._values.get(key, (0.0, None))
        return value if self._clock() < until else None

    def put(self, key: str, value: Value) -> None:
        if self._seconds <= 0:
            return
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = (self._clock() + self._seconds, value)
            if len(self._values) > self._most:
                del self._values[next(iter(self._values))]

    def forget(self, is_meant: Callable[[Value], bool]) -> None:
        with self._lock:
            for key in [key for key, (_, value) in self._values.items() if is_meant(value)]:
                del self._values[key]
