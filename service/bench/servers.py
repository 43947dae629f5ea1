"""Servers to be measured: processes of their own, what they cost, and how long they took."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from service.settings import Settings, environment

OURS = "from service.cli import main; main(['serve', '--port', '0', '--no-scheduler'])"
WHOLE_SERVICE = "from service.cli import main; main(['serve', '--port', '0'])"
"""With its scheduler, and so with the notifier that reads every commit."""


@dataclass(frozen=True)
class Server:
    url: str
    process: int

    @property
    def address(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 80)

    def processor_seconds(self) -> float | None:
        """The time that the processes which answer have used so far; nothing where the system does not say."""
        if not Path("/proc/self/task").exists():
            return None
        first, *others = family(self.process)
        return seconds_used_by(others or [first])

    def scheduler_seconds(self) -> float | None:
        """The same for the first process: that of `hidalgo serve` does not answer, and is the scheduler."""
        return seconds_used_by([self.process]) if Path("/proc/self/task").exists() else None


@contextmanager
def serving(program: str, settings: Settings, log: Path | None = None) -> Iterator[Server]:
    """A server in Python, as a process of its own."""
    with started([sys.executable, "-c", program], log, env=environment(settings)) as server:
        yield server


@contextmanager
def started(command: Sequence[str], log: Path | None = None, **options: Any) -> Iterator[Server]:
    """A process that prints the address at which it answers; what it logs goes to a file, or nowhere."""
    with (
        Path(log or os.devnull).open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, **options) as process,
    ):
        try:
            assert process.stdout
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the server did not start"
            server = Server(found[0], process.pid)
            wait_for(server)
            yield server
        finally:
            process.terminate()


def wait_for(server: Server) -> None:
    deadline = time.perf_counter() + 60
    while True:
        try:
            asking(server, 0)
            return
        except OSError:
            assert time.perf_counter() < deadline, f"no server answers at {server.url}"
            time.sleep(0.05)


def asking(server: Server, seconds: float, pause: float = 0.02) -> list[float]:
    """Milliseconds that an ordinary request takes, asked now and then on one connection."""
    taken: list[float] = []
    end = time.perf_counter() + seconds
    connection = HTTPConnection(*server.address, timeout=30)
    while not taken or time.perf_counter() < end:
        began = time.perf_counter()
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        taken.append(1000 * (time.perf_counter() - began))
        time.sleep(pause)
    connection.close()
    return taken


def family(process: int) -> Iterator[int]:
    """A process and all that it started, also through others."""
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from family(int(child))


def seconds_used_by(processes: Iterable[int]) -> float:
    """The processor's time."""
    return sum(ticks(process) for process in processes) / os.sysconf("SC_CLK_TCK")


def ticks(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent do not exceed.

    >>> percentile([4, 3, 2, 1], 50)
    2
    """
    return sorted(values)[(len(values) * percent - 1) // 100]
