"""The scheduler's ticker, and that it does what is to be done once."""

from datetime import datetime, timedelta
from threading import Event, Semaphore

from service.operations.scheduler import Ticker


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


def test_a_tick_that_fails_is_not_the_last():
    failed = Event()
    again = Event()

    def work() -> None:
        if failed.is_set():
            again.set()
        failed.set()
        raise RuntimeError("an example")

    ticker = Ticker(timezone="UTC")
    ticker.add_job(work, "interval", seconds=0.05)
    ticker.start()
    try:
        assert again.wait(timeout=20)
    finally:
        ticker.shutdown()
