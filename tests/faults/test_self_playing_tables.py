"""Two hundred tables play by themselves, as fast as they may. Real deadlines beside them are not late for it."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median, quantiles

import pytest

from events.audit.verify import verify_stored
from events.games import Games
from events.log.redis import RedisLog
from events.store import connect
from events.table.commands import Start
from events.table.time_control import BOT, TimeControl
from events.workers.heartbeat import Heartbeat
from tests.events.servers import embedded_server, eventually
from tests.faults.scheduling import Effect, effects_in, keepers

SELF_PLAYING = TimeControl(limit_ms=1, strikes=1, policy=BOT)
"""After its first answers no player is waited for, and every answer is due at once."""

EACH = 10
"""So many deadlines of each real table are measured. Its four players count as present until each has missed three."""


@contextmanager
def served(url: str) -> Iterator[tuple[Games, Heartbeat]]:
    """Games of a service that is there."""
    store = connect(url)
    heartbeat = Heartbeat(store, serving=True)
    heartbeat.start()
    try:
        yield Games(RedisLog(store), now=heartbeat.now, outages=heartbeat.outages), heartbeat
    finally:
        heartbeat.stop()
        store.close()


def begun(games: Games, control: TimeControl) -> str:
    game = games.create("el_grande", 4, time=control).id
    games.submit(game, Start())
    return game


def drilled(tables: int, people: int, limits: tuple[int, int], skews: Sequence[int] = (0,)) -> list[float]:
    """How late the deadlines of people were, in seconds, beside so many self-playing tables."""
    chance = random.Random(tables)
    with embedded_server() as server, served(server.url) as (games, heartbeat):
        with keepers(server.url, skews):
            began = heartbeat.now()
            playing = [begun(games, SELF_PLAYING) for _ in range(tables)]
            real = [begun(games, TimeControl(limit_ms=chance.randint(*limits), strikes=0)) for _ in range(people)]
            eventually(lambda: all(games.log.version(game) >= 2 + EACH for game in real), seconds=240)
            lasted = (heartbeat.now() - began) / 1000
        answers = sum(games.log.version(game) - 2 for game in playing)
        running = sum(games.load(game).status == "running" for game in playing)
        effects = [effect for game in real for effect in effects_in(games, game, 0)[:EACH]]
        for game in chance.sample(playing, min(3, tables)):
            verify_stored(games, game)
    print(f"{tables} self-playing tables: {answers:,} answers in {lasted:.0f} s, {running} of them play on")
    return told(effects)


def told(effects: Sequence[Effect]) -> list[float]:
    late = sorted((effect.at - effect.deadline) / 1000 for effect in effects)
    p99 = quantiles(late, n=100)[98]
    print(
        f"{len(late)} real deadlines: {median(late):.3f} s late (median), {p99:.3f} s (p99), {late[-1]:.3f} s (worst)"
    )
    return late


def test_people_are_not_late_for_tables_that_play_by_themselves():
    """A short one: the figure of the long drill is the promise, this limit has room for a busy machine."""
    late = drilled(tables=60, people=40, limits=(1_000, 2_000))
    assert quantiles(late, n=100)[98] <= 2


@pytest.mark.long
@pytest.mark.parametrize("skews", [(0,), (-5, 0, 5)], ids=["one scheduler", "three schedulers"])
def test_real_deadlines_beside_two_hundred_self_playing_tables(skews):
    drilled(tables=0, people=100, limits=(2_000, 5_000), skews=skews)
    late = drilled(tables=200, people=100, limits=(2_000, 5_000), skews=skews)
    assert quantiles(late, n=100)[98] <= 1
