"""Stores, packers, archivers and readers are killed at random while finished games are packed, archived and brought
back: nothing is lost, and nothing doubled."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from events.archive.directory import Directory
from events.audit.export import export
from events.audit.verify import verify_stored
from events.buckets import USUAL
from events.games import Games
from events.log.redis import RedisLog
from events.store import connect
from rules.kernel import SPECTATOR
from tests.events.played import play, tables
from tests.faults.packing_worker import RULED, Expected
from tests.faults.test_kills import killable
from tests.faults.writer import patiently

ROLES = ("pack", "pack", "read", "rule")
ARCHIVING = ("pack", "archive", "archive", "read", "rule")
GAMES = 12


class Worker:
    """A process with a role; its lines outlive it."""

    def __init__(self, role: str, url: str, seed: str, file: Path) -> None:
        words = [sys.executable, "-m", "tests.faults.packing_worker", role, url, seed, str(file)]
        self.role = role
        self.lines: list[str] = []
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._readers = [Thread(target=self._listen, daemon=True), Thread(target=self._listen_to_trouble, daemon=True)]
        self._trouble = ""
        for reader in self._readers:
            reader.start()

    def _listen(self) -> None:
        assert self.process.stdout
        self.lines += (line.rstrip("\n") for line in self.process.stdout if line.endswith("\n"))

    def _listen_to_trouble(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._trouble = (self._trouble + line)[-2000:]

    def kill(self) -> None:
        ended = self.process.poll()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)
        for reader in self._readers:
            reader.join(timeout=10)
        for end in (self.process.stdout, self.process.stderr):
            end.close()  # type: ignore[union-attr]
        assert ended is None, f"a worker ended by itself ({self.role}): {self._trouble}"


def survive(kind: str, kills: int, seed: int, folder: Path, roles: Sequence[str] = ROLES) -> None:
    """So many kills, and then every game is compared with what it was before."""
    chance = random.Random(seed)
    with killable(kind) as (url, kill_store):
        expected, file = fill(url, GAMES), folder / "expected"
        file.write_bytes(msgspec.msgpack.encode(expected))
        workers = [Worker(role, url, f"{seed}-{number}", file) for number, role in enumerate(roles)]
        dead: list[Worker] = []
        try:
            for kill in range(kills):
                wait_for_work(workers)
                time.sleep(chance.uniform(0.0, 0.12))
                if chance.random() < 0.6:
                    kill_store()
                    continue
                dead.append(workers.pop(chance.randrange(len(workers))))
                dead[-1].kill()
                workers.append(Worker(dead[-1].role, url, f"{seed}-{len(roles) + kill}", file))
        finally:
            for worker in workers:
                worker.kill()
        check(url, expected, [*dead, *workers], folder)


def fill(url: str, number: int) -> dict[str, Expected]:
    """Finished games, and what they are."""
    store, played = connect(url), tables()
    log, expected = RedisLog(store), {}
    for seed in range(number):
        game = play(played, 2 + seed % 2, seed=seed, game=f"over {seed}")
        stored = played.log.stored(game)
        log.restore(game, stored)
        expected[game] = Expected(stored, export(played, game, SPECTATOR))
    for game in RULED:
        log.append(game, 0, b"created", command="create", secret=b"secret")
    store.close()
    return expected


def wait_for_work(workers: list[Worker]) -> None:
    """Until each has done something: processes take a while to start, and it is in its work that a kill could harm."""
    end = time.monotonic() + 60
    while not all(worker.lines for worker in workers):
        assert time.monotonic() < end, "a worker does nothing"
        time.sleep(0.01)


def check(url: str, expected: dict[str, Expected], workers: list[Worker], folder: Path) -> None:
    store = connect(url, Directory(folder / "archive"))
    log = RedisLog(store)
    games = Games(log)
    packed = sum(int(line) for worker in workers if worker.role == "pack" for line in worker.lines)
    promises = [line.split("\t") for worker in workers if worker.role == "rule" for line in worker.lines]
    patiently(store.ping)
    for game, before in expected.items():
        assert log.stored(game) == before.stored
        assert export(games, game, SPECTATOR) == before.exported
        verify_stored(games, game)
        assert (log.archived(game) is None) == bool(store.commands.exists(log._keys.of_game(game, "log")))
    ruled = {game: log.stored(game) for game in RULED}
    listed = [game for bucket in USUAL.all for game in log.games(bucket)]
    assert sorted(listed) == sorted([*expected, *RULED]), "none is lost, and none is there twice"
    store.close()
    lost = [line for line in promises if ruled[line[0]].commands[int(line[1]) - 1 :][:1] != [line[2]]]
    assert not lost, f"{len(lost)} of {len(promises)} promised entries are lost, first {lost[0]}"
    for stored in ruled.values():
        assert [entry.decode() for entry in stored.entries[1:]] == stored.commands[1:]
        assert len(set(stored.commands)) == len(stored.commands)
    assert packed > len(expected), "hardly a game was packed"
    assert promises, "no entry was added"
    if done := [int(line) for worker in workers if worker.role == "archive" for line in worker.lines]:
        assert sum(done) > 3, "hardly a game was archived"


@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_nothing_is_lost_when_stores_packers_and_readers_are_killed(kind, tmp_path):
    survive(kind, kills=12, seed=1, folder=tmp_path)


def test_nothing_is_lost_or_doubled_when_archivers_are_killed(tmp_path):
    survive("embedded", kills=8, seed=3, folder=tmp_path, roles=ARCHIVING)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_nothing_is_lost_or_doubled_in_two_hundred_kills_while_games_are_archived(kind, tmp_path):
    survive(kind, kills=200, seed=4, folder=tmp_path, roles=ARCHIVING)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_nothing_is_lost_in_a_thousand_kills_while_games_are_packed(kind, tmp_path):
    survive(kind, kills=500, seed=2, folder=tmp_path)
