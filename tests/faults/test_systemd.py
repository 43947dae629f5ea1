"""The unit that `hidalgo systemd` prints, under a real systemd in a clean root of its own."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.cli.systemd import NAMES
from tests.events.servers import eventually
from tests.repository.checkout import ROOT

HIDALGO = Path(sysconfig.get_path("scripts"), "hidalgo")
PROGRAM = "/opt/hidalgo/.venv/bin/hidalgo"
SYSTEMD = Path("/lib/systemd/systemd")
NEEDED = ("unshare", "nsenter", "pivot_root", "ip", "systemctl", "journalctl")


def reason_to_skip() -> str:
    if os.geteuid() != 0:
        return "only root can give systemd a root of its own"
    if not SYSTEMD.exists() or not all(map(shutil.which, NEEDED)):
        return "systemd, util-linux and iproute2 are not all installed"
    if not Path("/sys/fs/cgroup/systemd").exists():
        return "systemd has no group of processes here that a second one could use"
    return ""


pytestmark = pytest.mark.skipif(bool(reason_to_skip()), reason=reason_to_skip() or "-")


class Machine:
    """A running systemd, and what is asked of it."""

    def __init__(self, process: int) -> None:
        self.process = process

    def systemctl(self, *words: str) -> str:
        return self.run("systemctl", *words, namespaces=("-m", "-p", "-n", "-u", "-i"))

    def show(self, what: str, unit: str = "hidalgo") -> str:
        return self.systemctl("show", "--value", f"--property={what}", unit).strip()

    def journal(self) -> str:
        return self.run("journalctl", "--no-pager", "--lines=40", namespaces=("-m", "-p"))

    def get(self, url: str) -> str:
        asking = f"from urllib.request import urlopen; print(urlopen({url!r}, timeout=10).read().decode())"
        return self.run(sys.executable, "-c", asking, namespaces=("-n",))

    def run(self, *command: str, namespaces: tuple[str, ...]) -> str:
        words = ["nsenter", "-t", str(self.process), *namespaces, *command]
        return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout


@contextmanager
def machine(place: Path, part: str, settings: str = "") -> Iterator[Machine]:
    given = place / "given"
    given.mkdir()
    unit = subprocess.run([HIDALGO, "systemd", part, "--program", PROGRAM], capture_output=True, text=True, check=True)
    name = NAMES[part].removesuffix(".service")
    (given / f"{name}.service").write_text(unit.stdout)
    # The library of a Python that is not the system's own.
    (given / f"{name}.env").write_text(f"LD_LIBRARY_PATH=/opt/python/lib\n{settings}")
    script = ROOT / "tests/faults/clean_root.sh"
    about = [place, HIDALGO, sysconfig.get_path("purelib"), ROOT, sys.base_prefix]
    alone = ["unshare", "--fork", "--pid", "--mount", "--uts", "--ipc", "--net", "--kill-child"]
    command = [*alone, "sh", *map(str, (script, *about))]
    with (place / "output").open("w") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        try:
            yield Machine(first_process(process, place / "output"))
        finally:
            end(process)


def first_process(process: subprocess.Popen, output: Path) -> int:
    """Of the machine: systemd, once it can be asked."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    eventually(lambda: process.poll() is not None or bool(children.read_text().strip()))
    assert process.poll() is None, output.read_text()
    systemd = int(children.read_text())
    running = Machine(systemd)
    eventually(lambda: process.poll() is not None or "drill.target" in running.systemctl("list-units"), seconds=60)
    assert process.poll() is None, output.read_text()
    return systemd


def end(process: subprocess.Popen) -> None:
    """Killing its first process ends all of a namespace."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    for child in children.read_text().split() if children.exists() else []:
        os.kill(int(child), signal.SIGKILL)
    process.wait(timeout=20)


def test_the_unit_starts_answers_and_stops_in_peace(tmp_path):
    with machine(tmp_path, "service") as running:
        running.systemctl("start", "hidalgo")
        assert running.show("ActiveState") == "active", running.journal()
        assert running.get("http://127.0.0.1:8000/readyz").strip() == '{"status":"ready"}'
        assert "hidalgo_leased_buckets 64.0" in running.get("http://127.0.0.1:8000/metrics")
        main = int(running.show("MainPID"))
        assert main
        kept = running.run("stat", "-c", "%U %a", "/var/lib/hidalgo", namespaces=("-m",))
        assert kept == "hidalgo 700\n"
        running.systemctl("stop", "hidalgo")
        assert (running.show("Result"), running.show("ActiveState")) == ("success", "inactive"), running.journal()
        assert "Hidalgo has stopped" in running.journal()


def test_a_setting_that_makes_no_sense_is_not_tried_again(tmp_path):
    with machine(tmp_path, "service", "HIDALGO_PORT=none\n") as running:
        running.systemctl("start", "hidalgo")
        assert running.show("ActiveState") == "failed"
        assert (running.show("ExecMainStatus"), running.show("NRestarts")) == ("2", "0")
        assert "HIDALGO_PORT is a number from 0 to 65535, not none" in running.journal()


def test_a_scheduler_by_itself_runs_while_its_store_is_away(tmp_path):
    with machine(tmp_path, "scheduler", "REDIS_URL=redis://127.0.0.1:1/0\n") as running:
        running.systemctl("start", "hidalgo-scheduler")
        assert running.show("ActiveState", "hidalgo-scheduler") == "active", running.journal()
        eventually(lambda: '"store": "store_away"' in running.get("http://127.0.0.1:8001/healthz"))
        assert "hidalgo_store_up 0.0" in running.get("http://127.0.0.1:8001/metrics")
