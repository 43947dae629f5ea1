"""The heartbeat: one clock for all processes, and a record of the outages.

Every process that serves beats twice a second and more. A beat asks the store for its time, so that all processes agree
on the time, also when their own clocks do not. When the beats of all of them have been missing for longer than
`LONGEST_SILENCE`, the next beat writes down an outage: from the last beat before it to the first one after.

| key | meaning |
|---|---|
| `hidalgo:{pulse}:beat` | when a process last served |
| `hidalgo:{pulse}:outages` | list of `<since> <until>`, the newest last |
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from threading import Event, Lock, Thread
from typing import Any

from events.decider import Outage
from events.errors import StoreError, StoreFull
from events.store import Store, store_errors

log = logging.getLogger(__name__)

EVERY = 0.4
LONGEST_SILENCE = 1.5
"""In seconds. Shorter gaps are hiccups, such as every network has."""

MOST_OUTAGES = 1000
"""So many are remembered: those before have long been dealt with."""

# Answers the time, when a process last served, and the outages if the newest is not the one that the caller knows. A
# process that only looks does not serve. A beat that is later than now, by more than a hiccup, is of a clock that was
# ahead, and tells nothing.
BEAT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
if last - now > tonumber(ARGV[2]) then last = 0 end
if ARGV[1] == '1' then
  if last > 0 and now - last > tonumber(ARGV[2]) then
    redis.call('RPUSH', KEYS[2], string.format('%.0f %.0f', last, now))
    redis.call('LTRIM', KEYS[2], -ARGV[3], -1)
  end
  redis.call('SET', KEYS[1], string.format('%.0f', now))
  last = now
end
if (redis.call('LINDEX', KEYS[2], -1) or '') == ARGV[4] then return {now, last} end
return {now, last, redis.call('LRANGE', KEYS[2], -ARGV[3], -1)}
"""

KEYS = ("hidalgo:{pulse}:beat", "hidalgo:{pulse}:outages")


class Heartbeat:
    """Of one process. `serving`: whether players can move while it beats."""

    def __init__(self, store: Store, *, serving: bool, silence: float = LONGEST_SILENCE, every: float = EVERY) -> None:
        self._redis: Any = store.commands
        self._serving, self._silence, self._every = serving, silence, every
        self._lock = Lock()
        self._ahead = time.time() - time.monotonic()
        """How far the store's clock is ahead of the one that only ever goes forward."""
        self._beaten_at = float("-inf")
        self._served_at = 0
        self._newest = b""
        self._outages: tuple[Outage, ...] = ()
        self.trouble: StoreError | None = None
        """Of the last beat."""
        self._stopping = Event()
        self._thread: Thread | None = None

    # Questions

    def now(self) -> int:
        """Milliseconds since 1970, as the store has it."""
        self._make_sure()
        return int((time.monotonic() + self._ahead) * 1000)

    def outages(self) -> Sequence[Outage]:
        """The outages, the oldest first. One that has just ended is among them."""
        self._make_sure()
        return self._outages

    def served_until(self) -> int:
        """The last moment at which players could certainly move. No deadline after it may fire."""
        self._make_sure()
        return self._served_at

    # Beating

    def beat(self) -> None:
        """Ask for the time; a process that serves says so with it."""
        with self._lock:
            try:
                self._beat(self._serving)
                self.trouble = None
            except StoreError as trouble:
                self.trouble = trouble
                raise

    def _make_sure(self) -> None:
        """A process that was stopped for a while, or cut off, must not go on as if it had not been.

        Where the store is full, players can look and not move: that is no service, but it has a time.
        """
        if self._is_stale():
            with self._lock:
                if self._is_stale():
                    try:
                        self._beat(self._serving)
                    except StoreFull:
                        self._beat(False)

    def _is_stale(self) -> bool:
        return time.monotonic() - self._beaten_at > 2 * self._every

    def _beat(self, serving: bool) -> None:
        asked = time.monotonic()
        with store_errors():
            now, served, *outages = self._redis.eval(
                BEAT, len(KEYS), *KEYS, int(serving), int(self._silence * 1000), MOST_OUTAGES, self._newest
            )
        # The store looked at its clock somewhere between question and answer; never believe that it is later.
        self._ahead = int(now) / 1000 - time.monotonic()
        self._served_at = int(served)
        for newest in outages:
            self._newest, self._outages = newest[-1], tuple(map(_outage, newest))
        self._beaten_at = asked

    def start(self) -> None:
        """Beat in a thread, until it is stopped."""
        self._thread = Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        failing = False
        while not self._stopping.is_set():
            try:
                self.beat()
                failing = False
            except StoreError as trouble:
                if not failing:
                    log.warning("the heartbeat stops: %s", trouble)
                failing = True
            self._stopping.wait(self._every)


def _outage(text: bytes) -> Outage:
    since, _, until = text.decode().partition(" ")
    return Outage(until=int(until), since=int(since))
