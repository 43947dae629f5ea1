"""Threads that clients hold: a share for each name, and some that no client can hold."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from events.errors import Busy
from service.live import threads
from service.live.threads import MOST_WAITING, THREADS_FREE, NoRoom, Threads
from tests.events.servers import eventually

TOTAL = 256


@pytest.fixture
def held() -> Iterator[ExitStack]:
    with ExitStack() as held:
        yield held


@pytest.fixture
def at_once(monkeypatch) -> None:
    """No request waits for its turn."""
    monkeypatch.setattr(threads, "SECONDS_TO_WAIT", 0)


def taken(held: ExitStack, place, *names: str) -> int:
    """How many places of a kind a client gets who takes all that it is given."""
    for count in range(TOTAL + 1):
        try:
            held.enter_context(place(*names))
        except (Busy, NoRoom):
            return count
    raise AssertionError("there is no end")


def test_each_address_gets_half_of_the_streams_that_are_left(held):
    own = Threads(TOTAL)
    assert [taken(held, own.stream, f"address {number}") for number in range(4)] == [120, 60, 30, 15]


def test_an_account_gets_no_more_from_many_addresses(held):
    own = Threads(TOTAL)
    for number in range(120):
        held.enter_context(own.stream(f"address {number}", "account"))
    with pytest.raises(NoRoom):
        held.enter_context(own.stream("one more", "account"))
    held.enter_context(own.stream("one more", "another account"))


@pytest.mark.usefixtures("at_once")
def test_whatever_comes_first_some_threads_stay_free(held):
    """Streams after waiting threads, or the other way round."""
    kinds = [("stream", "waiting"), ("waiting", "stream")]
    for first, second in kinds:
        own = Threads(TOTAL)
        with ExitStack() as all_of_them:
            both = (getattr(own, first), getattr(own, second))
            count = sum(taken(all_of_them, place, f"address {number}") for place in both for number in range(50))
        assert count == TOTAL - THREADS_FREE


@pytest.mark.usefixtures("at_once")
def test_few_threads_wait_for_one_address(held):
    assert taken(held, Threads(TOTAL).waiting, "one") == MOST_WAITING
    assert taken(held, Threads(32).waiting, "one") == 12


def test_a_place_that_is_left_is_taken_by_the_next_in_the_queue(held, monkeypatch):
    monkeypatch.setattr(threads, "SECONDS_TO_WAIT", 60)
    own, leaving = Threads(TOTAL), ExitStack()
    for _ in range(MOST_WAITING):
        leaving.enter_context(own.waiting("one"))
    with ThreadPoolExecutor(1) as others:
        next_one = others.submit(lambda: held.enter_context(own.waiting("one")))
        eventually(lambda: own._queue.taken == 1)
        leaving.close()
        next_one.result(timeout=20)


def test_the_queue_of_an_address_is_short(monkeypatch):
    """Requests in the queue have threads, too: one more is refused at once."""
    monkeypatch.setattr(threads, "SECONDS_TO_WAIT", 60)
    own, leaving = Threads(TOTAL), ExitStack()

    def ask() -> None:
        with own.waiting("one"):
            pass

    for _ in range(MOST_WAITING):
        leaving.enter_context(own.waiting("one"))
    with ThreadPoolExecutor(MOST_WAITING) as others:
        queue = [others.submit(ask) for _ in range(MOST_WAITING)]
        eventually(lambda: own._queue.taken == MOST_WAITING)
        with pytest.raises(Busy), own.waiting("one"):
            pass
        with own.waiting("another"):
            pass
        leaving.close()
        for one in queue:
            one.result(timeout=20)


def test_an_answer_that_is_dropped_unsent_holds_no_thread():
    threads = Threads(THREADS_FREE + 1)
    for _ in range(3):
        dropped = threads.waiting("dropped")
        dropped.__enter__()
        del dropped
