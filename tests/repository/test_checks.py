"""The checks in front of the tests: the same everywhere, and able to fail."""

import re
import subprocess
import sysconfig
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from tests.repository.checkout import ROOT

SCRIPTS = Path(sysconfig.get_path("scripts"))
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
[LAYERS] = [c["layers"] for c in CONTRACTS if c["type"] == "layers" and "service.http" in c["layers"]]
ROOMS = [[room.strip() for room in layer.split("|")] for layer in LAYERS]
PARTS = sorted(room.replace(".", "/") for layer in ROOMS for room in layer)
[INSIDE_EVENTS] = [c["layers"] for c in CONTRACTS if c.get("containers") == ["events"]]
EVENTS = [f"events/{room.strip()}" for layer in INSIDE_EVENTS for room in layer.split("|")]
GAME = ["rules/el_grande", "rules/el_grande/expansions", "rules/el_caballero"]
PACKAGES = [
    "service",
    "service/operations",
    *PARTS,
    "replay",
    "replay/study",
    "tournaments",
    "tournaments/pairing",
    "tournaments/verification",
    "events",
    *EVENTS,
    "rules",
    *GAME,
]
EXHAUSTIVE = ("events", "rules")
"""Packages in which every module must have a layer."""
RULES = [f"rules/{path.stem}" for path in (ROOT / "rules").glob("[!_]*.py")] + ["rules/el_grande/game"]


def forbidden_to(module: str) -> dict:
    [contract] = [c for c in CONTRACTS if c["type"] == "forbidden" and module in c["source_modules"]]
    return contract


def test_a_commit_is_checked_like_a_test_run():
    by_script = re.findall(r"^    check (.+)$", (ROOT / "hidalgo").read_text(), re.MULTILINE)
    config = (ROOT / ".pre-commit-config.yaml").read_text()
    by_hook = re.findall(r"entry: \.venv/bin/(.+)$", config, re.MULTILINE)
    assert by_hook == by_script == ["ruff check .", "ruff format --check .", "mypy", "lint-imports"]


def test_the_hooks_are_well_formed():
    subprocess.run([SCRIPTS / "pre-commit", "validate-config"], cwd=ROOT, check=True)


def test_the_test_command_is_the_same_for_people_and_machines():
    assert "./hidalgo test\n" in (ROOT / "README.md").read_text()
    assert (ROOT / ".ci/run").read_text().endswith("\n./hidalgo test\n")


def test_machines_have_every_program_without_which_a_test_is_skipped():
    """Servers that tests start, programs in other languages, the pages' commands."""
    wanted = {
        program
        for file in (ROOT / "tests").rglob("*.py")
        for program in re.findall(r'shutil\.which\("([^"]+)"\)', file.read_text())
    }
    assert wanted >= {"chromium", "faketime", "node", "redis-server"}
    installed = re.findall(r"command -v (\S+)\"", (ROOT / ".ci/run").read_text())
    assert wanted <= set(installed)


def test_rules_that_reach_for_the_outside_world_are_caught(tmp_path):
    pure = forbidden_to("rules")
    imports = "".join(f"import {module}\n" for module in pure["forbidden_modules"])
    report = lint(tmp_path, rules=imports)
    for module in pure["forbidden_modules"]:
        assert f"rules.example -> {module} " in report


def test_a_client_that_reaches_into_the_service_is_caught(tmp_path):
    contract = forbidden_to("service.client")
    imports = "".join(f"import {module}\n" for module in contract["forbidden_modules"])
    report = lint(tmp_path, **{"service/client": imports, "service/bots": "import rules"})
    for module in contract["forbidden_modules"]:
        assert f"service.client.example -> {module} " in report
    assert "service.bots.example -> rules " in report


@pytest.mark.parametrize("framework", forbidden_to("service.services")["forbidden_modules"])
def test_a_service_that_knows_the_web_framework_is_caught(tmp_path, framework):
    rooms = forbidden_to("service.services")["source_modules"]
    report = lint(tmp_path, **{room.replace(".", "/"): f"import {framework}" for room in rooms})
    for room in rooms:
        assert f"{room}.example -> {framework} " in report


def test_every_room_of_the_service_imports_only_those_below_it(tmp_path):
    """Each of these imports one that is above it, or beside it."""
    upwards = {lower: above[0] for above, below in pairwise(ROOMS) for lower in below}
    upwards |= {one: other for layer in ROOMS for one, other in pairwise(layer)}
    report = lint(tmp_path, **{room.replace(".", "/"): f"import {other}" for room, other in upwards.items()})
    for room, other in upwards.items():
        assert f"{room}.example -> {other} " in report


def test_every_room_of_the_service_has_its_layer():
    modules = [file.relative_to(ROOT).with_suffix("") for file in (ROOT / "service").rglob("*.py")]
    homeless = [m for m in modules if m.name != "__init__" and not any(m.is_relative_to(part) for part in PARTS)]
    assert homeless == []


def test_siblings_and_upward_imports_are_caught(tmp_path):
    report = lint(tmp_path, rules="import events", replay="import tournaments", events="import service")
    for line in ["rules.example -> events ", "replay.example -> tournaments ", "events.example -> service "]:
        assert line in report


@pytest.mark.parametrize("package", ["service/cli", "service/api", "events", "replay", "tournaments", "rules"])
def test_a_game_that_is_named_outside_the_catalogue_is_caught(tmp_path, package):
    report = lint(tmp_path, **{package: "import rules.el_grande.example"})
    assert f"{package.replace('/', '.')}.example -> rules.el_grande.example " in report


def test_the_catalogue_may_name_a_game(tmp_path):
    assert linted(tmp_path, {"rules/catalogue": "import rules.el_grande.game"}).returncode == 0


@pytest.mark.parametrize("module", ["expansions.example", "game"])
def test_a_base_that_knows_expansions_is_caught(tmp_path, module):
    report = lint(tmp_path, **{"rules/el_grande": f"import rules.el_grande.{module}"})
    assert f"rules.el_grande.example -> rules.el_grande.{module} " in report


def test_an_expansion_may_know_the_base(tmp_path):
    assert linted(tmp_path, {"rules/el_grande/expansions": "import rules.el_grande.example"}).returncode == 0


@pytest.mark.parametrize(
    ("module", "above"),
    [
        ("rules/kernel", "rules.game"),
        ("rules/game", "rules.catalogue"),
        ("rules/el_grande/game", "rules.catalogue"),
        ("rules/catalogue", "rules.simulation"),
    ],
)
def test_rules_that_reach_for_a_layer_above_them_are_caught(tmp_path, module, above):
    report = lint(tmp_path, **{module: f"import {above}"})
    assert f"{module.replace('/', '.')} -> {above} " in report


@pytest.mark.parametrize(
    ("room", "above"),
    [
        ("events/log", "events.table"),
        ("events/history", "events.table"),
        ("events/repository", "events.table"),
        ("events/table", "events.repository"),
        ("events/store", "events.log"),
        ("events/workers", "events.audit"),
    ],
)
def test_rooms_of_events_that_reach_for_a_layer_above_them_are_caught(tmp_path, room, above):
    report = lint(tmp_path, **{room: f"import {above}.example"})
    assert f"{room.replace('/', '.')}.example -> {above}.example " in report


def test_a_table_that_reaches_for_the_store_or_the_clock_is_caught(tmp_path):
    report = lint(tmp_path, **{"events/table": "import events.store.example\nimport time"})
    assert "events.table.example -> events.store.example " in report
    assert "events.table.example -> time " in report


def test_a_study_that_reaches_for_chance_is_caught(tmp_path):
    assert "replay.study.example -> secrets " in lint(tmp_path, **{"replay/study": "import secrets"})


def test_a_tournament_that_reaches_for_chance_is_caught(tmp_path):
    assert "tournaments.example -> random " in lint(tmp_path, tournaments="import random")


def test_a_check_of_certificates_that_knows_the_pairing_is_caught(tmp_path):
    report = lint(tmp_path, **{"tournaments/verification": "import tournaments.pairing.example"})
    assert "tournaments.verification.example -> tournaments.pairing.example " in report


def test_a_room_of_events_without_a_layer_is_caught(tmp_path):
    assert "events.example" in lint(tmp_path, events="# In no layer.")


def test_a_module_of_the_rules_without_a_layer_is_caught(tmp_path):
    assert "rules.example" in lint(tmp_path, rules="# In no layer.")


def lint(place: Path, **examples: str) -> str:
    """What our contracts say about packages and modules of the rules that hold nothing but these bad examples."""
    result = linted(place, examples)
    assert result.returncode == 1
    return result.stdout


def linted(place: Path, examples: dict[str, str]) -> subprocess.CompletedProcess[str]:
    for package in PACKAGES:
        (place / package).mkdir()
        (place / package / "__init__.py").touch()
        if package not in EXHAUSTIVE or package in examples:
            (place / package / "example.py").write_text(examples.get(package, ""))
    for module in RULES:
        (place / f"{module}.py").write_text(examples.get(module, ""))
    (place / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return subprocess.run([SCRIPTS / "lint-imports"], cwd=place, capture_output=True, text=True)
