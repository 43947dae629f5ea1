"""Who attends to which buckets: all of them, shared fairly, and taken over from those who are gone."""

import pytest

from events.log import BUCKETS
from events.log.redis import RedisLog
from events.store import Store
from events.workers.bucket_leases import BucketLeases
from tests.events.servers import eventually


def attendants(store: Store, count: int, lease: float = 60.0) -> list[BucketLeases]:
    return [BucketLeases(store, RedisLog(store), name=f"number {number}", lease=lease) for number in range(count)]


def renewed(*some: BucketLeases) -> list[int]:
    """How many buckets each of them has, after some turns."""
    for _ in range(4):
        for one in some:
            one.renew()
    return [len(one.fences) for one in some]


def test_one_attends_to_everything(store: Store):
    assert renewed(*attendants(store, 1)) == [BUCKETS]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_several_workers_share_all_buckets_evenly(store: Store, count: int):
    some = attendants(store, count)
    shares = renewed(*some)
    assert sum(shares) == BUCKETS
    assert max(shares) <= -(-BUCKETS // count)
    assert len({bucket for one in some for bucket in one.fences}) == BUCKETS


def test_a_worker_that_comes_later_gets_a_share(store: Store):
    first, second = attendants(store, 2)
    assert renewed(first) == [BUCKETS]
    second.renew()
    assert (second.is_short, first.is_short) == (True, False)
    assert renewed(second, first) == [BUCKETS // 2] * 2
    assert (second.is_short, first.is_short) == (False, False)


def test_a_worker_that_ends_leaves_everything_to_the_others_at_once(store: Store):
    first, second = attendants(store, 2)
    renewed(first, second)
    first.end()
    assert (renewed(second), first.fences) == ([BUCKETS], {})


def test_a_worker_that_a_clock_ahead_has_counted_does_not_count(store: Store):
    """The clock was put back by ten minutes, and the worker is gone."""
    [alone] = attendants(store, 1, lease=3.0)
    store.commands.eval(
        "redis.call('ZADD', KEYS[1], redis.call('TIME')[1] * 1000 + 600000, 'gone')", 1, "hidalgo:{pulse}:attendants"
    )
    assert renewed(alone) == [BUCKETS]


def test_a_silent_worker_loses_everything_and_knows_it(store: Store):
    first, second = attendants(store, 2, lease=1.0)
    renewed(first, second)
    old = dict(first.fences)
    eventually(lambda: renewed(second) == [BUCKETS])
    assert first.fences == {}
    assert all(fence > old[bucket] for bucket, fence in second.fences.items() if bucket in old)
    eventually(lambda: renewed(first, second) == [BUCKETS // 2] * 2)
