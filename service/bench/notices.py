"""`hidalgo bench notices`: how fast accounts get notices of commits, against a bare consumer of the same feeds.

The bare consumer does the least that could be called notifying: it reads the feeds and the commits, and adds as many
bytes to as many streams, in batches as large as ours. It folds no game, and a commit that it reads twice is told twice.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import click
from redis.connection import AbstractConnection

from events.log import FeedEntry, Span
from events.log.redis import RedisLog
from events.store import Store, open_store
from events.table.commands import Play
from rules.kernel import State
from rules.simulation import random_answer, random_decision
from service.bench.clients import Hall, Table
from service.bench.figures import Figure, report
from service.notifications.notifier import COMMITS_A_LOOK, CONSUMER, Notifier
from service.settings import Settings, environment

SCHEDULER = "from service.cli import main; main(['scheduler'])"
NOTICE = b"x" * 150
"""About as long as a notice."""
SECONDS_TO_CATCH_UP = 60.0


@click.command("notices")
@click.option("--tables", type=click.IntRange(1), default=100, show_default=True, help="Games played at once.")
@click.option("--commits", type=click.IntRange(1), default=3000, show_default=True, help="Commits of a sample.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Samples of each kind.")
@click.option("--seconds", type=click.FloatRange(0.05), default=5.0, show_default=True, help="Seconds of live play.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_notices(
    ctx: click.Context, tables: int, commits: int, rounds: int, seconds: float, no_limits: bool, as_json: bool
) -> None:
    """Measure the notifier on commits that wait, against a bare consumer, and then beside games as fast as they go.

    Samples of both take turns, and the middle one of their ratios counts, so that other work on the machine disturbs
    both.
    """
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder:
        store, close = open_store(None, Path(folder))
        try:
            room = Room(store, tables)
            figures = [*waiting_commits(store, room, commits, rounds), *live_play(store, room, seconds)]
        finally:
            close()
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


# Commits that wait


def waiting_commits(store: Store, room: Room, commits: int, rounds: int) -> Iterator[Figure]:
    notifier, bare = Notifier(RedisLog(store), store), BareConsumer(store)
    ours: list[float] = []
    floor: list[float] = []
    trips: list[float] = []
    used: list[float] = []
    for _ in range(rounds):
        room.play(commits)
        count, processor = 0, time.process_time()
        began = time.perf_counter()
        with round_trips() as sent:
            while read := notifier.attend(store.buckets.all):
                count += read
        ours.append(count / (time.perf_counter() - began))
        used.append(1e6 * (time.process_time() - processor) / count)
        trips.append(sent.total() / count)
        floor.append(bare.read_all())
    yield Figure("commits read by the notifier", median(ours), "/s", at_least=1500)
    yield Figure("commits read by the bare consumer", median(floor), "/s")
    ratio = median(mine / theirs for mine, theirs in zip(ours, floor, strict=True))
    yield Figure("the notifier to the bare consumer", ratio, "×")
    yield Figure("round trips to the store, a commit", median(trips), "", at_most=1)
    yield Figure("the notifier's processor, a commit", median(used), "µs")


class BareConsumer:
    def __init__(self, store: Store) -> None:
        self._log, self._redis = RedisLog(store), store.commands
        self._positions = dict.fromkeys(store.buckets.all, "0-0")

    def read_all(self) -> float:
        """Read all that is new; gives commits a second."""
        began, count = time.perf_counter(), 0
        while found := self._next():
            self._log.read_many([Span(entry.game, entry.version - 1, entry.version) for entry in found])
            self._add(found)
            count += len(found)
        return count / (time.perf_counter() - began)

    def _next(self) -> list[FeedEntry]:
        feeds = self._log.feeds(self._positions, max(1, COMMITS_A_LOOK // self._log.buckets.count))
        self._positions |= {bucket: entries[-1].position for bucket, entries in feeds.items() if entries}
        return [entry for entries in feeds.values() for entry in entries]

    def _add(self, found: Sequence[FeedEntry]) -> None:
        pipe: Any = self._redis.pipeline(transaction=False)
        for entry in found:
            pipe.xadd(f"bench:bare:{entry.game}", {"n": NOTICE}, maxlen=1000)
        pipe.hset("bench:bare:checkpoints", mapping=self._positions)
        pipe.execute()


@contextmanager
def round_trips() -> Iterator[Counter[str]]:
    """Counts how often something was sent to the store, by the kind of the connection; a pipeline is sent once."""
    sent: Counter[str] = Counter()
    send = AbstractConnection.send_packed_command

    def counted(connection: AbstractConnection, *args: Any, **kwargs: Any) -> None:
        sent[type(connection).__name__] += 1
        send(connection, *args, **kwargs)

    with patch.object(AbstractConnection, "send_packed_command", counted):
        yield sent


# Live play


def live_play(store: Store, room: Room, seconds: float) -> Iterator[Figure]:
    """Moves as fast as one process makes them, beside a scheduler that writes notices of them."""
    with scheduler(store):
        room.play(1)
        catch_up(store)  # It has started.
        moves, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            moves += room.play(50)
        behind = catch_up(store)
    yield Figure("moves beside a scheduler", moves / seconds, "/s")
    yield Figure("the notifier behind the last move", 1000 * behind, "ms", at_most=1000)


@contextmanager
def scheduler(store: Store) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", SCHEDULER],
        env=environment(Settings(store_url=store.url)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def catch_up(store: Store) -> float:
    """The seconds until the notifier has read all feeds."""
    log, began = RedisLog(store), time.perf_counter()
    while any(log.feeds(log.checkpoints_of(CONSUMER, store.buckets.all), 1).values()):
        assert time.perf_counter() - began < SECONDS_TO_CATCH_UP, "the notifier does not read the feeds"
        time.sleep(0.005)
    return time.perf_counter() - began


# Games


@dataclass
class Playing:
    table: Table
    game: str
    state: State


class Room:
    """Tables at which one game follows the other."""

    def __init__(self, store: Store, tables: int) -> None:
        self._hall = Hall(store)
        self._tables = [self._begun(self._hall.table()) for _ in range(tables)]
        self._turns = cycle(self._tables)

    def play(self, moves: int) -> int:
        """So many moves, table by table."""
        for _ in range(moves):
            playing = next(self._turns)
            if playing.state.is_over:
                begun = self._begun(playing.table)
                playing.game, playing.state = begun.game, begun.state
            pick = self._hall.pick
            answer = random_answer(playing.state, random_decision(playing.state, pick), pick)
            playing.state = self._hall.games.submit(playing.game, Play(answer)).after.state
        return moves

    def _begun(self, table: Table) -> Playing:
        return Playing(table, *self._hall.started(table))
