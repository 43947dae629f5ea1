"""Hints and the hub: a listener of a game gets every commit once, in order, whatever becomes of the hints."""

import threading
from contextlib import ExitStack, closing
from random import Random
from time import monotonic

import pytest

from events.errors import StoreError
from events.games import Games
from events.log import ANYTHING, GameLog, Hint, Hints, StoredGame
from events.log.keys import channel
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from events.store import Store, connect
from events.table.commands import Join, Leave
from events.workers.hub import MOST_WAITING, PAGE, Closed, Commits, Hub, Listener
from tests.events.servers import eventually, proxy, server

SOON = 10
"""Seconds within which anything must have been heard."""


@pytest.fixture
def games(log) -> Games:
    return Games(log)


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    before = set(threading.enumerate())
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "hub" and thread not in before]


def commit(games: Games, game: str, count: int) -> None:
    """So many commits: a player sits down and stands up again."""
    for _ in range(count):
        if games.load(game).seats:
            games.submit(game, Leave("ana"))
        else:
            games.submit(game, Join("ana"))


def heard(listener: Listener, until: int) -> list[int]:
    """The versions that a listener is given, up to one."""
    versions, deadline = [], monotonic() + SOON
    while listener.number < until:
        assert monotonic() < deadline, f"still at {listener.number}, not at {until}"
        versions += [commit.header.version for commit in listener.next(seconds=SOON)]
    return versions


# Hints


def next_hint(hints: Hints) -> Hint:
    deadline = monotonic() + SOON
    while monotonic() < deadline:
        if hint := hints.next(seconds=1):
            return hint
    raise AssertionError("nothing was heard")


def test_listening_begins_with_anything_and_goes_on_with_every_commit(log: GameLog):
    with closing(log.hints()) as hints:
        assert next_hint(hints) == ANYTHING
        log.append("a game: {1}", 0, b"one", command="a")
        log.append("a game: {1}", 1, b"two", command="b")
        assert [next_hint(hints), next_hint(hints)] == [Hint("a game: {1}", 1), Hint("a game: {1}", 2)]


def test_games_on_every_node_are_heard(log: GameLog):
    names = [f"game {number}" for number in range(30)]
    with closing(log.hints()) as hints:
        assert next_hint(hints) == ANYTHING
        for name in names:
            log.append(name, 0, b"one", command="a")
        assert sorted(next_hint(hints).game for _ in names) == sorted(names)


def test_repeated_and_restored_commits_are_heard_as_they_were_stored(log: GameLog):
    log.append("g", 0, b"one", command="a")
    with closing(log.hints()) as hints:
        assert next_hint(hints) == ANYTHING
        log.append("g", 0, b"one", command="a")
        log.restore("h", StoredGame([b"one", b"two"], ["a", "b"], b"secret"))
        assert next_hint(hints) == Hint("h", 2)


# The hub


def test_a_listener_hears_what_was_before_and_what_comes(games: Games):
    game = games.create("el_grande", 3).id
    commit(games, game, 2)
    with Hub(Commits(games)) as hub, hub.listening(game) as listener:
        assert heard(listener, until=3) == [1, 2, 3]
        commit(games, game, 2)
        assert heard(listener, until=5) == [4, 5]


def test_it_hears_what_another_process_commits(running_stores):
    with running_stores.opened("embedded") as here:
        games = Games(RedisLog(here))
        game = games.create("el_grande", 3).id
        with Hub(Commits(games)) as hub, hub.listening(game, after=1) as listener, closing(connect(here.url)) as there:
            commit(Games(RedisLog(there)), game, 3)
            assert heard(listener, until=4) == [2, 3, 4]


def test_it_begins_after_the_version_of_the_listener(games: Games):
    game = games.create("el_grande", 3).id
    commit(games, game, 4)
    with Hub(Commits(games)) as hub, hub.listening(game, after=3) as listener:
        assert heard(listener, until=5) == [4, 5]


def test_listeners_hear_their_own_game_only(games: Games):
    one, other = (games.create("el_grande", 3).id for _ in range(2))
    with Hub(Commits(games)) as hub, hub.listening(one, after=1) as listener:
        commit(games, other, 3)
        commit(games, one, 1)
        assert heard(listener, until=2) == [2]
        assert listener.next(seconds=0) == []


class CountingLog(RedisLog):
    """Counts how often it is read."""

    reads = 0

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        self.reads += 1
        return super().read(game, after, until)


def test_a_commit_is_read_once_for_all_listeners(running_stores):
    with running_stores.opened("embedded") as store, closing(connect(store.url)) as there, ExitStack() as until_the_end:
        elsewhere, log = Games(RedisLog(there)), CountingLog(store)
        game = elsewhere.create("el_grande", 3).id
        handed: list[tuple[int, int]] = []
        hub = until_the_end.enter_context(
            Hub(Commits(Games(log)), lambda commits, listeners: handed.append((commits[-1].header.version, listeners)))
        )
        listeners = [until_the_end.enter_context(hub.listening(game)) for _ in range(20)]

        def hub_hears() -> bool:
            commit(elsewhere, game, 1)
            return bool(handed)

        eventually(hub_hears)
        newest = elsewhere.load(game).version
        eventually(lambda: handed[-1] == (newest, 20))
        for listener in listeners:
            heard(listener, until=newest)
            assert listener.next(seconds=0) == []
        before = log.reads
        commit(elsewhere, game, 1)
        taken = [listener.next(seconds=SOON) for listener in listeners]
        assert log.reads == before + 1
        assert all(commits[0] is taken[0][0] for commits in taken)
        assert handed[-1] == (newest + 1, 20)


def test_a_slow_listener_holds_up_no_other_and_loses_nothing(games: Games):
    game = games.create("el_grande", 3).id
    count = 3 * MOST_WAITING
    with Hub(Commits(games)) as hub, hub.listening(game) as quick, hub.listening(game) as slow:
        assert heard(quick, until=1) == heard(slow, until=1) == [1]
        commit(games, game, count)
        assert heard(quick, until=count + 1) == list(range(2, count + 2))
        assert slow._handed.qsize() <= MOST_WAITING + 1
        assert heard(slow, until=count + 1) == list(range(2, count + 2))
        commit(games, game, 1)
        assert heard(slow, until=count + 2) == [count + 2]


def test_a_long_game_is_read_in_pages():
    games = Games(MemoryLog())
    game = games.create("el_grande", 3).id
    commit(games, game, PAGE + 20)
    with Hub(Commits(games)) as hub, hub.listening(game) as listener:
        assert len(listener.next(seconds=SOON)) == PAGE
        assert heard(listener, until=PAGE + 21) == list(range(PAGE + 1, PAGE + 22))


class Unreliable(MemoryLog):
    """Tells of commits late, twice, in any order, or not at all."""

    def hints(self):
        hints, pick = super().hints(), Random(1)
        hear, late = hints.next, list[Hint]()

        def next_one(seconds: float) -> Hint | None:
            if hint := hear(seconds):
                late.append(hint)
            pick.shuffle(late)
            if late and pick.random() < 0.7:
                return late.pop() if pick.random() < 0.7 else late[-1]
            return None

        hints.next = next_one  # type: ignore[method-assign]
        return hints


def test_hints_may_come_late_twice_in_any_order_or_not_at_all():
    games = Games(Unreliable())
    game = games.create("el_grande", 3).id
    with Hub(Commits(games)) as hub, hub.listening(game) as listener:
        versions: list[int] = []
        for _ in range(200):
            commit(games, game, 1)
            versions += [commit.header.version for commit in listener.next(seconds=0.001)]
        versions += heard(listener, until=201)
        assert versions == list(range(1, 202))


def test_without_any_hint_it_is_heard_after_a_silence(monkeypatch):
    monkeypatch.setattr(MemoryLog, "_tell", lambda *_: None)
    games = Games(MemoryLog())
    game = games.create("el_grande", 3).id
    with Hub(Commits(games)) as hub, hub.listening(game) as listener:
        assert heard(listener, until=1) == [1]
        commit(games, game, 1)
        assert [commit.header.version for commit in listener.next(seconds=0.01)] == [2]


def test_closing_tells_every_listener_at_once(games: Games):
    game = games.create("el_grande", 3).id
    hub = Hub(Commits(games))
    with hub.listening(game, after=1) as listener:
        closer = threading.Timer(0.05, hub.close)
        closer.start()
        began = monotonic()
        with pytest.raises(Closed):
            listener.next(seconds=60)
        closer.join()
        assert monotonic() - began < 2
    with hub.listening(game, after=1) as late, pytest.raises(Closed):
        late.next(seconds=60)


# When the store fails


def kill_pubsub(store: Store) -> None:
    for primary in store.primaries().values():
        primary.client_kill_filter(_type="pubsub")


def is_heard(store: Store) -> bool:
    return any(dict(primary.pubsub_numsub(channel())).values() for primary in store.primaries().values())


@pytest.mark.parametrize("kind", ["embedded", "cluster"])
@pytest.mark.parametrize("times", [20, pytest.param(1000, marks=pytest.mark.long)])
def test_connections_that_are_cut_lose_nothing(running_stores, kind, times):
    with running_stores.opened(kind) as store:
        games = Games(RedisLog(store))
        game = games.create("el_grande", 3).id
        with Hub(Commits(games)) as hub, hub.listening(game) as listener:
            versions = heard(listener, until=1)
            for number in range(times):
                if number % 2:
                    # Half of the time it has not even come back.
                    eventually(lambda: is_heard(store))
                kill_pubsub(store)
                commit(games, game, 1)
                versions += heard(listener, until=number + 2)
            assert versions == list(range(1, times + 2))


def test_a_store_that_is_restarted_is_heard_again():
    with server() as redis, closing(connect(redis.url)) as store:
        games = Games(RedisLog(store))
        game = games.create("el_grande", 3).id
        with Hub(Commits(games)) as hub, hub.listening(game) as listener:
            assert heard(listener, until=1) == [1]
            redis.kill()
            assert listener.next(seconds=0.5) == []
            redis.start()
            commit(games, game, 2)
            assert heard(listener, until=3) == [2, 3]


def test_a_server_that_has_gone_silent_is_left(monkeypatch):
    monkeypatch.setattr("events.log.redis_hints.SECONDS_OF_SILENCE", 0.4)
    with (
        server() as redis,
        proxy(redis) as between,
        closing(connect(between.url)) as store,
        closing(RedisLog(store).hints()) as hints,
    ):
        assert next_hint(hints) == ANYTHING
        between.is_black_hole = True
        with pytest.raises(StoreError):
            listen_for(SOON, hints)


def test_a_quiet_server_is_not_left(monkeypatch):
    monkeypatch.setattr("events.log.redis_hints.SECONDS_OF_SILENCE", 0.5)
    with server() as redis, closing(connect(redis.url)) as store, closing(RedisLog(store).hints()) as hints:
        assert next_hint(hints) == ANYTHING
        listen_for(1.5, hints)


def test_a_reader_who_has_not_listened_for_long_does_not_blame_the_server(monkeypatch):
    monkeypatch.setattr("events.log.redis_hints.SECONDS_OF_SILENCE", 0.5)
    with server() as redis, closing(connect(redis.url)) as store, closing(RedisLog(store).hints()) as hints:
        assert next_hint(hints) == ANYTHING
        monkeypatch.setattr("events.log.redis_hints.monotonic", lambda: monotonic() + 60)
        assert hints.next(seconds=0) is None


def listen_for(seconds: float, hints: Hints) -> None:
    end = monotonic() + seconds
    while monotonic() < end:
        assert hints.next(seconds=0.02) is None
