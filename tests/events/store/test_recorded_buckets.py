"""How many buckets a store has is decided once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from events.errors import OtherBuckets
from events.log.redis import RedisLog
from events.store import Store, connect
from events.store.recorded_buckets import KEY


def count(store: Store, wanted: int | None = None) -> int:
    """As another process finds it."""
    with closing(connect(store.url, buckets=wanted)) as another:
        return another.buckets.count


def test_a_new_store_has_64(store: Store):
    assert (count(store), count(store, 64)) == (64, 64)


def test_a_new_store_gets_as_many_as_are_wanted_and_keeps_them(store: Store):
    assert (count(store, 256), count(store), count(store, 256)) == (256, 256, 256)
    with pytest.raises(OtherBuckets, match="the store has 256 buckets, not 64"):
        count(store, 64)
    assert count(store) == 256


def test_a_store_with_games_from_before_the_number_was_written_down_has_64(store: Store):
    RedisLog(store).append("g1", 0, b"one", command="a")
    store.commands.delete(KEY)
    assert count(store) == 64
    with pytest.raises(OtherBuckets, match="the store has 64 buckets, not 256"):
        count(store, 256)


def test_a_store_with_other_things_than_games_is_new(store: Store):
    store.commands.set("hidalgo:secret", b"drawn before the first game")
    store.commands.set("{07}:of another program", b"1")
    assert count(store, 256) == 256


@pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)
def test_one_of_several_processes_that_want_different_numbers_decides(store: Store):
    def asked(wanted: int) -> int | None:
        try:
            return count(store, wanted)
        except OtherBuckets:
            return None

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(asked, [64, 128, 256, 512] * 2))
    assert sorted(number for number in found if number) == [count(store)] * 2


def test_the_keys_of_another_number_are_spread_further(store: Store):
    with closing(connect(store.url, buckets=256)) as wide:
        log = RedisLog(wide)
        for number in range(300):
            log.append(f"g{number}", 0, b"one", command="a")
        tags = {key.partition(b"}")[0] for key in wide.commands.scan_iter("hidalgo:{*}:log:*")}
        assert 64 < len(tags) <= 256
        assert sorted(game for bucket in wide.buckets.all for game in log.games(bucket)) == sorted(
            f"g{number}" for number in range(300)
        )
