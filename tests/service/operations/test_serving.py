"""`hidalgo serve`, as a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from service.bench.servers import family
from service.operations.serving import url
from tests.events.servers import eventually, is_in_use, is_vacant, server
from tests.running import announced_url, end, running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT], ids=["terminated", "interrupted"])
def test_it_answers_until_it_is_stopped_and_leaves_in_peace(tmp_path, stop):
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        assert json.loads(service.get("/healthz")) == {
            "status": "ok",
            "version": version("hidalgo"),
            "store": "ok",
        }
        assert service.stop(stop) == 0


def test_its_address_is_shown_when_it_answers(tmp_path):
    settings = os.environ | {"HIDALGO_PORT": "0", "HIDALGO_DATA": str(tmp_path / "data"), "HIDALGO_WORKERS": "2"}
    with subprocess.Popen([HIDALGO, "serve"], env=settings, stdout=subprocess.PIPE, text=True) as process:
        here = announced_url(process)
        with urlopen(f"{here}/readyz", timeout=10) as answer:
            assert answer.status == 200
        end(process)


def test_systemd_is_told_when_it_answers(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0hidalgo-{os.getpid()}")
        systemd.settimeout(30)
        with running([HIDALGO, "serve"], tmp_path, os.environ | {"NOTIFY_SOCKET": f"@hidalgo-{os.getpid()}"}):
            assert systemd.recv(100) == b"READY=1"


def test_several_workers_share_one_port(tmp_path):
    with running([HIDALGO, "serve", "--workers", "2"], cwd=tmp_path) as service:
        assert "Hidalgo" in service.get("/")
        assert service.stop(signal.SIGTERM) == 0


def test_workers_see_the_commits_of_each_other(tmp_path):
    """Both have the memory of the process that started them; it is in no directory."""
    with running([HIDALGO, "serve", "--workers", "2", "--no-scheduler"], cwd=tmp_path) as service:
        eventually(lambda: len(list(processes_with_commits(service.process.pid))) == 2)


def processes_with_commits(process: int) -> Iterator[int]:
    for each in family(process):
        if "memfd:hidalgo-commits (deleted)" in Path(f"/proc/{each}/maps").read_text():
            yield each


def test_killing_it_leaves_no_worker_behind(tmp_path):
    with running([HIDALGO, "serve", "--workers", "2"], cwd=tmp_path) as service:
        service.stop(signal.SIGKILL)
        port = service.url.rpartition(":")[2]
        deadline = time.monotonic() + 20
        while is_in_use(int(port)):
            assert time.monotonic() < deadline, f"port {port} is still in use"
            time.sleep(0.05)


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
    assert elsewhere.returncode == 2
    assert "192.0.2.1 is not an address of this machine" in elsewhere.stderr


def serve(*options: str, **env: str) -> subprocess.CompletedProcess:
    command = [HIDALGO, "serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, env=os.environ | env)


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


def test_the_games_are_in_a_store_that_lives_and_ends_with_it(tmp_path):
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        assert json.loads(service.get("/readyz")) == {"status": "ready"}
        assert service.stop(signal.SIGTERM) == 0
        assert is_vacant(service.folder / "data")


def test_with_a_store_of_the_operator_that_one_is_used_and_its_weakness_reported(tmp_path):
    with (
        server(appendfsync="everysec") as weak,
        running([HIDALGO, "serve"], tmp_path, {**os.environ, "REDIS_URL": weak.url}) as service,
    ):
        assert json.loads(service.get("/readyz")) == {"status": "ready"}
        assert service.stop(signal.SIGTERM) == 0
        assert "appendfsync" in service.error_output()
        assert not (service.folder / "data").exists()


def test_a_worker_that_is_killed_is_replaced_and_leaves_the_store_running(tmp_path):
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        *_, worker = family(service.process.pid)
        os.kill(worker, signal.SIGKILL)
        eventually(lambda: not Path(f"/proc/{worker}").exists(), seconds=60)
        eventually(lambda: is_in_use(int(service.url.rpartition(":")[2])), seconds=60)
        assert json.loads(service.get("/readyz")) == {"status": "ready"}


def test_a_store_that_goes_away_makes_it_unready_and_it_recovers_by_itself(tmp_path):
    with server() as store, running([HIDALGO, "serve"], tmp_path, {**os.environ, "REDIS_URL": store.url}) as service:
        store.kill()
        with pytest.raises(HTTPError) as refusal:
            service.get("/readyz")
        assert (refusal.value.code, refusal.value.headers["Retry-After"]) == (503, "2")
        assert json.loads(refusal.value.read())["code"] == "store_away"
        eventually(lambda: json.loads(service.get("/healthz"))["store"] == "store_away")
        store.start()
        assert json.loads(service.get("/readyz")) == {"status": "ready"}


def test_a_store_that_takes_no_writes_makes_it_unready(tmp_path):
    with server() as store, running([HIDALGO, "serve"], tmp_path, {**os.environ, "REDIS_URL": store.url}) as service:
        with store.client() as operator:
            operator.config_set("maxmemory", 1)
        with pytest.raises(HTTPError) as refusal:
            service.get("/readyz")
        assert json.loads(refusal.value.read())["code"] == "store_full"
        eventually(lambda: json.loads(service.get("/healthz"))["store"] == "store_full")


def test_networks_for_webhooks_that_are_none_are_reported_and_nothing_starts(tmp_path):
    refused = serve("--port", "0", "--data", str(tmp_path / "data"), HIDALGO_WEBHOOKS_TO="everywhere")
    assert refused.returncode == 2
    assert "HIDALGO_WEBHOOKS_TO is a list of networks" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_store_that_is_not_there_is_reported_and_nothing_starts(tmp_path):
    refused = serve("--port", "0", "--data", str(tmp_path / "data"), REDIS_URL="redis://127.0.0.1:1")
    assert refused.returncode == 1
    assert "store" in refused.stderr
