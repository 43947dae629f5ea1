"""Streams of a served service: cut, crowded, slow, restarted and stopped, and never a commit lost or doubled."""

import json
import os
import random
import resource
import signal
import socket
import sysconfig
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from events.games import Games
from events.log.redis import RedisLog
from events.store import connect
from events.table.commands import Abort
from tests.events.servers import Server, eventually, server
from tests.running import Service, running
from tests.service.streaming import commit, listen, listening, path

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


@pytest.fixture
def redis() -> Iterator[Server]:
    with server(appendfsync="everysec") as redis:
        yield redis


@pytest.fixture
def games(redis) -> Iterator[Games]:
    """The games of the service, as another process has them."""
    with closing(connect(redis.url)) as store:
        yield Games(RedisLog(store))


@pytest.fixture
def game(games) -> str:
    return games.create("el_grande", 5).id


@contextmanager
def served(redis: Server, place: Path, *options: str, keep_alive: float = 0.5) -> Iterator[Service]:
    settings = {"REDIS_URL": redis.url, "HIDALGO_KEEP_ALIVE": str(keep_alive), "HIDALGO_ACCESS_LOG": "off"}
    with running([HIDALGO, "serve", *options], place, {**os.environ, **settings}) as service:
        yield service


@pytest.fixture
def service(redis, tmp_path) -> Iterator[Service]:
    with served(redis, tmp_path) as service:
        yield service


def figure(service: Service, name: str) -> float:
    lines = service.get("/metrics").splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


# More than fits into all buffers between the service and a client.
TOO_MANY = 300
SOMEBODY_LONG = "a_" + "x" * 30_000


# Lost and doubled


@contextmanager
def writing(games: Games, game: str, pause: float) -> Iterator[None]:
    """A player commits to the game all the time."""
    ending = Event()

    def write() -> None:
        while not ending.wait(pause):
            commit(games, game)

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ending.set()
        writer.join()


@pytest.mark.parametrize("cuts", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_a_client_that_is_cut_off_again_and_again_misses_nothing(service, games, game, cuts):
    """It says which event it has seen last, and gets exactly those after it."""
    pick, versions = random.Random(1), list[int]()
    with writing(games, game, pause=0.002):
        for _ in range(cuts):
            stream = listen(service.url, game, after=versions[-1] if versions else 0)
            for _ in range(pick.randrange(4)):
                versions.append(int(next(stream.events).id))
            stream.cut()
    with listening(service.url, game, after=versions[-1]) as stream:
        commit(games, game)
        versions += stream.commits(until=games.load(game).version)
    assert versions == list(range(1, games.load(game).version + 1))


@pytest.mark.parametrize("cuts", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_a_hub_that_is_cut_off_again_and_again_misses_nothing(service, redis, games, game, cuts):
    with redis.client() as client, listening(service.url, game) as stream:
        versions = stream.commits(until=1)
        for number in range(cuts):
            client.client_kill_filter(_type="pubsub")
            commit(games, game)
            versions += stream.commits(until=number + 2)
    assert versions == list(range(1, cuts + 2))


def test_one_event_a_line_until_the_table_is_cleared(service, games, game):
    with listening(service.url, game, Accept="application/x-ndjson") as stream:
        assert next(stream.events).id == "1"
        games.submit(game, Abort())
        assert [event.id for event in stream.events] == ["2"]


def test_streams_go_on_when_the_store_is_restarted(service, redis, games, game):
    with listening(service.url, game) as one, listening(service.url, game) as other:
        for version in range(2, 5):
            redis.restart()
            commit(games, game)
            assert one.commits(until=version)[-1] == other.commits(until=version)[-1] == version


def test_a_client_that_does_not_read_holds_up_no_other_and_misses_nothing(redis, games, game, tmp_path):
    """What it has not read waits in the log, not in memory."""
    with (
        served(redis, tmp_path, "--threads", "32") as service,
        listening(service.url, game) as quick,
        listening(service.url, game) as slow,
    ):
        with ThreadPoolExecutor(1) as writer:
            done = writer.submit(commit, games, game, TOO_MANY, SOMEBODY_LONG)
            versions = quick.commits(until=TOO_MANY + 1)
            done.result()
        assert versions == list(range(1, TOO_MANY + 2))
        assert slow.commits(until=TOO_MANY + 1) == versions


# Room


def test_the_seventeenth_stream_of_sixteen_is_refused_and_the_others_go_on(redis, game, tmp_path):
    with served(redis, tmp_path, "--threads", "32") as service, ExitStack() as until_the_end:
        for address, share in enumerate([8, 4, 2, 1, 1], start=2):
            for _ in range(share):
                stream = until_the_end.enter_context(listening(service.url, game, source=f"127.0.0.{address}"))
                stream.commits(until=1)
        refused = listen(service.url, game)
        assert (refused.response.status, refused.response.headers["Retry-After"]) == (503, "5")
        assert json.loads(refused.response.read())["code"] == "too_many_streams"
        refused.close()
        with ThreadPoolExecutor(16) as askers:
            began = time.monotonic()
            assert len(list(askers.map(service.get, ["/healthz"] * 64))) == 64
            assert time.monotonic() - began < 10
        assert figure(service, "hidalgo_streams_open") == 16
        assert figure(service, "hidalgo_streams_refused_total") == 1


def test_clients_that_vanish_leave_their_room_to_others(redis, game, tmp_path):
    with served(redis, tmp_path, "--threads", "32", keep_alive=0.1) as service:
        for _ in range(16):
            listen(service.url, game).cut()
        eventually(lambda: figure(service, "hidalgo_streams_open") == 0)
        with listening(service.url, game) as stream:
            assert stream.commits(until=1) == [1]


def test_idle_connections_take_no_room(redis, game, tmp_path):
    with served(redis, tmp_path, "--threads", "32") as service, ExitStack() as until_the_end:
        host, port = service.url.removeprefix("http://").split(":")
        for _ in range(200):
            until_the_end.enter_context(closing(socket.create_connection((host, int(port)))))
        with listening(service.url, game) as stream:
            assert stream.commits(until=1) == [1]


def test_figures_are_those_of_all_workers(redis, game, tmp_path):
    with served(redis, tmp_path, "--workers", "2", keep_alive=0.1) as service:
        with ExitStack() as until_the_end:
            for _ in range(12):
                until_the_end.enter_context(listening(service.url, game)).commits(until=1)
            assert {figure(service, "hidalgo_streams_open") for _ in range(10)} == {12}
        eventually(lambda: figure(service, "hidalgo_streams_open") == 0)


# Stopping


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "interrupted"])
def test_a_service_that_stops_says_goodbye(redis, game, tmp_path, stop):
    with served(redis, tmp_path, keep_alive=30) as service, ExitStack() as until_the_end:
        streams = [until_the_end.enter_context(listening(service.url, game)) for _ in range(20)]
        for stream in streams:
            stream.commits(until=1)
        began = time.monotonic()
        assert service.stop(stop) == 0
        assert time.monotonic() - began < 5
        for stream in streams:
            [bye] = stream.events
            assert (bye.name, json.loads(bye.data)) == ("bye", {"version": 1})


def test_a_client_that_does_not_read_cannot_keep_it_from_stopping(redis, games, game, tmp_path):
    with served(redis, tmp_path) as service, listening(service.url, game):
        commit(games, game, TOO_MANY, SOMEBODY_LONG)
        began = time.monotonic()
        service.stop(signal.SIGTERM)
        assert time.monotonic() - began < 10


def test_requests_that_are_under_way_are_answered_before_it_stops(redis, tmp_path):
    with (
        served(redis, tmp_path, "--no-scheduler") as service,
        redis.client() as admin,
        ThreadPoolExecutor(4) as askers,
    ):
        admin.client_pause(20_000, all=False)  # Until then the store keeps those who write waiting.
        eventually(lambda: admin.info("clients")["blocked_clients"] == 1)  # The heartbeat of the worker.
        asked = [askers.submit(become_guest, service) for _ in range(4)]
        eventually(lambda: admin.info("clients")["blocked_clients"] == 5)
        service.process.terminate()
        eventually(lambda: not listens(service))
        admin.client_unpause()
        assert [answer.result(timeout=20) for answer in asked] == [201] * 4
        assert service.process.wait(timeout=20) == 0


def become_guest(service: Service) -> int:
    with urlopen(Request(f"{service.url}/api/v1/guests", method="POST"), timeout=20) as answer:
        return answer.status


def listens(service: Service) -> bool:
    address = urlsplit(service.url)
    with socket.socket() as probe:
        return probe.connect_ex((address.hostname, address.port)) == 0


# Many


@pytest.mark.long
def test_a_thousand_streams_on_one_worker(redis, games, tmp_path):
    """All from one address, which has half of the streams: they get everything, and other requests are answered."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 5000:
        pytest.skip("too few files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 5000), hard))
    tables = [games.create("el_grande", 5).id for _ in range(100)]
    with served(redis, tmp_path, "--threads", "2016", keep_alive=10) as service, ExitStack() as until_the_end:
        streams = [until_the_end.enter_context(listening(service.url, tables[number % 100])) for number in range(1000)]
        with pytest.raises(HTTPError):
            service.get(path(tables[0]))
        taken = []
        for _ in range(5):
            for table in tables:
                commit(games, table)
            began = time.monotonic()
            service.get("/healthz")
            taken.append(time.monotonic() - began)
        for stream in streams:
            assert stream.commits(until=6) == [1, 2, 3, 4, 5, 6]
        assert sorted(taken)[2] < 1
        assert service.stop(signal.SIGTERM) == 0
