"""`hidalgo scheduler --health-port`: a scheduler by itself says how it is."""

import json
import os
import re
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.events.servers import eventually, server

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


@contextmanager
def scheduler(url: str, host: str = "127.0.0.1") -> Iterator[str]:
    """A scheduler in a process of its own; gives the address of its endpoints."""
    command = [HIDALGO, "scheduler", "--health-host", host, "--health-port", "0"]
    settings = os.environ | {"REDIS_URL": url}
    with subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            found = re.fullmatch(
                r"The scheduler runs at (http://\S+)/ \(Ctrl-C stops it\)\n", process.stdout.readline()
            )
            assert found
            yield found[1]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=20) == 0


def get(url: str) -> str:
    with urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def status(request: str | Request) -> int:
    with pytest.raises(HTTPError) as refusal:
        urlopen(request, timeout=10)
    with refusal.value as answer:
        return answer.code


def test_a_scheduler_is_well_ready_and_counts():
    with server() as store, scheduler(store.url) as here:
        assert json.loads(get(f"{here}/healthz"))["store"] == "ok"
        assert json.loads(get(f"{here}/readyz")) == {"status": "ready", "buckets": 64}
        eventually(lambda: "hidalgo_leased_buckets 64.0" in get(f"{here}/metrics"))
        figures = get(f"{here}/metrics")
        assert "hidalgo_store_up 1.0" in figures
        assert 'hidalgo_job_seconds_count{job="deadlines"}' in figures


def test_a_scheduler_whose_store_goes_away_is_not_ready_until_it_is_back():
    with server() as store, scheduler(store.url) as here:
        store.kill()
        assert status(f"{here}/readyz") == 503
        eventually(lambda: json.loads(get(f"{here}/healthz"))["store"] == "store_away")
        assert "hidalgo_store_up 0.0" in get(f"{here}/metrics")
        store.start()
        eventually(lambda: json.loads(get(f"{here}/healthz"))["store"] == "ok")
        assert json.loads(get(f"{here}/readyz"))["status"] == "ready"


def test_other_paths_and_methods_are_refused():
    with server() as store, scheduler(store.url, "::1") as here:
        assert status(f"{here}/") == 404
        assert status(Request(f"{here}/healthz", data=b"x")) == 405
        with urlopen(Request(f"{here}/healthz", method="HEAD"), timeout=10) as answer:
            assert (answer.status, answer.read()) == (200, b"")


def test_a_port_that_is_taken_is_refused():
    with server() as store, scheduler(store.url) as here:
        port = here.rpartition(":")[2]
        second = subprocess.run(
            [HIDALGO, "scheduler", "--health-port", port, "--url", store.url],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert second.returncode == 1
        assert (
            f"port {port} of 127.0.0.1 is in use; stop what uses it, or choose another with --health-port"
            in second.stderr
        )
