"""The steps of the container image, run without a container: they are those of any machine."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.repository.checkout import ROOT, copy_to
from tests.repository.test_packages import NOT_OURS_TO_PIN, canonical, pinned
from tests.running import running

INSTRUCTIONS = [
    tuple(line.split(maxsplit=1))
    for line in (ROOT / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    if line and not line.startswith("#")
]


def arguments(instruction: str) -> list[str]:
    return [rest for name, rest in INSTRUCTIONS if name == instruction]


def test_the_image_has_only_instructions_that_are_run_here_or_run_nothing():
    harmless = {"FROM", "WORKDIR", "COPY", "ENV", "VOLUME", "USER", "EXPOSE"}
    assert {name for name, _ in INSTRUCTIONS} - harmless == {"RUN", "CMD"}


def test_the_image_does_not_serve_as_root():
    order = [name for name, _ in INSTRUCTIONS]
    assert order.index("USER") < order.index("CMD")
    assert not re.match(r"0|root", arguments("USER")[-1])


def test_files_that_git_ignores_stay_out_of_the_image():
    git = {line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()}
    image = {line.removeprefix("**/") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    assert git <= image


def test_the_steps_work_with_what_is_installed_already(tmp_path):
    assert_steps_work(ROOT, tmp_path, dict(os.environ))


@pytest.mark.long
def test_the_steps_work_in_a_fresh_copy(tmp_path):
    fresh = copy_to(tmp_path / "a fresh copy")
    env = {name: value for name, value in os.environ.items() if name != "HIDALGO_VENV"}
    assert_steps_work(fresh, tmp_path, env)
    assert installed(fresh) <= pinned().items()


def assert_steps_work(tree: Path, tmp_path: Path, env: dict[str, str]) -> None:
    """Build and start, as the image does, but with the games in a place that we may write."""
    games = tmp_path / "games"
    for step in arguments("RUN"):
        subprocess.run(step.replace("/data", f"'{games}'"), shell=True, cwd=tree, env=env, check=True)
    [command] = arguments("CMD")
    with running(json.loads(command), cwd=tree, env=env | {"HIDALGO_DATA": str(games)}) as service:
        assert json.loads(service.get("/healthz"))["status"] == "ok"
        assert service.stop(signal.SIGTERM) == 0


def installed(tree: Path) -> set[tuple[str, str]]:
    pip = [str(tree / ".venv/bin/python"), "-m", "pip", "--disable-pip-version-check"]
    listed = subprocess.check_output([*pip, "list", "--format=json"], text=True)
    pairs = {(canonical(row["name"]), row["version"]) for row in json.loads(listed)}
    return {(name, version) for name, version in pairs if name not in NOT_OURS_TO_PIN}
