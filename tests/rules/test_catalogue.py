"""Which expansions can be played together, and what a game brings."""

import dataclasses

import pytest
from msgspec.structs import replace

from rules.catalogue import DEFAULT, GAMES, game_named, rules
from rules.el_grande.game import EL_GRANDE
from rules.errors import Unreadable
from rules.texts import say

REASON = say("fire and water put each other out")


@pytest.fixture
def elements(monkeypatch):
    """A game with three expansions, two of which cannot be played together."""
    game = replace(
        EL_GRANDE,
        name="elements",
        expansions={name: named(name) for name in ("earth", "fire", "water")},
        register=lambda rules: rules,
        apart={frozenset({"fire", "water"}): REASON},
    )
    monkeypatch.setitem(GAMES, "elements", game)
    return game


def named(expansion):
    return lambda rules: dataclasses.replace(rules, name=f"{rules.name}+{expansion}")


def test_a_game_is_listed_under_its_name():
    assert [game.name for game in GAMES.values()] == list(GAMES)
    assert game_named("el_grande+anniversary") is GAMES["el_grande"]


def test_the_first_game_is_meant_where_none_is_named():
    assert list(GAMES).index(DEFAULT) == 0


def test_expansions_that_are_kept_apart_are_refused_with_the_reason(elements):
    with pytest.raises(Unreadable, match=str(REASON)):
        rules("elements", ("earth", "water", "fire"))


def test_every_other_combination_can_be_played(elements):
    assert list(elements.combinations(("earth", "fire", "water"))) == [
        (),
        ("earth",),
        ("fire",),
        ("water",),
        ("earth", "fire"),
        ("earth", "water"),
    ]


def test_expansions_are_applied_in_the_order_of_the_game(elements):
    assert elements.rules(("water", "earth")).name == "el_grande+earth+water"
    assert rules("elements", ("water", "earth")) == rules("elements", ("earth", "water"))
