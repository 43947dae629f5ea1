"""Delivers what waits for webhooks: several at a time, of each game one after the other.

Whoever takes a delivery has it for half a minute. If it is killed meanwhile, another tries again: the receiver may get
the same delivery twice, under the same id, but never a later one of the same game before it has taken the first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread

from events.errors import Busy, StoreError
from events.log import BUCKETS, bucket_of
from events.store import Store
from events.workers.backoff import backoff
from service.accounts.errors import NoSuchAccount
from service.notifications.deliveries import PARKED, Claim
from service.notifications.delivery_queue import CLAIMED_FOR, DeliveryQueue
from service.notifications.due import DueAccount, DueAccounts
from service.notifications.mailboxes import Mailboxes
from service.notifications.retry_policy import RetryPolicy
from service.notifications.sender import Sender
from service.operations import logs, metrics

AT_ONCE = 32
"""So many deliveries are under way in a process."""
AT_ONCE_FOR_ONE = 4
"""And so many of one account, so that slow receivers of one do not keep others waiting."""
ACCOUNTS_AT_ONCE = 200
SECONDS_BETWEEN_SWEEPS = 1.0
SECONDS_TO_STOP = 2.0


class DeliveryWorker:
    """`attend` and `run` are for one thread; `wake` for any."""

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
        self._line = logs.logger()
        self._awake: SimpleQueue[int] = SimpleQueue()
        self._lock = Lock()
        self._under_way: dict[Thread, str] = {}
        """Who delivers something, and for which account."""

    def wake(self, account: str) -> None:
        """Something waits there now."""
        self._awake.put(bucket_of(account))

    def attend(self, bucket: int) -> int:
        """Begin to deliver what is due in a bucket, as far as there is room; gives how much."""
        return sum(self._begin(due) for due in self._due_accounts.due(bucket, self._now(), ACCOUNTS_AT_ONCE))

    def run(self, stop: Event, leased: Callable[[], Collection[int]] = lambda: range(BUCKETS)) -> None:
        """Attend to the leased buckets as soon as something is due there, until told to stop."""
        swept_at, failures = 0.0, 0
        while not stop.is_set():
            try:
                buckets = self._called()
                if time.monotonic() - swept_at > SECONDS_BETWEEN_SWEEPS:
                    swept_at, buckets = time.monotonic(), set(range(BUCKETS))
                for bucket in buckets.intersection(leased()):
                    self.attend(bucket)
                failures = 0
            except Exception as trouble:
                if not failures:
                    is_unexpected = not isinstance(trouble, StoreError)
                    self._line.warning("delivery_worker", sentence=str(trouble), exc_info=is_unexpected)
                stop.wait(backoff(failures))
                failures += 1
        self.close()

    def close(self) -> None:
        """Leave a moment to what is under way; what has not ended then is tried again by the next worker."""
        end = time.monotonic() + SECONDS_TO_STOP
        with self._lock:
            threads = list(self._under_way)
        for thread in threads:
            thread.join(timeout=max(0.0, end - time.monotonic()))

    def _called(self) -> set[int]:
        """The buckets from which somebody has called, after a short while at most."""
        buckets: set[int] = set()
        try:
            buckets.add(self._awake.get(timeout=SECONDS_BETWEEN_SWEEPS / 4))
            while len(buckets) < BUCKETS:
                buckets.add(self._awake.get_nowait())
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
        except (StoreError, Busy, NoSuchAccount) as trouble:
            # What came of it is not written down: when the claim has run out, it is tried again.
            self._line.warning("delivery_worker", delivery=claim.delivery.id, sentence=str(trouble))
        except Exception as broken:
            self._line.error("delivery_worker", delivery=claim.delivery.id, exc_info=broken)
        finally:
            with self._lock:
                del self._under_way[current_thread()]
            self.wake(claim.account)

    def _try(self, claim: Claim) -> None:
        delivery = claim.delivery
        outcome = self._sender.send(claim.hook, delivery.id, delivery.kind, delivery.body)
        told = self._queue.settle(claim, outcome, self._now())
        result = "delivered" if outcome.has_arrived else "parked" if told and told.state == PARKED else "failed"
        metrics.WEBHOOKS.labels(result).inc()
        about = {"account": claim.account, "delivery": delivery.id, "game": delivery.game, "outcome": result}
        more = {"status": outcome.status, "why": outcome.why or None, "ms": outcome.milliseconds}
        self._line.info("delivery", attempt=delivery.attempts + 1, **about, **more)
        if (due := self._queue.records.next_due(claim.account)) is not None:
            self._due_accounts.schedule(claim.account, due)

    def _now(self) -> int:
        return int(self._clock() * 1000)
