"""What every log promises: the same tests for memory, the embedded server, Debian's Redis and a cluster."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from events.errors import Conflict, LeaseLost
from events.log import BY_THE_NOTE, NO_DEADLINE, Appended, Due, GameLog, Note, Noted, Span, StoredGame
from events.log.priorities import deferred
from tests.events.servers import eventually


def test_an_entry_is_appended_after_the_version_it_was_decided_on(log: GameLog):
    assert log.append("g", 0, b"one", command="a") == Appended(1)
    assert log.append("g", 1, b"two", command="b") == Appended(2)
    assert log.read("g") == [b"one", b"two"]
    assert log.version("g") == 2


def test_a_late_append_gets_the_entries_that_came_in_between(log: GameLog):
    log.append("g", 0, b"one", command="a")
    log.append("g", 1, b"two", command="b")
    with pytest.raises(Conflict) as refusal:
        log.append("g", 0, b"late", command="c")
    assert (refusal.value.version, list(refusal.value.entries)) == (2, [b"one", b"two"])
    assert log.read("g") == [b"one", b"two"]


def test_no_append_skips_a_version(log: GameLog):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(Conflict) as refusal:
        log.append("g", 7, b"far", command="b")
    assert (refusal.value.version, list(refusal.value.entries)) == (1, [])
    assert log.command_version("g", "b") is None


def test_a_repeated_command_is_answered_as_the_first_time(log: GameLog):
    log.append("g", 0, b"one", command="a")
    log.append("g", 1, b"two", command="b")
    assert log.append("g", 1, b"two again", command="b") == Appended(2, repeated=True)
    assert log.append("g", 0, b"one again", command="a") == Appended(1, repeated=True)
    assert log.read("g") == [b"one", b"two"]


def test_a_command_is_recognised_by_the_name_it_had_before(log: GameLog):
    log.append("g", 0, b"one", command="a", secret=b"s", deadline=500)
    log.append("g", 1, b"two", command="b")
    for version in (0, 1, 2):
        assert log.append("g", version, b"again", command="opaque", former="b") == Appended(2, repeated=True)
    assert log.append("g", 2, b"three", command="opaque", former="unknown", deadline=700) == Appended(3)
    assert (log.command_version("g", "unknown"), log.command_version("g", "opaque")) == (None, 3)
    assert (log.secret("g"), log.deadline("g"), log.version("g")) == (b"s", 700, 3)


def test_a_refused_command_leaves_nothing_behind(log: GameLog):
    log.append("g", 0, b"one", command="a", deadline=500)
    bucket = log.buckets.of("g")
    feed = log.feed(bucket)
    with pytest.raises(Conflict):
        log.append("g", 0, b"late", command="b", deadline=900, secret=b"other")
    assert log.command_version("g", "b") is None
    assert log.deadline("g") == 500
    assert log.feed(bucket) == feed
    assert log.append("g", 1, b"two", command="b") == Appended(2)


def test_games_do_not_see_each_other(log: GameLog):
    log.append("g", 0, b"one", command="a")
    assert log.append("h", 0, b"uno", command="a") == Appended(1)
    assert (log.read("g"), log.read("h")) == ([b"one"], [b"uno"])


def test_a_part_of_a_game_can_be_read(log: GameLog):
    for version in range(5):
        log.append("g", version, b"%d" % (version + 1), command=f"c{version}")
    assert log.read("g", after=3) == [b"4", b"5"]
    assert log.read("g", until=2) == [b"1", b"2"]
    assert log.read("g", after=1, until=3) == [b"2", b"3"]
    assert log.read("g", after=5) == []


def test_a_game_that_was_never_created_is_empty(log: GameLog):
    assert (log.read("nobody"), log.version("nobody"), log.secret("nobody")) == ([], 0, b"")
    assert (log.command_version("nobody", "a"), log.deadline("nobody")) == (None, NO_DEADLINE)


def test_any_bytes_can_be_stored(log: GameLog):
    entry = bytes(range(256)) * 40
    log.append("g-ü/{1}:*", 0, entry, command="näme\0", secret=b"\0\xff")
    assert log.read("g-ü/{1}:*") == [entry]
    assert log.secret("g-ü/{1}:*") == b"\0\xff"
    assert log.command_version("g-ü/{1}:*", "näme\0") == 1


def test_the_secret_of_the_first_entry_stays(log: GameLog):
    log.append("g", 0, b"one", command="a", secret=b"first")
    log.append("g", 1, b"two", command="b", secret=b"second")
    assert log.secret("g") == b"first"


def test_every_game_is_listed_once_in_its_bucket(log: GameLog):
    names = [f"game{number}" for number in range(20)]
    for name in names:
        log.append(name, 0, b"one", command="a")
        log.append(name, 1, b"two", command="b")
    listed = [game for bucket in log.buckets.all for game in log.games(bucket)]
    assert sorted(listed) == sorted(names)


def test_a_deadline_moves_with_the_game_and_can_be_taken_away(log: GameLog):
    bucket = log.buckets.of("g")
    log.append("g", 0, b"one", command="a", deadline=1000)
    assert log.due([bucket], 999) == []
    assert log.due([bucket], 1000) == [Due("g", 1000)]
    log.append("g", 1, b"two", command="b", deadline=2000)
    assert log.due([bucket], 1999) == []
    log.append("g", 2, b"three", command="c")
    assert log.deadline("g") == 2000
    log.append("g", 3, b"four", command="d", deadline=NO_DEADLINE)
    assert log.due([bucket], 10**15) == []


def test_the_most_urgent_games_come_first(log: GameLog):
    bucket = log.buckets.of("g0")
    names = [name for number in range(20_000) if log.buckets.of(name := f"g{number}") == bucket][:6]
    for urgency, name in enumerate(names):
        log.append(name, 0, b"one", command="a", deadline=1000 - urgency)
    assert [due.game for due in log.due([bucket], 2000, limit=3)] == names[::-1][:3]


def test_many_buckets_are_asked_for_due_games_at_once(log: GameLog):
    names = [f"game{number}" for number in range(200)]
    for number, name in enumerate(names):
        log.append(name, 0, b"one", command="a", deadline=1000 + number)
    due = log.due(log.buckets.all, 1099)
    assert sorted((one.at, one.game) for one in due) == [(1000 + number, names[number]) for number in range(100)]
    some = {log.buckets.of(names[0]), log.buckets.of(names[1])}
    assert {one.game for one in log.due(sorted(some), 1199)} == {name for name in names if log.buckets.of(name) in some}
    assert log.due([], 1199) == []


def test_a_limit_holds_for_every_bucket_and_leaves_out_the_least_urgent(log: GameLog):
    names = [f"game{number}" for number in range(400)]
    for number, name in enumerate(names):
        log.append(name, 0, b"one", command="a", deadline=1000 + number)
    of = log.buckets.of
    first = {bucket: next(name for name in names if of(name) == bucket) for bucket in map(of, names)}
    assert {of(one.game): one.game for one in log.due(log.buckets.all, 9999, limit=1)} == first


def test_games_of_a_later_priority_do_not_push_out_those_of_an_earlier_one(log: GameLog):
    bucket = log.buckets.of("g0")
    names = [name for number in range(20_000) if log.buckets.of(name := f"g{number}") == bucket][:12]
    for number, name in enumerate(names):
        log.append(name, 0, b"one", command="a", deadline=deferred(1000 + number, priority=2 - number // 4))
    due = log.due([bucket], 1010, limit=3)
    assert due == [
        Due(names[number], 1000 + number, priority=2 - number // 4) for number in (8, 9, 10, 4, 5, 6, 0, 1, 2)
    ]


def test_a_deadline_keeps_or_changes_its_priority_with_the_game(log: GameLog):
    bucket = log.buckets.of("g")
    log.append("g", 0, b"one", command="a", deadline=deferred(1000, priority=2))
    log.append("g", 1, b"two", command="b")
    assert (log.due([bucket], 999), log.due([bucket], 10**15)) == ([], [Due("g", 1000, priority=2)])
    log.append("g", 2, b"three", command="c", deadline=900)
    assert log.due([bucket], 999) == [Due("g", 900)]
    log.append("g", 3, b"four", command="d", deadline=deferred(NO_DEADLINE, priority=1))
    assert log.due([bucket], 10**15) == []


# Who attends to a bucket

LONG, SHORT = 600_000, 1


def is_leased(log: GameLog, bucket: int, holder: str) -> bool:
    return bucket in log.lease([bucket], holder, LONG)


def test_a_bucket_is_leased_to_one_at_a_time(log: GameLog):
    assert log.lease([3, 5], "ana", LONG) == {3: 1, 5: 1}
    assert log.lease([5, 7], "ben", LONG) == {7: 1}
    assert log.lease(log.buckets.all, "cleo", LONG).keys() == set(log.buckets.all) - {3, 5, 7}
    assert log.lease([], "ana", LONG) == {}


def test_a_lease_is_kept_by_asking_again_with_the_same_fence(log: GameLog):
    first = log.lease([3], "ana", LONG)
    assert log.lease([3], "ana", LONG) == first
    assert log.lease([3], "ben", LONG) == {}


def test_a_lease_that_was_not_renewed_in_time_passes_on_with_a_higher_fence(log: GameLog):
    assert log.lease([3], "ana", SHORT) == {3: 1}
    eventually(lambda: is_leased(log, 3, "ben"))
    assert log.lease([3], "ben", LONG) == {3: 2}
    assert log.lease([3], "ana", LONG) == {}


def test_a_lease_that_ran_out_and_was_not_taken_is_kept(log: GameLog):
    log.lease([3], "ana", SHORT)
    assert log.lease([3], "ana", LONG) == {3: 1}


def test_a_bucket_that_was_given_up_is_free_at_once(log: GameLog):
    log.lease([3, 5], "ana", LONG)
    log.give_up([3], "ana")
    assert log.lease([3, 5], "ben", LONG) == {3: 2}


def test_a_lease_that_ends_later_than_any_can_is_of_a_clock_that_was_ahead_and_over(log: GameLog):
    """The clock was put back by ten minutes after the lease was taken."""
    log.lease([3], "ana", 600_000)
    assert log.lease([3], "ben", 3_000) == {3: 2}
    assert log.lease([3], "ana", 3_000) == {}


def test_a_worker_gives_up_only_its_own_leases(log: GameLog):
    log.lease([3], "ana", LONG)
    log.give_up([3, 4], "ben")
    assert log.lease([3, 4], "ben", LONG) == {4: 1}


def test_a_fence_lets_its_holder_append_and_keeps_out_the_one_before(log: GameLog):
    bucket = log.buckets.of("g")
    log.append("g", 0, b"one", command="a", deadline=700)
    old = log.lease([bucket], "ana", SHORT)[bucket]
    assert log.append("g", 1, b"two", command="b", fence=old) == Appended(2)
    eventually(lambda: is_leased(log, bucket, "ben"))
    new = log.lease([bucket], "ben", LONG)[bucket]
    feed = log.feed(bucket)
    with pytest.raises(LeaseLost):
        log.append("g", 2, b"late", command="c", deadline=900, fence=old)
    assert (log.read("g"), log.deadline("g"), log.feed(bucket)) == ([b"one", b"two"], 700, feed)
    assert log.command_version("g", "c") is None
    assert log.append("g", 2, b"three", command="c", deadline=900, fence=new) == Appended(3)
    assert log.deadline("g") == 900


def test_a_fence_that_was_never_given_opens_nothing(log: GameLog):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(LeaseLost):
        log.append("g", 1, b"two", command="b", fence=1)
    assert log.append("g", 1, b"two", command="b") == Appended(2)


def test_players_need_no_fence(log: GameLog):
    log.append("g", 0, b"one", command="a")
    log.lease([log.buckets.of("g")], "ana", LONG)
    assert log.append("g", 1, b"two", command="b") == Appended(2)


def test_an_entry_follows_the_last_one_that_its_author_knows_or_none(log: GameLog):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(Conflict) as refusal:
        log.append("g", 1, b"two", command="b", last=b"another")
    assert (refusal.value.version, list(refusal.value.entries)) == (1, [])
    assert log.append("g", 1, b"two", command="b", last=b"on") == Appended(2)
    assert log.append("g", 1, b"two", command="b", last=b"another") == Appended(2, repeated=True)


def test_with_a_fence_too_a_conflict_is_a_conflict_and_a_repetition_a_repetition(log: GameLog):
    log.append("g", 0, b"one", command="a")
    fence = log.lease([log.buckets.of("g")], "ana", LONG)[log.buckets.of("g")]
    with pytest.raises(Conflict) as refusal:
        log.append("g", 0, b"late", command="b", fence=fence)
    assert list(refusal.value.entries) == [b"one"]
    assert log.append("g", 1, b"again", command="a", fence=fence) == Appended(1, repeated=True)


def test_of_many_workers_that_want_a_bucket_one_gets_it(log: GameLog):
    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(lambda number: log.lease(log.buckets.all, f"holder {number}", LONG), range(16)))
    assert sorted(bucket for fences in got for bucket in fences) == list(log.buckets.all)
    assert {fence for fences in got for fence in fences.values()} == {1}


def test_the_feed_tells_every_version_in_order(log: GameLog):
    bucket = log.buckets.of("g")
    for version in range(3):
        log.append("g", version, b"entry", command=f"c{version}")
    lines = log.feed(bucket)
    assert [(line.game, line.version) for line in lines] == [("g", 1), ("g", 2), ("g", 3)]
    assert log.feed(bucket, after=lines[0].position) == lines[1:]
    assert log.feed(bucket, limit=2) == lines[:2]


def test_a_consumer_goes_on_where_it_stopped_and_never_goes_back(log: GameLog):
    bucket = log.buckets.of("g")
    assert log.checkpoint(bucket, "mail") == "0-0"
    log.set_checkpoint(bucket, "mail", "9-5")
    log.set_checkpoint(bucket, "mail", "10-0")
    log.set_checkpoint(bucket, "mail", "9-9")
    assert log.checkpoint(bucket, "mail") == "10-0"
    assert log.checkpoint(bucket, "other") == "0-0"


def test_several_games_are_read_as_each_alone(log: GameLog):
    for game in ("g", "h"):
        for version in range(3):
            log.append(game, version, f"{game}{version + 1}".encode(), command=f"c{version}")
    spans = [Span("h", 1), Span("none"), Span("g", 0, 2), Span("h", 1, 2), Span("g", 3)]
    assert log.read_many(spans) == [[b"h2", b"h3"], None, [b"g1", b"g2"], [b"h2"], []]
    assert [entries or [] for entries in log.read_many(spans)] == [
        log.read(span.game, span.after, span.until) for span in spans
    ]
    assert log.read_many([]) == []


def test_more_games_are_read_than_one_round_trip_takes(log: GameLog):
    games = [f"g{number}" for number in range(250)]
    for game in games:
        log.append(game, 0, game.encode(), command="create")
    assert log.read_many([Span(game) for game in games]) == [[game.encode()] for game in games]


def test_several_feeds_are_read_and_remembered_as_each_alone(log: GameLog):
    games = ["g", "h", "i"]
    buckets = [log.buckets.of(game) for game in games]
    for game in games:
        for version in range(3):
            log.append(game, version, b"entry", command=f"c{version}")
    log.set_checkpoint(buckets[0], "mail", log.feed(buckets[0])[1].position)
    positions = log.checkpoints_of("mail", buckets)
    assert positions == {bucket: log.checkpoint(bucket, "mail") for bucket in buckets}
    found = log.feeds(positions, limit=2)
    assert found == {bucket: log.feed(bucket, positions[bucket], limit=2) for bucket in buckets}
    assert [len(found[bucket]) for bucket in buckets] == [1, 2, 2]
    log.set_checkpoints("mail", {bucket: entries[-1].position for bucket, entries in found.items()})
    assert log.checkpoints_of("mail", buckets) == {bucket: found[bucket][-1].position for bucket in buckets}
    log.set_checkpoints("mail", dict.fromkeys(buckets, "0-1"))
    assert log.checkpoints_of("mail", buckets) == {bucket: found[bucket][-1].position for bucket in buckets}
    assert (log.checkpoints_of("mail", []), log.feeds({})) == ({}, {})


def test_a_game_that_was_taken_out_can_be_put_back_whole(log: GameLog):
    log.append("g", 0, b"one", command="a", secret=b"s", deadline=700)
    log.append("g", 1, b"two", command="b")
    stored = StoredGame(log.read("g"), ["a", "b"], log.secret("g"), log.deadline("g"))
    log.remove("g")
    assert (log.version("g"), log.deadline("g"), list(log.games(log.buckets.of("g")))) == (0, NO_DEADLINE, [])
    log.restore("g", stored)
    assert (log.read("g"), log.secret("g"), log.deadline("g")) == ([b"one", b"two"], b"s", 700)
    assert log.append("g", 1, b"two", command="b") == Appended(2, repeated=True)
    assert log.append("g", 2, b"three", command="c") == Appended(3)


def test_a_game_is_never_restored_over_another(log: GameLog):
    log.append("g", 0, b"one", command="a")
    with pytest.raises(Conflict):
        log.restore("g", StoredGame([b"other"], ["x"], b""))
    assert log.read("g") == [b"one"]


def test_the_feed_forgets_what_all_consumers_have_dealt_with_and_nothing_else(log: GameLog):
    bucket = log.buckets.of("g")
    for version in range(1000):
        log.append("g", version, b"entry", command=f"c{version}")
    lines = log.feed(bucket, limit=1000)
    log.trim_feed(bucket)
    assert log.feed(bucket, limit=1000) == lines
    log.set_checkpoint(bucket, "slow", lines[499].position)
    log.set_checkpoint(bucket, "fast", lines[999].position)
    log.trim_feed(bucket)
    left = log.feed(bucket, limit=1000)
    assert left == lines[-len(left) :]
    assert 501 <= len(left) < 700
    log.append("g", 1000, b"entry", command="another")
    assert log.feed(bucket, lines[499].position, limit=1000)[-1].version == 1001


# Notes


def test_a_note_is_kept_unless_a_newer_one_is_there(log: GameLog):
    log.append("g", 0, b"one", command="a")
    assert log.note({"g": Note(2, "open", b"second \0\xff")}) == {"g": Note(2, "open", b"second \0\xff")}
    assert log.note({"g": Note(1, "late", b"first")}) == {"g": Note(2, "open", b"second \0\xff")}
    assert log.note({"g": Note(0, "", b""), "other": Note(0, "", b"")}) == {"g": Note(2, "open", b"second \0\xff")}
    assert log.note({"g": Note(3, "over", b"third")})["g"].word == "over"


def test_a_mark_outlives_the_notes(log: GameLog):
    log.append("g", 0, b"one", command="a")
    log.mark("g", "seen")
    assert log.noted({"g": 0})["g"].note == Note(0, "-", b"", "seen")
    log.note({"g": Note(1, "open", b"a b")})
    assert log.noted({"g": 0})["g"].note == Note(1, "open", b"a b", "seen")
    log.mark("g", "again")
    assert log.noted({"g": 0})["g"].note == Note(1, "open", b"a b", "again")


def test_notes_come_with_the_entries_that_are_newer(log: GameLog):
    for version, entry in enumerate((b"one", b"two", b"three")):
        log.append("g", version, entry, command=f"c{version}")
    log.append("without", 0, b"alone", command="a")
    note = Note(2, "open", b"about")
    log.note({"g": note})
    assert log.noted({"g": BY_THE_NOTE, "without": BY_THE_NOTE, "gone": BY_THE_NOTE}) == {
        "g": Noted(note, [b"three"]),
        "without": Noted(None, [b"alone"]),
    }
    assert log.noted({"g": 1, "without": 1}) == {"g": Noted(note, [b"two", b"three"]), "without": Noted(None, [])}
    log.remove("g")
    assert log.noted({"g": 0}) == {}
    assert log.note({"g": Note(0, "", b"")}) == {}
