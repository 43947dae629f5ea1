"""`hidalgo tournament`: simulated tournaments, and files of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.store import connect
from service.cli import main
from service.services import services
from service.settings import Settings
from tests.events.servers import embedded_server
from tests.repository.checkout import ROOT
from tournaments.trf.records import parse_trf, trf

PROGRAM = ROOT / "docs/verify_rounds.py"
SMALL = ("--players", "9", "--table", "3", "--rounds", "2", "--length", "short", "--bot", "random")


def run(*arguments):
    return CliRunner().invoke(main, ["tournament", *map(str, arguments)])


@pytest.fixture(scope="module", name="simulated")
def a_simulation(tmp_path_factory):
    """The object that is printed, and the file."""
    file = tmp_path_factory.mktemp("simulation") / "event.json"
    answer = run("simulate", *SMALL, "--json", "--export", file)
    assert answer.exit_code == 0, answer.output
    return json.loads(answer.stdout), file


def test_every_table_of_a_simulation_has_its_game_and_result(simulated):
    printed, _ = simulated
    assert printed["status"] == "finished"
    assert [len(each["tables"]) for each in printed["rounds"]] == [3, 3]
    tables = [table for each in printed["rounds"] for table in each["tables"]]
    assert len({table["game"] for table in tables}) == 6
    assert all(min(table["places"]) == 1 and max(table["victory_points"]) > 0 for table in tables)
    assert [row["place"] for row in printed["standings"]] == list(range(1, 10))


def test_the_same_seed_gives_the_same_tournament_byte_by_byte(simulated, tmp_path):
    printed, file = simulated
    again = tmp_path / "again.json"
    assert json.loads(run("simulate", *SMALL, "--json", "--export", again).stdout) == printed
    assert again.read_bytes() == file.read_bytes()


def test_another_seed_gives_another_tournament(simulated):
    printed, _ = simulated
    other = json.loads(run("simulate", *SMALL, "--json", "--seed", "another").stdout)
    assert other["digest"] != printed["digest"]


def test_progress_and_standings_go_to_different_outputs():
    answer = run("simulate", *SMALL, "--rounds", "1")
    assert "round 1 is over after " in answer.stderr
    assert answer.stdout.split()[:2] == ["player", "TP"]
    assert len(answer.stdout.splitlines()) == 10


def test_a_file_of_two_players_at_a_table_is_written_for_arbiters(tmp_path):
    file = tmp_path / "event.trf"
    duels = ("--players", "5", "--table", "2", "--rounds", "2", "--length", "short", "--bot", "random")
    assert run("simulate", *duels, "--trf", file).exit_code == 0
    text = file.read_text()
    assert trf(parse_trf(text)) == text
    assert text.count("\n001 ") == 5


def test_tables_of_more_players_have_no_such_file():
    answer = run("simulate", *SMALL, "--trf", "event.trf")
    assert answer.exit_code == 2
    assert "use --table 2" in answer.stderr


def test_a_size_that_the_game_is_not_for_is_refused():
    answer = run("simulate", "--players", "12", "--table", "6", "--rounds", "1")
    assert answer.exit_code == 1
    assert answer.stderr.splitlines()[-1].startswith("Error: ")


def test_a_plan_with_repeated_meetings_is_warned_of():
    answer = run("simulate", "--players", "4", "--rounds", "2", "--length", "short", "--bot", "random")
    assert answer.exit_code == 0
    assert "warning: in 2 rounds at least 6 pairs meet again" in answer.stderr


# Files


def test_the_file_of_a_simulation_is_genuine(simulated):
    _, file = simulated
    answer = run("verify", file)
    assert answer.exit_code == 0
    assert f"{file}: genuine\n" in answer.stdout
    for word in ("the chain", "the course", "the certificates", "the secret", "the draws", "the order at the end"):
        assert f"checked {word}: " in answer.stdout


def test_another_program_finds_every_round_of_the_file_as_its_certificate_says(simulated):
    ended = subprocess.run([sys.executable, "-I", PROGRAM, simulated[1]], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (
        0,
        "stage 1: 2 rounds, 9 players\nevery round is as its certificate says\n",
    )


def test_a_report_for_programs(simulated):
    printed, file = simulated
    report = json.loads(run("verify", "--json", file).stdout)
    assert report["genuine"] is True
    assert (report["tournament"], report["rounds"]) == (printed["tournament"], 2)


def test_a_changed_file_is_not_genuine_and_its_commit_is_named(simulated, tmp_path):
    _, file = simulated
    changed = tmp_path / "changed.json"
    changed.write_bytes(file.read_bytes().replace(b'"places":[1,', b'"places":[2,', 1))
    answer = run("verify", changed)
    assert answer.exit_code == 1
    assert "NOT GENUINE\n  commit " in answer.stdout


def test_other_files_and_missing_ones_are_named(tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert run("verify", other).exit_code == 1
    assert run("verify", Path("nowhere.json")).exit_code == 2


# Tournaments of a store


@pytest.fixture(scope="module", name="store")
def a_store():
    """Where an organiser and two players have accounts."""
    with embedded_server() as server:
        store = connect(server.url)
        wired = services(store, Settings())
        for handle in ("olga", "ben", "cid"):
            wired.accounts.register(handle, "a long password")
        yield server.url
        store.close()


def on(store, *arguments):
    answer = run(*arguments, "--url", store)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_an_operator_creates_and_opens_a_tournament_and_looks_at_it(store):
    id = on(
        store, "new", "--owner", "olga", "--title", "Club evening", "--preset", "casual-evening", "--rounds", 2
    ).strip()
    opened = on(store, "open", id, "--player", "ben", "--player", "cid", "--bots", 2, "--bot", "random")
    assert opened.startswith(f"Club evening ({id}): open\n4 players at tables of 4; 0 of 2 rounds\n")
    assert f"Club evening ({id}): open\n" in on(store, "status")
    started = json.loads(on(store, "open", id, "--bots", 1, "--start", "--json"))
    assert (started["status"], started["players"]) == ("running", 5)


def test_an_operator_without_tournaments_is_told_how_to_begin():
    with embedded_server() as server:
        assert on(server.url, "status", "--json") == ""
        assert on(server.url, "status") == "no tournaments yet: `hidalgo tournament new` creates one\n"


def test_options_come_from_a_file_too(store, tmp_path):
    file = tmp_path / "options.json"
    file.write_text(json.dumps({"title": "Duels", "size": 2, "stages": [{"rounds": 3}]}))
    created = json.loads(on(store, "new", "--owner", "olga", "--options", file, "--json"))
    assert created["title"] == "Duels"
    exported = tmp_path / "event.json"
    on(store, "export", created["tournament"], exported)
    assert run("verify", exported).exit_code == 0
    assert on(store, "export", created["tournament"], "-", "--trf").startswith("012 Duels")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("status", "nowhere"), "there is no tournament nowhere"),
        (("new", "--owner", "nobody", "--title", "x"), "there is no account with the handle nobody"),
        (("new", "--owner", "olga"), "these are no options of a tournament"),
        (("new", "--owner", "olga", "--title", "x", "--game", "chess"), "there is no game chess"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(store, arguments, sentence):
    answer = run(*arguments, "--url", store)
    assert answer.exit_code == 1
    assert sentence in answer.stderr
