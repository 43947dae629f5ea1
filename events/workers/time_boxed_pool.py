"""A thread pool that works off a line of games for a limited time.

A game that takes longer does not hold up the next line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import monotonic

from events.log import Due

LookAfter = Callable[[Due, float], int]
"""Called with a game, and the moment (`monotonic`) at which its turn ends; gives the number of answers. It never
raises."""


GAMES_A_THREAD = 8
"""While more wait for each thread, further ones begin."""


class TimeBoxedPool:
    """`threads` for a short line, up to `most` for a long one."""

    def __init__(self, threads: int, most: int) -> None:
        self._threads, self._most = threads, most
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="deadlines")
        self._working: list[Future[int]] = []
        self.busy_with: set[str] = set()
        """Games that a thread looks after now."""

    def close(self) -> None:
        self._pool.shutdown()

    def work_off(self, line: Iterable[Due], look_after: LookAfter, seconds: float, patience: float) -> int:
        """Look after one game after the other, for so many seconds. After as many as it has patience it is left to its
        threads; says how many answers there were, those included that an earlier line was left to."""
        waiting, ends = deque(line), monotonic() + seconds
        begun = [self._pool.submit(self._work, waiting, look_after, ends) for _ in range(self._wanted(len(waiting)))]
        wait(begun, timeout=patience)
        self._working += begun
        done = [working for working in self._working if working.done()]
        self._working = [working for working in self._working if working not in done]
        return sum(working.result() for working in done)

    def _wanted(self, waiting: int) -> int:
        """How many threads should begin to work off a line of this length."""
        threads = min(self._most, max(self._threads, waiting // GAMES_A_THREAD))
        busy = sum(not working.done() for working in self._working)
        return max(0, min(threads - busy, waiting))

    def _work(self, waiting: deque[Due], look_after: LookAfter, ends: float) -> int:
        answers = 0
        while waiting and monotonic() < ends:
            try:
                due = waiting.popleft()
            except IndexError:
                break  # another thread was faster
            self.busy_with.add(due.game)
            answers += look_after(due, ends)
            self.busy_with.discard(due.game)
        return answers
