"""Slots for the tries that are under way: a receiver that is slow or silent takes them from no other.

A receiver is prompt if its last try from this process ended within half a second, and late if it did not; one that was
not tried yet is new. All but the prompt ones have a share of the slots, and one try at a time; late ones have a small
part of that share, so that they cannot keep new ones, which may be prompt, from their first try. A try that takes
longer makes room for those of other accounts and hosts: receivers that all fall silent at once hold back the rest for
half a second, and not until their time is up.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence, Set
from operator import lt
from threading import Lock
from urllib.parse import urlsplit

from cachetools import LRUCache
from msgspec import Struct

from service.notifications.mailboxes import Webhook

SLOW_AFTER = 0.5
"""Seconds after which a try makes room for others."""
MOST_SLOW = 512
"""So many tries may take longer before only prompt receivers are tried."""
MOST_SLOW_BEFORE_LATE = 128
"""So many may before no late ones are tried."""
REMEMBERED = 10_000
"""So many receivers are known as prompt, and as many as late."""


class Share(Struct, frozen=True):
    """How many tries may be under way at once. Those that take long count for all but the first."""

    in_all: int
    of_an_account: int
    of_a_host: int
    of_a_webhook: int


ALL = Share(in_all=128, of_an_account=4, of_a_host=16, of_a_webhook=4)
NOT_PROMPT = Share(in_all=96, of_an_account=2, of_a_host=4, of_a_webhook=1)
LATE = Share(in_all=16, of_an_account=2, of_a_host=4, of_a_webhook=1)


class Try(Struct, frozen=True, eq=False):
    """A try that is under way, or may be."""

    account: str
    host: str
    webhook: str
    began: float
    is_prompt: bool
    """Whether its receiver was prompt when it began."""
    is_late: bool = False
    """Whether it was late before."""


class Slots:
    """Tries begin in one thread, and end in any."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._under_way: list[Try] = []
        self._held: set[str] = set()
        self._prompt: LRUCache[str, bool] = LRUCache(REMEMBERED)
        self._late: LRUCache[str, bool] = LRUCache(REMEMBERED)

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
            return Room(self._clock(), list(self._under_way), set(self._prompt), set(self._late))

    def begin(self, begun: Try) -> None:
        with self._lock:
            self._under_way.append(begun)

    def end(self, ended: Try) -> None:
        """Its receiver is known as prompt from now on, or as late."""
        with self._lock:
            self._under_way = [each for each in self._under_way if each is not ended]
            self._held.discard(ended.account)
            is_late = _is_slow(ended, self._clock())
            now, before = (self._late, self._prompt) if is_late else (self._prompt, self._late)
            before.pop(ended.webhook, None)
            now[ended.webhook] = True


class Tally:
    """Tries that are under way or offered, counted by what their shares limit."""

    def __init__(self) -> None:
        self._recent = 0
        self._of: Counter[tuple[str, str]] = Counter()

    def count(self, each: Try, by: int = 1, *, is_slow: bool = False) -> None:
        self._recent += 0 if is_slow else by
        for whose in _limited(each):
            self._of[whose] += by

    def has_room(self, share: Share, candidate: Try) -> bool:
        limits = (share.of_an_account, share.of_a_host, share.of_a_webhook)
        counted = (self._of[whose] for whose in _limited(candidate))
        return self._recent < share.in_all and all(map(lt, counted, limits))


def _limited(each: Try) -> tuple[tuple[str, str], ...]:
    return ("account", each.account), ("host", each.host), ("webhook", each.webhook)


class Room:
    """The room at one moment: tries are offered, and none of them has begun."""

    def __init__(self, now: float, under_way: Sequence[Try], prompt: Set[str], late: Set[str]) -> None:
        self._now = now
        slow = {each.webhook for each in under_way if _is_slow(each, now)}
        self._prompt, self._late = prompt - slow, late | slow
        self._offered: dict[str, list[Try]] = {}
        self._slow = 0
        self._all, self._not_prompt, self._late_ones = Tally(), Tally(), Tally()
        for each in under_way:
            self._count(each, is_slow=_is_slow(each, now))

    def is_prompt(self, webhook: str) -> bool:
        return webhook in self._prompt

    def is_new(self, webhook: str) -> bool:
        return webhook not in self._prompt and webhook not in self._late

    def offer(self, account: str, webhooks: Sequence[Webhook]) -> list[Try | None]:
        """A try for each of these webhooks of an account, in this order, as far as there is room.

        What was offered to the account before does not count.
        """
        for former in self._offered.pop(account, []):
            self._count(former, -1)
        tries = []
        refused: set[str] = set()
        for webhook in webhooks:
            slot = self._offer(account, webhook) if webhook.id not in refused else None
            if slot is None:
                refused.add(webhook.id)
            tries.append(slot)
        return tries

    def _offer(self, account: str, webhook: Webhook) -> Try | None:
        is_prompt, is_late = self.is_prompt(webhook.id), webhook.id in self._late
        slot = Try(account, host_of(webhook.url), webhook.id, self._now, is_prompt, is_late)
        if not self._fits(slot):
            return None
        self._count(slot)
        self._offered.setdefault(account, []).append(slot)
        return slot

    def _count(self, each: Try, by: int = 1, *, is_slow: bool = False) -> None:
        self._slow += by if is_slow else 0
        self._all.count(each, by, is_slow=is_slow)
        if not each.is_prompt or is_slow:
            self._not_prompt.count(each, by, is_slow=is_slow)
        if each.is_late:
            self._late_ones.count(each, by, is_slow=is_slow)

    def _fits(self, candidate: Try) -> bool:
        if not self._all.has_room(ALL, candidate):
            return False
        if candidate.is_prompt:
            return True
        if self._slow >= (MOST_SLOW_BEFORE_LATE if candidate.is_late else MOST_SLOW):
            return False
        is_crowded = candidate.is_late and not self._late_ones.has_room(LATE, candidate)
        return not is_crowded and self._not_prompt.has_room(NOT_PROMPT, candidate)


def _is_slow(each: Try, now: float) -> bool:
    return now - each.began > SLOW_AFTER


def host_of(url: str) -> str:
    """
    >>> host_of("https://Bot.example:8443/hidalgo")
    'bot.example:8443'
    """
    return urlsplit(url).netloc.lower()
