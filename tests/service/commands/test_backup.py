"""`hidalgo backup` and `hidalgo restore`, with the embedded store."""

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.games import Games
from events.redis_log import RedisLog
from events.store import open_store
from events.verify import verify_stored
from service.cli import main
from tests.events.played import play


@pytest.fixture
def place():
    """A directory with a short name: that of a socket cannot be long."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as name:
        yield Path(name)


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)], env={"REDIS_URL": None, "HIDALGO_DATA": None})


def with_games(data, use):
    store, close = open_store(None, data, report=lambda line: None)
    try:
        return use(Games(RedisLog(store)))
    finally:
        close()


def test_all_games_go_from_one_machine_to_another(place):
    file = place / "games.backup"
    game = with_games(place / "a", lambda games: play(games, 2, moves=3))
    written = run("backup", file, "--data", place / "a")
    assert (written.exit_code, written.stdout) == (0, f"1 games with 6 commits are in {file}\n")
    restored = run("restore", file, "--data", place / "b")
    assert (restored.exit_code, restored.stdout.partition(";")[0]) == (0, "1 games restored")
    assert with_games(place / "b", lambda games: verify_stored(games, game)).commits == 6
    again = run("restore", file, "--data", place / "b")
    assert (again.exit_code, "1 were there," in again.stdout) == (0, True)


def test_another_game_of_the_same_name_is_named_and_the_exit_code_tells(place):
    for data in ("a", "b"):
        with_games(place / data, lambda games: play(games, 2, moves=1, game="twin"))
    run("backup", place / "file", "--data", place / "a")
    answer = run("restore", place / "file", "--data", place / "b")
    assert answer.exit_code == 1
    assert "game twin was not restored: another game of this name is there" in answer.output


def test_a_file_that_is_no_backup_is_refused_in_a_sentence(place):
    (place / "file").write_bytes(b"hello")
    answer = run("restore", place / "file", "--data", place / "a")
    assert answer.exit_code == 1
    assert "Error: the file is damaged: " in answer.output


def test_a_backup_needs_a_directory_that_is_there(place):
    answer = run("backup", place / "nowhere" / "file", "--data", place / "a")
    assert answer.exit_code == 1
    assert "No such file or directory" in answer.output


def test_a_store_that_is_away_is_told_in_a_sentence(place):
    answer = run("backup", place / "file", "--url", f"unix://{place}/nobody.sock")
    assert answer.exit_code == 1
    assert "Error: the store cannot be reached" in answer.output
    assert not (place / "file").exists()
