"""The deliveries of an account in the store: how they are read, and the commands that write them.

`service.notifications.mailboxes` lists the keys. A delivery is a record in `deliveries` and a member of the index
`order`, by which the waiting ones of a queue, and all of one state, are found in order. `due` holds the time of the
next try of each queue in which a delivery waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from events.store import store_errors
from service.accounts.records import key
from service.notifications.deliveries import DELIVERED, PARKED, WAITING, Delivery, Queue
from service.notifications.mailboxes import StoreCommand, forget_hook, save_last_delivery

MOST_RECORDS = {PARKED: 200, DELIVERED: 50}
"""So many deliveries of a webhook are listed; older ones are forgotten."""


class DeliveryRecords:
    """Safe between threads."""

    def __init__(self, redis: Any) -> None:
        self._redis = redis

    # Reading

    def read(self, account: str, hook: str, number: int) -> Delivery | None:
        with store_errors():
            found = self._redis.hget(key(account, "deliveries"), _field(hook, number))
        return msgspec.json.decode(found, type=Delivery) if found else None

    def first_waiting(self, queues: Sequence[tuple[str, Queue]]) -> list[Delivery | None]:
        """The first delivery that waits in each of these queues of these accounts, in two round trips."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account, queue in queues:
                between = _between(_waiting_prefix(queue))
                pipe.zrange(key(account, "order"), *between, bylex=True, offset=0, num=1)
            members = [found[0].decode() if found else "" for found in pipe.execute()]
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for (account, queue), member in zip(queues, members, strict=True):
                pipe.hget(key(account, "deliveries"), _field(queue.hook, _number(member)) if member else "")
            return [msgspec.json.decode(text, type=Delivery) if text else None for text in pipe.execute()]

    def page(self, account: str, hook: str, state: str, before: int, limit: int) -> list[Delivery]:
        """The deliveries of a webhook before a number, newest first; of one state, or of all."""
        members = self._members(account, f"{hook} {state} " if state else f"{hook} ")
        numbers = sorted((number for number in map(_number, members) if number < before), reverse=True)[:limit]
        if not numbers:
            return []
        with store_errors():
            found = self._redis.hmget(key(account, "deliveries"), [_field(hook, number) for number in numbers])
        return [msgspec.json.decode(text, type=Delivery) for text in found if text]

    def count_waiting(self, hooks: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """How many deliveries wait for each of these webhooks of these accounts, in one round trip."""
        if not hooks:
            return {}
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account, hook in hooks:
                pipe.zlexcount(key(account, "order"), *_between(f"{hook} {WAITING} "))
            return dict(zip(hooks, pipe.execute(), strict=True))

    def due_queues(self, accounts: Sequence[str], now: int, limit: int) -> list[list[Queue]]:
        """Those of each account, the longest due first; in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in accounts:
                pipe.zrange(key(account, "due"), "-inf", now, byscore=True, offset=0, num=limit)
            return [[Queue(*member.decode().split(" ", 1)) for member in found] for found in pipe.execute()]

    def next_due(self, accounts: Sequence[str]) -> list[int | None]:
        """The time of the next try for each account, none if no delivery waits; in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in accounts:
                pipe.zrange(key(account, "due"), 0, 0, withscores=True)
            return [int(found[0][1]) if found else None for found in pipe.execute()]

    # Commands that depend on the other deliveries

    def settled(self, account: str, delivery: Delivery, now: int) -> Iterator[StoreCommand]:
        """The delivery does not wait any more: the next of its queue is due, and the oldest of its state go."""
        waiting = msgspec.structs.replace(delivery, state=WAITING)
        others = set(self._members(account, _waiting_prefix(delivery.queue), limit=2)) - {_member(waiting)}
        yield from moved(account, waiting, delivery)
        yield due_at(account, delivery.queue, now) if others else not_due(account, delivery.queue)
        listed = self._members(account, f"{delivery.hook} {delivery.state} ")
        for member in listed[: max(0, len(listed) + 1 - MOST_RECORDS[delivery.state])]:
            yield from _forgotten(account, delivery.hook, member)

    def all_due(self, account: str, hook: str, now: int) -> list[StoreCommand]:
        """All waiting deliveries of the webhook are tried at once."""
        waiting = self._members(account, f"{hook} {WAITING} ")
        games = {member.split(" ", 2)[2].rpartition(" ")[0] for member in waiting}
        return [due_at(account, Queue(hook, game), now) for game in sorted(games)]

    def deleted(self, account: str, hook: str) -> list[StoreCommand]:
        """The webhook and all its deliveries are forgotten."""
        members = self._members(account, f"{hook} ")
        forgotten = [command for member in members for command in _forgotten(account, hook, member)]
        return [forget_hook(account, hook), *forgotten]

    def _members(self, account: str, prefix: str, limit: int = -1) -> list[str]:
        """The members of the index that begin so, in order."""
        with store_errors():
            found = self._redis.zrange(key(account, "order"), *_between(prefix), bylex=True, offset=0, num=limit)
        return [member.decode() for member in found]


# Commands


def added(account: str, deliveries: Sequence[Delivery], now: int) -> Iterator[StoreCommand]:
    """New deliveries wait, in this order."""
    for delivery in deliveries:
        yield saved(account, delivery)
        yield "ZADD", key(account, "order"), 0, _member(delivery)
        # Unless an earlier one of this queue waits already, perhaps for another try.
        yield "ZADD", key(account, "due"), "NX", now, _queue_member(delivery.queue)
        yield save_last_delivery(account, delivery.hook, delivery.number)


def saved(account: str, delivery: Delivery) -> StoreCommand:
    record = msgspec.json.encode(delivery)
    return "HSET", key(account, "deliveries"), _field(delivery.hook, delivery.number), record


def moved(account: str, before: Delivery, after: Delivery) -> Iterator[StoreCommand]:
    """The delivery has another state."""
    yield saved(account, after)
    yield "ZREM", key(account, "order"), _member(before)
    yield "ZADD", key(account, "order"), 0, _member(after)


def due_at(account: str, queue: Queue, at: int) -> StoreCommand:
    return "ZADD", key(account, "due"), at, _queue_member(queue)


def not_due(account: str, queue: Queue) -> StoreCommand:
    return "ZREM", key(account, "due"), _queue_member(queue)


def _forgotten(account: str, hook: str, member: str) -> Iterator[StoreCommand]:
    yield "ZREM", key(account, "order"), member
    yield "HDEL", key(account, "deliveries"), _field(hook, _number(member))


# Names inside the keys


def _queue_member(queue: Queue) -> str:
    return f"{queue.hook} {queue.game}"


def _field(hook: str, number: int) -> str:
    return f"{hook} {number:010}"


def _member(delivery: Delivery) -> str:
    game = f" {delivery.game}" if delivery.state == WAITING else ""
    return f"{delivery.hook} {delivery.state}{game} {delivery.number:010}"


def _waiting_prefix(queue: Queue) -> str:
    return f"{queue.hook} {WAITING} {queue.game} "


def _number(member: str) -> int:
    return int(member.rpartition(" ")[2])


def _between(prefix: str) -> tuple[str, bytes]:
    return f"[{prefix}", b"[" + prefix.encode() + b"\xff"
