"""`hidalgo archive`, with the embedded store and a directory."""

import pytest

from events.archive.directory import Directory
from events.audit.export import export
from events.games import Games
from events.log.redis import RedisLog
from rules.kernel import SPECTATOR
from tests.events.played import play
from tests.service.cli.test_backup import folder, run, with_games

__all__ = ["folder"]


@pytest.fixture
def place(folder, monkeypatch):
    monkeypatch.setenv("HIDALGO_ARCHIVE", str(folder / "archive"))
    with_games(folder, fill)
    assert run("pack", "--data", folder).exit_code == 0
    return folder / "archive"


def fill(games: Games) -> None:
    for seed in (1, 2):
        play(games, 2, seed=seed, game=f"over {seed}")
    play(games, 2, moves=3, game="running")


def said(*words) -> str:
    done = run("archive", *words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_games_go_into_files_and_are_read_and_brought_back(folder, place):
    assert said("--data", folder).startswith("0 games"), "they are too young"
    assert said("--now", "--dry-run", "--data", folder) == f"2 games would go to {place}\n"
    assert not place.exists()
    assert said("--now", "--data", folder).startswith("2 games with ")
    assert said("--status", "--data", folder).startswith("2 games, ")
    assert said("--check", "--data", folder) == "2 of 2 archived games verified\n"
    assert said("--recall", "over 1", "--data", folder) == "back in the store: 1 game\n"
    assert said("--check", "--data", folder) == "1 of 1 archived game verified\n"
    again = run("archive", "--recall", "over 1", "--data", folder)
    assert (again.exit_code, again.stderr) == (1, "game over 1 is not in the archive\n")


def test_an_archived_game_is_exported_as_before(folder, place):
    before = with_games(folder, lambda games: export(games, "over 1", SPECTATOR))
    said("--now", "--data", folder)

    def exported(games: Games) -> bytes:
        log = games.log
        assert isinstance(log, RedisLog)
        log.place = Directory(place)
        return export(games, "over 1", SPECTATOR)

    assert with_games(folder, exported) == before
    assert run("backup", folder / "games.backup", "--data", folder).exit_code == 0
    checked = run("check", "--data", folder)
    assert checked.exit_code == 0, checked.output


def test_what_is_missing_or_damaged_is_named(folder, place):
    said("--now", "--data", folder)
    for file in place.rglob("*.games"):
        file.unlink()
    status = run("archive", "--status", "--data", folder)
    assert "missing: 2 volumes: " in status.stderr
    check = run("archive", "--check", "--data", folder)
    assert check.exit_code == 1
    assert "game over 1: volume" in check.stderr
    assert check.stdout == "0 of 2 archived games verified\n"


def test_without_a_place_there_is_no_archive(folder, place, monkeypatch):
    said("--now", "--data", folder)
    monkeypatch.delenv("HIDALGO_ARCHIVE")
    done = run("archive", "--data", folder)
    assert (done.exit_code, done.stderr) == (
        1,
        "Error: HIDALGO_ARCHIVE names no place for the archive; a directory will do\n",
    )
    backup = run("backup", folder / "games.backup", "--data", folder)
    assert backup.exit_code == 1
    assert "in the archive, and none is set up here" in backup.stderr
    for wrong in ("s3://", "ftp://host/bucket", "s3://key:secret@host/bucket"):
        monkeypatch.setenv("HIDALGO_ARCHIVE", wrong)
        assert run("archive", "--data", folder).exit_code == 2
