"""`hidalgo bench streams`: how long a commit takes to reach all listeners, against a bare hub in the same run.

Latency is counted from before the commit is appended until a client has read it. The bare hub is the least that could
do the job: one thread that hears what is published and puts it, as it is, into a queue for each stream. It reads no
log, hides nothing, and loses whatever happens while it is not listening.
"""

from __future__ import annotations

import random
import re
import selectors
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, cycle
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from threading import Event, Thread
from typing import Any, Protocol

import click

from events.games import Games
from events.log import Appended
from events.log.redis import RedisLog
from events.store import Store, connect, open_store
from events.table.commands import Play, Start
from rules.catalogue import DEFAULT
from rules.simulation import random_answer, random_decision
from service.bench.figures import Figure, report
from service.bench.servers import OURS, Server, asking, percentile, serving
from service.operations.open_files import allow_files
from service.operations.serving import listening_address, run_server, url
from service.settings import Settings

THREADS_BESIDE = 64
"""For ordinary requests, besides one for each stream."""
BARE_CHANNEL = "bench:bare"
PAYLOAD = "x" * 600
"""About as long as an event."""

BARE_APPEND = """
redis.call('XADD', KEYS[1], '*', 'c', ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
"""


@click.command("streams")
@click.option("--streams", type=click.IntRange(1), default=1000, show_default=True, help="Clients that listen.")
@click.option("--tables", type=click.IntRange(1), default=100, show_default=True, help="Games they listen to.")
@click.option("--rate", type=click.IntRange(1), default=50, show_default=True, help="Commits a second, in all games.")
@click.option("--seconds", type=click.FloatRange(0.1), default=4.0, show_default=True, help="Length of a sample.")
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True, help="Samples of each kind.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_streams(
    ctx: click.Context,
    streams: int,
    tables: int,
    rate: int,
    seconds: float,
    rounds: int,
    no_limits: bool,
    as_json: bool,
) -> None:
    """Measure how long a commit takes to reach all listeners, on one worker.

    Our streams and those of a bare hub are open at the same time, and samples of them take turns; the middle one of
    their ratios counts, so that one moment of other work on the machine does not decide. Everything shares this
    machine: the store, both servers and all clients.
    """
    allow_files(4 * streams + 500)
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as data:
        store, close = open_store(None, Path(data))
        try:
            figures = list(measure(store, streams, tables, rate, seconds, rounds))
        finally:
            close()
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def measure(store: Store, streams: int, tables: int, rate: int, seconds: float, rounds: int) -> Iterator[Figure]:
    # All clients come from one address, which has half of the streams at most.
    settings = Settings(store_url=store.url, threads=2 * streams + THREADS_BESIDE, access_log=False)
    with ExitStack() as until_the_end:
        ours = until_the_end.enter_context(serving(OURS, settings))
        bare = until_the_end.enter_context(serving(BARE, settings))
        alone = asking(ours, seconds)
        writers = [Moves(store, tables), Bare(store, tables)]
        crowds = [
            until_the_end.enter_context(Crowd(server, writer.paths(), streams))
            for server, writer in zip((ours, bare), writers, strict=True)
        ]
        meanwhile: list[float] = []
        for _ in range(rounds):
            for writer, crowd in zip(writers, crowds, strict=True):
                meanwhile += sample(writer, crowd, rate, seconds, ours)
        yield from delays(streams, *(crowd.samples for crowd in crowds))
        yield from other_requests(streams, alone, meanwhile)


def delays(streams: int, ours: Sequence[list[float]], bare: Sequence[list[float]]) -> Iterator[Figure]:
    for percent in (50, 99):
        yield Figure(f"commit to client, {streams:,} streams: {percent} %", percentile(pooled(ours), percent), "ms")
        yield Figure(f"the same through a bare hub: {percent} %", percentile(pooled(bare), percent), "ms")
        yield Figure(f"ours to the bare hub: {percent} %", ratio(ours, bare, percent), "×", at_most=3)
    yield Figure("events read by clients", len(pooled(ours)), "events")


def ratio(ours: Sequence[list[float]], bare: Sequence[list[float]], percent: int) -> float:
    """The middle one of the ratios of samples that were taken one after the other."""
    return median(
        percentile(mine, percent) / percentile(floor, percent) for mine, floor in zip(ours, bare, strict=True)
    )


def pooled(samples: Iterable[list[float]]) -> list[float]:
    return list(chain.from_iterable(samples))


def other_requests(streams: int, alone: list[float], meanwhile: list[float]) -> Iterator[Figure]:
    for percent in (50, 99):
        yield Figure(f"another request, no listeners: {percent} %", percentile(alone, percent), "ms")
        yield Figure(f"another request, {streams:,} streams: {percent} %", percentile(meanwhile, percent), "ms")


# One sample


def sample(writer: Writer, crowd: Crowd, rate: int, seconds: float, server: Server) -> list[float]:
    """Commit at an even pace while the crowd listens; gives how long other requests took meanwhile."""
    asked: list[float] = []
    asker = Thread(target=lambda: asked.extend(asking(server, seconds)))
    asker.start()
    began = time.perf_counter()
    for number in range(int(rate * seconds)):
        time.sleep(max(0, began + number / rate - time.perf_counter()))
        crowd.expect(*writer.write())
    crowd.end_sample()
    asker.join()
    return asked


class Writer(Protocol):
    """Commits to one game after the other."""

    def paths(self) -> list[str]:
        """Where its games are listened to."""

    def write(self) -> tuple[str, int, float]:
        """Commit once: to which path's game, which version, and when that began."""


class Moves(Writer):
    """Random moves in real games."""

    def __init__(self, store: Store, tables: int) -> None:
        self.log = TimedLog(store)
        self.games = Games(self.log)
        self.pick = random.Random(1).randrange
        self.tables = [self.games.create(DEFAULT, 4).id for _ in range(tables)]
        for table in self.tables:
            self.games.submit(table, Start())
        self.turns = cycle(self.tables)

    def paths(self) -> list[str]:
        return [f"/api/v1/games/{table}/stream?after=2" for table in self.tables]

    def write(self) -> tuple[str, int, float]:
        table = next(self.turns)
        state = self.games.load(table).state
        accepted = self.games.submit(table, Play(random_answer(state, random_decision(state, self.pick), self.pick)))
        return f"/api/v1/games/{table}/stream?after=2", accepted.after.version, self.log.began


class TimedLog(RedisLog):
    """Remembers when its last append began."""

    began = 0.0

    def append(self, *args: Any, **more: Any) -> Appended:
        self.began = time.perf_counter()
        return super().append(*args, **more)


class Bare(Writer):
    """As many bytes in a stream, published as they are."""

    def __init__(self, store: Store, tables: int) -> None:
        self.store = store
        self.append = store.commands.register_script(BARE_APPEND)
        self.versions = dict.fromkeys((f"/{number}" for number in range(tables)), 0)
        self.turns = cycle(self.versions)

    def paths(self) -> list[str]:
        return list(self.versions)

    def write(self) -> tuple[str, int, float]:
        path = next(self.turns)
        version = self.versions[path] = self.versions[path] + 1
        began = time.perf_counter()
        self.append(keys=[f"bench:bare:{path}"], args=[f"{path} {version} {PAYLOAD}", BARE_CHANNEL])
        return path, version, began


# Clients


class Crowd:
    """Very many clients in one thread. It notes when each has read each event."""

    def __init__(self, server: Server, paths: Sequence[str], count: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.began: dict[tuple[str, int], float] = {}
        self.read: list[tuple[str, int, float]] = []
        self.samples: list[list[float]] = []
        """Milliseconds from a commit until a client has read it, of each sample."""
        self.expected = 0
        self.listeners: dict[str, int] = dict.fromkeys(paths, 0)
        self.ending = Event()
        for number in range(count):
            path = paths[number % len(paths)]
            self.listeners[path] += 1
            client = socket.create_connection(server.address, timeout=30)
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
            assert client.recv(12) == b"HTTP/1.1 200", "the stream is refused"
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ, (path, bytearray()))
        self.thread = Thread(target=self.listen)

    def __enter__(self) -> Crowd:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()

    def listen(self) -> None:
        while not self.ending.is_set():
            for key, _ in self.selector.select(timeout=0.1):
                received = key.fileobj.recv(65536)  # type: ignore[union-attr]
                now = time.perf_counter()
                path, rest = key.data
                rest += received
                *whole, tail = bytes(rest).split(b"\n\n")
                rest[:] = tail
                for event in whole:
                    if found := re.search(rb"id: (\d+)\n", event):
                        self.read.append((path, int(found[1]), now))

    def expect(self, path: str, version: int, began: float) -> None:
        self.began[path, version] = began
        self.expected += self.listeners[path]

    def wait_for_all(self) -> None:
        deadline = time.perf_counter() + 30
        while len(self.read) < self.expected:
            assert time.perf_counter() < deadline, f"{len(self.read)} of {self.expected} events have arrived"
            time.sleep(0.005)

    def end_sample(self) -> None:
        self.wait_for_all()
        self.samples.append([1000 * (at - self.began[path, version]) for path, version, at in self.read])
        self.read.clear()
        self.expected = 0


# The bare hub

BARE = "from service.bench.streams import serve_bare; serve_bare()"


def serve_bare() -> None:
    address, port = listening_address("127.0.0.1", 0)
    print(url(address, port), flush=True)
    run_server(address, port, Settings.from_env(), "service.bench.streams:bare_hub")


def bare_hub() -> Callable[..., Iterator[bytes] | list[bytes]]:
    """The least that could serve streams."""
    queues: dict[str, list[SimpleQueue[bytes]]] = {}
    pubsub = connect(Settings.from_env().store_url or "").blocking.pubsub()
    pubsub.subscribe(BARE_CHANNEL)

    def hear() -> None:
        for message in pubsub.listen():
            if message["type"] == "message":
                path, _, _ = message["data"].partition(b" ")
                for queue in queues.get(path.decode(), ()):
                    queue.put(message["data"])

    Thread(target=hear, daemon=True).start()

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterator[bytes] | list[bytes]:
        path = environ["PATH_INFO"]
        if path == "/healthz":
            start("200 OK", [])
            return [b"ok"]
        start("200 OK", [("Content-Type", "text/event-stream")])
        queue: SimpleQueue[bytes] = SimpleQueue()
        queues.setdefault(path, []).append(queue)
        return stream(queue)

    def stream(queue: SimpleQueue[bytes]) -> Iterator[bytes]:
        yield b"retry: 2000\n\n"
        while True:
            _, version, payload = queue.get().split(b" ", 2)
            yield b"id: %b\nevent: commit\ndata: %b\n\n" % (version, payload)

    return application
