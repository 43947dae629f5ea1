"""Which accounts have deliveries that wait, by bucket: where a delivery worker goes, and when.

| key | what |
|---|---|
| `hidalgo:{07}:rounds` | sorted set; accounts of the bucket by when their next delivery is due |
| `hidalgo:{07}:marks` | hash; account to its mark; the empty name to the last mark of all |

The deliveries of an account lie elsewhere, so that this is written after them. Who lets something wait marks the
account; who has looked after it writes down when to come next, unless it was marked anew meanwhile. So nobody is
forgotten.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.log import bucket_of
from events.store import Store, store_errors

# Marks never repeat, so that an old one is known.
MARK = """
redis.call('ZADD', KEYS[1], 'LT', ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], redis.call('HINCRBY', KEYS[2], '', 1))
"""

LEAVE = """
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return end
if ARGV[3] ~= '' then return redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
"""


class Visit(Struct, frozen=True):
    account: str
    mark: str


class Rounds:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._mark = self._redis.register_script(MARK)
        self._leave = self._redis.register_script(LEAVE)

    def mark(self, account: str, at: int) -> None:
        """Something waits there, from this moment on."""
        with store_errors():
            self._mark(keys=_keys(bucket_of(account)), args=[account, at])

    def due(self, bucket: int, now: int, limit: int) -> list[Visit]:
        """Where to go now, the longest due first."""
        rounds, marks = _keys(bucket)
        with store_errors():
            accounts = self._redis.zrange(rounds, "-inf", now, byscore=True, offset=0, num=limit)
            found = self._redis.hmget(marks, accounts) if accounts else []
        return [Visit(account.decode(), (mark or b"").decode()) for account, mark in zip(accounts, found, strict=True)]

    def leave(self, visit: Visit, next_due: int | None) -> None:
        """When to come next; nothing waits if that is not said."""
        with store_errors():
            at = "" if next_due is None else next_due
            self._leave(keys=_keys(bucket_of(visit.account)), args=[visit.account, visit.mark, at])


def _keys(bucket: int) -> list[str]:
    return [f"hidalgo:{{{bucket:02}}}:{what}" for what in ("rounds", "marks")]
