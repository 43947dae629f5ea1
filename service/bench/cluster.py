"""`hidalgo bench cluster`: three nodes of a cluster on this machine, beside one store on the same cores."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from redis import Redis
from redis.exceptions import RedisError

from events.log.redis import RedisLog
from events.store import connect
from events.store.embedded import find_binary
from service.bench.figures import Figure, report
from service.bench.log import appender, per_second

SLOTS = 16384
PROCESSES = 2
WRITERS = (32, 64, 128, 256)
AT_LEAST = 0.9
SECONDS_TO_START = 20


@click.command("cluster")
@click.option("--nodes", type=click.IntRange(3), default=3, show_default=True, help="Nodes of the cluster.")
@click.option("--seconds", type=click.FloatRange(0.1), default=2.0, show_default=True, help="Of each sample.")
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True, help="Samples of each, by turns.")
@click.option("--fsync", type=click.Choice(["always", "everysec"]), default="always", show_default=True)
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_cluster(
    ctx: click.Context, nodes: int, seconds: float, rounds: int, fsync: str, no_limits: bool, as_json: bool
) -> None:
    """Append as fast as two processes can, to one store and to a cluster, by turns, both over TCP on this machine.

    All of them have the same cores, so that a cluster cannot be faster: how much slower it is tells what it costs.
    """
    with TemporaryDirectory() as folder, ExitStack() as ending:
        alone = ending.enter_context(server(Path(folder, "alone"), fsync))
        others = [ending.enter_context(server(Path(folder, f"node{n}"), fsync, cluster=True)) for n in range(nodes)]
        form(others)
        spread = "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port, _ in others)
        one = Place("one store", f"redis://127.0.0.1:{alone[0]}", [alone[1]])
        cluster = Place("the cluster", spread, [pid for _, pid in others])
        figures = list(measured(one, cluster, seconds, rounds))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def measured(one: Place, cluster: Place, seconds: float, rounds: int) -> Iterator[Figure]:
    """Either is measured with several numbers of writers, and counts with the number that suits it best.

    A node syncs its file once for all appends that are waiting. With as many writers as one store has, each of three
    nodes has a third of them: more writers are what a cluster is for.
    """
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        for place in (one, cluster):
            place.sample(pool, WRITERS[0], 0.5)
            place.appended, place.used = 0, place.seconds
        for _ in range(rounds):
            for writers in WRITERS:
                one.rates[writers].append(one.sample(pool, writers, seconds))
                cluster.rates[writers].append(cluster.sample(pool, writers, seconds))
    for place in (one, cluster):
        yield Figure(f"appends to {place.name}", median(place.rates[place.best]), "/s")
        yield Figure(f"writers that suit {place.name} best", place.best, "")
    pairs = zip(cluster.rates[cluster.best], one.rates[one.best], strict=True)
    yield Figure("the cluster to one store", median(ours / alone for ours, alone in pairs), "×", at_least=AT_LEAST)
    yield Figure("processor of all nodes to that of one store, an append", cluster.each() / one.each(), "×")


class Place:
    """Where is appended, and what was measured there."""

    def __init__(self, name: str, url: str, pids: Sequence[int]) -> None:
        self.name, self.url, self.pids = name, url, pids
        self.rates: dict[int, list[float]] = {writers: [] for writers in WRITERS}
        self.appended = self.used = 0.0

    def sample(self, pool: Executor, writers: int, seconds: float) -> float:
        """Appends a second of all processes together."""
        rates = pool.map(appends, [self.url] * PROCESSES, [writers // PROCESSES] * PROCESSES, [seconds] * PROCESSES)
        rate = sum(rates)
        self.appended += rate * seconds
        return rate

    @property
    def best(self) -> int:
        return max(WRITERS, key=lambda writers: median(self.rates[writers]))

    @property
    def seconds(self) -> float:
        """Of a processor, that its servers have used."""
        return sum(map(seconds_of, self.pids))

    def each(self) -> float:
        """Seconds of a processor for an append."""
        return (self.seconds - self.used) / self.appended


def appends(url: str, writers: int, seconds: float) -> float:
    """A second, in a process of its own."""
    with closing(connect(url)) as store:
        log, name = RedisLog(store), f"{os.getpid()}-{time.time_ns()}"
        return per_second(writers, seconds, lambda: appender(log, name=name))


def seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Servers


@contextmanager
def server(data: Path, fsync: str, *, cluster: bool = False) -> Iterator[tuple[int, int]]:
    """A server with its port and process id."""
    data.mkdir()
    port = free_port()
    words = {"port": port, "bind": "127.0.0.1", "dir": data, "appendonly": "yes", "appendfsync": fsync, "save": ""}
    words |= {"cluster-enabled": "yes", "cluster-port": free_port()} if cluster else {}
    command = [str(find_binary()), *(part for name, value in words.items() for part in (f"--{name}", str(value)))]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: bool(Redis(port=port).ping()))
            yield port, process.pid
        finally:
            process.kill()


def form(nodes: Sequence[tuple[int, int]]) -> None:
    clients = [Redis(port=port, decode_responses=True) for port, _ in nodes]
    share = -(-SLOTS // len(nodes))
    for number, client in enumerate(clients):
        client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        last = min(SLOTS, (number + 1) * share) - 1
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", number * share, last)
        about = clients[0].config_get("cluster-port")
        client.execute_command("CLUSTER", "MEET", "127.0.0.1", nodes[0][0], about["cluster-port"])
    wait_until(lambda: all(is_whole(client, len(nodes)) for client in clients))
    for client in clients:
        client.close()


def is_whole(client: Redis, nodes: int) -> bool:
    about = str(client.execute_command("CLUSTER", "INFO"))
    return "cluster_state:ok" in about and f"cluster_known_nodes:{nodes}\r" in about


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        with suppress(RedisError):
            if is_so():
                return
        time.sleep(0.05)
    raise click.ClickException("a server has not started")


def free_port() -> int:
    """Below those that the system hands out to clients, so that it is still free when a server takes it."""
    while True:
        port = random.SystemRandom().randint(10000, 20000)
        with socket.socket() as place, suppress(OSError):
            place.bind(("127.0.0.1", port))
            return port
