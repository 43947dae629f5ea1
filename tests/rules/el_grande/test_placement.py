"""Placing caballeros: beside the king or in the castillo, before or after the special action, never in two parts."""

import pytest

from rules.el_grande.board import placement_spaces
from rules.el_grande.facts import SpaceScored, TurnEnded
from rules.errors import NotYourDecision
from tests.rules.el_grande.table import turn_with, vectors


@pytest.mark.parametrize("example", vectors("placement_targets"), ids=lambda example: example["king"])
def test_caballeros_are_placed_beside_the_king_or_in_the_castillo(example):
    game = turn_with("s1_place_two", f"king {example['king']}; court: red 1")
    assert set(placement_spaces(game.board)) == set(example["targets"])
    assert set(game.choices("red", "to")) == set(example["targets"])


@pytest.mark.parametrize("example", vectors("placement_targets"), ids=lambda example: example["king"])
def test_a_region_away_from_the_king_cannot_be_placed_in(example):
    game = turn_with("s1_place_two", f"king {example['king']}; court: red 1")
    away = set(game.board.rules.regions) - set(example["targets"]) - {example["king"]}
    assert {game.refuses(f"red place {region} 1") for region in away} == {"king_adjacency"}


@pytest.mark.parametrize(
    ("card", "allowance"),
    [("s1_place_two", 1), ("s2_veto", 2), ("s3_score_fives", 3), ("s4_king_step", 4), ("s5_king_any", 5)],
)
def test_a_card_places_as_many_caballeros_as_its_stack_says(card, allowance):
    game = turn_with(card, "king granada; court: red 7")
    assert game.refuses(f"red place sevilla {allowance}, castillo 1") == "place"
    game.play(f"red place sevilla {allowance}")
    assert game.where("sevilla") == {"red": allowance}


def test_fewer_caballeros_may_be_placed_than_the_card_allows():
    game = turn_with("s4_king_step", "king granada; court: red 7").play("red place sevilla 1")
    assert game.where("sevilla") == {"red": 1}
    assert "place" not in game.offered("red")


def test_one_placement_may_be_spread_over_several_spaces():
    game = turn_with("s4_king_step", "king granada; court: red 7").play("red place sevilla 1, valencia 2, castillo 1")
    assert game.position == "king granada; valencia: red 2; sevilla: red 1; castillo: red 1; court: red 3"


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        pytest.param("red place sevilla 3", "place", id="more-than-in-court"),
        pytest.param("red place", "place", id="none"),
        pytest.param("red place sevilla 0", "counts", id="zero"),
        pytest.param("red place sevilla -1, castillo 2", "counts", id="less-than-nothing"),
        pytest.param("red place granada 1", "taboo", id="kings-region"),
        pytest.param("red place aragon 1", "king_adjacency", id="not-beside-the-king"),
        pytest.param("red place portugal 1", "regions", id="not-on-the-map"),
        pytest.param("red place court 1", "regions", id="court"),
    ],
)
def test_a_placement_is_refused(move, rule):
    assert turn_with("s4_king_step", "king granada; court: red 2").refuses(move) == rule


def test_only_the_player_whose_turn_it_is_places():
    game = turn_with("s4_king_step", "king granada; court: red 2, blue 2")
    with pytest.raises(NotYourDecision):
        game.play("blue place sevilla 1")


def test_with_an_empty_court_nothing_can_be_placed():
    game = turn_with("s4_king_step", "king granada; court: blue 2")
    assert game.offered("red") == {"special", "end_turn"}
    assert game.refuses("red place sevilla 1") == "place"


# Either order, never split


def test_caballeros_may_be_placed_before_the_special_action():
    game = turn_with("s3_score_fives", "king castilla_la_nueva; court: red 3")
    game.play("red place aragon 2, valencia 1", "red special")
    assert game.scores == {"red": 10}


def test_caballeros_may_be_placed_after_the_special_action():
    game = turn_with("s3_score_fives", "king castilla_la_nueva; court: red 3")
    game.play("red special", "red place aragon 2, valencia 1")
    assert game.where("aragon") == {"red": 2}
    assert game.scores == {}


def test_a_placement_is_never_split_by_the_special_action():
    game = turn_with("s3_score_fours", "king castilla_la_nueva; court: red 3")
    game.play("red place aragon 1")
    assert game.refuses("red place aragon 1") == "never_split"


def test_after_one_placement_and_the_special_action_the_turn_is_over():
    game = turn_with("s3_score_fives", "king castilla_la_nueva; court: red 3")
    game.play("red place aragon 1", "red special")
    assert game.asked is None
    assert game.where("court") == {"red": 2}


def test_the_special_action_is_performed_once():
    game = turn_with("s3_score_fives", "king castilla_la_nueva; court: red 3; aragon: red 1").play("red special")
    assert game.refuses("red special") == "never_split"


def test_either_half_of_a_card_may_be_left_out():
    placed = turn_with("s2_rebellion_all", "king granada; court: red 3, blue 3").play("red place sevilla 2", "red end")
    acted = turn_with("s2_rebellion_all", "king granada; court: red 3, blue 3").play("red special", "red end")
    assert placed.position == "king granada; sevilla: red 2; court: red 1, blue 3"
    assert acted.position == "king granada; court: red 3; province: blue 3"


def test_a_card_may_be_taken_just_to_bury_it():
    game = turn_with("s3_score_fives-1", "king valencia; court: red 3; pais_vasco: blue 3")
    game.play("red place aragon 1, castilla_la_nueva 2", "red end")
    assert game.happened(SpaceScored) == []
    assert game.board.discards == ("s3_score_fives-1",)


def test_the_turn_ends_by_itself_when_both_halves_are_done():
    game = turn_with("s3_score_fives", "king castilla_la_nueva; court: red 3")
    game.play("red special", "red place aragon 1")
    assert game.happened(TurnEnded) == [TurnEnded("red", ("s3_score_fives",))]


# The king moves in between


def test_caballeros_are_placed_and_then_the_king_moves_onto_them():
    game = turn_with("s5_king_any", "king valencia; court: red 5")
    game.play("red place granada 2, castilla_la_nueva 2, castillo 1", "red special to=castilla_la_nueva")
    assert game.board.king == "castilla_la_nueva"
    assert game.where("castilla_la_nueva") == {"red": 2}


def test_when_the_king_moves_first_his_new_region_counts_for_the_placement():
    game = turn_with("s5_king_any", "king valencia; court: red 5").play("red special to=castilla_la_nueva")
    legal = {"valencia", "granada", "sevilla", "aragon", "castilla_la_vieja", "castillo"}
    assert game.refuses("red place castilla_la_nueva 1") == "taboo"
    assert set(game.choices("red", "to")) == legal


def test_the_region_the_king_has_left_is_free_at_once():
    game = turn_with("s5_king_any", "king valencia; court: red 5")
    game.play("red special to=castilla_la_nueva", "red place valencia 5")
    assert game.where("valencia") == {"red": 5}
