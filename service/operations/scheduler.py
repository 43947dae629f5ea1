"""What is done when its time has come, whether anybody asks or not: deadlines, notices, webhooks, guests.

Any number of processes can run a scheduler on the same store: they share the buckets among themselves. APScheduler only
ticks; what is due is data in the store.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

from events.errors import StoreError
from events.store import Store
from service.accounts.guests import clean_guests
from service.notifications.workers import NotificationWorkers
from service.services import Services, services
from service.settings import Settings

log = logging.getLogger(__name__)

TICK = 0.2
"""Seconds between two looks at what is due."""
RENEW = 0.5
"""Seconds after which leases are renewed, and shared with those who have come."""
ONE_BUCKET = 0
"""Who attends to this one does also what needs doing once, whoever does it."""


class Ticker(BackgroundScheduler):  # type: ignore[misc]
    """Ticks on when the machine's clock is put back: the library would wait until it is as late again."""

    def _process_jobs(self) -> Any:
        now = datetime.now(self.timezone)
        for job in self.get_jobs():
            if job.next_run_time > now + 2 * job.trigger.interval:
                job.modify(next_run_time=now)
        return super()._process_jobs()


class Scheduler:
    """Attends to its share of the buckets, until it is stopped."""

    def __init__(self, wired: Services, *, tick: float = TICK) -> None:
        self._log, self._leases, self._deadlines = wired.games.log, wired.leases, wired.deadlines
        self._notifications = NotificationWorkers(wired.notifier, wired.deliveries, self._buckets_to_notify)
        self._clean_guests = partial(clean_guests, wired.accounts, wired.games, wired.index)
        self._ticker = Ticker(timezone="UTC", job_defaults={"coalesce": True, "misfire_grace_time": None})
        self._ticker.add_job(quietly(self._leases.renew), "interval", seconds=RENEW)
        self._ticker.add_job(quietly(self._keep_time), "interval", seconds=tick)
        self._ticker.add_job(quietly(self._trim_feeds), "interval", minutes=1)
        self._ticker.add_job(quietly(self._forget_guests), "interval", hours=1)

    def start(self) -> None:
        quietly(self._leases.renew)()
        self._ticker.start()
        self._notifications.start()

    def stop(self) -> None:
        """Finish what was begun, and leave the rest to others."""
        self._notifications.stop()
        self._ticker.shutdown()
        self._deadlines.close()
        quietly(self._leases.end)()

    def _keep_time(self) -> None:
        if self._leases.is_short:
            self._leases.renew()
        self._deadlines.attend(self._leases.fences)

    def _buckets_to_notify(self) -> Collection[int]:
        """The leased buckets; none while deadlines are behind, as after another scheduler has died: they come first."""
        return () if self._deadlines.is_behind else self._leases.fences

    def _trim_feeds(self) -> None:
        """The feeds would grow for ever."""
        for bucket in self._leases.fences:
            self._log.trim_feed(bucket)

    def _forget_guests(self) -> None:
        """One attendant is enough."""
        if ONE_BUCKET in self._leases.fences:
            self._clean_guests()


@contextmanager
def scheduling(store: Store, settings: Settings) -> Iterator[Scheduler]:
    scheduler = Scheduler(services(store, settings))
    scheduler.start()
    try:
        yield scheduler
    finally:
        scheduler.stop()


def quietly(work: Callable[[], None]) -> Callable[[], None]:
    """The work, which is done again at the next tick if the store is away."""
    failing = False

    def done_or_tried() -> None:
        nonlocal failing
        try:
            work()
            failing = False
        except StoreError as trouble:
            if not failing:
                log.warning("the scheduler waits: %s", trouble)
            failing = True

    return done_or_tried
