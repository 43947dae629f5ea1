"""Two hundred tables play by themselves, as fast as they may, beside others that mean harm. Real deadlines are not late
for it."""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from statistics import median, quantiles
from threading import Event

import pytest

from events.audit.verify import verify_stored
from events.buckets import USUAL
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store, connect
from events.table.commands import Pause, Resume, Start
from events.table.time_control import BOT, TimeControl
from events.workers.heartbeat import Heartbeat
from tests.events.servers import embedded_server, eventually
from tests.faults.scheduling import Effect, effects_in, keepers

SELF_PLAYING = TimeControl(limit_ms=1, strikes=1, policy=BOT)
"""After its first answers no player is waited for, and every answer is due at once."""

EMPTY_BANKS = TimeControl(bank_ms=5_000, strikes=0)
"""As little as an account may agree on. Every player is late once, and then always, at once."""

MOST_EACH = 10
"""So many deadlines of a real table can be measured. Its four players count as present until each has missed three."""


@contextmanager
def served(url: str) -> Iterator[tuple[Store, Games]]:
    """Games of a service that is there."""
    store = connect(url)
    heartbeat = Heartbeat(store, serving=True)
    heartbeat.start()
    try:
        yield store, Games(RedisLog(store), now=heartbeat.now, outages=heartbeat.outages)
    finally:
        heartbeat.stop()
        store.close()


def begun(games: Games, control: TimeControl) -> str:
    game = games.create("el_grande", 4, time=control).id
    games.submit(game, Start())
    return game


# Tables that mean harm


def damaged(store: Store, games: Games) -> str:
    """A game that cannot be folded, and whose deadline comes all the same."""
    game = begun(games, TimeControl(limit_ms=1_000))
    store.commands.delete(USUAL.key_of(game, f"log:{game}"))
    for version in (1, 2):
        store.commands.xadd(USUAL.key_of(game, f"log:{game}"), {"c": b"no commit"}, id=f"{version}-0")
    return game


@contextmanager
def restless(games: Games, tables: int) -> Iterator[None]:
    """Tables whose clocks are stopped and started without end."""
    over, names = Event(), [begun(games, TimeControl(limit_ms=1_000, strikes=0)) for _ in range(tables)]

    def pause_and_resume() -> None:
        while not over.is_set():
            for name in names:
                games.submit(name, Pause("olga", is_admin=True))
                games.submit(name, Resume("olga", is_admin=True))

    with ThreadPoolExecutor(1) as hand:
        restlessness = hand.submit(pause_and_resume)
        try:
            yield
        finally:
            over.set()
        restlessness.result()


@contextmanager
def hostile(store: Store, games: Games) -> Iterator[None]:
    """Empty banks in one bucket, a damaged game in every fourth, and tables that never rest."""
    crowded, spoilt = 7, set[int]()
    while len(spoilt) < USUAL.count // 4:
        spoilt.add(USUAL.of(damaged(store, games)))
    names = (f"crowd {number}" for number in range(100_000))
    for name in [name for name in names if USUAL.of(name) == crowded][:150]:
        games.submit(games.create("el_grande", 5, time=EMPTY_BANKS, game=name).id, Start())
    with restless(games, 3):
        yield


# The drill

Company = Callable[[Store, Games], AbstractContextManager[None]]


def drilled(
    tables: int, people: int, limits: tuple[int, int], each: int, *, skews: Sequence[int] = (0,), company: Company
) -> float:
    """How late real deadlines were beside so many self-playing tables: the 99th percentile, in seconds."""
    chance = random.Random(tables)
    with embedded_server() as server, served(server.url) as (store, games), keepers(server.url, skews):
        began = games.now()
        playing = [begun(games, SELF_PLAYING) for _ in range(tables)]
        with company(store, games):
            real = [begun(games, TimeControl(limit_ms=chance.randint(*limits), strikes=0)) for _ in range(people)]
            eventually(lambda: all(games.log.version(game) >= 2 + each for game in real), seconds=240)
        lasted = (games.now() - began) / 1000
        answers = sum(games.log.version(game) - 2 for game in playing)
        running = sum(games.load(game).status == "running" for game in playing)
        effects = [effect for game in real for effect in effects_in(games, game, 0)[:each]]
        for game in chance.sample(playing, min(3, tables)):
            verify_stored(games, game)
    print(f"{tables} self-playing tables: {answers:,} answers in {lasted:.0f} s, {running} of them play on")
    return lateness(effects)


def lateness(effects: Sequence[Effect]) -> float:
    late = sorted((effect.at - effect.deadline) / 1000 for effect in effects)
    p99 = quantiles(late, n=100)[98]
    print(
        f"{len(late)} real deadlines: {median(late):.3f} s late (median), {p99:.3f} s (p99), {late[-1]:.3f} s (worst)"
    )
    return p99


def alone(store: Store, games: Games) -> AbstractContextManager[None]:
    return nullcontext()


@pytest.mark.parametrize("company", [alone, hostile], ids=["beside self-playing tables", "beside hostile ones, too"])
def test_real_deadlines_are_not_late(company):
    """The long drill shows what is promised; this limit has room for a busy machine."""
    assert drilled(tables=60, people=40, limits=(1_000, 2_000), each=4, company=company) <= 3


@pytest.mark.long
@pytest.mark.parametrize("company", [alone, hostile])
@pytest.mark.parametrize("skews", [(0,), (-5, 0, 5)], ids=["one scheduler", "three schedulers"])
def test_real_deadlines_beside_two_hundred_self_playing_tables(skews, company):
    drilled(tables=0, people=100, limits=(2_000, 5_000), each=MOST_EACH, skews=skews, company=alone)
    late = drilled(tables=200, people=100, limits=(2_000, 5_000), each=MOST_EACH, skews=skews, company=company)
    assert late <= 1
