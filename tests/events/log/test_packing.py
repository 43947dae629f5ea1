"""Games that are over are kept small: packed bytes come back as they were, and every log reads them as before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import Conflict, Damaged, Packed, StoreFull
from events.log import FINISHED, NO_DEADLINE, Appended, Finished, GameLog, Span, StoredGame, packing
from events.log.redis import RedisLog
from events.store import connect
from events.store.embedded import find_binary
from tests.events.played import finished
from tests.events.servers import debian_binary, eventually, server

EVER = 10**15


# The packed form

HEXADECIMAL = st.text("0123456789abcdef", min_size=20, max_size=300).map(str.encode)
ENTRIES = st.lists(st.binary(max_size=60) | HEXADECIMAL | st.just(b"\0"), min_size=1, max_size=12)


@given(ENTRIES, st.booleans())
def test_any_entries_come_back_as_they_were(entries, are_doubled):
    entries = entries * 2 if are_doubled else entries
    commands = [f"näme \0 {number}" for number in range(len(entries))]
    packed = packing.pack(entries, commands)
    assert packing.unpack(packed.value) == packing.UnpackedGame(entries, commands)


def test_a_hash_that_comes_again_after_many_others_is_packed_again():
    entries = [b"%064x" % (number % 200) for number in range(500)]
    commands = [str(number) for number in range(500)]
    assert packing.unpack(packing.pack(entries, commands).value).entries == entries


@pytest.mark.parametrize(
    "value",
    [b"", b"x", b"\x92\xc4\x01x\xc4\x00", packing.pack([b"one"], ["a"]).value[:-3]],
    ids=["nothing", "no pair", "not compressed", "cut off"],
)
def test_bytes_that_are_no_packed_game_are_damage(value):
    with pytest.raises(Damaged):
        packing.unpack(value)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_finished_game_is_packed_to_a_sixth(players):
    games, game = finished(players=players)
    stored = games.log.stored(game)
    packed = packing.pack(stored.entries, stored.commands)
    assert len(packed.value) < packed.size / 6
    assert packing.unpack(packed.value) == packing.UnpackedGame(stored.entries, stored.commands)


# In every log


def over(log: GameLog, game: str = "g", versions: int = 3) -> StoredGame:
    """A game that is over, with some entries."""
    for version in range(versions):
        deadline = FINISHED if version == versions - 1 else 500
        secret = b"secret" if version == 0 else b""
        log.append(game, version, b"%d" % (version + 1), command=f"c{version + 1}", deadline=deadline, secret=secret)
    return log.stored(game)


def packed(log: GameLog, game: str = "g", versions: int = 3) -> StoredGame:
    stored = over(log, game, versions)
    assert log.pack(game, packing.pack(stored.entries, stored.commands))
    return stored


def test_a_whole_game_is_seen_at_once(log: GameLog):
    assert over(log) == StoredGame([b"1", b"2", b"3"], ["c1", "c2", "c3"], b"secret", NO_DEADLINE)
    assert log.stored("nobody") == StoredGame([], [], b"", NO_DEADLINE)
    log.append("h", 0, b"one", command="a", deadline=700)
    assert log.stored("h") == StoredGame([b"one"], ["a"], b"", 700)


def test_a_packed_game_reads_as_before(log: GameLog):
    stored = packed(log)
    assert log.is_packed("g")
    assert log.stored("g") == stored
    assert (log.read("g"), log.version("g"), log.secret("g")) == ([b"1", b"2", b"3"], 3, b"secret")
    assert (log.read("g", after=1), log.read("g", until=2), log.read("g", 1, 2)) == ([b"2", b"3"], [b"1", b"2"], [b"2"])
    assert (log.read("g", after=3), log.read("g", 2, 2), log.read("g", 3, 9)) == ([], [], [])
    assert [log.command_version("g", command) for command in ("c1", "c3", "c4")] == [1, 3, None]
    assert list(log.games(log.buckets.of("g"))) == ["g"]


def test_packed_games_are_read_together_with_others(log: GameLog):
    packed(log)
    over(log, "h")
    spans = [Span("g", 1), Span("h", 1), Span("g", 0, 2), Span("nobody"), Span("g", 3)]
    assert log.read_many(spans) == [[b"2", b"3"], [b"2", b"3"], [b"1", b"2"], None, []]


def test_a_command_is_known_in_a_packed_game_by_its_former_name(log: GameLog):
    packed(log)
    assert log.append("g", 3, b"again", command="opaque", former="c2") == Appended(2, repeated=True)


def test_a_game_of_one_entry_can_be_packed(log: GameLog):
    packed(log, versions=1)
    assert (log.is_packed("g"), log.read("g"), log.version("g")) == (True, [b"1"], 1)
    with pytest.raises(Packed):
        log.append("g", 1, b"more", command="x")
    assert log.read("g") == [b"1"]


def test_packing_tells_the_feed_nothing(log: GameLog):
    over(log)
    feed = log.feed(log.buckets.of("g"))
    stored = log.stored("g")
    log.pack("g", packing.pack(stored.entries, stored.commands))
    log.unpack("g")
    assert log.feed(log.buckets.of("g")) == feed


@pytest.mark.parametrize("version", range(5))
def test_a_command_that_is_repeated_after_packing_is_answered_as_the_first_time(log: GameLog, version):
    """Also the one that made the game: a second game must not begin over it."""
    packed(log)
    assert [log.append("g", version, b"again", command=f"c{n}") for n in (1, 2, 3)] == [
        Appended(n, repeated=True) for n in (1, 2, 3)
    ]
    assert log.read("g") == [b"1", b"2", b"3"]


@pytest.mark.parametrize(("version", "missed"), [(0, [b"1", b"2", b"3"]), (1, [b"2", b"3"]), (2, [b"3"]), (7, [])])
def test_a_late_append_to_a_packed_game_gets_the_entries_that_came_in_between(log: GameLog, version, missed):
    packed(log)
    with pytest.raises(Conflict) as refusal:
        log.append("g", version, b"late", command="x", deadline=900, secret=b"other")
    assert (refusal.value.version, list(refusal.value.entries)) == (3, missed)
    assert (log.read("g"), log.secret("g"), log.deadline("g")) == ([b"1", b"2", b"3"], b"secret", NO_DEADLINE)


def test_a_packed_game_takes_no_more_entries(log: GameLog):
    packed(log)
    feed = log.feed(log.buckets.of("g"))
    with pytest.raises(Packed):
        log.append("g", 3, b"more", command="x", deadline=900)
    assert (log.read("g"), log.deadline("g"), log.feed(log.buckets.of("g"))) == ([b"1", b"2", b"3"], NO_DEADLINE, feed)
    assert log.command_version("g", "x") is None


def test_an_unpacked_game_goes_on(log: GameLog):
    stored = packed(log)
    log.unpack("g")
    assert (log.is_packed("g"), log.stored("g")) == (False, stored)
    assert log.append("g", 1, b"again", command="c2") == Appended(2, repeated=True)
    assert log.append("g", 3, b"4", command="c4", deadline=FINISHED) == Appended(4)
    assert (log.read("g", after=2), log.version("g")) == ([b"3", b"4"], 4)


def test_only_a_packed_game_is_unpacked(log: GameLog):
    stored = over(log)
    for game in ("g", "nobody"):
        log.unpack(game)
        assert not log.is_packed(game)
    assert log.stored("g") == stored


def test_a_game_that_has_gone_on_is_not_packed(log: GameLog):
    log.append("g", 0, b"one", command="a")
    early = packing.pack([b"one"], ["a"])
    log.append("g", 1, b"two", command="b")
    assert not log.pack("g", early)
    assert not log.pack("nobody", early)
    assert (log.read("g"), log.version("nobody")) == ([b"one", b"two"], 0)


def test_a_packed_form_of_another_game_replaces_nothing(log: GameLog):
    over(log)
    assert not log.pack("g", packing.pack([b"1", b"2", b"other"], ["c1", "c2", "c3"]))
    assert (log.is_packed("g"), log.read("g")) == (False, [b"1", b"2", b"3"])


def test_a_game_that_has_a_deadline_is_not_packed(log: GameLog):
    log.append("g", 0, b"one", command="a", deadline=700)
    assert not log.pack("g", packing.pack([b"one"], ["a"]))
    assert (log.is_packed("g"), log.deadline("g")) == (False, 700)


def test_packing_can_be_repeated(log: GameLog):
    """An answer of the store may be lost, and the script sent again."""
    stored = packed(log)
    assert log.pack("g", packing.pack(stored.entries, stored.commands))
    assert log.stored("g") == stored


def test_a_packed_game_can_be_taken_out_and_put_back(log: GameLog):
    stored = packed(log)
    with pytest.raises(Conflict) as refusal:
        log.restore("g", stored)
    assert refusal.value.version == 3
    log.remove("g")
    assert (log.version("g"), log.is_packed("g"), list(log.games(log.buckets.of("g")))) == (0, False, [])
    log.restore("g", stored)
    assert (log.is_packed("g"), log.stored("g")) == (False, stored)


@pytest.mark.parametrize("binary", [find_binary, debian_binary], ids=["embedded", "debian"])
def test_a_store_whose_memory_is_full_still_packs_and_loses_nothing(binary):
    """That makes room; and a game is never taken away before its packed form is there."""
    with server(binary()) as running:
        store = connect(running.url)
        log = RedisLog(store)
        stored = over(log)
        store.commands.config_set("maxmemory", 1)
        with pytest.raises(StoreFull):
            log.append("h", 0, b"one", command="a")
        form = packing.pack(stored.entries, stored.commands)
        assert (log.pack("g", form), log.is_packed("g"), log.stored("g")) == (True, True, stored)
        log.unpack("g")
        assert (log.is_packed("g"), log.stored("g")) == (False, stored)
        store.close()


# Which games are to be packed


def waiting(log: GameLog, until: int = EVER) -> list[str]:
    return [finished.game for finished in log.finished(log.buckets.all, until)]


def test_a_game_waits_to_be_packed_from_its_end_until_it_is(log: GameLog):
    assert waiting(log) == []
    log.append("running", 0, b"one", command="a", deadline=700)
    stored = over(log)
    assert waiting(log) == ["g"]
    assert waiting(log, until=1000) == []
    log.pack("g", packing.pack(stored.entries, stored.commands))
    assert waiting(log) == []
    log.unpack("g")
    assert waiting(log) == ["g"]


def test_a_restored_game_waits_to_be_looked_at(log: GameLog):
    stored = packed(log)
    log.remove("g")
    assert waiting(log) == []
    log.restore("g", stored)
    assert waiting(log) == ["g"]


def test_those_that_have_waited_longest_come_first(log: GameLog):
    bucket = log.buckets.of("g0")
    names = [name for number in range(20_000) if log.buckets.of(name := f"g{number}") == bucket][:3]
    for name in names:
        over(log, name)
        wait_for_the_next_millisecond(log)
    assert [finished.game for finished in log.finished([bucket], EVER, limit=2)] == names[:2]


def wait_for_the_next_millisecond(log: GameLog) -> None:
    began = clock_of(log)
    eventually(lambda: clock_of(log) > began)


def clock_of(log: GameLog) -> int:
    """The time by the clock of the log."""
    log.remove("clock")
    over(log, "clock", versions=1)
    [at] = [finished.at for finished in log.finished([log.buckets.of("clock")], EVER) if finished.game == "clock"]
    log.remove("clock")
    return at


def test_a_game_that_cannot_be_packed_is_forgotten_until_it_finishes_anew(log: GameLog):
    over(log)
    [first] = log.finished([log.buckets.of("g")], EVER)
    log.forget(Finished("g", first.at - 1))
    assert waiting(log) == ["g"]
    log.forget(first)
    assert waiting(log) == []
    log.append("g", 3, b"4", command="c4", deadline=FINISHED)
    assert waiting(log) == ["g"]


def test_games_that_were_there_before_games_were_packed_are_found_once(store):
    """As a store was left by a service that knew nothing of packing."""
    log = RedisLog(store)
    for number in range(20):
        log.append(f"old {number}", 0, b"one", command="a")
    assert sorted(waiting(log)) == sorted(f"old {number}" for number in range(20))
    for found in log.finished(log.buckets.all, EVER):
        log.forget(found)
    log.append("new", 0, b"one", command="a")
    assert waiting(log) == []
