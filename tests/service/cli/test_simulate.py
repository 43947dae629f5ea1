"""`hidalgo simulate`."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from events.audit.verify import verify
from rules.catalogue import GAMES
from rules.el_grande.base import BASE
from rules.el_grande.cards import CARDS
from service.cli.coverage import Coverage
from service.cli.simulate import simulate

EVERY_VARIANT = ("--players", "2-5", "--length", "both", "--expansion-mix")
SHORT = ("--players", "2", "--length", "short")


def run(*arguments):
    return CliRunner().invoke(simulate, [*map(str, arguments), "--jobs", "1"])


def figures(*arguments):
    """What `--json` prints, but for the time it took."""
    answer = run(*arguments, "--json")
    printed = json.loads(answer.output)
    assert printed.pop("speed").keys() == {"seconds", "jobs", "games_per_second", "commands_per_second"}
    return printed


def test_every_variant_is_played_without_a_violation():
    answer = run(*EVERY_VARIANT, "--games", 16)
    assert answer.exit_code == 0
    assert answer.output.startswith("16 games in 16 variants")
    assert answer.output.endswith("no violation\n")


def test_figures_as_json():
    printed = figures("--players", "3", "--length", "short", "--games", 2)
    assert printed["games"] == 2
    assert printed["variants"] == {"el_grande, 3 players, short": 2}
    assert printed["coverage"]["reached"]["disk_general"] == 2 * 3 * 3
    assert printed["commands"] == sum(printed["coverage"]["reached"].values())
    assert printed["violation"] is None
    assert printed["missing"] == []


def test_a_violation_ends_the_run_and_tells_how_to_repeat_it(monkeypatch):
    with_expansion("crooked", crooked, monkeypatch)
    answer = run("--players", "2-5", "--expansion", "crooked", "--games", 9, "--seed", 5)
    assert answer.exit_code == 1
    assert "VIOLATION in game 0 (el_grande+crooked, 2 players, full), fact " in answer.output
    assert "wrong:  no_king_moves: the king moved to " in answer.output
    assert '"fact":"king_moved"' in answer.output
    [repeat] = [line.split("hidalgo simulate ")[1] for line in answer.output.splitlines() if "repeat:" in line]
    assert run(*repeat.split()).output == answer.output


def test_an_error_in_the_rules_is_a_violation(monkeypatch):
    with_expansion("broken", broken, monkeypatch)
    answer = run("--expansion", "broken", "--games", 1)
    assert answer.exit_code == 1
    assert "wrong:  ZeroDivisionError" in answer.output
    assert "no_numbers" in answer.output


def test_the_violation_is_in_the_json_too(monkeypatch):
    with_expansion("crooked", crooked, monkeypatch)
    violation = figures("--players", "4", "--expansion", "crooked", "--games", 1)["violation"]
    assert violation["variant"] == "el_grande+crooked, 4 players, full"
    assert violation["wrong"].startswith("no_king_moves")
    assert "--first 0 --games 1" in violation["repeat"]
    assert len(bytes.fromhex(violation["seed"])) == 32


def test_nothing_is_checked_without_invariants(monkeypatch):
    with_expansion("crooked", crooked, monkeypatch)
    assert run("--players", "4", "--expansion", "crooked", "--games", 1, "--no-invariants").exit_code == 0


def test_a_card_that_has_not_come_up_is_missing():
    answer = run("--players", "2", "--length", "short", "--games", 1, "--cover")
    assert answer.exit_code == 1
    assert "missing: s2_veto was never vetoed\n" in answer.output
    assert "no violation\n" in answer.output


def test_coverage_asks_for_every_card_and_decision():
    seen = Coverage()
    seen.counts["executed"].update(["s2_veto"])
    seen.counts["reached"].update(["menu"])
    only = replace(BASE, cards={"s2_veto": CARDS["s2_veto"]}, decisions={"menu": ()})
    assert seen.missing(GAMES["el_grande"], [only]) == [
        "s2_veto was never declined",
        "s2_veto was never vetoed",
        "menu was never timed out",
    ]


@pytest.mark.parametrize("number", range(16))
def test_an_exported_game_of_every_variant_is_genuine(tmp_path, number):
    file = tmp_path / "game.json"
    played = figures(*EVERY_VARIANT, "--first", number, "--games", 1, "--export", file)
    verified = verify(file.read_bytes())
    assert f"{verified.rules}, {len(verified.scores)} players" in next(iter(played["variants"]))
    assert verified.facts == played["facts"] + len(["game_created", "game_started", "secret_revealed"])


def test_the_last_of_several_games_is_exported(tmp_path):
    alone, last = tmp_path / "alone.json", tmp_path / "last.json"
    run(*SHORT, "--first", 2, "--games", 1, "--export", alone)
    run(*SHORT, "--games", 3, "--export", last)
    assert alone.read_bytes() == last.read_bytes()


def test_the_secret_of_an_exported_game_follows_from_the_seed_and_its_number(tmp_path):
    """As `docs/verify.md` says."""
    file = tmp_path / "game.json"
    run(*SHORT, "--seed", 7, "--first", 2, "--games", 1, "--export", file)
    secret = sha256(b"hidalgo simulate 7 2").hexdigest()
    assert json.loads(file.read_bytes())["commits"][-1]["facts"][-1]["fact"]["secret"] == secret


def test_games_do_not_depend_on_hash_seeds_or_processes(tmp_path):
    outputs = [in_a_process(tmp_path, hash_seed, jobs) for hash_seed, jobs in ((1, 1), (2, 2))]
    assert outputs[0] == outputs[1]


def test_another_seed_gives_other_games():
    plays = partial(figures, "--players", "2", "--length", "short", "--games", 1, "--no-invariants")
    assert plays("--seed", 1) == plays("--seed", 1)
    assert plays("--seed", 1)["digest"] != plays("--seed", 2)["digest"]


@pytest.mark.parametrize("players", ["1", "6", "5-2", "four"])
def test_players_that_do_not_fit_the_table_are_refused(players):
    answer = run("--players", players)
    assert answer.exit_code == 2
    assert f"{players} is neither a number from 2 to 5, nor a range like 2-5, nor all" in answer.output


def test_an_unknown_expansion_is_refused():
    answer = run("--expansion", "grand_inquisitor")
    assert answer.exit_code == 2
    assert "el_grande has no expansion grand_inquisitor" in answer.output


def test_expansions_that_are_kept_apart_are_not_played_together(monkeypatch):
    with_expansion("crooked", crooked, monkeypatch)
    apart = {frozenset({"anniversary", "crooked"}): "flags make the king nervous"}
    monkeypatch.setitem(GAMES, "el_grande", structs.replace(GAMES["el_grande"], apart=apart))
    named = ("--expansion", "anniversary", "--expansion", "crooked", "--expansion-mix")
    mixed = figures("--players", "2", "--length", "short", "--games", 3, *named, "--no-invariants")
    assert mixed["variants"] == {
        "el_grande, 2 players, short": 1,
        "el_grande+anniversary, 2 players, short": 1,
        "el_grande+crooked, 2 players, short": 1,
    }
    together = run("--expansion", "anniversary", "--expansion", "crooked")
    assert together.exit_code == 2
    assert "flags make the king nervous" in together.output


@pytest.mark.long
def test_everything_comes_up_in_a_long_run():
    answer = CliRunner().invoke(simulate, [*EVERY_VARIANT, "--games", "2000", "--cover"])
    assert answer.exit_code == 0, answer.output


# Rules with something wrong


def with_expansion(name, expand, monkeypatch):
    game = GAMES["el_grande"]
    monkeypatch.setitem(GAMES, "el_grande", structs.replace(game, expansions={**game.expansions, name: expand}))


def crooked(base):
    return replace(base, name="el_grande+crooked", invariants=(*base.invariants, no_king_moves))


def no_king_moves(before, fact, after):
    return f"the king moved to {after.king}" if before.king and before.king != after.king else None


def broken(base):
    return replace(base, name="el_grande+broken", veto_holders=no_numbers)


def no_numbers(board, actor):
    raise ZeroDivisionError("no numbers here")


def in_a_process(place: Path, hash_seed: int, jobs: int) -> tuple[bytes, bytes]:
    """What a run in a process of its own prints, but for the time it took, and the game that it writes."""
    file = place / f"{hash_seed}.json"
    hidalgo = Path(sys.executable).with_name("hidalgo")
    printed = subprocess.run(
        [hidalgo, "simulate", *EVERY_VARIANT, "--games", "24", "--jobs", str(jobs), "--json", "--export", file],
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    return printed.split(b'"speed"')[0], file.read_bytes()
