"""Reads the feeds of the log, one for each bucket, and tells every commit to those whom it concerns.

A commit that is read twice, by two notifiers or after one was killed, is told once: the mailbox of an account holds the
position up to which each feed was read, and is written together with the notices.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from threading import Event

from msgspec.structs import replace

from events.errors import Busy, NoSuchGame, StoreError
from events.log import ANYTHING, BUCKETS, Feed, FeedEntry, GameLog, Hints, bucket_of
from events.store import Store
from events.workers.backoff import backoff
from service.accounts.errors import NoSuchAccount
from service.games.representations import event
from service.notifications import inbox
from service.notifications.deliveries import Delivery, delivery_id
from service.notifications.delivery_records import DeliveryRecords, added
from service.notifications.due import DueAccounts
from service.notifications.mailboxes import Hook, Mailbox, Mailboxes, StoreCommand, save_hook, save_position
from service.notifications.notices import Notice, concerned, notices, representation, viewer_of, webhook_disabled
from service.notifications.transitions import Transition, TransitionReader
from service.notifications.webhooks import COMMIT, body
from service.operations import logs, metrics

CONSUMER = "herald"
"""The name under which checkpoints are stored, older than the word notifier. Under another name the feeds would be read
anew, and never be trimmed again: that waits for every consumer that was ever remembered."""
LINES_AT_ONCE = 100
TOO_MANY = "too many deliveries wait for it"
MOST_WAITING = 1000
"""A webhook for which more deliveries would wait is disabled: its receiver is too slow, or gone."""

# How long to listen before looking whether to end, and after which time all feeds are looked at, whatever was heard.
SECONDS_A_TURN = 0.25
SECONDS_BETWEEN_SWEEPS = 5.0


class Notifier:
    """For one thread."""

    def __init__(
        self,
        log: GameLog,
        store: Store,
        *,
        waits: Callable[[str], None] = lambda account: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`waits` is told of every account for whose webhooks something new waits."""
        self._log = log
        self._transitions = TransitionReader(log)
        self._mailboxes = Mailboxes(store)
        self._deliveries = DeliveryRecords(self._mailboxes.redis)
        self._due_accounts = DueAccounts(store)
        self._waits = waits
        self._clock = clock
        self._line = logs.logger()

    def attend(self, bucket: int) -> int:
        """Deal with some lines of a bucket's feed; gives how many."""
        lines = self._log.feed(bucket, self._log.checkpoint(bucket, CONSUMER), LINES_AT_ONCE)
        for line in lines:
            self._deal_with(bucket, line)
        if lines:
            # If it does not come to this, they are dealt with again, and told once all the same.
            self._log.set_checkpoint(bucket, CONSUMER, lines[-1].position)
        return len(lines)

    def run(self, stop: Event, leased: Callable[[], Collection[int]] = lambda: range(BUCKETS)) -> None:
        """Attend to the leased buckets as soon as something is committed there, until told to stop."""
        news, failures = News(self._log), 0
        while not stop.is_set():
            try:
                for bucket in set(news.next(SECONDS_A_TURN)).intersection(leased()):
                    while self.attend(bucket) == LINES_AT_ONCE and not stop.is_set():
                        pass
                failures = 0
            except Exception as trouble:
                if not failures:
                    self._line.warning("notifier", sentence=str(trouble), exc_info=not isinstance(trouble, StoreError))
                news.close()
                stop.wait(backoff(failures))
                failures += 1
        news.close()

    def _deal_with(self, bucket: int, line: FeedEntry) -> None:
        try:
            transition = self._transitions.read(line.game, line.version)
            for mailbox in self._mailboxes.read_all(concerned(transition)):
                self._tell(bucket, line.position, transition, mailbox)
            metrics.NOTIFIER_LAG.observe(max(0.0, self._clock() - transition.commit.header.at / 1000))
        except NoSuchGame:
            pass  # archived since
        except (StoreError, Busy):
            raise
        except Exception as damage:
            # One game that cannot be told of must not keep all others of its bucket waiting.
            self._line.error("the notifier skips a commit", game=line.game, version=line.version, exc_info=damage)

    def _tell(self, bucket: int, position: str, transition: Transition, mailbox: Mailbox) -> None:
        try:
            told, waits = self._mailboxes.change(
                mailbox.account, partial(self._told, bucket, position, transition), mailbox
            )
        except NoSuchAccount:
            return
        for notice in told:
            metrics.NOTICES.labels(notice.kind).inc()
        if waits:
            self._due_accounts.schedule(mailbox.account, self._now())
            self._waits(mailbox.account)

    def _told(
        self, bucket: int, position: str, transition: Transition, mailbox: Mailbox
    ) -> tuple[list[StoreCommand], tuple[Sequence[Notice], bool]]:
        """What is written into a mailbox; and the notices that are new, and whether anything waits for hooks."""
        now, hooks = self._now(), [hook for hook in mailbox.hooks if not hook.disabled]
        if _order(position) <= _order(mailbox.position(bucket)):
            # Whoever has written it may have ended before anybody was told that something waits.
            return [], ((), bool(hooks))
        told = notices(transition, mailbox.account)
        wanted = {hook.id: wants(hook, told) for hook in hooks}
        full = [hook for hook in hooks if wanted[hook.id] and self._is_full(mailbox, hook)]
        told = inbox.numbered(mailbox, [*told, *(webhook_disabled(hook.id, TOO_MANY, now) for hook in full)])
        waiting = [
            new for hook in hooks if hook not in full for new in waiting_for(hook, mailbox, transition, told, now)
        ]
        if not told and not waiting:
            return [], ((), False)
        return [
            save_position(mailbox.account, bucket, position),
            *inbox.put(mailbox, told),
            *added(mailbox.account, waiting, now),
            *(save_hook(mailbox.account, replace(hook, disabled=TOO_MANY)) for hook in full),
        ], (told, bool(waiting))

    def _is_full(self, mailbox: Mailbox, hook: Hook) -> bool:
        return self._deliveries.count_waiting(mailbox.account, hook.id) >= MOST_WAITING

    def _now(self) -> int:
        return int(self._clock() * 1000)


def wants(hook: Hook, told: Sequence[Notice]) -> bool:
    return COMMIT in hook.events or any(notice.kind in hook.events for notice in told)


def waiting_for(
    hook: Hook, mailbox: Mailbox, transition: Transition, told: Sequence[Notice], now: int
) -> Iterator[Delivery]:
    """What a hook is to be told of a commit: the commit itself, as its owner may know it, then the notices."""
    header = transition.commit.header
    said: list[tuple[str, dict[str, object]]] = []
    if COMMIT in hook.events:
        happened = event(transition.after.rules, transition.commit, viewer_of(transition, mailbox.account))
        said.append((COMMIT, {"game": header.game, "event": happened}))
    said += [(notice.kind, {"notice": representation(notice)}) for notice in told if notice.kind in hook.events]
    for number, (kind, about) in enumerate(said, start=mailbox.last_delivery(hook.id) + 1):
        text = body(delivery_id(hook.id, number), kind, **about)
        yield Delivery(hook.id, number, kind, header.game, header.version, now, text)


class News:
    """Says in which buckets something is new: those that were heard of, and from time to time all of them."""

    def __init__(self, log: Feed) -> None:
        self._log = log
        self._hints: Hints | None = None
        self._swept_at = 0.0

    def next(self, seconds: float) -> list[int]:
        """The buckets to look at, after so many seconds at most."""
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
