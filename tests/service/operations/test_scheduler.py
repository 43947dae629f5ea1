"""The scheduler: it repeats jobs, whatever becomes of them, and tells of an outage once."""

import re
from datetime import datetime, timedelta
from threading import Event, Semaphore, current_thread

import pytest
from prometheus_client import REGISTRY

from events.errors import StoreUnavailable
from rules.texts import say
from service.operations.jobs import WHEN_WOKEN, Job, jobs
from service.operations.scheduler import Guarded, Scheduler, Ticker
from service.services import services
from service.settings import Settings
from tests.repository.checkout import ROOT

PAGE = ROOT / "docs/operating.md"


def test_it_ticks_on_when_the_clock_is_put_back():
    ticks = Semaphore(0)
    ticker = Ticker(timezone="UTC")
    job = ticker.add_job(ticks.release, "interval", seconds=0.05)
    ticker.start()
    try:
        assert ticks.acquire(timeout=20)
        # To a clock that was put back by a day, the next tick is a day away.
        job.modify(next_run_time=datetime.now(ticker.timezone) + timedelta(days=1))
        for _ in range(5):
            assert ticks.acquire(timeout=20)
    finally:
        ticker.shutdown()


@pytest.mark.parametrize("every", [0.05, WHEN_WOKEN], ids=["by time", "when woken"])
def test_a_job_that_fails_is_tried_again(every):
    tries = Semaphore(0)

    def work():
        tries.release()
        raise RuntimeError("an example")

    with Scheduler([Job("example", "fails", every, work)]):
        for _ in range(3):
            assert tries.acquire(timeout=20)


def test_a_job_that_waits_to_be_woken_is_repeated_at_once_and_ends_when_it_is_stopped():
    rounds, calls = Semaphore(0), []

    def work():
        calls.append(current_thread())
        rounds.release()

    with Scheduler([Job("example", "waits", WHEN_WOKEN, work)]):
        for _ in range(100):
            assert rounds.acquire(timeout=20)
    assert not calls[0].is_alive()


@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_job_for_one_process_is_done_by_the_one_that_is_chosen(is_chosen):
    ticks, done = Semaphore(0), Event()
    rows = [Job("once", "", 0.05, done.set, once=True), Job("everywhere", "", 0.05, ticks.release)]
    with Scheduler(rows, lambda: is_chosen):
        for _ in range(3):
            assert ticks.acquire(timeout=20)
    assert done.is_set() == is_chosen


def test_an_outage_is_told_once_and_the_next_one_again(caplog):
    troubles = [StoreUnavailable(say("away")), StoreUnavailable(say("still away")), None, RuntimeError("broken")]

    def work():
        if trouble := troubles.pop(0):
            raise trouble

    job = Guarded("example", work)
    assert [job() for _ in range(4)] == [False, False, True, False]
    logged = [(line.message, line.fields, bool(line.exc_info)) for line in caplog.records]
    assert logged == [
        ("a job fails", {"job": "example", "sentence": "away"}, False),
        ("a job fails", {"job": "example", "sentence": "broken"}, True),
    ]


def test_runs_and_failures_are_counted_for_each_job():
    def fail():
        raise RuntimeError("an example")

    for work in (fail, fail, lambda: None):
        Guarded("counted", work)()
    assert figure("hidalgo_job_seconds_count") == 3
    assert figure("hidalgo_job_failures_total") == 2


def figure(name: str) -> float | None:
    return REGISTRY.get_sample_value(name, {"job": "counted"})


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_the_page_for_operators_lists_every_job(store):
    wired = services(store, Settings())
    listed = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(), re.MULTILINE)
    assert listed == [(job.name, job.about, when(job), "one process" if job.once else "all") for job in jobs(wired)]
    wired.deadlines.close()


def when(job: Job) -> str:
    return "when woken" if job.every is WHEN_WOKEN else f"every {job.every:g} s"
