"""The heartbeat: one clock for all processes, and a record of the outages.

Every process that serves beats twice a second and more. A beat asks the store for its time, so that all processes agree
on the time, also when their own clocks do not. When the beats of all of them have been missing for longer than
`LONGEST_SILENCE`, the next beat writes down an outage: from the last beat before it to the first one after.

Beats are kept in the memory of the store, and written to its disk only while commands are given, and otherwise every
`WRITTEN_EVERY` seconds: an idle service writes nearly nothing. A store that has lost its memory hears of the last beat
from any process that knows it. Only when all of them have died together an outage begins at the last beat on disk.

| key | meaning |
|---|---|
| `hidalgo:{pulse}:beat` | when a process last served |
| `hidalgo:{pulse}:written` | which beat was last written to disk; in memory alone |
| `hidalgo:{pulse}:outages` | list of `<since> <until>`, the newest last |
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from events.decider import Outage
from events.errors import StoreError, StoreFull
from events.store import Store, store_errors

log = logging.getLogger(__name__)

EVERY = 0.4
LONGEST_SILENCE = 1.5
"""In seconds. Shorter gaps are hiccups, such as every network has."""

WRITTEN_EVERY = 2.0
"""Seconds from one beat on disk to the next, while no command is given."""

MOST_OUTAGES = 1000
"""So many are remembered: those before have long been dealt with."""

# Answers the time, when a process last served, and the outages if the newest is not the one that the caller knows. A
# process that only looks does not serve. A beat that is later than now, by more than a hiccup, is of a clock that was
# ahead, and tells nothing; nor does such a beat that the caller remembers. An outage and the beat that ends it come to
# disk together: the next outage never begins before it.
BEAT = """
local beat, outages, written = unpack(KEYS)
local serving, to_disk = ARGV[1] == '1', ARGV[2] == '1'
local silence, most, newest, known, every = tonumber(ARGV[3]), ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = tonumber(redis.call('GET', beat) or 0)
local last = 0
for _, moment in ipairs({stored, known}) do
  if moment - now <= silence and moment > last then last = moment end
end
if serving then
  if last > 0 and now - last > silence then
    redis.call('RPUSH', outages, string.format('%.0f %.0f', last, now))
    redis.call('LTRIM', outages, -most, -1)
    to_disk = true
  end
  last = now
end
local on_disk = tonumber(redis.call('GET', written) or 0)
to_disk = last > 0 and on_disk ~= last and (to_disk or serving and (on_disk > now or now - on_disk >= every))
if to_disk then redis.call('SET', beat, string.format('%.0f', last)) end
redis.set_repl(redis.REPL_NONE)
if to_disk then redis.call('SET', written, string.format('%.0f', last))
elseif serving then redis.call('SET', beat, string.format('%.0f', last)) end
if (redis.call('LINDEX', outages, -1) or '') == newest then return {now, last} end
return {now, last, redis.call('LRANGE', outages, -most, -1)}
"""

KEYS = ("hidalgo:{pulse}:beat", "hidalgo:{pulse}:outages", "hidalgo:{pulse}:written")


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
        self._is_asked = False
        """Whether a command was given since the last beat."""
        self._newest = b""
        self._outages: tuple[Outage, ...] = ()
        self.trouble: StoreError | None = None
        """Of the last beat."""
        self._stopping = Event()
        self._thread: Thread | None = None

    # Questions

    def now(self) -> int:
        """Milliseconds since 1970, as the store has it."""
        self._is_asked = True
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

    def beat(self, *, to_disk: bool = False) -> None:
        """Ask for the time; a process that serves says so with it. `to_disk`: the last beat must be there afterwards,
        whichever process it is of."""
        with self._lock:
            try:
                self._beat(self._serving, to_disk)
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

    def _beat(self, serving: bool, to_disk: bool = False) -> None:
        asked = time.monotonic()
        to_disk, self._is_asked = to_disk or (serving and self._is_asked), False
        silence, every = (int(seconds * 1000) for seconds in (self._silence, WRITTEN_EVERY))
        about = silence, MOST_OUTAGES, self._newest, self._served_at, every
        with store_errors():
            now, served, *outages = self._redis.eval(BEAT, len(KEYS), *KEYS, int(serving), int(to_disk), *about)
        # The store looked at its clock somewhere between question and answer; never believe that it is later.
        self._ahead = int(now) / 1000 - time.monotonic()
        self._served_at = int(served)
        for stored in outages:
            # A store that was emptied has none, whatever this process has heard.
            self._newest, self._outages = stored[-1] if stored else b"", tuple(map(_outage, stored))
        self._beaten_at = asked

    def start(self) -> None:
        """Beat in a thread, until it is stopped."""
        self._thread = Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """The last beat comes to disk: if the store stops next, an outage begins at this moment."""
        self._stopping.set()
        if self._thread:
            self._thread.join(timeout=5)
        with suppress(StoreError):
            self.beat(to_disk=True)

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
