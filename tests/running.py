"""Start the service as a process of its own, and talk to it."""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.events.servers import is_vacant, shut_down


@dataclass(frozen=True)
class Service:
    process: subprocess.Popen
    url: str
    folder: Path

    def get(self, path: str) -> str:
        with urlopen(self.url + path, timeout=10) as response:
            return response.read().decode()

    def error_output(self) -> str:
        """What it wrote to its error output."""
        return (self.folder / "stderr").read_text()

    def stop(self, signal: int) -> int:
        self.process.send_signal(signal)
        return self.process.wait(timeout=20)


@contextmanager
def running(command: Sequence[str], cwd: Path, env: Mapping[str, str] = os.environ) -> Iterator[Service]:
    """The service started by `command` on a free port, with games of its own, once it answers."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as folder, Path(folder, "stderr").open("w+") as stderr:
        settings = {"HIDALGO_PORT": "0", "HIDALGO_DATA": f"{folder}/data"} | dict(env)
        with subprocess.Popen(
            command, cwd=cwd, env=settings, stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as process:
            try:
                service = Service(process, announced_url(process), Path(folder))
                wait_for(service)
                yield service
            finally:
                end(process)
                stop_store(Path(settings["HIDALGO_DATA"]))


def end(process: subprocess.Popen) -> None:
    """Ask it to stop; one that does not is killed, so that no test waits for ever."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()


def stop_store(data: Path) -> None:
    """A service that was killed leaves its store behind, for the next one to use; after the last one it must go."""
    if (data / "server.lock").exists() and not is_vacant(data):
        shut_down(data)


def announced_url(process: subprocess.Popen) -> str:
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"http://\S+(?=/ )", line)
    assert found, f"no address in {line!r}"
    return found[0]


def wait_for(service: Service, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert service.process.poll() is None, "the service stopped before it answered"
        try:
            service.get("/healthz")
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"no answer within {seconds} seconds")
