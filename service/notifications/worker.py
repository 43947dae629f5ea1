"""Notifier and delivery worker in one process, for as long as it lives."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import Event, Thread

from events.log import BUCKETS
from events.log.redis import RedisLog
from events.store import Store
from service.notifications.deliveries import CLAIMED_FOR, Patience
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.notifier import Notifier
from service.notifications.receiver_addresses import Addresses, networks_from
from service.notifications.sender import Sender

SECONDS_TO_STOP = 5.0
"""What has not ended then is waiting for a store that is away, and ends with the process."""


class Heralding:
    """Tells everybody what concerns them, in threads of its own, from `start` to `stop`."""

    def __init__(
        self,
        store: Store,
        mine: Callable[[], Collection[int]] = lambda: range(BUCKETS),
        *,
        patience: Patience | None = None,
        claimed_for: int = CLAIMED_FOR,
    ) -> None:
        """`mine` says which buckets to attend to just now."""
        sender = Sender(Addresses(networks_from()))
        worker = DeliveryWorker(store, sender, patience=patience, claimed_for=claimed_for)
        notifier = Notifier(RedisLog(store), store, waits=worker.wake)
        self._stop = Event()
        about = (self._stop, mine)
        self._threads = [
            Thread(target=each.run, args=about, name="notifications", daemon=True) for each in (notifier, worker)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=SECONDS_TO_STOP)
