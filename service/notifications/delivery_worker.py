"""Sends the deliveries that are due: several at a time, those of each queue one after the other.

A worker claims a delivery for half a minute. If it is killed meanwhile, another one tries again: the receiver may get
the same delivery twice, under the same id, but never a later one of the same game before it has taken the first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread

from events.errors import Busy, StoreError
from events.log import BUCKETS, bucket_of
from events.store import Store
from service.accounts.errors import NoSuchAccount
from service.notifications.deliveries import PARKED, Claim
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
        self._lock = Lock()
        self._threads: set[Thread] = set()

    def wake(self, account: str) -> None:
        """The account has a delivery that is due."""
        self._woken.put(bucket_of(account))

    def attend(self, bucket: int) -> int:
        """Begin to send the deliveries that are due in a bucket, as far as there is room; gives how many."""
        return sum(self._begin(due) for due in self._due_accounts.due(bucket, self._now(), ACCOUNTS_AT_ONCE))

    def attend_due(self, leased: Collection[int]) -> None:
        """Attend to the leased buckets in which something is due; wait a moment to be woken."""
        if buckets := self._woken_buckets():
            # A try may have ended, so that there is a slot again.
            buckets, self._refused = buckets | self._refused, set()
        if time.monotonic() - self._swept_at > SECONDS_BETWEEN_SWEEPS:
            self._swept_at, buckets = time.monotonic(), set(range(BUCKETS))
        for bucket in buckets.intersection(leased):
            self.attend(bucket)

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
            while len(buckets) < BUCKETS:
                buckets.add(self._woken.get_nowait())
        except Empty:
            return buckets
        return buckets

    def _begin(self, due: DueAccount) -> int:
        claims = self._claimed(due)
        for claim in claims:
            self._slots.begin(claim.slot)
            # They end with the process: a receiver that does not answer must not keep it from stopping.
            thread = Thread(target=self._deliver, args=(claim,), name="delivery", daemon=True)
            with self._lock:
                self._threads.add(thread)
            thread.start()
        return len(claims)

    def _claimed(self, due: DueAccount) -> list[Claim]:
        if not self._slots.has_room_for(due.account):
            self._refused.add(bucket_of(due.account))
            return []
        now = self._now()
        try:
            found = self._queue.claim(due.account, now, self._slots, self._claimed_for)
        except NoSuchAccount:
            self._due_accounts.reschedule(due, None)
            return []
        next_due = self._queue.records.next_due(due.account)
        if found.refuses_prompt:
            self._refused.add(bucket_of(due.account))
        elif found.refuses_any:
            # Until then others come first. If a try of this account ends, it is scheduled at once.
            next_due = now + PUT_OFF
        self._due_accounts.reschedule(due, next_due)
        return found.claims

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
        more = {"status": outcome.status, "why": outcome.why or None, "ms": outcome.milliseconds}
        logger.info("delivery", extra={"fields": {"attempt": delivery.attempts + 1, **about, **more}})

    def _schedule_next(self, account: str) -> None:
        if (next_due := self._queue.records.next_due(account)) is not None:
            self._due_accounts.schedule(account, next_due)

    def _now(self) -> int:
        return int(self._clock() * 1000)
