"""Who attends to which buckets: all of them, shared fairly, and taken over from those who are gone."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from events.buckets import USUAL
from events.log.redis import RedisLog
from events.store import Store, connect
from events.store.rewriting import is_rewriting
from events.workers.bucket_leases import BucketLeases
from tests.events.servers import Server, debian_binary, eventually, server


def attendants(store: Store, count: int, lease: float = 60.0) -> list[BucketLeases]:
    return [BucketLeases(store, RedisLog(store), name=f"number {number}", lease=lease) for number in range(count)]


def renewed(*some: BucketLeases) -> list[int]:
    """How many buckets each of them has, after some turns."""
    for _ in range(4):
        for one in some:
            one.renew()
    return [len(one.fences) for one in some]


def test_one_attends_to_everything(store: Store):
    assert renewed(*attendants(store, 1)) == [USUAL.count]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_several_workers_share_all_buckets_evenly(store: Store, count: int):
    some = attendants(store, count)
    shares = renewed(*some)
    assert sum(shares) == USUAL.count
    assert max(shares) <= -(-USUAL.count // count)
    assert len({bucket for one in some for bucket in one.fences}) == USUAL.count


def test_a_worker_that_comes_later_gets_a_share(store: Store):
    first, second = attendants(store, 2)
    assert renewed(first) == [USUAL.count]
    second.renew()
    assert (second.is_short, first.is_short) == (True, False)
    assert renewed(second, first) == [USUAL.count // 2] * 2
    assert (second.is_short, first.is_short) == (False, False)


def test_a_worker_that_ends_leaves_everything_to_the_others_at_once(store: Store):
    first, second = attendants(store, 2)
    renewed(first, second)
    first.end()
    assert (renewed(second), first.fences) == ([USUAL.count], {})


def test_a_worker_that_a_clock_ahead_has_counted_does_not_count(store: Store):
    """The clock was put back by ten minutes, and the worker is gone."""
    [alone] = attendants(store, 1, lease=3.0)
    store.commands.eval(
        "redis.call('ZADD', KEYS[1], redis.call('TIME')[1] * 1000 + 600000, 'gone')", 1, "hidalgo:{pulse}:attendants"
    )
    assert renewed(alone) == [USUAL.count]


def test_a_silent_worker_loses_everything_and_knows_it(store: Store):
    first, second = attendants(store, 2, lease=1.0)
    renewed(first, second)
    old = dict(first.fences)
    eventually(lambda: renewed(second) == [USUAL.count])
    assert first.fences == {}
    assert all(fence > old[bucket] for bucket, fence in second.fences.items() if bucket in old)
    eventually(lambda: renewed(first, second) == [USUAL.count // 2] * 2)


def file_of(running: Server) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(running.directory.glob("appendonlydir/*.aof")))


@pytest.fixture(params=["embedded", "debian"])
def running(request) -> Iterator[Server]:
    with server(debian_binary() if request.param == "debian" else None) as running:
        yield running


def test_leases_that_go_on_write_nothing_to_disk(running: Server):
    with closing(connect(running.url)) as store:
        some = attendants(store, 3)
        renewed(*some)
        before = file_of(running)
        renewed(*some)
        assert file_of(running) == before


@pytest.mark.parametrize("is_rewritten", [False, True], ids=["as written", "rewritten"])
def test_a_store_that_was_restarted_remembers_every_fence(running: Server, is_rewritten: bool):
    """A holder from before may go on; when another one was faster, its fence is a higher one."""
    with closing(connect(running.url)) as store:
        first, second = attendants(store, 2, lease=0.5)
        assert renewed(first) == [USUAL.count]
        old = dict(first.fences)
        if is_rewritten:
            with running.client() as operator:
                operator.bgrewriteaof()
            eventually(lambda: not is_rewriting(store))
        running.restart()
        eventually(lambda: renewed(second) == [USUAL.count])
        assert all(fence == old[bucket] + 1 for bucket, fence in second.fences.items())
        running.restart()
        assert renewed(second) == [USUAL.count]
        assert all(fence == old[bucket] + 1 for bucket, fence in second.fences.items())
