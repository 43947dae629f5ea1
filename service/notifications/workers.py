"""The notifier and the delivery worker of one process."""

from __future__ import annotations

from collections.abc import Callable, Collection
from threading import Event, Thread

from events.log import BUCKETS
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.notifier import Notifier

SECONDS_TO_STOP = 5.0
"""A thread that has not ended by then waits for a store that is away, and ends with the process."""


class NotificationWorkers:
    """Both run in threads of their own, from `start` to `stop`."""

    def __init__(
        self,
        notifier: Notifier,
        worker: DeliveryWorker,
        leased: Callable[[], Collection[int]] = lambda: range(BUCKETS),
    ) -> None:
        """`leased` tells which buckets to attend to at the moment."""
        self._stop = Event()
        self._threads = [
            Thread(target=notifier.run, args=(self._stop, leased), name="notifier", daemon=True),
            Thread(target=worker.run, args=(self._stop, leased), name="delivery worker", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=SECONDS_TO_STOP)
