"""The lateness of real deadlines, alone and beside tables that play by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles

from events.games import Games
from events.history import Transition, replay
from events.store import open_store
from events.table.commands import Start
from events.table.decider import GAME
from events.table.facts import TimeRanOut
from events.table.game import Game
from events.table.time_control import BOT, TimeControl
from rules.catalogue import DEFAULT
from service.bench.figures import Figure
from service.operations.scheduler import scheduling
from service.services import services
from service.settings import Settings

SELF_PLAYING = TimeControl(limit_ms=1, strikes=1, policy=BOT)
LIMITS_MS = (1_500, 4_000)
"""The limits of real tables are spread between these."""

EACH = 4
"""So many deadlines of each real table are measured: as many as it has players."""


def lateness(folder: Path, playing: int, real: int) -> Iterator[Figure]:
    """Figures of so many real tables, with and without so many self-playing ones, which must not make them late."""
    alone = measured(folder / "alone", 0, real)
    yield Figure("real deadlines late, alone", median(alone), "s")
    yield Figure("99th percentile, alone", percentile(alone), "s")
    beside = measured(folder / "beside", playing, real)
    yield Figure(f"real deadlines late, beside {playing:,} tables", median(beside), "s")
    yield Figure(f"99th percentile, beside {playing:,} tables", percentile(beside), "s", at_most=1)


def percentile(late: Sequence[float]) -> float:
    return quantiles(late, n=100)[98]


def measured(data: Path, playing: int, real: int) -> list[float]:
    """How late the deadlines of real tables were, in seconds."""
    chance = Random(real)
    with scheduled(data) as games:
        for _ in range(playing):
            begin(games, SELF_PLAYING)
        tables = [begin(games, TimeControl(limit_ms=chance.randint(*LIMITS_MS), strikes=0)) for _ in range(real)]
        while any(games.log.version(table) < 2 + EACH for table in tables):
            time.sleep(0.1)
        return [late for table in tables for late in late_by(games, table)]


@contextmanager
def scheduled(data: Path) -> Iterator[Games]:
    """Games of a service that serves, whose jobs run in this process."""
    with ExitStack() as ending:
        store, close = open_store(None, data)
        ending.callback(close)
        wired = services(store, Settings(), serving=True)
        wired.heartbeat.start()
        ending.callback(wired.heartbeat.stop)
        ending.callback(wired.deadlines.close)
        ending.enter_context(scheduling(store, Settings()))
        yield wired.games


def begin(games: Games, control: TimeControl) -> str:
    game = games.create(DEFAULT, 4, time=control).id
    games.submit(game, Start())
    return game


def late_by(games: Games, table: str) -> list[float]:
    """How late each of the first deadlines of a table was, in seconds."""
    steps = replay(GAME, games.commits(table, until=2 + EACH))
    return [(step.commit.header.at - deadline) / 1000 for step in steps if (deadline := missed_deadline(step))]


def missed_deadline(step: Transition[Game]) -> int:
    """The deadline that a commit answers for; 0 if it does not."""
    late = [fact.player for fact in step.commit.facts if isinstance(fact, TimeRanOut)]
    if not late or not step.before or not step.before.clock:
        return 0
    return step.before.clock.hands[late[0]].deadline
