"""Slots for the tries that are under way: a receiver that is slow or silent takes them from no other.

A receiver is prompt if its last try from this process ended within half a second. All others, new ones included, have
a share of the slots, and one try at a time. A try that takes longer makes room for those of other accounts and hosts:
receivers that all fall silent at once hold back the rest for half a second, and not until their time is up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set
from threading import Lock
from urllib.parse import urlsplit

from cachetools import LRUCache
from msgspec import Struct

from service.notifications.mailboxes import Webhook

SLOW_AFTER = 0.5
"""Seconds after which a try makes room for others."""
MOST_SLOW = 128
"""So many tries may take longer before only prompt receivers are tried."""
REMEMBERED = 10_000
"""So many receivers are known as prompt."""


class Share(Struct, frozen=True):
    """How many tries may be under way at once. Those that take long count for all but the first."""

    in_all: int
    of_an_account: int
    of_a_host: int
    of_a_webhook: int


ALL = Share(in_all=64, of_an_account=4, of_a_host=16, of_a_webhook=4)
NOT_PROMPT = Share(in_all=48, of_an_account=2, of_a_host=4, of_a_webhook=1)


class Try(Struct, frozen=True, eq=False):
    """A try that is under way, or may be."""

    account: str
    host: str
    webhook: str
    began: float
    is_prompt: bool
    """Whether its receiver was prompt when it began."""


class Slots:
    """Tries begin in one thread, and end in any."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._under_way: list[Try] = []
        self._held: set[str] = set()
        self._prompt: LRUCache[str, bool] = LRUCache(REMEMBERED)

    def has_room_for(self, account: str) -> bool:
        """Whether it is worth to ask for an offer."""
        with self._lock:
            is_full = sum(each.account == account for each in self._under_way) >= ALL.of_an_account
            return not is_full and account not in self._held

    def hold(self, account: str) -> None:
        """There is no room for the account until one of its tries ends, if any is under way."""
        with self._lock:
            if any(each.account == account for each in self._under_way):
                self._held.add(account)

    def room(self) -> Room:
        """The room that there is now."""
        with self._lock:
            return Room(self._clock(), list(self._under_way), set(self._prompt))

    def begin(self, begun: Try) -> None:
        with self._lock:
            self._under_way.append(begun)

    def end(self, ended: Try) -> None:
        """Its receiver is known as prompt from now on, or not any more."""
        with self._lock:
            self._under_way = [each for each in self._under_way if each is not ended]
            self._held.discard(ended.account)
            if _is_slow(ended, self._clock()):
                self._prompt.pop(ended.webhook, None)
            else:
                self._prompt[ended.webhook] = True


class Room:
    """The room at one moment: tries are offered, and none of them has begun."""

    def __init__(self, now: float, under_way: Sequence[Try], prompt: Set[str]) -> None:
        self._now, self._under_way = now, under_way
        self._prompt = prompt - {each.webhook for each in under_way if _is_slow(each, now)}
        self._offered: dict[str, list[Try]] = {}

    def is_prompt(self, webhook: str) -> bool:
        return webhook in self._prompt

    def offer(self, account: str, webhooks: Sequence[Webhook]) -> list[Try | None]:
        """A try for each of these webhooks of an account, in this order, as far as there is room.

        What was offered to the account before does not count.
        """
        self._offered[account] = []
        tries = []
        refused: set[str] = set()
        for webhook in webhooks:
            slot = self._offer(account, webhook) if webhook.id not in refused else None
            if slot is None:
                refused.add(webhook.id)
            tries.append(slot)
        return tries

    def _offer(self, account: str, webhook: Webhook) -> Try | None:
        slot = Try(account, host_of(webhook.url), webhook.id, self._now, self.is_prompt(webhook.id))
        offered = [each for some in self._offered.values() for each in some]
        if not _fits(slot, [*self._under_way, *offered], self._now):
            return None
        self._offered[account].append(slot)
        return slot


def _fits(candidate: Try, under_way: Sequence[Try], now: float) -> bool:
    if not _is_within(ALL, candidate, under_way, now):
        return False
    if candidate.is_prompt:
        return True
    slow = [each for each in under_way if _is_slow(each, now)]
    rivals = [each for each in under_way if not each.is_prompt or _is_slow(each, now)]
    return len(slow) < MOST_SLOW and _is_within(NOT_PROMPT, candidate, rivals, now)


def _is_within(share: Share, candidate: Try, rivals: Sequence[Try], now: float) -> bool:
    return (
        sum(not _is_slow(each, now) for each in rivals) < share.in_all
        and sum(each.account == candidate.account for each in rivals) < share.of_an_account
        and sum(each.host == candidate.host for each in rivals) < share.of_a_host
        and sum(each.webhook == candidate.webhook for each in rivals) < share.of_a_webhook
    )


def _is_slow(each: Try, now: float) -> bool:
    return now - each.began > SLOW_AFTER


def host_of(url: str) -> str:
    """
    >>> host_of("https://Bot.example:8443/hidalgo")
    'bot.example:8443'
    """
    return urlsplit(url).netloc.lower()
