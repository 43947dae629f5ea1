"""`hidalgo bench time`: what looking after deadlines costs, whether waiting games make it dearer, and whether
self-playing tables make real deadlines late."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from events.games import Games
from events.log.redis import RedisLog
from events.store import open_store
from events.table.commands import Start
from events.table.time_control import TimeControl
from events.workers.bucket_leases import BucketLeases
from events.workers.deadlines import DeadlineWorker
from rules.catalogue import DEFAULT
from service.bench.figures import Figure, report
from service.bench.lateness import lateness
from service.bench.log import fill
from service.services import services
from service.settings import Settings

WAITING = (10, 1_000, 100_000)


@click.command("time")
@click.option("--ticks", type=click.IntRange(1), default=200, show_default=True, help="Looks at each store.")
@click.option("--due", type=click.IntRange(1), default=300, show_default=True, help="Deadlines that fall due at once.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="How often they do.")
@click.option("--most", type=click.IntRange(10), default=WAITING[-1], show_default=True, help="Games that wait.")
@click.option("--playing", type=click.IntRange(1), default=200, show_default=True, help="Self-playing tables.")
@click.option("--real", type=click.IntRange(1), default=100, show_default=True, help="Tables beside them.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_time(
    ctx: click.Context,
    ticks: int,
    due: int,
    rounds: int,
    most: int,
    playing: int,
    real: int,
    no_limits: bool,
    as_json: bool,
) -> None:
    """Measure the deadline worker with few, more and many games that wait for their deadline.

    Each number of games has a store of its own, and the stores are measured by turns, so that other work on the machine
    disturbs all of them. Then deadlines of real tables are measured, alone and beside self-playing ones.
    """
    numbers = [min(number, most) for number in WAITING]
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder, ExitStack() as ending:
        stores = [
            MeasuredStore.opened(ending, Path(folder, str(index)), number) for index, number in enumerate(numbers)
        ]
        figures = [*looking(stores, ticks), *firing(stores, due, rounds)]
        figures += lateness(Path(folder), playing, real)
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


@dataclass(frozen=True)
class MeasuredStore:
    """A store in which so many games wait, and its deadline worker."""

    waiting: int
    games: Games
    deadline_worker: DeadlineWorker
    fences: dict[int, int]

    @classmethod
    def opened(cls, ending: ExitStack, data: Path, waiting: int) -> MeasuredStore:
        store, close = open_store(None, data)
        ending.callback(close)
        wired = services(store, Settings(), serving=True)
        ending.callback(wired.deadlines.close)
        fill(RedisLog(store), waiting)
        wired.heartbeat.start()
        ending.callback(wired.heartbeat.stop)
        leases = BucketLeases(store, wired.games.log, lease=3600)
        leases.renew()
        return cls(waiting, wired.games, wired.deadlines, leases.fences)

    def look(self) -> float:
        """Milliseconds of one look at which nothing is due."""
        began = time.perf_counter()
        self.deadline_worker.attend(self.fences)
        return 1000 * (time.perf_counter() - began)

    def fire(self, due: int) -> float:
        """Deadlines a second, when so many games fall due at once."""
        control = TimeControl(limit_ms=1, strikes=0)
        ids = [self.games.create(DEFAULT, 4, time=control).id for _ in range(due)]
        for id in ids:
            self.games.submit(id, Start())
        time.sleep(0.01)
        began, answered = time.perf_counter(), 0
        while answered < due:
            answered += self.deadline_worker.attend(self.fences)
        lasted = time.perf_counter() - began
        for id in ids:
            self.games.log.remove(id)
        return answered / lasted


def looking(stores: Sequence[MeasuredStore], ticks: int) -> Iterator[Figure]:
    """A look must cost the same however many wait."""
    looks: list[list[float]] = [[] for _ in stores]
    for _ in range(ticks):
        for samples, one in zip(looks, stores, strict=True):
            samples.append(one.look())
    few = median(looks[0])
    for samples, one in zip(looks, stores, strict=True):
        yield Figure(f"a look, {one.waiting:,} games waiting", median(samples), "ms")
    yield Figure("a look with many waiting to one with few", median(looks[-1]) / few, "×", at_most=1.2)


def firing(stores: Sequence[MeasuredStore], due: int, rounds: int) -> Iterator[Figure]:
    """So must an answer for a player who is late."""
    speeds: list[list[float]] = [[] for _ in stores]
    for _ in range(rounds):
        for samples, one in zip(speeds, stores, strict=True):
            samples.append(one.fire(due))
    for samples, one in zip(speeds, stores, strict=True):
        yield Figure(f"deadlines fired, {one.waiting:,} games waiting", median(samples), "/s")
    yield Figure("fired with many waiting to with few", median(speeds[-1]) / median(speeds[0]), "×", at_least=0.8)
