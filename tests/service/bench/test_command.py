"""`hidalgo bench`."""

import json
import os
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.bench import command as measuring
from service.bench.command import bench
from service.bench.figures import Figure
from tests.events.servers import eventually

HIDALGO = Path(sysconfig.get_path("scripts")) / "hidalgo"


def run(*arguments):
    return CliRunner().invoke(bench, ["rules", "--games", "1", "--rounds", "1", *arguments])


def test_every_figure_is_printed_with_its_limit():
    answer = run("--no-limits")
    assert answer.exit_code == 0
    assert "a move, decided and applied: median" in answer.output
    assert "at most 0.028 " in answer.output
    assert "at least 56 " in answer.output


def test_figures_as_json():
    figures = {figure["name"]: figure for figure in json.loads(run("--no-limits", "--json").output)["figures"]}
    assert figures["a stored game, decoded and folded: median"]["at_most"] == 2.4
    assert figures["facts a game"]["value"] > 300
    assert {"ratio", "kept"} <= figures["random games, unchecked"].keys()


@pytest.mark.parametrize(("arguments", "code"), [((), 1), (("--no-limits",), 0)], ids=["limits", "no limits"])
def test_a_figure_that_misses_its_limit_fails_the_run(monkeypatch, arguments, code):
    monkeypatch.setattr(measuring, "measure", lambda *_: [Figure("a slow move", 3, "ms", at_most=2)])
    answer = run(*arguments)
    assert answer.exit_code == code
    assert "SHORT" in answer.output


def test_a_run_that_is_told_to_end_leaves_nothing_running(tmp_path):
    words = [str(HIDALGO), "bench", "notices", "--no-limits"]
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp_path)})
    eventually(lambda: bool(list(tmp_path.rglob("*.sock"))))
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    started = [Path(f"/proc/{child}") for child in children]
    assert started
    run.terminate()
    assert run.wait(timeout=60) == 128 + signal.SIGTERM
    eventually(lambda: not [child for child in started if child.exists()])


def test_the_ratio_says_how_well_a_limit_is_kept():
    assert Figure("fast", 2, "ms", at_most=8).ratio == 4
    assert Figure("many", 40, "games/s", at_least=20).ratio == 2
    assert Figure("plain", 5, "bytes").ratio is None
