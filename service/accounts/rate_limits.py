"""Rate limits: buckets of tries that are full at first, are emptied by tries and fill up with time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from ipaddress import ip_address
from typing import Any

from events.errors import TryLater
from events.store import Store, store_errors
from rules.texts import say
from service.settings import DEFAULT_LIMITS, Limit

# The bucket is kept as one number: when it will be full again, in microseconds. It is gone when it is full. A
# time that is further away than an empty bucket takes, by more than a second, was written by a clock that was ahead.
# Answers how many microseconds are missing; 0: go on. More tries than a full bucket has empty it.
TAKE = """
local time = redis.call('TIME')
local now, burst, each = time[1] * 1000000 + time[2], tonumber(ARGV[1]), tonumber(ARGV[2])
local tries = math.min(tonumber(ARGV[3]), burst)
local full = tonumber(redis.call('GET', KEYS[1]) or 0)
if full - now > burst * each + 1000000 then full = 0 end
full = math.max(full, now) + each * tries
if full - now > burst * each then return full - now - burst * each end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return 0
"""


class TooOften(TryLater):
    """The client must wait."""

    code = "too_many_requests"

    def __init__(self, retry_after: float, name: str, limit: Limit) -> None:
        super().__init__(say("that was tried too often; wait a little"), retry_after=retry_after)
        self.name, self.limit = name, limit

    @property
    def counted_by(self) -> str:
        """By what tries are counted: `account`, `handle` or `address`."""
        return self.name.rpartition("_")[2]


class Limits:
    def __init__(self, store: Store, limits: Mapping[str, Limit | None] = DEFAULT_LIMITS) -> None:
        self._redis: Any = store.commands
        self._limits = limits

    def take(self, name: str, whose: str, tries: int = 1) -> None:
        """Raises `TooOften` if the bucket has not as many tries. `whose`: an account, a handle or a network."""
        limit = self._limits[name]
        if not limit:
            return
        each = int(limit.seconds * 1_000_000 / limit.burst)
        with store_errors():
            missing = self._redis.eval(TAKE, 1, _key(name, whose), limit.burst, each, tries)
        if missing:
            raise TooOften(missing / 1_000_000, name, limit)


def _key(name: str, whose: str) -> str:
    """Hashed, because clients choose `whose`, and how long it is."""
    return f"hidalgo:limit:{name}:{sha256(whose.encode(errors='replace')).hexdigest()[:32]}"


@lru_cache(4096)
def network_of(address: str | None) -> str:
    """The network of an address. An owner of one IPv6 address has its whole /64.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of(None)
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7', 'unknown')
    """
    try:
        found = ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_address(int(found) >> 64 << 64))
