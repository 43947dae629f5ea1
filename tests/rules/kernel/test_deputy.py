"""A Grande deputises for the king: where the king's region is, is a question to the rules."""

from dataclasses import replace

import pytest

from rules.el_grande.base import BASE
from rules.el_grande.board import Board, check_source, enterable, is_taboo, placement_spaces
from rules.el_grande.commands import EndTurn, Place
from rules.el_grande.extension import RULES
from rules.el_grande.facts import Award
from rules.el_grande.scoring import score
from rules.el_grande.steps.turns import UseCard
from rules.errors import RuleBroken
from tests.rules.kernel.toys import Game


@pytest.fixture
def board(monkeypatch):
    """The king is away from aragon; blue's Grande in granada acts for him."""
    deputised = replace(BASE, name="deputy", king_region=lambda board: board.grandes["blue"])
    monkeypatch.setitem(RULES, "deputy", deputised)
    cubes: dict[str, dict[str, int]] = {space: {} for space in (*deputised.regions, "castillo", "province")}
    cubes |= {"court": {"red": 5}, "granada": {"blue": 3, "red": 1}, "aragon": {"red": 2}}
    return Board(
        "deputy",
        ("red", "blue"),
        king="aragon",
        cubes=cubes,
        grandes={"red": "sevilla", "blue": "granada"},
        scores={"red": 0, "blue": 0},
    )


def test_the_deputys_region_is_taboo_and_the_kings_is_not(board):
    assert is_taboo(board, "granada")
    assert not is_taboo(board, "aragon")
    assert "granada" not in enterable(board)
    check_source(board, "red", "aragon")
    with pytest.raises(RuleBroken, match="granada is the king's region"):
        check_source(board, "red", "granada")


def test_placement_goes_beside_the_deputy(board):
    assert placement_spaces(board) == ("castilla_la_nueva", "valencia", "sevilla", "castillo")
    game = Game(board, UseCard("red", "s5_king_any"))
    assert game.refused("red", Place({"granada": 1})) == "taboo"
    assert game.refused("red", Place({"aragon": 1})) == "king_adjacency"
    game.says("red", Place({"valencia": 2}), EndTurn())
    assert game.board.cubes["valencia"] == {"red": 2}


def test_the_leader_of_the_deputys_region_earns_the_kings_bonus_beside_his_own(board):
    assert score(board, "granada").awards == (
        Award("blue", 6, "first"),
        Award("blue", 2, "king"),
        Award("blue", 2, "grande"),
    )
    assert score(board, "aragon").awards == (Award("red", 5, "first"),)
