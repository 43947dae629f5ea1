"""Accounts whose deliveries are due, by bucket: the delivery worker asks here where to look next.

| key | what |
|---|---|
| `hidalgo:{07}:rounds` | sorted set; accounts of the bucket by the time at which their next delivery is due |
| `hidalgo:{07}:letters`, `letter_marks` | the same for letters, which are sent by mail |
| `hidalgo:{07}:marks` | hash; account to the revision of its entry; the empty name to the last revision of all |

The deliveries of an account have another hash tag, so that this entry is written after them. A new delivery schedules
the account; a worker that has looked after it reschedules it, unless it was scheduled anew meanwhile. So no account is
forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.buckets import bucket_key
from events.store import Store, store_errors

DELIVERIES, LETTERS = ("rounds", "marks"), ("letters", "letter_marks")
"""The names of the keys: of accounts whose deliveries are due, and of those whose letters are."""

# Revisions never repeat, so that an older one is recognised.
SCHEDULE = """
redis.call('ZADD', KEYS[1], 'LT', ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], redis.call('HINCRBY', KEYS[2], '', 1))
"""

RESCHEDULE = """
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return end
if ARGV[3] ~= '' then return redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
"""


class DueAccount(Struct, frozen=True):
    account: str
    revision: str


class DueAccounts:
    """Safe between threads and processes."""

    def __init__(self, store: Store, names: tuple[str, str] = DELIVERIES) -> None:
        self._store = store
        self._redis: Any = store.commands
        self._names = names

    def _keys(self, bucket: int) -> list[str]:
        return [bucket_key(bucket, name) for name in self._names]

    def schedule(self, accounts: Collection[str], at: int) -> None:
        """A delivery of each account is due at this time; an earlier time that is stored counts. In one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in accounts:
                pipe.execute_command("EVAL", SCHEDULE, 2, *self._keys(self._store.buckets.of(account)), account, at)
            pipe.execute()

    def due(self, buckets: Collection[int], now: int, limit: int) -> list[DueAccount]:
        """The accounts that are due, so many of each bucket; the longest due first, in two round trips at most."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for bucket in buckets:
                accounts_key, _ = self._keys(bucket)
                pipe.zrange(accounts_key, "-inf", now, byscore=True, offset=0, num=limit, withscores=True)
            found = sorted((at, account) for accounts in pipe.execute() for account, at in accounts)
        return self._with_revisions([account.decode() for _, account in found])

    def _with_revisions(self, accounts: Sequence[str]) -> list[DueAccount]:
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in accounts:
                pipe.hget(self._keys(self._store.buckets.of(account))[1], account)
            revisions = [(revision or b"").decode() for revision in pipe.execute()]
        return [DueAccount(account, revision) for account, revision in zip(accounts, revisions, strict=True)]

    def reschedule(self, times: Mapping[DueAccount, int | None]) -> None:
        """The next delivery of each account is due at this time, or there is none; in one round trip.

        Ignored if the account was scheduled meanwhile.
        """
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for seen, at in times.items():
                words = seen.account, seen.revision, "" if at is None else at
                pipe.execute_command("EVAL", RESCHEDULE, 2, *self._keys(self._store.buckets.of(seen.account)), *words)
            pipe.execute()
