"""Reads the feeds of the log, one for each bucket, and notifies the accounts that each commit concerns.

A commit that is read twice, by two notifiers or after one was killed, gives one notice: the mailbox of an account holds
the position up to which each feed was read, and is written together with the notices.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Busy, NoSuchGame, StoreError
from events.log import ANYTHING, BUCKETS, Feed, FeedEntry, GameLog, Hints, bucket_of
from events.store import Store
from service.accounts.errors import NoSuchAccount
from service.games.representations import event
from service.notifications import inbox
from service.notifications.deliveries import Delivery, delivery_id
from service.notifications.delivery_records import DeliveryRecords, added
from service.notifications.due import DueAccounts
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, Webhook, save_hook, save_position
from service.notifications.notices import (
    TOO_MANY,
    Notice,
    concerned,
    notices,
    representation,
    viewer_of,
    webhook_disabled,
)
from service.notifications.transitions import Transition, TransitionReader
from service.notifications.webhooks import COMMIT, body
from service.operations import metrics

logger = logging.getLogger(__name__)

CONSUMER = "herald"
"""The name under which checkpoints are stored, older than the word notifier. Under another name the feeds would be read
anew, and never be trimmed again: that waits for every consumer that was ever remembered."""
ENTRIES_AT_ONCE = 100
MOST_WAITING = 1000
"""A webhook for which more deliveries would wait is disabled: its receiver is too slow, or gone."""

# How long to listen in one turn, and after which time all feeds are read, with or without a hint.
SECONDS_A_TURN = 0.25
SECONDS_BETWEEN_SWEEPS = 5.0


class Notified(Struct, frozen=True):
    """The outcome of one commit for one account."""

    notices: Sequence[Notice] = ()
    has_deliveries: bool = False


class Notifier:
    """For one thread."""

    def __init__(
        self,
        log: GameLog,
        store: Store,
        *,
        wake: Callable[[str], None] = lambda account: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`wake` is called with every account that has new deliveries."""
        self._log = log
        self._transitions = TransitionReader(log)
        self._mailboxes = Mailboxes(store)
        self._deliveries = DeliveryRecords(self._mailboxes.redis)
        self._due_accounts = DueAccounts(store)
        self._wake = wake
        self._clock = clock
        self._changed = ChangedBuckets(log)
        self._unfinished: set[int] = set()
        """Buckets in whose feeds there are more entries."""

    def attend(self, bucket: int) -> int:
        """Read some entries of a bucket's feed; gives how many."""
        entries = self._log.feed(bucket, self._log.checkpoint(bucket, CONSUMER), ENTRIES_AT_ONCE)
        for entry in entries:
            self._read(bucket, entry)
        if entries:
            # If the process ends before this, the entries are read again, and give one notice all the same.
            self._log.set_checkpoint(bucket, CONSUMER, entries[-1].position)
        return len(entries)

    def attend_changed(self, leased: Collection[int]) -> None:
        """Attend to the leased buckets in which something was committed; wait a moment for that."""
        try:
            changed = self._changed.next(0 if self._unfinished else SECONDS_A_TURN)
            buckets = self._unfinished.union(changed).intersection(leased)
            self._unfinished = {bucket for bucket in buckets if self.attend(bucket) == ENTRIES_AT_ONCE}
        except Exception:
            self._changed.close()
            raise

    def _read(self, bucket: int, entry: FeedEntry) -> None:
        try:
            transition = self._transitions.read(entry.game, entry.version)
            for mailbox in self._mailboxes.read_all(concerned(transition)):
                self._notify(bucket, entry.position, transition, mailbox)
            metrics.NOTIFIER_LAG.observe(max(0.0, self._clock() - transition.commit.header.at / 1000))
        except NoSuchGame:
            pass  # archived since
        except (StoreError, Busy):
            raise
        except Exception as error:
            # A game that cannot be read must not hold back the others of its bucket.
            about = {"fields": {"game": entry.game, "version": entry.version}}
            logger.error("the notifier skips a commit", extra=about, exc_info=error)

    def _notify(self, bucket: int, position: str, transition: Transition, mailbox: Mailbox) -> None:
        decide = partial(self._decide, bucket, position, transition)
        try:
            notified = self._mailboxes.change(mailbox.account, decide, mailbox)
        except NoSuchAccount:
            return
        for notice in notified.notices:
            metrics.NOTICES.labels(notice.kind).inc()
        if notified.has_deliveries:
            self._due_accounts.schedule(mailbox.account, self._now())
            self._wake(mailbox.account)

    def _decide(self, bucket: int, position: str, transition: Transition, mailbox: Mailbox) -> Decision[Notified]:
        """The notices and deliveries of a commit for one account; those that are not written yet."""
        account, now = mailbox.account, self._now()
        enabled = [hook for hook in mailbox.hooks if not hook.disabled]
        if _order(position) <= _order(mailbox.position(bucket)):
            # The process that has written them may have ended before it scheduled the account.
            return [], Notified(has_deliveries=bool(enabled))
        found = notices(transition, account)
        subscribed = [hook for hook in enabled if is_subscribed(hook, found)]
        full = [hook for hook in subscribed if self._is_full(account, hook)]
        numbered = inbox.numbered(mailbox, [*found, *(webhook_disabled(hook.id, TOO_MANY, now) for hook in full)])
        open_hooks = [hook for hook in subscribed if hook not in full]
        deliveries = [each for hook in open_hooks for each in new_deliveries(hook, mailbox, transition, numbered, now)]
        if not numbered and not deliveries:
            return [], Notified()
        return [
            save_position(account, bucket, position),
            *inbox.put(mailbox, numbered),
            *added(account, deliveries, now),
            *(save_hook(account, replace(hook, disabled=str(TOO_MANY))) for hook in full),
        ], Notified(numbered, bool(deliveries))

    def _is_full(self, account: str, hook: Webhook) -> bool:
        return self._deliveries.count_waiting(account, hook.id) >= MOST_WAITING

    def _now(self) -> int:
        return int(self._clock() * 1000)


def is_subscribed(hook: Webhook, found: Sequence[Notice]) -> bool:
    return COMMIT in hook.events or any(notice.kind in hook.events for notice in found)


def new_deliveries(
    hook: Webhook, mailbox: Mailbox, transition: Transition, numbered: Sequence[Notice], now: int
) -> Iterator[Delivery]:
    """The deliveries of a commit to a webhook: the commit itself, as its owner may know it, then the notices."""
    header = transition.commit.header
    contents: list[tuple[str, dict[str, Any]]] = []
    if COMMIT in hook.events:
        seen = event(transition.after.rules, transition.commit, viewer_of(transition, mailbox.account))
        contents.append((COMMIT, {"game": header.game, "event": seen}))
    contents += [(each.kind, {"notice": representation(each)}) for each in numbered if each.kind in hook.events]
    for number, (kind, content) in enumerate(contents, start=mailbox.last_delivery(hook.id) + 1):
        text = body(delivery_id(hook.id, number), kind, **content)
        yield Delivery(hook.id, number, kind, header.game, header.version, now, text)


class ChangedBuckets:
    """The buckets in which something was committed: those with a hint, and from time to time all of them."""

    def __init__(self, log: Feed) -> None:
        self._log = log
        self._hints: Hints | None = None
        self._swept_at = 0.0

    def next(self, seconds: float) -> list[int]:
        """The buckets to read, after so many seconds at most."""
        if self._hints is None:
            self._hints = self._log.hints()
        hint = self._hints.next(seconds)
        if hint == ANYTHING or time.monotonic() - self._swept_at > SECONDS_BETWEEN_SWEEPS:
            self._swept_at = time.monotonic()
            return list(range(BUCKETS))
        return [bucket_of(hint.game)] if hint else []

    def close(self) -> None:
        """Listen anew the next time."""
        if self._hints:
            self._hints.close()
            self._hints = None


def _order(position: str) -> tuple[int, int]:
    first, _, second = position.partition("-")
    return int(first), int(second)
