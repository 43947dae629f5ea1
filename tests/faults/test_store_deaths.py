"""The embedded store of a real service dies, runs out of room, or loses the process that started it.

It comes back, with every acknowledged move, or the service ends.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError, RedisError

from events.store import embedded
from events.store.clients import probe
from service.client import Hidalgo, Problem
from tests.events.servers import eventually, is_vacant
from tests.running import Service, running, stop_store

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
SECONDS_TO_COME_BACK, SECONDS_FOR_A_MOVE = 20.0, 60.0
"""Much, for a machine that is busy with other tests; the figures that are printed tell more."""


@contextmanager
def serving(data: Path, place: Path, *options: str, **env: str) -> Iterator[Service]:
    """On a directory that others may use as well: it is left to the fixture to stop what is left behind."""
    with running([HIDALGO, "serve", "--data", str(data), *options], place, {**os.environ, **env}) as service:
        yield service


def pid_of_store(data: Path) -> int:
    with probe(embedded.Embedded(data).url) as server:
        return int(server.info("server")["process_id"])


def kill_store(data: Path) -> None:
    os.kill(pid_of_store(data), signal.SIGKILL)


def readiness(service: Service) -> str:
    """`ready`, or the code of the problem."""
    try:
        return json.loads(service.get("/readyz"))["status"]
    except HTTPError as refusal:
        return json.loads(refusal.read())["code"]


def is_ready(service: Service) -> bool:
    return readiness(service) == "ready"


def told(service: Service, event: str) -> list[dict]:
    """The lines of the log with this event."""
    lines = [json.loads(line) for line in service.error_output().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def figure(service: Service, name: str) -> float:
    [line] = [line for line in service.get("/metrics").splitlines() if re.match(rf"{name}[ {{]", line)]
    return float(line.split()[-1])


class Pair:
    """Two clients that play one game after the other, and note every acknowledged move."""

    def __init__(self, service: Service, seed: int) -> None:
        self.url, self.chance = service.url, random.Random(seed)
        self.acknowledged: dict[str, list[int]] = {}
        self.people = [Hidalgo(service.url, retry_for=60).guest() for _ in range(2)]
        self.stopping = Event()
        self.thread = Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self) -> None:
        while not self.stopping.is_set():
            game = self.people[0].create_game(players=2, options={"game_length": "short"}).id
            self.people[1].join(game)
            self.people[0].start(game)
            self.play_game(game)

    def play_game(self, game: str) -> None:
        versions = self.acknowledged.setdefault(game, [])
        while not self.stopping.is_set():
            asked = [(person, found) for person in self.people for found in person.decisions(game).decisions]
            if not asked:
                return
            person, decision = self.chance.choice(asked)
            with suppress(Problem):
                versions.append(person.move(game, **decision.example).version)

    def stop(self) -> None:
        self.stopping.set()
        self.thread.join(timeout=60)
        assert not self.thread.is_alive()

    def check(self) -> int:
        """Every acknowledged move is there, once. Gives their number."""
        for game, versions in self.acknowledged.items():
            stored = [event.version for event in self.people[0].events(game)]
            assert stored == list(range(1, len(stored) + 1))
            assert set(versions) <= set(stored)
            assert len(versions) == len(set(versions))
        return self.moves

    @property
    def moves(self) -> int:
        return sum(map(len, list(self.acknowledged.values())))


def wait_for_a_move(pairs: list[Pair]) -> None:
    before = sum(pair.moves for pair in pairs)
    eventually(lambda: sum(pair.moves for pair in pairs) > before, SECONDS_FOR_A_MOVE)


def survive_kills(data: Path, place: Path, kills: int) -> None:
    chance = random.Random(kills)
    with serving(data, place, "--workers", "2") as service:
        pairs = [Pair(service, seed) for seed in range(2)]
        slowest = 0.0
        for _ in range(kills):
            time.sleep(chance.uniform(0.2, 1.5))
            before, killed = pid_of_store(data), time.monotonic()
            os.kill(before, signal.SIGKILL)
            eventually(lambda: is_ready(service), SECONDS_TO_COME_BACK)
            slowest = max(slowest, time.monotonic() - killed)
            assert pid_of_store(data) != before
            wait_for_a_move(pairs)
        for pair in pairs:
            pair.stop()
        moves = sum(pair.check() for pair in pairs)
        print(f"{kills} kills, {moves} acknowledged moves, none lost; away for at most {slowest:.2f} s")
        assert moves >= kills
        assert figure(service, "hidalgo_store_restarts_total") == kills
        assert len(told(service, "the store was away")) == kills
        assert service.stop(signal.SIGTERM) == 0
    assert is_vacant(data)


def test_a_store_that_is_killed_comes_back_and_no_acknowledged_move_is_lost(tmp_path, data):
    survive_kills(data, tmp_path, kills=4)


@pytest.mark.long
def test_twenty_kills_of_the_store_lose_no_acknowledged_move(tmp_path, data):
    survive_kills(data, tmp_path, kills=20)


def test_a_store_that_cannot_come_back_ends_the_service_with_its_reason(tmp_path, data):
    with serving(data, tmp_path) as service:
        [file] = (data / "appendonlydir").glob("*.incr.aof")
        kill_store(data)
        file.write_bytes(b"damaged" * 100)
        assert service.process.wait(timeout=60) == 1
        assert "the store has died and cannot be brought back" in service.error_output()
        assert f"{file} is damaged" in service.error_output()
        [line] = told(service, "the store cannot be brought back")
        assert line["level"] == "error"


# Two services


def test_a_second_service_shares_the_store_and_goes_on_when_the_first_ends(tmp_path, data):
    with serving(data, tmp_path) as second_to_end, ExitStack() as first:
        # The one that is started first owns the store.
        owner, other = second_to_end, first.enter_context(serving(data, tmp_path))
        ana = Hidalgo(owner.url).guest()
        game = ana.create_game(players=2)
        assert Hidalgo(other.url, token=ana.token).game(game.id).id == game.id
        assert owner.stop(signal.SIGTERM) == 0
        eventually(lambda: is_ready(other), SECONDS_TO_COME_BACK)
        assert Hidalgo(other.url, token=ana.token).create_game(players=2).id
        assert other.stop(signal.SIGTERM) == 0
    assert is_vacant(data)


def test_a_second_service_that_ends_does_not_touch_the_store_of_the_first(tmp_path, data):
    with serving(data, tmp_path) as first:
        store = pid_of_store(data)
        with serving(data, tmp_path) as second:
            assert second.stop(signal.SIGTERM) == 0
            assert pid_of_store(data) == store
            assert is_ready(first)


def test_two_services_whose_store_is_killed_start_one_between_them(tmp_path, data):
    with serving(data, tmp_path) as first, serving(data, tmp_path) as second:
        kill_store(data)
        eventually(lambda: is_ready(first) and is_ready(second), SECONDS_TO_COME_BACK)
        eventually(lambda: all(len(told(service, "the store was away")) == 1 for service in (first, second)))
        assert sum(figure(service, "hidalgo_store_restarts_total") for service in (first, second)) == 1


# No room


@pytest.fixture
def small_disk(data: Path) -> Iterator[Path]:
    """A data directory with a file system of its own."""
    if sys.platform != "linux" or os.geteuid():
        pytest.skip("only the superuser may mount")
    data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(data)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        yield data
    finally:
        stop_store(data)
        subprocess.run(["umount", "-l", data], check=True)


def fill(disk: Path) -> Path:
    """No page is left, and no room on the page to which the store writes: an idle one would not notice for minutes."""
    with (disk / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 65536):
            pass
    with probe(embedded.Embedded(disk).url) as server, suppress(RedisError):
        for _ in range(100):
            server.set("filler", b"x" * 4096)
    return disk / "filler"


def code_of_a_new_guest(service: Service) -> str:
    try:
        Hidalgo(service.url, retry_for=0).guest()
        return ""
    except Problem as problem:
        return problem.code


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_full_disk_is_told_and_writing_goes_on_when_there_is_room(tmp_path, small_disk, fsync):
    with serving(small_disk, tmp_path, HIDALGO_FSYNC=fsync) as service:
        ana = Hidalgo(service.url, retry_for=0).guest()
        game = ana.create_game(players=2)
        filler = fill(small_disk)
        eventually(lambda: readiness(service) == "store_full")
        assert code_of_a_new_guest(service) == "store_full"
        assert ana.game(game.id).id == game.id
        eventually(lambda: json.loads(service.get("/healthz"))["store"] == "store_full")
        filler.unlink()
        eventually(lambda: is_ready(service), SECONDS_TO_COME_BACK)
        ana.create_game(players=2)
        with probe(embedded.Embedded(small_disk).url) as server:
            assert server.config_get("appendfsync") == {"appendfsync": fsync}
        kill_store(small_disk)
        eventually(lambda: is_ready(service), SECONDS_TO_COME_BACK)
        assert len(list(ana.games())) == 2
        assert service.process.poll() is None


def test_a_service_that_finds_a_store_without_room_lets_it_write_when_there_is_some(tmp_path, small_disk):
    with serving(small_disk, tmp_path) as service:
        filler = fill(small_disk)
        eventually(lambda: readiness(service) == "store_full")
        service.stop(signal.SIGKILL)
        with serving(small_disk, tmp_path) as next_one:
            assert readiness(next_one) == "store_full"
            filler.unlink()
            eventually(lambda: is_ready(next_one), SECONDS_TO_COME_BACK)
            assert next_one.stop(signal.SIGTERM) == 0


def test_a_service_stops_in_peace_while_its_disk_is_full(tmp_path, small_disk):
    with serving(small_disk, tmp_path) as service:
        fill(small_disk)
        eventually(lambda: readiness(service) == "store_full")
        assert service.stop(signal.SIGTERM) == 0
        assert is_vacant(small_disk)


def test_a_disk_that_is_nearly_full_takes_moves_and_nothing_new(tmp_path, small_disk):
    with serving(small_disk, tmp_path) as service:
        pair = Pair(service, 1)
        eventually(lambda: any(pair.acknowledged.values()))
        pair.stop()
        (small_disk / "filler").write_bytes(b"x" * (40 << 20))
        eventually(lambda: code_of_a_new_guest(service) == "store_full")
        assert a_move_is_made(pair)
        (small_disk / "filler").unlink()
        eventually(lambda: not code_of_a_new_guest(service))


def a_move_is_made(pair: Pair) -> bool:
    [*_, game] = pair.acknowledged
    [(person, decision), *_] = [(one, found) for one in pair.people for found in one.decisions(game).decisions]
    return person.move(game, **decision.example).version > 0


# Memory


def fill_memory(server: Redis, share: float) -> None:
    with suppress(OutOfMemoryError):
        while (about := server.info("memory"))["used_memory"] < share * about["maxmemory"]:
            server.rpush("filler", b"x" * 16384)


def readiness_when_filled(service: Service, server: Redis) -> str:
    """Buffers of clients count as well, and shrink."""
    fill_memory(server, 1.0)
    return readiness(service)


def test_a_store_whose_memory_is_nearly_full_takes_moves_and_nothing_new(tmp_path, data):
    with serving(data, tmp_path, HIDALGO_STORE_MEMORY="16") as service, ExitStack() as ending:
        server = ending.enter_context(probe(embedded.Embedded(data).url))
        pair = Pair(service, 1)
        eventually(lambda: any(pair.acknowledged.values()))
        pair.stop()
        assert figure(service, "hidalgo_store_up") == 1
        limit = figure(service, "hidalgo_store_memory_limit_bytes")
        assert limit == 16 << 20

        fill_memory(server, 0.93)
        assert 0.9 * limit < figure(service, "hidalgo_store_memory_bytes") < limit
        eventually(lambda: code_of_a_new_guest(service) == "store_full")
        assert a_move_is_made(pair)
        assert is_ready(service)

        eventually(lambda: readiness_when_filled(service, server) == "store_full")
        [*_, game] = pair.acknowledged
        assert pair.people[0].game(game).id == game
        server.delete("filler")
        eventually(lambda: is_ready(service) and not code_of_a_new_guest(service))
        assert a_move_is_made(pair)
        assert figure(service, "hidalgo_store_restarts_total") == 0
