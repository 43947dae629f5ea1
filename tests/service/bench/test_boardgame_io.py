"""boardgame.io beside `hidalgo bench api`."""

import shutil
import subprocess
from contextlib import ExitStack

import pytest

from service.bench.api import at_boardgame_io, beside
from service.bench.boardgame_io import SCRIPT, STORAGES, boardgame_io
from service.bench.clients import Sample

HAS_NPM = all(map(shutil.which, ("node", "npm")))


def test_without_npm_it_is_left_out_and_says_so(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    with ExitStack() as until_the_end:
        assert boardgame_io(tmp_path, 1, until_the_end) == {}
    assert capsys.readouterr().err == "boardgame.io is left out: node and npm must be on the PATH\n"


def test_when_npm_fails_it_is_left_out_and_says_why(monkeypatch, tmp_path, capsys):
    for program in ("node", "npm"):
        (tmp_path / program).write_text("#!/bin/sh\necho 'network is away' >&2\nexit 1\n")
        (tmp_path / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with ExitStack() as until_the_end:
        assert boardgame_io(tmp_path, 1, until_the_end) == {}
    assert capsys.readouterr().err == "boardgame.io is left out: npm says network is away\n"


def test_its_figures_have_no_limits():
    figures = list(beside(at_boardgame_io("files"), [Sample(30, 0.5, [1.0], 0.1)], [Sample(20, 0.5, [2.0], 0.1)]))
    assert [(figure.name, figure.value) for figure in figures] == [
        ("moves at boardgame.io, files", 40),
        ("our moves to boardgame.io, files", 1.5),
        ("the server's processor, boardgame.io, files", 5000),
        ("boardgame.io, files: 50 %", 2),
        ("boardgame.io, files: 99 %", 2),
    ]
    assert {figure.ratio for figure in figures} == {None}


@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_the_script_can_be_read_by_node():
    subprocess.run(["node", "--check", SCRIPT], check=True)


@pytest.mark.long
@pytest.mark.skipif(not HAS_NPM, reason="npm is not installed")
def test_its_server_takes_moves_with_each_storage(tmp_path):
    with ExitStack() as until_the_end:
        found = boardgame_io(tmp_path, 2, until_the_end)
        assert tuple(found) == STORAGES
        for players in found.values():
            for _ in range(2):
                assert players.sample(0.1).moves >= 2
    # A refused move would be logged there.
    assert [(tmp_path / f"log-{storage}").read_text() for storage in STORAGES] == ["", ""]
