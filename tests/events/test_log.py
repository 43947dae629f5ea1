"""What every log promises: the same tests for memory, the embedded server, Debian's Redis and a cluster."""

from collections.abc import Iterator

import pytest

from events.errors import Conflict
from events.log import BUCKETS, NO_DEADLINE, Appended, Due, Log, StoredGame, bucket_of
from events.memory_log import MemoryLog
from events.redis_log import RedisLog
from tests.events.servers import KINDS


@pytest.fixture(params=["memory", *KINDS])
def log(request, running_stores) -> Iterator[Log]:
    """An empty log of each kind."""
    if request.param == "memory":
        yield MemoryLog()
        return
    with running_stores.opened(request.param) as store:
        yield RedisLog(store)


def test_an_entry_is_appended_after_the_version_it_was_decided_on(log: Log):
    assert log.append("g", 0, b"one", command="a") == Appended(1)
    assert log.append("g", 1, b"two", command="b") == Appended(2)
    assert log.read("g") == [b"one", b"two"]
    assert log.version("g") == 2


def test_somebody_who_is_late_is_told_what_came_in_between(log: Log):
    log.append("g", 0, b"one", command="a")
    log.append("g", 1, b"two", command="b")
    with pytest.raises(Conflict) as refusal:
        log.append("g", 0, b"late", command="c")
    assert (refusal.value.version, list(refusal.value.entries)) == (2, [b"one", b"two"])
    assert log.read("g") == [b"one", b"two"]


def test_nobody_can_append_to_the_future(log: Log):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(Conflict) as refusal:
        log.append("g", 7, b"far", command="b")
    assert (refusal.value.version, list(refusal.value.entries)) == (1, [])
    assert log.command_version("g", "b") is None


def test_a_repeated_command_is_answered_as_the_first_time(log: Log):
    log.append("g", 0, b"one", command="a")
    log.append("g", 1, b"two", command="b")
    assert log.append("g", 1, b"two again", command="b") == Appended(2, repeated=True)
    assert log.append("g", 0, b"one again", command="a") == Appended(1, repeated=True)
    assert log.read("g") == [b"one", b"two"]


def test_a_refused_command_leaves_nothing_behind(log: Log):
    log.append("g", 0, b"one", command="a", deadline=500)
    bucket = bucket_of("g")
    feed = log.told(bucket)
    with pytest.raises(Conflict):
        log.append("g", 0, b"late", command="b", deadline=900, secret=b"other")
    assert log.command_version("g", "b") is None
    assert log.deadline("g") == 500
    assert log.told(bucket) == feed
    assert log.append("g", 1, b"two", command="b") == Appended(2)


def test_games_do_not_see_each_other(log: Log):
    log.append("g", 0, b"one", command="a")
    assert log.append("h", 0, b"uno", command="a") == Appended(1)
    assert (log.read("g"), log.read("h")) == ([b"one"], [b"uno"])


def test_a_part_of_a_game_can_be_read(log: Log):
    for version in range(5):
        log.append("g", version, b"%d" % (version + 1), command=f"c{version}")
    assert log.read("g", after=3) == [b"4", b"5"]
    assert log.read("g", until=2) == [b"1", b"2"]
    assert log.read("g", after=1, until=3) == [b"2", b"3"]
    assert log.read("g", after=5) == []


def test_a_game_that_was_never_created_is_empty(log: Log):
    assert (log.read("nobody"), log.version("nobody"), log.secret("nobody")) == ([], 0, b"")
    assert (log.command_version("nobody", "a"), log.deadline("nobody")) == (None, NO_DEADLINE)


def test_any_bytes_can_be_stored(log: Log):
    entry = bytes(range(256)) * 40
    log.append("g-ü/{1}:*", 0, entry, command="näme\0", secret=b"\0\xff")
    assert log.read("g-ü/{1}:*") == [entry]
    assert log.secret("g-ü/{1}:*") == b"\0\xff"
    assert log.command_version("g-ü/{1}:*", "näme\0") == 1


def test_the_secret_of_the_first_entry_stays(log: Log):
    log.append("g", 0, b"one", command="a", secret=b"first")
    log.append("g", 1, b"two", command="b", secret=b"second")
    assert log.secret("g") == b"first"


def test_every_game_is_listed_once_in_its_bucket(log: Log):
    names = [f"game{number}" for number in range(20)]
    for name in names:
        log.append(name, 0, b"one", command="a")
        log.append(name, 1, b"two", command="b")
    listed = [game for bucket in range(BUCKETS) for game in log.games(bucket)]
    assert sorted(listed) == sorted(names)


def test_a_deadline_moves_with_the_game_and_can_be_taken_away(log: Log):
    bucket = bucket_of("g")
    log.append("g", 0, b"one", command="a", deadline=1000)
    assert log.due([bucket], 999) == []
    assert log.due([bucket], 1000) == [Due("g", 1000)]
    log.append("g", 1, b"two", command="b", deadline=2000)
    assert log.due([bucket], 1999) == []
    log.append("g", 2, b"three", command="c")
    assert log.deadline("g") == 2000
    log.append("g", 3, b"four", command="d", deadline=NO_DEADLINE)
    assert log.due([bucket], 10**15) == []


def test_the_most_urgent_games_come_first(log: Log):
    bucket = bucket_of("g0")
    names = [name for number in range(2000) if bucket_of(name := f"g{number}") == bucket][:6]
    for urgency, name in enumerate(names):
        log.append(name, 0, b"one", command="a", deadline=1000 - urgency)
    assert [due.game for due in log.due([bucket], 2000, limit=3)] == names[::-1][:3]


def test_the_feed_tells_every_version_in_order(log: Log):
    bucket = bucket_of("g")
    for version in range(3):
        log.append("g", version, b"entry", command=f"c{version}")
    lines = log.told(bucket)
    assert [(line.game, line.version) for line in lines] == [("g", 1), ("g", 2), ("g", 3)]
    assert log.told(bucket, after=lines[0].position) == lines[1:]
    assert log.told(bucket, limit=2) == lines[:2]


def test_a_consumer_goes_on_where_it_stopped_and_never_goes_back(log: Log):
    bucket = bucket_of("g")
    assert log.checkpoint(bucket, "mail") == "0-0"
    log.set_checkpoint(bucket, "mail", "9-5")
    log.set_checkpoint(bucket, "mail", "10-0")
    log.set_checkpoint(bucket, "mail", "9-9")
    assert log.checkpoint(bucket, "mail") == "10-0"
    assert log.checkpoint(bucket, "other") == "0-0"


def test_a_game_that_was_taken_out_can_be_put_back_whole(log: Log):
    log.append("g", 0, b"one", command="a", secret=b"s", deadline=700)
    log.append("g", 1, b"two", command="b")
    stored = StoredGame(log.read("g"), ["a", "b"], log.secret("g"), log.deadline("g"))
    log.remove("g")
    assert (log.version("g"), log.deadline("g"), list(log.games(bucket_of("g")))) == (0, NO_DEADLINE, [])
    log.restore("g", stored)
    assert (log.read("g"), log.secret("g"), log.deadline("g")) == ([b"one", b"two"], b"s", 700)
    assert log.append("g", 1, b"two", command="b") == Appended(2, repeated=True)
    assert log.append("g", 2, b"three", command="c") == Appended(3)


def test_a_game_is_never_restored_over_another(log: Log):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(Conflict):
        log.restore("g", StoredGame([b"other"], ["x"], b""))
    assert log.read("g") == [b"one"]
