"""Drawing caballeros to court with a power card."""

import pytest

from rules.el_grande.commands import Draw
from rules.el_grande.facts import CaballerosDrawn
from rules.el_grande.notation import parse_position
from rules.el_grande.steps.turns import DrawCaballeros
from rules.errors import RuleBroken
from rules.kernel import State
from tests.rules.el_grande.table import table, vectors

POWER_CARDS = {1: 6, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 1, 11: 1, 12: 0, 13: 0}
EXAMPLES = pytest.mark.parametrize("example", vectors("draw"), ids=lambda example: f"power {example['power']}")


def drawing(position, power):
    return table(f"king granada; power: red {power}; {position}", DrawCaballeros("red"))


def step_and_state(example):
    regions = "; ".join(f"{region}: red {number}" for region, number in example["own_in_regions"].items())
    text = f"king {example['king']}; province: red {example['province']}; power: red {example['power']}; {regions}"
    step = DrawCaballeros("red")
    return step, State(parse_position(text, 4), (step,))


@EXAMPLES
def test_legal_draws(example):
    step, state = step_and_state(example)
    for draw in example["legal"]:
        drawn = [fact for fact in step.answer(state, "red", Draw(**draw)).facts if isinstance(fact, CaballerosDrawn)]
        assert sum(fact.count for fact in drawn) == draw["from_province"] + sum(draw["from_regions"].values())


@EXAMPLES
def test_illegal_draws(example):
    step, state = step_and_state(example)
    for draw in example["illegal"]:
        with pytest.raises(RuleBroken):
            step.answer(state, "red", Draw(**draw))


@pytest.mark.parametrize(("power", "most"), POWER_CARDS.items())
def test_a_power_card_brings_at_most_the_caballeros_it_shows(power, most):
    step, state = step_and_state({"power": power, "province": 21, "king": "granada", "own_in_regions": {}})
    assert step.default(state, "red") == Draw(most)
    assert state.board.rules.power_cards[power] == most
    with pytest.raises(RuleBroken, match=rf"at most {most} caballeros?, not {most + 1}"):
        step.answer(state, "red", Draw(most + 1))


def test_fewer_caballeros_may_be_drawn_than_the_card_shows():
    game = drawing("province: red 21; court: red 1", 1).play("red draw 2")
    assert (game.where("court"), game.where("province")) == ({"red": 3}, {"red": 19})


def test_no_caballero_need_be_drawn():
    assert drawing("province: red 21", 1).play("red draw 0").where("court") == {}


def test_with_a_short_province_caballeros_may_come_from_free_regions():
    game = drawing("province: red 1; aragon: red 2; sevilla: red 2", 4).play("red draw 1, aragon 1, sevilla 2")
    assert (game.where("court"), game.where("aragon"), game.where("sevilla")) == ({"red": 4}, {"red": 1}, {})


def test_taking_from_regions_in_a_shortage_is_optional():
    assert drawing("province: red 1; aragon: red 2", 4).play("red draw 1").where("court") == {"red": 1}


def test_the_whole_province_is_taken_before_any_region():
    assert drawing("province: red 2; aragon: red 2", 4).refuses("red draw 1, aragon 1") == "shortage"


def test_nothing_is_taken_from_regions_when_the_province_is_large_enough():
    game = drawing("province: red 4; aragon: red 2", 4)
    assert game.refuses("red draw 4, aragon 1") == "draw"
    assert game.decision("red").size() == 5


def test_not_more_in_all_than_the_power_card_shows():
    assert drawing("province: red 2; aragon: red 5", 4).refuses("red draw 2, aragon 3") == "draw"


@pytest.mark.parametrize(("space", "rule"), [("granada", "taboo"), ("castillo", "castillo"), ("court", "regions")])
def test_nothing_is_drawn_from_the_kings_region_the_castillo_or_elsewhere(space, rule):
    game = drawing("province: red 1; aragon: red 1; granada: red 3; castillo: red 3; court: red 3", 4)
    assert game.refuses(f"red draw 1, {space} 1") == rule


def test_caballeros_of_others_are_not_drawn():
    assert drawing("province: red 1; aragon: blue 3; sevilla: red 1", 4).refuses("red draw 1, aragon 1") == (
        "as_many_as_there_are"
    )


@pytest.mark.parametrize("draw", ["red draw -1", "red draw 0, aragon 0", "red draw 0, aragon -1"])
def test_counts_are_never_negative_and_named_counts_never_zero(draw):
    assert drawing("aragon: red 3", 4).refuses(draw) == "counts"


@pytest.mark.parametrize("power", [12, 13])
def test_power_cards_12_and_13_draw_nothing_even_with_an_empty_province(power):
    game = drawing("aragon: red 3; court: red 1", power)
    assert game.state.is_over
    assert game.where("court") == {"red": 1}


def test_with_nothing_to_draw_from_the_draw_is_automatic():
    assert drawing("granada: red 3; castillo: red 2", 1).state.is_over


def test_all_caballeros_on_the_board_may_be_drawn_in_a_shortage():
    game = drawing("aragon: red 3", 1).play("red draw 0, aragon 3")
    assert game.where("court") == {"red": 3}


@pytest.mark.parametrize("said", ["sevilla 1, aragon 1", "aragon 1, sevilla 1"])
def test_caballeros_leave_regions_in_the_order_of_the_map(said):
    game = drawing("aragon: red 1; sevilla: red 1", 4).play(f"red draw 0, {said}")
    assert [fact.source for fact in game.happened(CaballerosDrawn)] == ["aragon", "sevilla"]
