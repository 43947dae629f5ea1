"""Sends the deliveries that are due: several at a time, those of each queue one after the other.

A worker claims a delivery for half a minute. If it is killed meanwhile, another one tries again: the receiver may get
the same delivery twice, under the same id, but never a later one of the same game before it has taken the first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread

from events.errors import Busy, StoreError
from events.store import Store
from service.accounts.errors import NoSuchAccount
from service.notifications.deliveries import PARKED, Claim, Claims
from service.notifications.delivery_queue import CLAIMED_FOR, DeliveryQueue
from service.notifications.due import DueAccount, DueAccounts
from service.notifications.mailboxes import Mailboxes
from service.notifications.retry_policy import RetryPolicy
from service.notifications.sender import Sender
from service.notifications.slots import Slots
from service.operations import metrics

logger = logging.getLogger(__name__)

ACCOUNTS_AT_ONCE = 200
PUT_OFF = 1000
"""Milliseconds until an account is looked at again whose receivers are not prompt, and have got no slot."""
PUT_OFF_NEW = 250
"""The same if one of them was not tried yet: it may be prompt."""
SECONDS_BETWEEN_SWEEPS = 1.0
SECONDS_TO_STOP = 2.0


class DeliveryWorker:
    """`attend` and `attend_due` are for one thread; `wake` is for any."""

    def __init__(
        self,
        store: Store,
        sender: Sender,
        *,
        retry_policy: RetryPolicy | None = None,
        claimed_for: int = CLAIMED_FOR,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._queue = DeliveryQueue(Mailboxes(store), retry_policy)
        self._due_accounts = DueAccounts(store)
        self._sender = sender
        self._claimed_for = claimed_for
        self._clock = clock
        self._woken: SimpleQueue[int] = SimpleQueue()
        self._swept_at = 0.0
        self._slots = Slots()
        self._refused: set[int] = set()
        """Buckets of accounts whose prompt receivers wait for a slot."""
        self._untried: set[int] = set()
        """Buckets of accounts whose new receivers do."""
        self._untried_at = 0.0
        self._lock = Lock()
        self._threads: set[Thread] = set()

    def wake(self, account: str) -> None:
        """The account has a delivery that is due."""
        self._woken.put(self._store.buckets.of(account))

    def attend(self, buckets: Collection[int]) -> int:
        """Begin to send the deliveries that are due in these buckets, as far as there is room; gives how many."""
        due = self._due_accounts.due(buckets, self._now(), ACCOUNTS_AT_ONCE)
        # The others are woken when one of their tries ends.
        due = [each for each in due if self._slots.has_room_for(each.account)]
        return sum(self._begin(due[first : first + ACCOUNTS_AT_ONCE]) for first in range(0, len(due), ACCOUNTS_AT_ONCE))

    def attend_due(self, leased: Collection[int]) -> None:
        """Attend to the leased buckets in which something is due; wait a moment to be woken."""
        if buckets := self._woken_buckets():
            # A try may have ended, so that there is a slot again.
            buckets, self._refused = buckets | self._refused, set()
        if self._untried and time.monotonic() - self._untried_at > PUT_OFF_NEW / 1000:
            buckets, self._untried, self._untried_at = buckets | self._untried, set(), time.monotonic()
        if time.monotonic() - self._swept_at > SECONDS_BETWEEN_SWEEPS:
            self._swept_at, buckets = time.monotonic(), set(self._store.buckets.all)
        self.attend(buckets.intersection(leased))

    def close(self) -> None:
        """Wait a moment for tries that are under way; the next worker tries again those that have not ended."""
        end = time.monotonic() + SECONDS_TO_STOP
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join(timeout=max(0.0, end - time.monotonic()))

    def _woken_buckets(self) -> set[int]:
        """The buckets of the accounts that were woken, after a short while at most."""
        buckets: set[int] = set()
        try:
            buckets.add(self._woken.get(timeout=SECONDS_BETWEEN_SWEEPS / 4))
            while len(buckets) < self._store.buckets.count:
                buckets.add(self._woken.get_nowait())
        except Empty:
            return buckets
        return buckets

    def _begin(self, due: Sequence[DueAccount]) -> int:
        found = self._claimed(due)
        claims = [claim for each in found.values() for claim in each.claims]
        for claim in claims:
            self._slots.begin(claim.slot)
            # They end with the process: a receiver that does not answer must not keep it from stopping.
            thread = Thread(target=self._deliver, args=(claim,), name="delivery", daemon=True)
            with self._lock:
                self._threads.add(thread)
            thread.start()
        for account, each in found.items():
            if each.refused and not each.prompt:
                self._slots.hold(account)
        return len(claims)

    def _claimed(self, due: Sequence[DueAccount]) -> dict[str, Claims]:
        """Claim deliveries of these accounts, and say when to look after them again."""
        now, accounts = self._now(), [each.account for each in due]
        found = self._queue.claim(accounts, now, self._slots.room(), self._claimed_for)
        next_due = dict(zip(accounts, self._queue.records.next_due(accounts), strict=True))
        for account, claims in found.items():
            if claims.refused & claims.prompt:
                self._refused.add(self._store.buckets.of(account))
            elif claims.refused & claims.new:
                self._untried.add(self._store.buckets.of(account))
                next_due[account] = now + PUT_OFF_NEW
            elif claims.refused:
                # Until then others come first. It is scheduled at once when one of its tries ends.
                next_due[account] = now + PUT_OFF
        self._due_accounts.reschedule({each: next_due[each.account] if each.account in found else None for each in due})
        return found

    # In a thread for each delivery

    def _deliver(self, claim: Claim) -> None:
        try:
            try:
                self._try(claim)
            finally:
                self._slots.end(claim.slot)
            # Not before: an account that is due while it has no slot is put off.
            self._schedule_next(claim.account)
        except (StoreError, Busy, NoSuchAccount) as error:
            # The outcome is not recorded: when the claim has expired, the delivery is tried again.
            about = {"delivery": claim.delivery.id, "sentence": str(error)}
            logger.warning("delivery_worker", extra={"fields": about})
        except Exception as error:
            logger.error("delivery_worker", extra={"fields": {"delivery": claim.delivery.id}}, exc_info=error)
        finally:
            with self._lock:
                self._threads.discard(current_thread())
            self.wake(claim.account)

    def _try(self, claim: Claim) -> None:
        delivery = claim.delivery
        outcome = self._sender.send(claim.hook, delivery.id, delivery.body)
        settled = self._queue.settle(claim, outcome, self._now())
        result = "delivered" if outcome.has_arrived else "parked" if settled and settled.state == PARKED else "failed"
        metrics.WEBHOOKS.labels(result).inc()
        about = {"account": claim.account, "delivery": delivery.id, "game": delivery.game, "outcome": result}
        more = {"status": outcome.status, "why": str(outcome.why) if outcome.why else None, "ms": outcome.milliseconds}
        logger.info("delivery", extra={"fields": {"attempt": delivery.attempts + 1, **about, **more}})

    def _schedule_next(self, account: str) -> None:
        [next_due] = self._queue.records.next_due([account])
        if next_due is not None:
            self._due_accounts.schedule([account], next_due)

    def _now(self) -> int:
        return int(self._clock() * 1000)
