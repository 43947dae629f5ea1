"""Runs the jobs of the service. APScheduler only ticks; what is due is data in the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread
from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]

from events.errors import StoreError
from events.store import Store
from events.workers.backoff import backoff
from service.operations import metrics
from service.operations.jobs import ONE_BUCKET, WHEN_WOKEN, Job, jobs
from service.services import Services, services
from service.settings import Settings

log = logging.getLogger(__name__)

SECONDS_TO_STOP = 5.0
"""A thread that has not ended then waits for a store that is away, and ends with the process."""


@contextmanager
def scheduling(store: Store, settings: Settings) -> Iterator[Services]:
    """All jobs on this store. In the end others are left its buckets at once."""
    wired = services(store, settings)
    leases = wired.leases
    Guarded("leases", leases.renew)()
    try:
        with Scheduler(jobs(wired), is_chosen=lambda: ONE_BUCKET in leases.fences):
            yield wired
    finally:
        wired.deliveries.close()
        if wired.mail.worker:
            wired.mail.worker.close()
        wired.deadlines.close()
        Guarded("leases", leases.end)()


class Scheduler:
    """Repeats jobs, from `start` to `stop`. `is_chosen`: whether this process runs the jobs for one process."""

    def __init__(self, jobs: Iterable[Job], is_chosen: Callable[[], bool] = lambda: True) -> None:
        self._stopping = Event()
        self._ticker = Ticker(timezone="UTC", job_defaults={"coalesce": True, "misfire_grace_time": None})
        self._threads: list[Thread] = []
        for job in jobs:
            guarded = Guarded(job.name, job.work, is_chosen if job.once else lambda: True)
            if job.every is WHEN_WOKEN:
                self._threads.append(Thread(target=self._repeat, args=(guarded,), name=job.name, daemon=True))
            else:
                self._ticker.add_job(guarded, "interval", seconds=job.every)

    def __enter__(self) -> Scheduler:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._ticker.start()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish the jobs that run, and leave the rest to other processes."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=SECONDS_TO_STOP)
        self._ticker.shutdown()

    def _repeat(self, work: Guarded) -> None:
        failures = 0
        while not self._stopping.is_set():
            if work():
                failures = 0
            else:
                self._stopping.wait(backoff(failures))
                failures += 1


class Ticker(BackgroundScheduler):  # type: ignore[misc]
    """Ticks on when the machine's clock is put back: the library would wait until it is as late again."""

    def _process_jobs(self) -> Any:
        now = datetime.now(self.timezone)
        for job in self.get_jobs():
            if job.next_run_time > now + 2 * job.trigger.interval:
                job.modify(next_run_time=now)
        return super()._process_jobs()


class Guarded:
    """Work that is measured. When it fails it is tried again at its next turn; an outage is logged once."""

    def __init__(self, name: str, work: Callable[[], Any], is_wanted: Callable[[], bool] = lambda: True) -> None:
        self._name, self._work, self._is_wanted = name, work, is_wanted
        self._is_failing = False

    def __call__(self) -> bool:
        """Whether nothing went wrong."""
        if not self._is_wanted():
            return True
        try:
            with metrics.JOB_SECONDS.labels(self._name).time():
                self._work()
        except Exception as trouble:
            metrics.JOB_FAILURES.labels(self._name).inc()
            if not self._is_failing:
                self._tell(trouble)
            self._is_failing = True
            return False
        self._is_failing = False
        return True

    def _tell(self, trouble: Exception) -> None:
        fields = {"job": self._name, "sentence": str(trouble)}
        log.warning("a job fails", extra={"fields": fields}, exc_info=not isinstance(trouble, StoreError))
