"""The pictures of our pages: games that are the same every time, and files that are small."""

import sysconfig
from dataclasses import replace
from pathlib import Path
from subprocess import run

import pytest

from service.pictures.album import shots
from service.pictures.stage import TABLES, Table, play
from service.services import services
from service.settings import Settings
from tests.repository.checkout import ROOT

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
FOLDER = ROOT / "docs/pictures"
MOST_BYTES = 150 * 1024


def test_every_picture_is_there_and_small():
    kept = {file.name: file.stat().st_size for file in FOLDER.glob("*-*-*.png")}
    assert set(kept) == {shot.file for shot in shots()}, "./hidalgo pictures"
    assert {name: size for name, size in kept.items() if size > MOST_BYTES} == {}


def test_the_same_table_is_played_alike(running_stores):
    [usual] = [table for table in TABLES if table.name == "friends"]
    boards = [played(running_stores, replace(usual, moves=12)) for _ in range(2)]
    assert boards[0] == boards[1]


def played(running_stores, table: Table):
    with running_stores.opened("embedded") as store:
        wired = services(store, Settings())
        play(wired, table, {name: f"a_{name}" for name in table.people})
        game = wired.games.load(f"picture-{table.name}")
        assert game.is_running
        return game.state.board


@pytest.mark.long
def test_the_command_takes_pictures(tmp_path):
    done = run([HIDALGO, "pictures", "sign-in", "--into", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        shot.file for shot in shots(lambda name: name == "sign-in")
    )
