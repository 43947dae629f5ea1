"""A machine with Python alone: the tests pass there, too, and say what they have left out."""

import re
import shutil
import subprocess
import sys

from tests import bare
from tests.repository.checkout import ROOT


def test_the_readme_names_every_package_that_tests_can_use():
    packages = re.findall(r'^    "([\w-]+)=', (ROOT / ".ci/run").read_text(), re.MULTILINE)
    assert {"redis-server", "faketime", "nodejs", "chromium", "curl", "jq", "openssl"} <= set(packages)
    readme = (ROOT / "README.md").read_text()
    assert [package for package in packages if not re.search(rf"[ `]{package}\b", readme)] == []


def test_a_bare_path_has_every_other_program(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    for name in ("node", "redis-server", "sed"):
        (there / name).write_text("#!/bin/sh\n")
        (there / name).chmod(0o755)
    place = tmp_path / "bare"
    place.mkdir()
    path = bare.bare_path(str(there), place)
    assert [name for name in ("node", "redis-server", "sed") if shutil.which(name, path=path)] == ["sed"]


def test_what_needs_a_hidden_program_is_skipped_with_a_reason():
    """A part of `./hidalgo test --bare`, which runs all of them so."""
    parts = ["tests/events/log/test_log.py", "-k", "leased_to_one and debian"]
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-n", "0", "--bare", *parts]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "redis-server is not installed" in done.stdout
