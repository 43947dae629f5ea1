"""Whole games, compared line by line. `HIDALGO_REWRITE=1` writes them anew (`tests/playthroughs/README.md`)."""

import os
from pathlib import Path

import pytest

from rules.catalogue import GAMES
from tests.rules.playthroughs import Heading, narrated

FILES = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.txt"))
HEADINGS = [Heading.parse(path.read_text().splitlines()[0]) for path in FILES]
files = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@files
def test_a_game_goes_as_it_went_before(path):
    lines = path.read_text().splitlines()
    again = narrated(lines)
    if os.environ.get("HIDALGO_REWRITE"):
        path.write_text("\n".join(again) + "\n")
        pytest.skip("written anew")
    for number, (line, expected) in enumerate(zip(again, lines, strict=False), start=1):
        assert line == expected, f"{path.name}, line {number}"
    assert len(again) == len(lines)


def ending(path):
    """The last sentence of the story; the final position follows after an empty line."""
    story, _, _ = path.read_text().rpartition("\n\n")
    return story.splitlines()[-1]


@files
def test_a_game_is_told_to_its_end(path):
    assert ending(path).startswith("    the game is over: ")


def test_there_is_a_game_for_every_number_of_players_length_and_expansion():
    assert {heading.players for heading in HEADINGS} == {2, 3, 4, 5}
    assert {heading.agreed.get("game_length") for heading in HEADINGS} == {"full", "short", None}
    assert {heading.agreed.get("mode") for heading in HEADINGS} == {"basic", "advanced", None}
    games = GAMES.values()
    variants = {game.rules(chosen).name for game in games for chosen in game.combinations([*game.expansions])}
    assert {heading.variant for heading in HEADINGS} == variants


def test_there_is_a_game_for_every_way_it_can_end():
    endings = [ending(path) for path in FILES]
    assert any(line.endswith(" share the win") for line in endings)
    assert any(line.endswith(" wins") for line in endings)
