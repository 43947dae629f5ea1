"""Looking after deadlines: when, in which order, and what is left alone."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from threading import Event
from time import monotonic

import pytest

from events.buckets import USUAL
from events.errors import Busy, Damaged
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store
from events.table.commands import Pause, Play, Resume, Start
from events.table.game import PEOPLE, SELF_PLAYING
from events.table.time_control import TimeControl
from events.workers import deadlines
from events.workers.deadlines import LATE_AFTER_MS, SHARES, DeadlineWorker
from events.workers.heartbeat import KEYS, Heartbeat
from rules.kernel import TimeUp
from rules.texts import say
from tests.events.servers import eventually

pytestmark = pytest.mark.parametrize("store", ["embedded"], indirect=True)

NO_OUTAGE = 600.0
"""So long a silence is none, in seconds."""


@pytest.fixture
def serving(store: Store) -> Heartbeat:
    heartbeat = Heartbeat(store, serving=True, silence=NO_OUTAGE)
    heartbeat.beat()
    return heartbeat


@pytest.fixture
def games(store: Store) -> Games:
    looking = Heartbeat(store, serving=False, silence=NO_OUTAGE)
    return Games(RedisLog(store), now=looking.now, outages=looking.outages)


@pytest.fixture
def deadline_worker(store: Store, games: Games) -> Iterator[DeadlineWorker]:
    keeper = DeadlineWorker(games, Heartbeat(store, serving=False, silence=NO_OUTAGE))
    yield keeper
    keeper.close()


def timed(games: Games, id: str = "", **control: object) -> str:
    game = games.create("el_grande", 3, time=TimeControl(**{"limit_ms": 20, "strikes": 0} | control), game=id).id  # type: ignore[arg-type]
    games.submit(game, Start())
    return game


def waited_for(games: Games, *ids: str) -> None:
    """Until the deadlines of these games have come."""
    last = max(games.load(id).attention_at for id in ids)
    eventually(lambda: games.now() > last)


REAL = 1_000
"""Milliseconds that are enough for a player."""


def fences(games: Games) -> dict[int, int]:
    return games.log.lease(USUAL.all, "test", 60_000)


def test_no_time_runs_out_after_the_last_sign_of_life(games, deadline_worker, serving):
    game = timed(games)
    deadline = games.load(game).attention_at
    eventually(lambda: games.now() > deadline + 50)
    assert deadline_worker.attend(fences(games)) == 0
    serving.beat()
    assert deadline_worker.attend(fences(games)) == 1


def test_a_time_out_comes_after_a_beat_that_is_on_disk(store: Store, games, deadline_worker, serving):
    """An outage that is found after a crash begins at that beat: a time-out is never inside of it."""
    deadline = games.load(timed(games)).attention_at
    eventually(lambda: games.now() > deadline)
    serving.beat()
    assert beat_on_disk(store) < deadline
    assert deadline_worker.attend(fences(games)) == 1
    assert beat_on_disk(store) >= deadline


def beat_on_disk(store: Store) -> int:
    return int(store.commands.get(KEYS[2]))  # type: ignore[arg-type]


def test_a_worker_without_a_bucket_does_nothing(games, deadline_worker, serving):
    deadline = games.load(timed(games)).attention_at
    eventually(lambda: games.now() > deadline)
    serving.beat()
    assert deadline_worker.attend({}) == 0


def test_a_worker_that_has_lost_a_bucket_leaves_its_games_alone(games, deadline_worker, serving):
    game = timed(games)
    old = fences(games)
    games.log.give_up(USUAL.all, "test")
    games.log.lease(USUAL.all, "another", 60_000)
    eventually(lambda: games.now() > games.load(game).attention_at)
    serving.beat()
    assert deadline_worker.attend(old) == 0
    assert games.load(game).version == 2


def test_seats_played_automatically_are_played_at_once(games, deadline_worker, serving):
    game = timed(games, strikes=1)
    eventually(
        lambda: bool(serving.beat() or deadline_worker.attend(fences(games))) and games.load(game).status == "over", 60
    )
    assert games.load(game).clock.automated == dict.fromkeys(games.load(game).players, "defaults")


def test_a_game_that_cannot_be_looked_after_does_not_hold_up_others(games, deadline_worker, serving, monkeypatch):
    broken, whole = timed(games), timed(games)
    submit = games.submit

    def fail(game: str, command, **more: int):
        if game == broken:
            raise Damaged("an example")
        return submit(game, command, **more)

    monkeypatch.setattr(games, "submit", fail)
    eventually(lambda: games.now() > max(games.load(game).attention_at for game in (broken, whole)))
    serving.beat()
    deadline_worker.attend(fences(games))
    # A busy machine may leave it to its thread for a moment.
    eventually(lambda: games.load(whole).version == 3)
    assert deadline_worker.attend({USUAL.of(broken): fences(games)[USUAL.of(broken)]}) <= 1
    assert games.load(broken).version == 2


# Players first


def crowd(games: Games, bucket: int, size: int) -> list[str]:
    """Tables in one bucket that play by themselves: whoever creates a table can choose its bucket by trying."""
    names = (f"crowd {number}" for number in count())
    return [timed(games, id=name) for name in islice((name for name in names if USUAL.of(name) == bucket), size)]


def test_a_player_does_not_wait_behind_tables_that_play_by_themselves(games, deadline_worker, serving):
    crowd(games, USUAL.of("real"), 120)
    real = timed(games, id="real", limit_ms=REAL)
    waited_for(games, real)
    serving.beat()
    deadline_worker.attend({USUAL.of(real): fences(games)[USUAL.of(real)]})
    assert games.load(real).version == 3


def test_players_of_all_buckets_are_answered_for_in_the_order_of_their_deadlines(games, serving, monkeypatch):
    order: list[str] = []
    monkeypatch.setitem(SHARES, PEOPLE, SHARES[PEOPLE]._replace(threads=1, most_threads=1))
    worker = DeadlineWorker(games, serving, lambda due, taken: order.append(due.game))
    playing = timed(games)
    tables = [timed(games, limit_ms=REAL + 50 * number) for number in range(6)]
    waited_for(games, *tables)
    serving.beat()
    worker.attend(fences(games))
    worker.close()
    assert order == [*tables, playing]


def test_a_table_that_plays_by_itself_gets_one_answer_in_a_look(games, deadline_worker, serving):
    """No player is left for whom it could hurry: every answer is due at once."""
    game = timed(games, strikes=1)
    while len(games.load(game).unattended) < 3:
        waited_for(games, game)
        serving.beat()
        deadline_worker.attend(fences(games))
    before = games.load(game).version
    waited_for(games, game)
    serving.beat()
    assert deadline_worker.attend(fences(games)) == 1
    assert games.load(game).version == before + 1


def test_seats_that_a_player_waits_for_get_several_answers_in_a_look(games, deadline_worker, serving):
    game = timed(games, limit_ms=REAL, strikes=1)
    waited_for(games, game)
    serving.beat()
    assert deadline_worker.attend(fences(games)) == 1
    [late] = games.load(game).unattended
    while [late] != list(games.load(game).asked):
        [asked] = games.load(game).asked
        games.submit(game, Play(TimeUp(asked, games.load(game).asked[asked])))
    before = games.load(game).version
    serving.beat()
    deadline_worker.attend(fences(games))
    assert late not in games.load(game).asked
    assert games.load(game).version > before


def test_a_look_ends_in_time_however_many_tables_play_by_themselves(games, deadline_worker, serving, monkeypatch):
    monkeypatch.setitem(SHARES, SELF_PLAYING, SHARES[SELF_PLAYING]._replace(seconds=0.02))
    playing = [timed(games) for _ in range(150)]
    waited_for(games, *playing)
    serving.beat()
    began = monotonic()
    answered = deadline_worker.attend(fences(games))
    assert monotonic() - began < sum(share.patience for share in SHARES.values())
    assert answered < 150
    eventually(lambda: deadline_worker.attend(fences(games)) > 0)
    while answered < 150:
        serving.beat()
        answered += deadline_worker.attend(fences(games))
    assert {games.load(game).version for game in playing} <= {3, 4}, "all others had their turn before the first again"


def test_a_game_that_takes_long_holds_up_neither_its_look_nor_the_next_one(
    games, deadline_worker, serving, monkeypatch
):
    huge, real = timed(games, limit_ms=REAL), timed(games, limit_ms=1_100)
    submit, folded = games.submit, Event()

    def fold_slowly(game: str, command, **more: int):
        assert game != huge or folded.wait(60)
        return submit(game, command, **more)

    monkeypatch.setattr(games, "submit", fold_slowly)
    waited_for(games, huge, real)
    serving.beat()
    assert deadline_worker.attend(fences(games)) == 1
    try:
        another = timed(games, limit_ms=REAL)
        waited_for(games, another)
        serving.beat()
        began = monotonic()
        assert deadline_worker.attend(fences(games)) >= 1
        assert monotonic() - began < SHARES[PEOPLE].patience, "the thread that is held up was not waited for again"
        assert games.load(another).version == 3
    finally:
        folded.set()
    eventually(lambda: games.load(huge).version == 3)


def test_a_game_that_takes_long_and_plays_by_itself_holds_up_no_player(games, deadline_worker, serving, monkeypatch):
    playing, real = [timed(games) for _ in range(5)], timed(games, limit_ms=REAL)
    submit, folded = games.submit, Event()

    def fold_slowly(game: str, command, **more: int):
        assert game not in playing or folded.wait(60)
        return submit(game, command, **more)

    monkeypatch.setattr(games, "submit", fold_slowly)
    waited_for(games, *playing)
    serving.beat()
    try:
        assert deadline_worker.attend(fences(games)) == 0
        waited_for(games, real)
        serving.beat()
        assert deadline_worker.attend(fences(games)) == 1
        assert games.load(real).version == 3
    finally:
        folded.set()


# What hostile tables do


def test_a_damaged_game_does_not_stop_its_bucket(store, games, deadline_worker, serving):
    damaged = timed(games, limit_ms=REAL)
    fence = fences(games)[USUAL.of(damaged)]
    key = USUAL.key_of(damaged, f"log:{damaged}")
    store.commands.delete(key)
    store.commands.xadd(key, {"c": b"\xff not a commit"}, id="1-0")
    store.commands.zadd(USUAL.key_of(damaged, "deadlines"), {damaged: 1})
    another = DeadlineWorker(Games(games.log, now=games.now), serving)
    neighbour = next(name for name in map(str, count()) if USUAL.of(name) == USUAL.of(damaged))
    timed(games, id=neighbour, limit_ms=REAL)
    waited_for(games, neighbour)
    serving.beat()
    assert another.attend({USUAL.of(damaged): fence}) == 1
    assert games.load(neighbour).version == 3
    another.close()


def test_a_table_that_changes_too_fast_is_looked_after_at_the_next_look(games, deadline_worker, serving, monkeypatch):
    game = timed(games, limit_ms=REAL)
    submit, tries = games.submit, count()

    def too_fast(game: str, command, **more: int):
        if next(tries) == 0:
            raise Busy(say("an example"))
        return submit(game, command, **more)

    waited_for(games, game)
    monkeypatch.setattr(games, "submit", too_fast)
    serving.beat()
    assert [deadline_worker.attend(fences(games)) for _ in range(2)] == [0, 1]


def test_a_table_that_pauses_and_resumes_for_ever_holds_up_no_other(games, deadline_worker, serving):
    restless, real = timed(games), timed(games, limit_ms=REAL)
    over = Event()

    def pause_and_resume() -> None:
        another = Games(games.log, now=games.now)
        while not over.is_set():
            another.submit(restless, Pause("olga", is_admin=True))
            another.submit(restless, Resume("olga", is_admin=True))

    with ThreadPoolExecutor(1) as thread:
        restlessness = thread.submit(pause_and_resume)
        waited_for(games, real)
        serving.beat()
        deadline_worker.attend(fences(games))
        over.set()
        restlessness.result()
    assert games.load(real).version == 3


# Other work


def test_tables_that_play_by_themselves_do_not_hold_up_less_urgent_jobs(games, deadline_worker, serving):
    waiting = [timed(games) for _ in range(3)]
    waited_for(games, *waiting)
    eventually(lambda: games.now() > games.load(waiting[0]).attention_at + LATE_AFTER_MS)
    serving.beat()
    deadline_worker.attend(fences(games))
    assert not deadline_worker.is_behind


def test_less_urgent_jobs_wait_for_late_deadlines_but_not_for_ever(games, deadline_worker, serving, monkeypatch):
    game = timed(games, limit_ms=REAL)
    eventually(lambda: games.now() > games.load(game).attention_at + LATE_AFTER_MS)
    serving.beat()
    deadline_worker.attend(fences(games))
    assert deadline_worker.is_behind
    monkeypatch.setattr(deadlines, "SECONDS_BEHIND", 0.0)
    assert not deadline_worker.is_behind
