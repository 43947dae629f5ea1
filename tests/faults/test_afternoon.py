"""An operator's afternoon, run literally from the page, in a clean directory."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.events.servers import free_port
from tests.repository.checkout import ROOT, copy_to

PAGE = (ROOT / "docs/operating.md").read_text()
SECTION = PAGE.partition("\n## An afternoon\n")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)
SCRIPTS = Path(sys.executable).parent
INSTALLED = "/usr/local/bin/hidalgo"
"""Where the unit is told that the program is."""


def in_a_clean_directory(place: Path, checkout: Path, program: Path) -> str:
    """The commands of the page, with other places and ports; the rest is as it is written."""
    text = "\n".join(COMMANDS)
    for path in ("/etc/systemd/system", "/var/backups", "/var/lib", "/var/tmp"):
        (place / path[1:]).mkdir(parents=True)
        text = text.replace(f"{path}/", f"{place}{path}/")
    # A unit hides home directories and /tmp, where a checkout of a developer may be; the program is put in below.
    text = text.replace("hidalgo systemd >", f"hidalgo systemd --program {INSTALLED} >")
    web, scheduler = free_port(), free_port()
    text = text.replace(":8000", f":{web}").replace("8001", str(scheduler)).replace("/opt/hidalgo/", f"{checkout}/")
    (place / "bin").mkdir()
    script = f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "tests/faults/systemctl.py"}" "$@"\n'
    (place / "bin/systemctl").write_text(script)
    (place / "bin/systemctl").chmod(0o755)
    changes = f"s|{INSTALLED}|{program}|; s|=/var/lib/hidalgo|={place}/var/lib/hidalgo|; s|serve |serve --port {web} |"
    mending = f"sed -i '{changes}' {place}/etc/systemd/system/*"
    return text.replace("systemctl daemon-reload", f"{mending}\nsystemctl daemon-reload")


def afternoon(place: Path, checkout: Path, program: Path, env: dict[str, str]) -> str:
    settings = {name: value for name, value in env.items() if not name.startswith(("HIDALGO_PORT", "REDIS_URL"))}
    settings |= {"PATH": f"{place}/bin:{env['PATH']}", "UNITS": f"{place}/etc/systemd/system"}
    text = in_a_clean_directory(place, checkout, program)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=place, env=settings, capture_output=True, text=True, timeout=240
    )
    log = place / "etc/systemd/system/hidalgo.log"
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{log.read_text() if log.exists() else ''}"
    return done.stdout


@pytest.fixture
def place() -> Iterator[Path]:
    """With a short name: that of a socket cannot be long."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as name:
        yield Path(name)


pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")

EXPECTED = [
    r"hidalgo \d",
    r'\{"status":"ready"\}',
    r"el_cid is now admin",
    r"operator \S+  grant_admin  el_cid: first organiser",
    r"\S+hidalgo.backup holds 1 game with [12] commits?; 2 accounts.*; 1 audit entry",
    r"1 game with [12] commits? replayed, 0 of them packed: 0 are different",
    r"1 game restored; 0 were there, 0 were there and further on; 2 accounts.*; 1 audit entry",
    r"0 games restored; 1 were there, 0 were there and further on; 0 accounts.*; 0 audit entries",
    r"hidalgo_store_up 1.0",
    r"hidalgo_leased_buckets \d+",
]


def test_an_operators_afternoon_goes_as_the_page_says(place):
    output = afternoon(place, ROOT, SCRIPTS / "hidalgo", dict(os.environ) | {"HIDALGO_VENV": str(SCRIPTS.parent)})
    for pattern in EXPECTED:
        assert re.search(pattern, output), f"{pattern} is not in\n{output}"
    assert "Hidalgo has stopped" in (place / "etc/systemd/system/hidalgo.log").read_text()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_same_in_a_fresh_checkout(place):
    fresh = copy_to(place / "opt/hidalgo")
    env = {name: value for name, value in os.environ.items() if name != "HIDALGO_VENV"}
    output = afternoon(place, fresh, fresh / ".venv/bin/hidalgo", env)
    for pattern in EXPECTED:
        assert re.search(pattern, output), f"{pattern} is not in\n{output}"
