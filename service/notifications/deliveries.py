"""What waits for the webhooks of an account, in the order of each game, and what became of it.

Of each hook and game only the first delivery that waits is tried, so that a failing one holds back those behind it and
no others. One that has failed too often is parked: listed, and out of the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotNow
from events.store import store_errors
from service.accounts.records import key
from service.notifications import inbox
from service.notifications.mailboxes import Hook, Mailbox, Mailboxes, StoreCommand, keep_hook
from service.notifications.notices import disabled
from service.notifications.retry_policy import RetryPolicy

WAITING, PARKED, DELIVERED = "waiting", "parked", "delivered"
STATES = (WAITING, PARKED, DELIVERED)

MOST_WAITING = 1000
"""A hook for which more would wait is disabled: its receiver is too slow, or gone."""
MOST = {PARKED: 200, DELIVERED: 50}
"""So many of a hook are listed; older ones go."""

FAILING = "nothing has arrived for too long"

CLAIMED_FOR = 30_000
"""Milliseconds for which who tries a delivery has it to themselves; longer than any try takes."""


class Delivery(Struct, frozen=True, omit_defaults=True):
    """One thing that one hook is told."""

    hook: str
    number: int
    """Counts the deliveries of the hook."""
    kind: str
    game: str
    version: int
    created_at: int
    body: str = ""
    """As it is sent; forgotten when it has arrived."""
    state: str = WAITING
    attempts: int = 0
    tried_at: int | None = None
    next_at: int | None = None
    """When it is tried again."""
    status: int | None = None
    """What the receiver answered last."""
    why: str = ""
    """Why it has not arrived."""

    @property
    def id(self) -> str:
        """The same however often it is sent."""
        return delivery_id(self.hook, self.number)


class Outcome(Struct, frozen=True):
    """What came of one try."""

    status: int | None = None
    why: str = ""
    milliseconds: int = 0

    @property
    def has_arrived(self) -> bool:
        return not self.why


class Claim(Struct, frozen=True):
    """A delivery that is ours to try."""

    account: str
    hook: Hook
    delivery: Delivery


class Deliveries:
    """The deliveries of all accounts. Safe between threads and processes."""

    def __init__(self, mailboxes: Mailboxes, retry_policy: RetryPolicy | None = None) -> None:
        self._mailboxes = mailboxes
        self._retry_policy = retry_policy or RetryPolicy()

    # Trying

    def claim(self, account: str, now: int, most: int, claimed_for: int = CLAIMED_FOR) -> list[Claim]:
        """Some deliveries that are due, each the first of its game; for a while they are nobody else's."""

        def decide(mailbox: Mailbox) -> tuple[list[StoreCommand], list[Claim]]:
            due = key(account, "due")
            with store_errors():
                members = self._redis.zrange(due, "-inf", now, byscore=True, offset=0, num=most)
            changes: list[StoreCommand] = []
            claims = []
            for member in members:
                hook_id, _, game = member.decode().partition(" ")
                hook, first = mailbox.hook(hook_id), self._first(account, hook_id, game)
                if hook is None or hook.disabled or first is None:
                    changes.append(("ZREM", due, member))
                    continue
                changes.append(("ZADD", due, now + claimed_for, member))
                claims.append(Claim(account, hook, first))
            return changes, claims

        return self._mailboxes.change(account, decide)

    def next_due(self, account: str) -> int | None:
        """When the next delivery is to be tried."""
        with store_errors():
            found = self._redis.zrange(key(account, "due"), 0, 0, withscores=True)
        return int(found[0][1]) if found else None

    def settle(self, claim: Claim, outcome: Outcome, now: int) -> Delivery | None:
        """Write down what came of a try; gives the delivery as it is now. Nothing if another was faster."""
        return self._mailboxes.change(claim.account, partial(self._settled, claim.delivery, outcome, now))

    def _settled(
        self, tried: Delivery, outcome: Outcome, now: int, mailbox: Mailbox
    ) -> tuple[list[StoreCommand], Delivery | None]:
        hook, known = mailbox.hook(tried.hook), self._read(mailbox.account, tried.hook, tried.number)
        if hook is None or known is None or known.state != WAITING:
            return [], None
        told = replace(
            known, attempts=known.attempts + 1, tried_at=now, next_at=None, status=outcome.status, why=outcome.why
        )
        if outcome.has_arrived:
            told = replace(told, state=DELIVERED, body="")
            return [*self._moved(mailbox, told, now), *_well(mailbox, hook)], told
        failing = replace(hook, failing_since=hook.failing_since or now)
        if told.attempts < self._retry_policy.attempts:
            next_at = now + self._retry_policy.pause(told.attempts)
            told = replace(told, next_at=next_at)
            due = ("ZADD", key(mailbox.account, "due"), next_at, f"{told.hook} {told.game}")
            return [_keep(mailbox, told), due, keep_hook(mailbox.account, failing)], told
        told = replace(told, state=PARKED)
        return [*self._moved(mailbox, told, now), *self._blamed(mailbox, failing, now)], told

    def _blamed(self, mailbox: Mailbox, failing: Hook, now: int) -> list[StoreCommand]:
        """What becomes of a hook of which something was parked."""
        if now - failing.failing_since < self._retry_policy.disable_after:
            return [keep_hook(mailbox.account, failing)]
        notice = inbox.numbered(mailbox, [disabled(failing.id, FAILING, now)])
        return [keep_hook(mailbox.account, replace(failing, disabled=FAILING)), *inbox.put(mailbox, notice)]

    def _moved(self, mailbox: Mailbox, told: Delivery, now: int) -> Iterator[StoreCommand]:
        """Out of those that wait, so that the next of the game comes, and into the list of what became of them."""
        order, due, queue = key(mailbox.account, "order"), key(mailbox.account, "due"), f"{told.hook} {told.game}"
        waited = _member(replace(told, state=WAITING))
        others = set(self._members(mailbox.account, f"{told.hook} {WAITING} {told.game} ", limit=2)) - {waited}
        yield _keep(mailbox, told)
        yield "ZREM", order, waited
        yield "ZADD", order, 0, _member(told)
        yield ("ZADD", due, now, queue) if others else ("ZREM", due, queue)
        kept = self._members(mailbox.account, f"{told.hook} {told.state} ")
        for old in kept[: max(0, len(kept) + 1 - MOST[told.state])]:
            yield "ZREM", order, old
            yield "HDEL", key(mailbox.account, "deliveries"), _field(told.hook, _number(old))

    # Looking, and trying again

    def listed(self, account: str, hook: str, state: str, before: int, limit: int) -> list[Delivery]:
        """The deliveries of a hook before a number, newest first; of one state, or of all."""
        members = self._members(account, f"{hook} {state} " if state else f"{hook} ")
        numbers = sorted((number for number in map(_number, members) if number < before), reverse=True)[:limit]
        if not numbers:
            return []
        with store_errors():
            found = self._redis.hmget(key(account, "deliveries"), [_field(hook, number) for number in numbers])
        return [msgspec.json.decode(text, type=Delivery) for text in found if text]

    def retry(self, account: str, hook: str, number: int, now: int) -> Delivery | None:
        """A parked delivery waits again, before everything of its game that came later; nothing if there is none."""

        def decide(mailbox: Mailbox) -> tuple[list[StoreCommand], Delivery | None]:
            known = self._read(account, hook, number)
            if known is None or known.state == WAITING:
                return [], known
            if known.state != PARKED:
                raise NotNow("this delivery has arrived")
            told = replace(known, state=WAITING, attempts=0, next_at=now)
            order = key(account, "order")
            return [
                _keep(mailbox, told),
                ("ZREM", order, _member(known)),
                ("ZADD", order, 0, _member(told)),
                ("ZADD", key(account, "due"), now, f"{hook} {told.game}"),
            ], told

        return self._mailboxes.change(account, decide)

    def all_due(self, mailbox: Mailbox, hook: str, now: int) -> list[StoreCommand]:
        """What has everything that waits for the hook tried at once."""
        waiting = self._members(mailbox.account, f"{hook} {WAITING} ")
        games = {member.split(" ", 2)[2].rpartition(" ")[0] for member in waiting}
        return [("ZADD", key(mailbox.account, "due"), now, f"{hook} {game}") for game in sorted(games)]

    def without(self, mailbox: Mailbox, hook: str) -> list[StoreCommand]:
        """What forgets everything that there is of the hook."""
        members = self._members(mailbox.account, f"{hook} ")
        forgotten: list[StoreCommand] = [("HDEL", key(mailbox.account, "book"), f"hook:{hook}", f"sent:{hook}")]
        for member in members:
            forgotten.append(("ZREM", key(mailbox.account, "order"), member))
            forgotten.append(("HDEL", key(mailbox.account, "deliveries"), _field(hook, _number(member))))
        return forgotten

    def waiting(self, account: str, hook: str) -> int:
        """How many wait."""
        with store_errors():
            return int(self._redis.zlexcount(key(account, "order"), *_between(f"{hook} {WAITING} ")))

    # In the store

    @property
    def _redis(self) -> Any:
        return self._mailboxes.redis

    def _first(self, account: str, hook: str, game: str) -> Delivery | None:
        members = self._members(account, f"{hook} {WAITING} {game} ", limit=1)
        return self._read(account, hook, _number(members[0])) if members else None

    def _read(self, account: str, hook: str, number: int) -> Delivery | None:
        with store_errors():
            found = self._redis.hget(key(account, "deliveries"), _field(hook, number))
        return msgspec.json.decode(found, type=Delivery) if found else None

    def _members(self, account: str, prefix: str, limit: int = -1) -> list[str]:
        """What begins so, in order."""
        with store_errors():
            found = self._redis.zrange(key(account, "order"), *_between(prefix), bylex=True, offset=0, num=limit)
        return [member.decode() for member in found]


def put(mailbox: Mailbox, deliveries: Sequence[Delivery], now: int) -> list[StoreCommand]:
    """What lets deliveries wait, in this order."""
    changes: list[StoreCommand] = []
    for delivery in deliveries:
        changes += [
            _keep(mailbox, delivery),
            ("ZADD", key(mailbox.account, "order"), 0, _member(delivery)),
            # Unless others of this game wait already, perhaps for another try.
            ("ZADD", key(mailbox.account, "due"), "NX", now, f"{delivery.hook} {delivery.game}"),
            ("HSET", key(mailbox.account, "book"), f"sent:{delivery.hook}", delivery.number),
        ]
    return changes


def delivery_id(hook: str, number: int) -> str:
    return f"{hook}.{number}"


def _well(mailbox: Mailbox, hook: Hook) -> list[StoreCommand]:
    return [keep_hook(mailbox.account, replace(hook, failing_since=0))] if hook.failing_since else []


def _keep(mailbox: Mailbox, delivery: Delivery) -> StoreCommand:
    field = _field(delivery.hook, delivery.number)
    return "HSET", key(mailbox.account, "deliveries"), field, msgspec.json.encode(delivery)


def _field(hook: str, number: int) -> str:
    return f"{hook} {number:010}"


def _member(delivery: Delivery) -> str:
    game = f" {delivery.game}" if delivery.state == WAITING else ""
    return f"{delivery.hook} {delivery.state}{game} {delivery.number:010}"


def _number(member: str) -> int:
    return int(member.rpartition(" ")[2])


def _between(prefix: str) -> tuple[str, bytes]:
    return f"[{prefix}", b"[" + prefix.encode() + b"\xff"
