"""Real servers for tests, and ways to make them fail.

The fixture `store` runs a test on every kind of store: the embedded server, Debian's redis-server, a cluster of three,
and the one at HIDALGO_TEST_REDIS_URL, if set; that one must be empty at first, and is emptied again. To run a test on
some kinds only: `@pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)`.
"""

import fcntl
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from events.store import Store, connect
from events.store.clients import probe
from events.store.directory import lease_on
from events.store.embedded import Embedded, find_binary, quoted

GIVEN = os.environ.get("HIDALGO_TEST_REDIS_URL")
KINDS = ["embedded", "debian", "cluster", *(["given"] if GIVEN else [])]


@pytest.fixture(params=KINDS)
def store(request, running_stores) -> Iterator[Store]:
    """An empty store of each kind."""
    with running_stores.opened(request.param) as store:
        yield store


@pytest.fixture(scope="session")
def running_stores() -> Iterator["RunningStores"]:
    with RunningStores() as running:
        yield running


class RunningStores:
    """One store of each kind, started when first asked for, stopped at the end."""

    def __init__(self) -> None:
        self.urls: dict[str, str] = {}
        self.ending = ExitStack()

    def __enter__(self) -> "RunningStores":
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.close()

    @contextmanager
    def opened(self, kind: str, buckets: int | None = None) -> Iterator[Store]:
        with ExitStack() as until_the_end:
            if kind == "given":
                until_the_end.enter_context(alone(self.url(kind)))
            store = connect(self.url(kind), buckets=buckets)
            until_the_end.callback(store.close)
            if kind == "given":
                refuse_to_erase(store)
            until_the_end.callback(empty, store)
            yield store

    def url(self, kind: str) -> str:
        if kind not in self.urls:
            self.urls[kind] = self.started(kind)
        return self.urls[kind]

    def started(self, kind: str) -> str:
        match kind:
            case "embedded":
                return self.ending.enter_context(embedded_server()).url
            case "debian":
                return self.ending.enter_context(server(debian_binary())).url
            case "cluster":
                return cluster_url(self.ending.enter_context(three_node_cluster()))
        return str(GIVEN)


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Test processes share the given store, one after the other."""
    name = f"hidalgo-test-{hashlib.sha256(url.encode()).hexdigest()[:16]}.lock"
    with (Path(tempfile.gettempdir()) / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def refuse_to_erase(store: Store) -> None:
    if any(primary.dbsize() for primary in store.primaries().values()):
        pytest.exit("the store at HIDALGO_TEST_REDIS_URL is not empty, and the tests would erase it")


def empty(store: Store) -> None:
    for primary in store.primaries().values():
        primary.flushall()


# Servers


@pytest.fixture
def data() -> Iterator[Path]:
    """A directory for an embedded server, with a short name; a server that is left behind is stopped."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as place:
        data = Path(place) / "data"
        yield data
        if (data / "server.lock").exists() and not is_vacant(data):
            shut_down(data)


def shut_down(data: Path) -> None:
    with probe(Embedded(data).url) as server, suppress(RedisError):
        server.shutdown()
    eventually(lambda: is_vacant(data))


def is_vacant(data: Path) -> bool:
    """No server lives there."""
    with lease_on(data) as lease:
        return lease is not None


@contextmanager
def embedded_server(data: Path | None = None) -> Iterator[Embedded]:
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as place, Embedded(data or Path(place) / "data") as embedded:
        yield embedded


def debian_binary() -> Path:
    found = shutil.which("redis-server")
    if not found:
        pytest.skip("redis-server is not installed")
    return Path(found)


class Server:
    """A server on a loopback port, with any settings; the default ones keep everything."""

    def __init__(self, directory: Path, binary: Path, settings: dict[str, Any]) -> None:
        self.directory = directory
        self.binary = binary
        self.port = free_port()
        self.settings = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": quoted(directory),
            "logfile": quoted(directory / "redis.log"),
            "save": '""',
            "appendonly": "yes",
            "appendfsync": "always",
        } | settings
        self.process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process, "not started"
        return self.process.pid

    def client(self) -> Redis:
        return probe(self.url, seconds=5)

    def start(self) -> None:
        lines = [f"{name.replace('_', '-')} {value}\n" for name, value in self.settings.items()]
        self.process = subprocess.Popen([self.binary, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert self.process.stdin
        with self.process.stdin as stdin:
            stdin.write("".join(lines).encode())
        eventually(self.answers)

    def answers(self) -> bool:
        assert self.process, "not started"
        assert self.process.poll() is None, f"the server ended; {self.directory}/redis.log says why"
        with self.client() as client, suppress(RedisError):
            return client.info("server")["process_id"] == self.pid
        return False

    def kill(self) -> None:
        assert self.process, "not started"
        self.process.kill()
        self.process.wait(timeout=10)

    def restart(self) -> None:
        self.kill()
        self.start()


@contextmanager
def server(binary: Path | None = None, **settings: Any) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as place:
        running = Server(Path(place), binary or find_binary(), settings)
        running.start()
        try:
            yield running
        finally:
            running.kill()


@contextmanager
def three_node_cluster(binary: Path | None = None) -> Iterator[list[Server]]:
    """Three primaries that share the slots."""
    with ExitStack() as ending:
        nodes = [ending.enter_context(cluster_node(binary)) for _ in range(3)]
        form_cluster(nodes)
        yield nodes


def cluster_node(binary: Path | None):
    return server(binary, cluster_enabled="yes", cluster_node_timeout=2000, cluster_port=free_port())


def form_cluster(nodes: list[Server]) -> None:
    slots = [(0, 5460), (5461, 10922), (10923, 16383)]
    for node, (first, last), epoch in zip(nodes, slots, (1, 2, 3), strict=True):
        with node.client() as client:
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", epoch)
            client.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
            client.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port, nodes[0].settings["cluster_port"])
    eventually(lambda: all(is_whole(node) for node in nodes))


def is_whole(node: Server) -> bool:
    with node.client() as client:
        info = client.execute_command("CLUSTER INFO")
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == "3"


def cluster_url(nodes: list[Server]) -> str:
    return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)


def free_port() -> int:
    """Below those that the system hands out to clients, so that it is still free when a server takes it."""
    while True:
        port = random.SystemRandom().randint(10000, 32000)
        with socket.socket() as place, suppress(OSError):
            place.bind(("127.0.0.1", port))
            return port


def is_in_use(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


# Faults


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """A process that exists and says nothing."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


class Proxy:
    """Stands between a client and a server on loopback; can delay, swallow or cut what they say."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.delay = 0.0
        self.is_black_hole = False
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        self.threads: list[Thread] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self.listener.getsockname()[1]}"
        self.begin(self.accept)

    def begin(self, work: Callable[..., None], *about: socket.socket) -> None:
        self.threads.append(Thread(target=work, args=about, daemon=True))
        self.threads[-1].start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                self.pairs.append((near, far))
                self.begin(self.carry, near, far)
                self.begin(self.carry, far, near)

    def carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while received := source.recv(65536):
                time.sleep(self.delay)
                if not self.is_black_hole:
                    target.sendall(received)
        hang_up(source, target)

    def cut(self) -> None:
        """Ends every connection; new ones are welcome."""
        for pair in self.pairs:
            hang_up(*pair)

    def close(self) -> None:
        hang_up(self.listener)
        self.listener.close()
        self.cut()
        for thread in self.threads:
            thread.join(timeout=10)
        for pair in self.pairs:
            for end in pair:
                end.close()


def hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(server: Server) -> Iterator[Proxy]:
    standing_between = Proxy(server.port)
    try:
        yield standing_between
    finally:
        standing_between.close()


def eventually(is_so: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {seconds} seconds"
        time.sleep(0.01)
