"""Lines of games are worked off by as many threads as they need."""

from threading import Barrier, BrokenBarrierError

import pytest

from events.log import Due
from events.workers.time_boxed_pool import GAMES_A_THREAD, TimeBoxedPool


@pytest.fixture
def pool():
    pool = TimeBoxedPool(threads=2, most=6)
    yield pool
    pool.close()


def line(length: int) -> list[Due]:
    return [Due(f"g{number}", number) for number in range(length)]


def together(pool: TimeBoxedPool, games: int, threads: int, seconds: float) -> bool:
    """Whether so many threads look after the games of a line at the same time."""
    meeting = Barrier(threads)

    def look_after(due: Due, ends: float) -> int:
        try:
            meeting.wait(seconds)
        except BrokenBarrierError:
            return 0
        meeting.abort()
        return 1

    return pool.work_off(line(games), look_after, seconds=60, patience=60) > 0


def test_a_short_line_has_few_threads(pool):
    assert together(pool, 2 * GAMES_A_THREAD, threads=2, seconds=60)
    assert not together(pool, 2 * GAMES_A_THREAD, threads=3, seconds=0.05)


def test_a_long_line_has_more_threads_so_that_they_share_the_waiting_for_a_slow_disk(pool):
    assert together(pool, 5 * GAMES_A_THREAD, threads=5, seconds=60)


def test_a_very_long_line_has_no_more_than_there_are(pool):
    assert together(pool, 50 * GAMES_A_THREAD, threads=6, seconds=60)
    assert not together(pool, 50 * GAMES_A_THREAD, threads=7, seconds=0.05)


def test_threads_that_are_held_up_count(pool):
    """A line that was left to its threads is still being worked off when the next one comes."""
    meeting = Barrier(3)
    assert pool.work_off(line(2), lambda due, ends: meeting.wait(60) + 1, seconds=60, patience=0.05) == 0
    assert not together(pool, 2, threads=1, seconds=0.05)
    meeting.wait(60)
