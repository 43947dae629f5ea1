"""`hidalgo serve`, as a process of its own."""

import json
import signal
import socket
import subprocess
import sysconfig
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from service.serving import url
from tests.running import running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "interrupted"])
def test_it_answers_until_it_is_stopped_and_leaves_in_peace(tmp_path, stop):
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        assert json.loads(service.get("/healthz")) == {"status": "ok", "version": version("hidalgo")}
        assert service.stop(stop) == 0


def test_several_workers_share_one_port(tmp_path):
    with running([HIDALGO, "serve", "--workers", "2"], cwd=tmp_path) as service:
        assert "Hidalgo" in service.get("/")
        assert service.stop(signal.SIGTERM) == 0


def test_killing_it_leaves_no_worker_behind(tmp_path):
    with running([HIDALGO, "serve", "--workers", "2"], cwd=tmp_path) as service:
        service.stop(signal.SIGKILL)
        port = service.url.rpartition(":")[2]
        deadline = time.monotonic() + 20
        while is_in_use(int(port)):
            assert time.monotonic() < deadline, f"port {port} is still in use"
            time.sleep(0.05)


def is_in_use(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_port_that_hidalgo_already_uses_is_not_shared(tmp_path):
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        assert_in_use(port=int(service.url.rpartition(":")[2]))


def test_a_port_that_another_program_uses_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert_in_use(port=other.getsockname()[1])


def assert_in_use(port: int) -> None:
    second = serve("--port", str(port))
    assert second.returncode == 1
    assert f"port {port} of 127.0.0.1 is in use" in second.stderr
    assert "Traceback" not in second.stderr


def test_an_address_of_another_machine_is_refused():
    elsewhere = serve("--host", "192.0.2.1", "--port", "0")
    assert elsewhere.returncode == 1
    assert "192.0.2.1 is not an address of this machine" in elsewhere.stderr


def serve(*options: str) -> subprocess.CompletedProcess:
    return subprocess.run([HIDALGO, "serve", *options], capture_output=True, text=True, timeout=20)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),
        ("::1", "http://[::1]:8000/"),
        ("::", "http://[::1]:8000/"),
    ],
    ids=["loopback", "every address", "IPv6 loopback", "every IPv6 address"],
)
def test_the_address_shown_can_be_opened_in_a_browser(address, shown):
    assert url(address, 8000) == shown
