"""Looking after deadlines: when, in which order, and what is left alone."""

from collections.abc import Iterator

import pytest

from events.errors import Damaged
from events.games import Games
from events.log import BUCKETS, bucket_of
from events.log.redis import RedisLog
from events.store import Store
from events.table.commands import Start
from events.table.time_control import TimeControl
from events.workers.deadlines import DeadlineWorker
from events.workers.heartbeat import Heartbeat
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


def timed(games: Games, **control: object) -> str:
    game = games.create("el_grande", 3, time=TimeControl(**{"limit_ms": 20, "strikes": 0} | control)).id  # type: ignore[arg-type]
    games.submit(game, Start())
    return game


def fences(games: Games) -> dict[int, int]:
    return games.log.lease(range(BUCKETS), "test", 60_000)


def test_no_time_runs_out_after_the_last_sign_of_life(games, deadline_worker, serving):
    game = timed(games)
    deadline = games.load(game).attention_at
    eventually(lambda: games.now() > deadline + 50)
    assert deadline_worker.attend(fences(games)) == 0
    serving.beat()
    assert deadline_worker.attend(fences(games)) == 1


def test_a_worker_without_a_bucket_does_nothing(games, deadline_worker, serving):
    deadline = games.load(timed(games)).attention_at
    eventually(lambda: games.now() > deadline)
    serving.beat()
    assert deadline_worker.attend({}) == 0


def test_a_worker_that_has_lost_a_bucket_leaves_its_games_alone(games, deadline_worker, serving):
    game = timed(games)
    old = fences(games)
    games.log.give_up(range(BUCKETS), "test")
    games.log.lease(range(BUCKETS), "another", 60_000)
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
    assert deadline_worker.attend(fences(games)) == 1
    assert deadline_worker.attend({bucket_of(broken): fences(games)[bucket_of(broken)]}) == 0
    assert games.load(whole).version == 3
