"""`hidalgo verify`: exit codes, reports, standard input."""

import json

import pytest
from click.testing import CliRunner

from events.audit.export import export
from rules.kernel import SPECTATOR
from service.cli import main
from tests.events.played import finished, running


def run(*arguments, stdin=b""):
    return CliRunner().invoke(main, ["verify", *map(str, arguments)], input=stdin)


@pytest.fixture
def genuine(tmp_path):
    file = tmp_path / "game.json"
    file.write_bytes(export(*finished(), SPECTATOR))
    return file


@pytest.fixture
def changed(tmp_path, genuine):
    """The third commit starts the game, and a letter of it is another."""
    file = tmp_path / "changed.json"
    file.write_bytes(genuine.read_bytes().replace(b"game_started", b"game_Started", 1))
    return file


def test_a_finished_game_is_reported_with_its_scores(genuine):
    answer = run(genuine)
    assert answer.exit_code == 0
    assert f"{genuine}: genuine\n" in answer.output
    for word in (
        "the chain",
        "the secret",
        "the shuffles",
        "the rules",
        "added to the chance: red\n",
        "final scores: 1. ",
    ):
        assert word in answer.output
    games, game = finished()
    assert f"head {games.load(game).head}\n" in answer.output


def test_of_a_running_game_only_the_chain_is_checked_and_it_says_so(tmp_path):
    file = tmp_path / "game.json"
    file.write_bytes(export(*running(), "blue"))
    answer = run(file)
    assert answer.exit_code == 0
    assert "as seen by blue: " in answer.output
    assert "not finished: secret, shuffles and points can be checked when it is over" in answer.output
    assert "the shuffles: " not in answer.output


def test_the_first_bad_commit_is_named(changed):
    answer = run(changed)
    assert answer.exit_code == 1
    assert f"{changed}: NOT GENUINE\n  commit 3: " in answer.output


def test_all_files_are_checked_even_when_one_is_bad(genuine, changed):
    answer = run(changed, genuine)
    assert answer.exit_code == 1
    assert f"{genuine}: genuine\n" in answer.output


def test_a_file_that_is_not_there_is_another_error_than_a_bad_one(tmp_path, changed):
    answer = run(tmp_path / "nowhere.json", changed)
    assert answer.exit_code == 2
    assert "nowhere.json: cannot be read: No such file or directory" in answer.output
    assert "NOT GENUINE" in answer.output


def test_a_directory_cannot_be_read(tmp_path):
    assert run(tmp_path).exit_code == 2


def test_no_file_is_a_mistake():
    assert run().exit_code == 2


def test_a_dash_reads_standard_input(genuine, changed):
    assert run("-", stdin=genuine.read_bytes()).exit_code == 0
    assert run("-", stdin=changed.read_bytes()).exit_code == 1


def test_programs_get_a_line_of_json_for_every_file(genuine, changed, tmp_path):
    answer = run("--json", genuine, changed, tmp_path / "nowhere.json")
    good, bad, missing = map(json.loads, answer.output.splitlines())
    assert (good["genuine"], good["finished"], set(good["scores"])) == (True, True, {"red", "blue"})
    assert (bad["genuine"], bad["commit"]) == (False, 3)
    assert missing["genuine"] is None
