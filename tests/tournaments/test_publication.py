"""The file of a tournament, and the program that checks it without any code of ours."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.hall import SECRET, Hall, swiss
from tests.tournaments.playing import Event
from tournaments.audit import export
from tournaments.commands import (
    SERVICE,
    Adjudicate,
    AdjustPoints,
    FinishTournament,
    ForbidPair,
    ProposeRound,
    RequestBye,
    Withdraw,
)
from tournaments.history import canonical
from tournaments.options import Stage
from tournaments.points import PRESETS, UNIT, PointScheme
from tournaments.publication import publication
from tournaments.results import Result
from tournaments.wishes import LEVEL_FIRST, Wishes

PROGRAM = Path(__file__, "../../../docs/verify_rounds.py").resolve()


def checked(file, tmp_path):
    """The exit code, and what the program says of a file."""
    path = tmp_path / "tournament.json"
    path.write_bytes(file if isinstance(file, bytes) else json.dumps(file).encode())
    ended = subprocess.run([sys.executable, "-I", PROGRAM, path], capture_output=True, text=True, timeout=60)
    return ended.returncode, ended.stdout.splitlines() or ended.stderr.splitlines()


@pytest.fixture(scope="module")
def finished():
    """Two stages, byes, a pair kept apart, absent players, rulings."""
    hall = Hall(13, sizes=(3,), stages=(Stage(rounds=3), Stage("final", 1, players=4)))
    hall.start()
    hall.do(ForbidPair("olga", "p001", "p002"))
    hall.do(RequestBye("olga", "p013", round=1, kind="half_bye"))

    def without_one(table):
        result = hall.by_chance(table)
        return Result(result.places, result.victory_points, absent=(0,), abandoned=(1,))

    hall.play(1, without_one)
    hall.do(AdjustPoints("olga", "a prize", "p008", 3 * UNIT))
    hall.do(Withdraw("p005"))
    hall.play(3, hall.by_chance)
    hall.do(FinishTournament(SERVICE))
    return hall


def test_every_round_of_a_finished_tournament_is_checked_by_another_program(finished, tmp_path):
    assert checked(publication(finished.tournament, SECRET), tmp_path) == (
        0,
        ["stage 1: 3 rounds, 13 players", "stage 2: 1 rounds, 13 players", "every round is as its certificate says"],
    )


def test_the_log_that_everybody_can_export_is_checked_by_it_as_well(finished, tmp_path):
    exported = export(finished.log.read("t1"), SECRET)
    assert checked(exported, tmp_path) == checked(publication(finished.tournament, SECRET), tmp_path)
    file = json.loads(exported)
    facts = [each["fact"] for commit in file["commits"] for each in commit["facts"]]
    recorded = [fact for fact in facts if fact["fact"] == "result_recorded"]
    recorded[0]["result"]["places"].reverse()
    code, said = checked(file, tmp_path)
    assert (code, "round 2: it was drawn from other results" in said) == (1, True)


@pytest.mark.parametrize("status", ["before a round", "drawn", "under way"])
def test_the_log_of_a_tournament_that_goes_on_is_checked_as_far_as_it_is_known(status, tmp_path):
    hall = Hall(9, sizes=(3,), stages=swiss(3))
    hall.start()
    hall.play(1)
    if status == "drawn":
        hall.do(ProposeRound("olga"))
    if status == "under way":
        hall.draw()
    code, said = checked(export(hall.log.read("t1"), SECRET), tmp_path)
    assert (code, said[-1]) == (0, "every round is as its certificate says")


def test_a_log_in_which_a_ruling_came_after_a_draw_says_so(tmp_path):
    hall = Hall(8, stages=swiss(3))
    hall.start()
    hall.play(2)
    now = hall.tournament.rounds[0].round.tables[0].result
    assert now
    hall.do(Adjudicate("olga", "swapped", 1, 0, Result(tuple(5 - place for place in now.places))))
    assert checked(export(hall.log.read("t1"), SECRET), tmp_path) == checked(publication(hall.tournament), tmp_path)


def test_a_round_that_was_drawn_before_a_ruling_says_so(tmp_path):
    hall = Hall(8, stages=swiss(3))
    hall.start()
    hall.play(2)
    now = hall.tournament.rounds[0].round.tables[0].result
    assert now
    turned = Result(tuple(5 - place for place in now.places))
    hall.do(Adjudicate("olga", "swapped", 1, 0, turned))
    code, said = checked(publication(hall.tournament), tmp_path)
    assert code == 0
    assert said[0] == "round 2 was drawn before a ruling: its claims about scores are not checked"


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset != "own"])
def test_another_program_counts_the_same_points(preset, tmp_path):
    event = Event(11, 4, allowed=(3,), points=PointScheme(preset)).play(3, sharing)
    assert checked(file_of(event), tmp_path)[0] == 0


def sharing(table):
    """Everybody but the last shares the first place."""
    last = len(table.players) - 1
    return Result((*[1] * last, last + 1), tuple(range(10, 10 - len(table.players), -1)))


@pytest.mark.parametrize(
    ("players", "size", "wishes"),
    [
        (20, 4, Wishes(rematch=LEVEL_FIRST)),
        (21, 3, Wishes(leaders_together=True)),
        (13, 5, Wishes(seeding="rating", odd_tables_first=True)),
        (140, 4, Wishes(by_lot=True)),
    ],
    ids=["level", "leaders", "byes", "lots"],
)
def test_every_wish_is_checked_by_another_program(players, size, wishes, tmp_path):
    assert checked(file_of(Event(players, size, wishes=wishes, allowed=(4,)).play(3)), tmp_path)[0] == 0


@pytest.mark.long
def test_a_large_event_is_checked_by_another_program(tmp_path):
    assert checked(file_of(Event(1024, 4).play(7)), tmp_path)[0] == 0


def file_of(event):
    """As it would be published."""
    rounds = [
        {"number": number, "attempt": 1, "certificate": certificate, "is_outdated": False}
        for number, certificate in enumerate(event.certificates, start=1)
    ]
    stage = {"history": event.history, "rounds": rounds}
    return canonical({"id": "t1", "commitment": "", "secret": "", "stages": [stage]})


def number(name):
    def forge(file):
        file["stages"][0]["rounds"][1]["certificate"][name] += 1

    return forge


def swap(file):
    one, other, *_ = file["stages"][0]["history"]["rounds"][1]["tables"]
    one["players"][0], other["players"][0] = other["players"][0], one["players"][0]


def double(file):
    one, other, *_ = file["stages"][0]["history"]["rounds"][1]["tables"]
    one["players"][0] = other["players"][0]


def result(file):
    table = file["stages"][0]["history"]["rounds"][0]["tables"][0]
    table["result"]["places"] = table["result"]["places"][::-1]


def seed(file):
    file["stages"][0]["rounds"][0]["certificate"]["seed"] = "00" * 32


def attempt(file):
    file["stages"][0]["rounds"][2]["attempt"] = 2


def secret(file):
    file["secret"] = "11" * 32


def points(file):
    file["stages"][0]["history"]["adjustments"][0]["units"] += 60


NUMBERS = ["kept_apart", "team_mates", "repeats", "least_repeats", "meetings", "odd", "squares", "spread"]
FORGERIES = [number(name) for name in (*NUMBERS, "seats_worst", "seats_sum")]


@pytest.mark.parametrize(
    "forge",
    [*FORGERIES, swap, double, result, seed, attempt, secret, points],
    ids=[*NUMBERS, "seats_worst", "seats_sum", "swap", "double", "result", "seed", "attempt", "secret", "points"],
)
def test_nothing_can_be_changed_without_being_caught(finished, forge, tmp_path):
    file = json.loads(publication(finished.tournament, SECRET))
    forge(file)
    code, said = checked(file, tmp_path)
    assert code == 1
    assert "every round is as its certificate says" not in said


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"secret": "", "stages": 3}'])
def test_other_files_are_told_from_false_ones(content, tmp_path):
    assert checked(content, tmp_path)[0] == 2


def test_the_program_is_small_and_shares_no_code_with_ours():
    text = PROGRAM.read_text()
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else _names(node))
    }
    assert imported <= sys.stdlib_module_names
    assert len(text.splitlines()) < 320


def _names(node):
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
