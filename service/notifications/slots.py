"""Slots for the tries that are under way: a receiver that is slow or silent takes them from no other.

A receiver is prompt if its last try from this process ended within a second. All others, new ones included, have a
share of the slots, and one try at a time. A try that takes longer makes room for those of other accounts and hosts, so
that even receivers that all fall silent at once hold back the rest for a second, and not until their time is up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Lock
from urllib.parse import urlsplit

from cachetools import LRUCache
from msgspec import Struct

from service.notifications.mailboxes import Webhook

SLOW_AFTER = 1.0
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


ALL = Share(in_all=32, of_an_account=4, of_a_host=16, of_a_webhook=4)
NOT_PROMPT = Share(in_all=16, of_an_account=2, of_a_host=4, of_a_webhook=1)


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
        self._prompt: LRUCache[str, bool] = LRUCache(REMEMBERED)

    def has_room_for(self, account: str) -> bool:
        with self._lock:
            return sum(each.account == account for each in self._under_way) < ALL.of_an_account

    def offer(self, account: str, webhooks: Sequence[Webhook]) -> list[Try | None]:
        """A try for each of these webhooks of an account, in this order, as far as there is room. None has begun."""
        with self._lock:
            now, under_way = self._clock(), list(self._under_way)
            tries: list[Try | None] = []
            for webhook in webhooks:
                is_prompt = self._is_prompt(webhook.id, now)
                candidate = Try(account, host_of(webhook.url), webhook.id, now, is_prompt)
                fits = _fits(candidate, under_way, now)
                tries.append(candidate if fits else None)
                under_way += [candidate] if fits else []
            return tries

    def is_prompt(self, webhook: str) -> bool:
        with self._lock:
            return self._is_prompt(webhook, self._clock())

    def begin(self, begun: Try) -> None:
        with self._lock:
            self._under_way.append(begun)

    def end(self, ended: Try) -> None:
        """Its receiver is known as prompt from now on, or not any more."""
        with self._lock:
            self._under_way = [each for each in self._under_way if each is not ended]
            self._prompt[ended.webhook] = not _is_slow(ended, self._clock())

    def _is_prompt(self, webhook: str, now: float) -> bool:
        is_waited_for = any(each.webhook == webhook and _is_slow(each, now) for each in self._under_way)
        return self._prompt.get(webhook, False) and not is_waited_for


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
