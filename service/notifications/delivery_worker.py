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
from service.operations import metrics

logger = logging.getLogger(__name__)

AT_ONCE = 32
"""So many deliveries are under way in a process."""
AT_ONCE_FOR_ONE = 4
"""And so many of one account, so that slow receivers of one account do not hold back others."""
ACCOUNTS_AT_ONCE = 200
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
        self._lock = Lock()
        self._under_way: dict[Thread, str] = {}
        """The threads that try a delivery, and the account of each."""

    def wake(self, account: str) -> None:
        """The account has a delivery that is due."""
        self._woken.put(bucket_of(account))

    def attend(self, bucket: int) -> int:
        """Begin to send the deliveries that are due in a bucket, as far as there is room; gives how many."""
        return sum(self._begin(due) for due in self._due_accounts.due(bucket, self._now(), ACCOUNTS_AT_ONCE))

    def attend_due(self, leased: Collection[int]) -> None:
        """Attend to the leased buckets in which something is due; wait a moment to be woken."""
        buckets = self._woken_buckets()
        if time.monotonic() - self._swept_at > SECONDS_BETWEEN_SWEEPS:
            self._swept_at, buckets = time.monotonic(), set(range(BUCKETS))
        for bucket in buckets.intersection(leased):
            self.attend(bucket)

    def close(self) -> None:
        """Wait a moment for tries that are under way; the next worker tries again those that have not ended."""
        end = time.monotonic() + SECONDS_TO_STOP
        with self._lock:
            threads = list(self._under_way)
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
        room = self._room(due.account)
        if not room:
            return 0
        try:
            claims = self._queue.claim(due.account, self._now(), room, self._claimed_for)
        except NoSuchAccount:
            self._due_accounts.reschedule(due, None)
            return 0
        for claim in claims:
            # They end with the process: a receiver that does not answer must not keep it from stopping.
            thread = Thread(target=self._deliver, args=(claim,), name="delivery", daemon=True)
            with self._lock:
                self._under_way[thread] = claim.account
            thread.start()
        self._due_accounts.reschedule(due, self._queue.records.next_due(due.account))
        return len(claims)

    def _room(self, account: str) -> int:
        with self._lock:
            accounts = list(self._under_way.values())
        return max(0, min(AT_ONCE - len(accounts), AT_ONCE_FOR_ONE - accounts.count(account)))

    # In a thread for each delivery

    def _deliver(self, claim: Claim) -> None:
        try:
            self._try(claim)
        except (StoreError, Busy, NoSuchAccount) as error:
            # The outcome is not recorded: when the claim has expired, the delivery is tried again.
            about = {"delivery": claim.delivery.id, "sentence": str(error)}
            logger.warning("delivery_worker", extra={"fields": about})
        except Exception as error:
            logger.error("delivery_worker", extra={"fields": {"delivery": claim.delivery.id}}, exc_info=error)
        finally:
            with self._lock:
                del self._under_way[current_thread()]
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
        if (next_due := self._queue.records.next_due(claim.account)) is not None:
            self._due_accounts.schedule(claim.account, next_due)

    def _now(self) -> int:
        return int(self._clock() * 1000)
