"""Bucket leases: several processes share the same work.

Every attendant leases about as many buckets as each of the others, and renews its leases in time. One that is killed or
stopped loses them to the others within seconds. A lease is a courtesy that saves double work; a command is
never done twice without it either, because the log takes every command once and refuses an old fence.

| key | meaning |
|---|---|
| `hidalgo:{pulse}:attendants` | sorted set; the attendants, by when each was last seen; in memory alone |
"""

from __future__ import annotations

import os
import secrets
import socket
from math import ceil
from threading import Lock
from time import monotonic
from typing import Any

from events.errors import StoreError
from events.log import Leases
from events.store import Store, store_errors

LEASE = 3.0
"""In seconds; renewed several times in this time."""

# A worker that was seen later than now was seen by a clock that was ahead, and may be gone.
COUNT_WORKERS = """
redis.set_repl(redis.REPL_NONE)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + ARGV[2], '+inf')
return redis.call('ZCARD', KEYS[1])
"""
REMOVE_WORKER = """
redis.set_repl(redis.REPL_NONE)
redis.call('ZREM', KEYS[1], ARGV[1])
"""
WORKERS = "hidalgo:{pulse}:attendants"


class BucketLeases:
    """The buckets of one worker."""

    def __init__(self, store: Store, log: Leases, *, name: str = "", lease: float = LEASE) -> None:
        self.name = name or f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._store = store
        self._redis: Any = store.commands
        self._log = log
        self._lease = lease
        self._fences: dict[int, int] = {}
        self._until = 0.0
        self._workers = 1
        self._renewing = Lock()
        self.trouble: StoreError | None = None
        """Of the last renewal."""

    @property
    def is_short(self) -> bool:
        """Whether others hold a part of this worker's share: they will give it up, and then it should not wait."""
        return len(self.fences) < self._store.buckets.count // self._workers

    @property
    def are_current(self) -> bool:
        """Whether they were renewed in time, also if others hold all buckets."""
        return monotonic() < self._until

    @property
    def fences(self) -> dict[int, int]:
        """The buckets to attend to, and the fence of each; none if they were not renewed in time."""
        return self._fences if self.are_current else {}

    def renew(self) -> None:
        """Keep the own buckets, up to a fair share, and take free ones."""
        with self._renewing:
            try:
                self._renew()
                self.trouble = None
            except StoreError as trouble:
                self.trouble = trouble
                raise

    def _renew(self) -> None:
        asked = monotonic()
        self._workers = self._counted_workers()
        share = ceil(self._store.buckets.count / self._workers)
        kept = [bucket for bucket in self._fences if bucket in self.fences][:share]
        if surplus := [bucket for bucket in self._fences if bucket not in kept]:
            self._log.give_up(surplus, self.name)
        held = self._log.lease(kept, self.name, self._milliseconds) if kept else {}
        self._fences = held | self._taken(share - len(held), held)
        self._until = asked + self._lease

    def _taken(self, wanted: int, held: dict[int, int]) -> dict[int, int]:
        """Free buckets, no more than wanted. Each attendant begins to look elsewhere, so that they rarely meet."""
        buckets = self._store.buckets.all
        first = hash(self.name) % len(buckets)
        others = [bucket for bucket in (*buckets[first:], *buckets[:first]) if bucket not in held]
        taken: dict[int, int] = {}
        while others and len(taken) < wanted:
            asked, others = others[: wanted - len(taken)], others[wanted - len(taken) :]
            taken |= self._log.lease(asked, self.name, self._milliseconds)
        return taken

    def end(self) -> None:
        """Leave all buckets to the others at once."""
        self._log.give_up(list(self._fences), self.name)
        self._fences = {}
        with store_errors():
            self._redis.eval(REMOVE_WORKER, 1, WORKERS, self.name)

    @property
    def _milliseconds(self) -> int:
        return int(self._lease * 1000)

    def _counted_workers(self) -> int:
        """The number of workers."""
        with store_errors():
            return int(self._redis.eval(COUNT_WORKERS, 1, WORKERS, self.name, self._milliseconds))
