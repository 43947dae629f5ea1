"""`hidalgo bench idle`: what a service costs while no player moves."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from events.games import Games
from events.store import Store, open_store, store_errors
from events.table.commands import Start
from events.table.time_control import TimeControl
from rules.catalogue import DEFAULT
from service.bench.figures import Figure, report
from service.bench.servers import WHOLE_SERVICE, Server, serving
from service.services import services
from service.settings import Settings, environment

MOST_MEGABYTES = 5.0
"""That an idle service writes in a day."""
SECONDS_TO_SETTLE = 3.0
"""Leases are shared, and everything that begins has begun."""
A_DAY = 86_400.0
SCHEDULER = "from service.cli import main; main(['scheduler'])"
WEB_SERVERS = 2


class Cost(NamedTuple):
    """Of an idle service: bytes that its store has written, and time of the processor."""

    seconds: float
    written: int
    processor: float | None

    @property
    def megabytes_a_day(self) -> float:
        return self.written / self.seconds * A_DAY / 1e6


@click.command("idle")
@click.option("--seconds", type=click.FloatRange(1), default=30.0, show_default=True, help="Time of each measurement.")
@click.option("--schedulers", type=click.IntRange(0), default=1, show_default=True, help="Beside that of the service.")
@click.option("--tables", type=click.IntRange(1), default=100, show_default=True, help="Tables that wait for a move.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_idle(
    ctx: click.Context, seconds: float, schedulers: int, tables: int, no_limits: bool, as_json: bool
) -> None:
    """Measure a service of two web servers while no player moves: first without tables, then with tables whose players
    have a day for their move.

    Fails with exit code 1 if it would write more than five megabytes in a day.
    """
    with idle_service(schedulers) as (store, server):
        figures = [*of(measured(store, server, seconds), "without tables")]
        wait_for_moves(store, tables)
        figures += of(measured(store, server, seconds), f"{tables} tables waiting")
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


@contextmanager
def idle_service(schedulers: int) -> Iterator[tuple[Store, Server]]:
    """A whole service on an embedded store, and further schedulers."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder, ExitStack() as ending:
        store, close = open_store(None, Path(folder, "data"))
        ending.callback(close)
        settings = Settings(store_url=store.url, workers=WEB_SERVERS)
        server = ending.enter_context(serving(WHOLE_SERVICE, settings))
        for _ in range(schedulers):
            ending.enter_context(scheduler(settings))
        yield store, server


@contextmanager
def scheduler(settings: Settings) -> Iterator[None]:
    command = [sys.executable, "-c", SCHEDULER]
    with subprocess.Popen(command, env=environment(settings), stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            yield
        finally:
            process.terminate()


def wait_for_moves(store: Store, tables: int) -> None:
    """Make tables whose players have a day for each move."""
    games: Games = services(store, Settings()).games
    for _ in range(tables):
        games.submit(games.create(DEFAULT, 4, time=TimeControl(limit_ms=int(A_DAY * 1000))).id, Start())


def measured(store: Store, server: Server, seconds: float) -> Cost:
    time.sleep(SECONDS_TO_SETTLE)
    began, size, used = time.monotonic(), file_size(store), server.processor_seconds()
    time.sleep(seconds)
    lasted, written, after = time.monotonic() - began, file_size(store) - size, server.processor_seconds()
    return Cost(lasted, written, None if used is None or after is None else after - used)


def file_size(store: Store) -> int:
    """Bytes in the append-only files of all servers."""
    with store_errors():
        return sum(int(server.info("persistence")["aof_current_size"]) for server in store.primaries().values())


def of(cost: Cost, name: str) -> Iterator[Figure]:
    yield Figure(f"written in a day, {name}", cost.megabytes_a_day, "MB", at_most=MOST_MEGABYTES)
    if cost.processor is not None:
        yield Figure(f"processor, {name}", 100 * cost.processor / cost.seconds, "% of one core")
