"""Servers and writers are killed at random moments. Nothing that was acknowledged is lost, doubled or changed."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import NamedTuple

import pytest

from events.audit.verify import verify_stored
from events.games import Games
from events.log import codec
from events.log.redis import RedisLog
from events.store import Store, connect
from events.table.commands import Start
from tests.events.servers import debian_binary, embedded_server, eventually, server
from tests.faults.writer import patiently

WRITERS = 3


class Promise(NamedTuple):
    """A commit that was acknowledged."""

    game: str
    version: int
    command: str
    hash: str


class Writer:
    """A process that plays; its promises are collected here and outlive it."""

    def __init__(self, url: str, seed: str, games: list[str], program: str = "tests.faults.writer") -> None:
        words = [sys.executable, "-m", program, url, seed, *games]
        self.promises: list[Promise] = []
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._reader = Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            if line.endswith("\n"):
                game, version, command, hash_ = line.split()
                self.promises.append(Promise(game, int(version), command, hash_))

    def kill(self) -> list[Promise]:
        """End it at once; what it had promised holds."""
        assert self.process.poll() is None, f"the writer ended by itself: {self.process.stderr.read()}"  # type: ignore[union-attr]
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)
        self._reader.join(timeout=10)
        self.process.stdout.close()  # type: ignore[union-attr]
        self.process.stderr.close()  # type: ignore[union-attr]
        return self.promises


@contextmanager
def killable(kind: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """A store's address, and what kills it and starts it again."""
    if kind == "debian":
        with server(debian_binary()) as running:

            def restart() -> None:
                running.restart()
                patiently(lambda: connect(running.url).ping())

            yield running.url, restart
    else:
        with embedded_server() as embedded:

            def kill_and_start() -> None:
                os.kill(pid_of(embedded.url), signal.SIGKILL)
                eventually(lambda: not embedded.is_started_here)
                embedded.start()

            yield embedded.url, kill_and_start


def pid_of(url: str) -> int:
    store = connect(url)
    try:
        [primary] = store.primaries().values()
        return int(primary.info("server")["process_id"])
    finally:
        store.close()


def survive(kind: str, kills: int, seed: int) -> None:
    """So many kills, and then every promise is checked."""
    chance = random.Random(seed)
    with killable(kind) as (url, kill_store):
        games = new_games(url, 8)
        promises: list[Promise] = []
        writers = [Writer(url, f"{seed}-{number}", games) for number in range(WRITERS)]
        try:
            for kill in range(kills):
                time.sleep(chance.uniform(0.0, 0.12))
                games += replenished(url, games)
                if chance.random() < 0.6:
                    kill_store()
                else:
                    promises += writers.pop(chance.randrange(WRITERS)).kill()
                    writers.append(Writer(url, f"{seed}-{WRITERS + kill}", games[-8:]))
        finally:
            for writer in writers:
                promises += writer.kill()
        check(connect(url), games, promises)


def new_games(url: str, number: int) -> list[str]:
    store = connect(url)
    games = Games(RedisLog(store))
    names = [games.create("el_grande", 4).id for _ in range(number)]
    for name in names:
        games.submit(name, Start())
    store.close()
    return names


def replenished(url: str, games: list[str]) -> list[str]:
    """More games when the writers have played most of them out."""
    store = connect(url)
    try:
        running = [name for name in games[-8:] if Games(RedisLog(store)).load(name).status == "running"]
        return [] if len(running) > 2 else new_games(url, 8)
    finally:
        store.close()


def check(store: Store, games: list[str], promises: list[Promise]) -> None:
    """Every promise is kept once, every chain is whole, no command is stored twice."""
    log = RedisLog(store)
    stored = {game: [codec.read_raw(entry) for entry in log.read(game)] for game in games}
    lost = [p for p in promises if not is_kept(p, stored[p.game])]
    commands = [(game, commit["header"]["command"]) for game, commits in stored.items() for commit in commits]
    for game in games:
        verify_stored(Games(log), game)
    store.close()
    assert not lost, f"{len(lost)} of {len(promises)} acknowledged commits are lost, first {lost[0]}"
    assert len(commands) == len(set(commands)), "a command was stored twice"
    assert promises, "no commit was acknowledged"


def is_kept(promise: Promise, commits: list[dict]) -> bool:
    if promise.version > len(commits):
        return False
    commit = commits[promise.version - 1]
    return commit["header"]["command"] == promise.command and commit["hash"] == promise.hash


@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_nothing_acknowledged_is_lost_when_servers_and_writers_are_killed(kind):
    survive(kind, kills=50, seed=1)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_nothing_acknowledged_is_lost_in_a_thousand_kills(kind):
    survive(kind, kills=500, seed=2)
