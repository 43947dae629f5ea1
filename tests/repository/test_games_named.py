"""Nothing outside the rules, the texts and the drawings names a game: whatever plays one plays all of them."""

import ast
import re

import pytest

from rules.catalogue import GAMES
from tests.repository.checkout import ROOT

NAMED = re.compile(rf"({'|'.join(GAMES)})(\+\w+)*")
QUOTED = re.compile(rf"[\"'`/]({'|'.join(GAMES)})\b")
PACKAGES = ("service", "replay", "events", "tournaments")
DRAWINGS = ROOT / "service/pictures"
"""Pictures of pages show games that were made up."""

SOURCES = [
    path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")) if DRAWINGS not in path.parents
]
SHARED = [path for path in sorted((ROOT / "rules").glob("*.py")) if path.name != "catalogue.py"]
SCRIPTS = sorted((ROOT / "service/web").rglob("*.js"))


def named_in(source: str) -> list[str]:
    """Names of games that the code mentions: as a whole text, or as a part of what it imports."""
    nodes = list(ast.walk(ast.parse(source)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named = [text for text in texts if NAMED.fullmatch(text)]
    return named + [module for module in modules if set(module.split(".")) & set(GAMES)]


def test_a_name_is_found():
    assert named_in("import rules.el_grande.game\nGAME = 'el_caballero'\n") == ["el_caballero", "rules.el_grande.game"]
    assert named_in("'''such as el_grande'''") == []


@pytest.mark.parametrize("path", [*SOURCES, *SHARED], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_names_a_game(path):
    assert named_in(path.read_text()) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_script_names_a_game_but_those_that_shuffle(path):
    if path.parent.name == "shuffles":
        assert path.stem in GAMES
    else:
        assert not QUOTED.search(path.read_text())


def test_every_game_has_a_script_that_shuffles():
    assert {path.stem for path in SCRIPTS if path.parent.name == "shuffles"} == set(GAMES)
