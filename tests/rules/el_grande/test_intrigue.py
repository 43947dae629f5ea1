"""Stack 1, intrigue: caballeros move one by one, or two more come from court."""

import pytest

from rules.el_grande.facts import CaballerosMoved
from tests.rules.el_grande.table import turn_with

COURT = "king granada; court: red 3"

MOVING_CARDS = [
    "s1_move_all_own",
    "s1_move_five_one_region",
    "s1_move_three_foreign",
    "s1_move_three_any",
    "s1_move_two_own_two_foreign",
    "s1_move_four_own",
    "s1_move_four_any",
]
OWN_ONLY = ["s1_move_all_own", "s1_move_four_own"]
OPEN_CARDS = [card for card in MOVING_CARDS if card not in ("s1_move_all_own", "s1_move_five_one_region")]


def moves(*steps):
    """`red step` in front of each step."""
    return [f"red step {step}" for step in steps]


# What all moving cards have in common


@pytest.mark.parametrize("card", ["s1_move_three_any", "s1_move_two_own_two_foreign", "s1_move_four_any"])
def test_the_actor_chooses_every_piece_and_every_destination(card):
    game = turn_with(card, f"{COURT}; aragon: red 1, blue 1").play("red special")
    game.play(*moves("blue aragon > sevilla", "red aragon > castillo"), "red stop")
    assert game.position == "king granada; sevilla: blue 1; castillo: red 1; court: red 3"


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        pytest.param("red aragon > aragon", "move", id="nowhere-else"),
        pytest.param("red granada > aragon", "taboo", id="out-of-the-kings-region"),
        pytest.param("red aragon > granada", "taboo", id="into-the-kings-region"),
        pytest.param("red castillo > aragon", "castillo", id="out-of-the-castillo"),
        pytest.param("red court > aragon", "regions", id="out-of-court"),
        pytest.param("red aragon > province", "regions", id="into-the-province"),
        pytest.param("yellow aragon > sevilla", "as_many_as_there_are", id="nobody-of-that-colour"),
        pytest.param("brown aragon > sevilla", "players", id="not-at-the-table"),
        pytest.param("red aragon", "fields", id="no-destination"),
        pytest.param("> aragon", "fields", id="no-piece"),
    ],
)
def test_a_move_is_refused(step, rule):
    game = turn_with("s1_move_four_any", f"{COURT}; granada: red 1; aragon: red 1; castillo: red 1")
    assert game.play("red special").refuses(f"red step {step}") == rule


def test_a_caballero_that_was_moved_may_be_moved_again():
    game = turn_with("s1_move_four_own", f"{COURT}; aragon: red 1").play("red special")
    game.play(*moves("red aragon > sevilla", "red sevilla > galicia"))
    assert game.where("galicia") == {"red": 1}


def test_a_caballero_may_be_moved_away_and_back():
    game = turn_with("s1_move_four_own", f"{COURT}; aragon: red 1").play("red special")
    game.play(*moves("red aragon > sevilla", "red sevilla > aragon"), "red stop")
    assert game.where("aragon") == {"red": 1}
    assert len(game.happened(CaballerosMoved)) == 2


@pytest.mark.parametrize("card", OPEN_CARDS)
def test_fewer_moves_than_the_card_allows_are_always_fine(card):
    game = turn_with(card, f"{COURT}; aragon: red 4, blue 4").play("red special", "red stop")
    assert game.where("aragon") == {"red": 4, "blue": 4}
    assert game.offered("red") == {"place", "end_turn"}


@pytest.mark.parametrize(
    ("card", "owners"),
    [
        pytest.param("s1_move_three_foreign", ["blue", "blue", "blue"], id="three-of-others"),
        pytest.param("s1_move_three_any", ["red", "blue", "red"], id="any-three"),
        pytest.param("s1_move_two_own_two_foreign", ["red", "blue", "blue", "red"], id="two-own-two-of-others"),
        pytest.param("s1_move_four_own", ["red", "red", "red", "red"], id="four-own"),
        pytest.param("s1_move_four_any", ["blue", "blue", "blue", "red"], id="any-four"),
    ],
)
def test_the_special_action_ends_when_the_limit_is_reached(card, owners):
    game = turn_with(card, f"{COURT}; aragon: red 6, blue 6").play("red special")
    *all_but_last, last = moves(*(f"{owner} aragon > sevilla" for owner in owners))
    assert game.play(*all_but_last).asked == ("step", ("red",))
    assert game.play(last).asked == ("menu", ("red",))


def test_the_special_action_ends_when_no_move_is_left():
    game = turn_with("s1_move_all_own", f"{COURT}; aragon: red 1, blue 1; sevilla: red 1")
    game.play("red special source=aragon", "red step red aragon > castillo")
    assert game.asked == ("menu", ("red",))


@pytest.mark.parametrize("card", MOVING_CARDS)
def test_a_moving_card_with_nothing_to_move_cannot_be_executed(card):
    game = turn_with(card, f"{COURT}; granada: red 2, blue 2; castillo: red 2, blue 2")
    assert game.offered("red") == {"place", "end_turn"}
    source = " source=granada" if card in ("s1_move_all_own", "s1_move_five_one_region") else ""
    assert game.refuses(f"red special{source}") == "executable"


@pytest.mark.parametrize("card", OWN_ONLY)
def test_a_card_for_own_caballeros_needs_an_own_one(card):
    assert "special" not in turn_with(card, f"{COURT}; aragon: blue 2").offered("red")


def test_a_card_for_caballeros_of_others_needs_one_of_theirs():
    assert "special" not in turn_with("s1_move_three_foreign", f"{COURT}; aragon: red 2").offered("red")


@pytest.mark.parametrize("card", OPEN_CARDS)
def test_a_card_for_any_regions_takes_no_source(card):
    game = turn_with(card, f"{COURT}; aragon: red 2, blue 2")
    assert game.refuses("red special source=aragon") == "fields"


def test_every_caballero_in_a_free_region_is_offered_with_every_other_free_space():
    game = turn_with("s1_move_four_own", f"{COURT}; granada: red 1; aragon: red 1; castillo: red 1").play("red special")
    assert game.choices("red", "from") == ["aragon"]
    assert set(game.choices("red", "to")) == {*game.board.rules.regions, "castillo"} - {"granada", "aragon"}


@pytest.mark.parametrize(
    ("card", "at_once"), [("s1_move_three_any", 3), ("s1_move_two_own_two_foreign", 4), ("s1_move_four_own", 4)]
)
def test_as_many_steps_may_be_sent_together_as_the_card_has(card, at_once):
    game = turn_with(card, f"{COURT}; aragon: red 9, blue 9").play("red special")
    assert game.decision("red").at_once == at_once


# Out of one region


def test_all_own_caballeros_of_one_region_may_go_to_different_places():
    game = turn_with("s1_move_all_own", f"{COURT}; aragon: red 3, blue 1").play("red special source=aragon")
    game.play(*moves("red aragon > sevilla", "red aragon > galicia", "red aragon > castillo"))
    assert game.position == (
        "king granada; galicia: red 1; aragon: blue 1; sevilla: red 1; castillo: red 1; court: red 3"
    )


def test_all_own_means_more_than_five_too():
    game = turn_with("s1_move_all_own", f"{COURT}; aragon: red 7").play("red special source=aragon")
    game.play(*moves(*["red aragon > sevilla"] * 7))
    assert game.where("sevilla") == {"red": 7}


def test_some_own_caballeros_may_be_left_behind():
    game = turn_with("s1_move_all_own", f"{COURT}; aragon: red 3").play("red special source=aragon")
    game.play("red step red aragon > sevilla", "red stop")
    assert game.where("aragon") == {"red": 2}


def test_only_own_caballeros_move_with_all_own():
    game = turn_with("s1_move_all_own", f"{COURT}; aragon: red 1, blue 1").play("red special source=aragon")
    assert game.refuses("red step blue aragon > sevilla") == "limit"


def test_at_most_five_caballeros_leave_the_one_region():
    game = turn_with("s1_move_five_one_region", f"{COURT}; aragon: red 3, blue 3, green 1")
    game.play("red special source=aragon")
    game.play(*moves(*["red aragon > sevilla"] * 2, *["blue aragon > castillo"] * 2, "green aragon > galicia"))
    assert game.where("aragon") == {"red": 1, "blue": 1}
    assert game.asked == ("menu", ("red",))


@pytest.mark.parametrize("card", ["s1_move_all_own", "s1_move_five_one_region"])
def test_caballeros_move_out_of_the_named_region_only(card):
    game = turn_with(card, f"{COURT}; aragon: red 2; sevilla: red 2").play("red special source=aragon")
    assert game.refuses("red step red sevilla > galicia") == "one_region"


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("", "fields", id="no-region"),
        pytest.param("source=granada", "taboo", id="kings-region"),
        pytest.param("source=castillo", "regions", id="castillo"),
        pytest.param("source=galicia", "as_many_as_there_are", id="empty-region"),
        pytest.param("source=sevilla", "as_many_as_there_are", id="only-others"),
        pytest.param("source=aragon to=sevilla", "fields", id="too-much-said"),
    ],
)
def test_the_region_to_move_all_own_out_of_must_hold_one(choice, rule):
    game = turn_with("s1_move_all_own", f"{COURT}; granada: red 1; aragon: red 1; sevilla: blue 1; castillo: red 1")
    assert game.refuses(f"red special {choice}") == rule


def test_only_regions_that_can_be_moved_out_of_are_offered():
    position = f"{COURT}; granada: red 1; aragon: red 1; sevilla: blue 1"
    assert turn_with("s1_move_all_own", position).choices("red", "source") == ["aragon"]
    assert turn_with("s1_move_five_one_region", position).choices("red", "source") == ["aragon", "sevilla"]


def test_the_five_may_leave_a_region_that_holds_only_others():
    game = turn_with("s1_move_five_one_region", f"{COURT}; sevilla: blue 2").play("red special source=sevilla")
    assert game.choices("red", "owner") == ["blue"]


# Own and foreign


def test_three_of_others_may_be_of_any_mix_and_from_any_regions():
    game = turn_with("s1_move_three_foreign", f"{COURT}; aragon: blue 1, green 1; galicia: yellow 1")
    game.play("red special", *moves("blue aragon > sevilla", "green aragon > sevilla", "yellow galicia > sevilla"))
    assert game.where("sevilla") == {"blue": 1, "yellow": 1, "green": 1}


def test_three_of_others_never_includes_an_own_one():
    game = turn_with("s1_move_three_foreign", f"{COURT}; aragon: red 1, blue 1").play("red special")
    assert game.refuses("red step red aragon > sevilla") == "limit"


def test_four_own_may_come_from_any_regions():
    game = turn_with("s1_move_four_own", f"{COURT}; aragon: red 2; galicia: red 1; valencia: red 2").play("red special")
    game.play(*moves("red aragon > sevilla", "red aragon > sevilla", "red galicia > sevilla", "red valencia > sevilla"))
    assert game.where("sevilla") == {"red": 4}


def test_four_own_never_includes_one_of_another():
    game = turn_with("s1_move_four_own", f"{COURT}; aragon: red 1, blue 1").play("red special")
    assert game.refuses("red step blue aragon > sevilla") == "limit"


def test_two_own_and_two_of_others_go_in_any_order():
    game = turn_with("s1_move_two_own_two_foreign", f"{COURT}; aragon: red 3, blue 3").play("red special")
    game.play(*moves("blue aragon > sevilla", "red aragon > sevilla", "blue aragon > sevilla", "red aragon > sevilla"))
    assert game.where("sevilla") == {"red": 2, "blue": 2}


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_two_own_and_two_of_others_means_no_third_of_either(owner):
    game = turn_with("s1_move_two_own_two_foreign", f"{COURT}; aragon: red 3, blue 3").play("red special")
    game.play(*moves(*[f"{owner} aragon > sevilla"] * 2))
    assert game.refuses(f"red step {owner} aragon > sevilla") == "limit"


def test_two_of_others_are_two_together_not_two_of_each():
    game = turn_with("s1_move_two_own_two_foreign", f"{COURT}; aragon: blue 1, yellow 1, green 1").play("red special")
    game.play(*moves("blue aragon > sevilla", "yellow aragon > sevilla"))
    assert game.asked == ("menu", ("red",))


def test_without_own_caballeros_the_two_of_others_may_still_move():
    game = turn_with("s1_move_two_own_two_foreign", f"{COURT}; aragon: blue 2").play("red special")
    assert game.choices("red", "owner") == ["blue"]


# Two more from court


def test_two_more_caballeros_come_from_court_to_any_free_region_or_the_castillo():
    game = turn_with("s1_place_two", "king granada; court: red 3").play("red special")
    game.play("red step > galicia", "red step > castillo")
    assert game.position == "king granada; galicia: red 1; castillo: red 1; court: red 1"


def test_with_its_placement_the_card_brings_three_caballeros():
    game = turn_with("s1_place_two", "king granada; court: red 3")
    game.play("red place sevilla 1", "red special", "red step > galicia", "red step > galicia")
    assert game.position == "king granada; galicia: red 2; sevilla: red 1"


def test_one_more_or_none_may_come_instead_of_two():
    one = turn_with("s1_place_two", "king granada; court: red 3").play("red special", "red step > galicia", "red stop")
    none = turn_with("s1_place_two", "king granada; court: red 3").play("red special", "red stop")
    assert (one.where("court"), none.where("court")) == ({"red": 2}, {"red": 3})


def test_no_third_caballero_may_be_placed_extra():
    game = turn_with("s1_place_two", "king granada; court: red 5").play("red special")
    assert game.refuses("red several > sevilla / > galicia / > galicia") == "limit"
    assert game.play("red several > sevilla / > galicia").where("court") == {"red": 3}


def test_the_extra_placement_ends_with_the_court():
    game = turn_with("s1_place_two", "king granada; court: red 1").play("red special", "red step > galicia")
    assert game.asked is None


def test_without_a_court_nothing_more_can_be_placed():
    game = turn_with("s1_place_two", "king granada; court: red 1").play("red place sevilla 1")
    assert game.asked is None
    assert game.where("court") == {}


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        pytest.param("> granada", "taboo", id="kings-region"),
        pytest.param("> court", "regions", id="court"),
        pytest.param("red aragon > sevilla", "fields", id="a-move"),
        pytest.param("red aragon", "fields", id="no-place"),
    ],
)
def test_an_extra_placement_is_refused(step, rule):
    game = turn_with("s1_place_two", "king granada; aragon: red 1; court: red 3").play("red special")
    assert game.refuses(f"red step {step}") == rule


# One or the other

CHOICE = "s1_place_two_or_move_all"


def test_the_choice_card_places_two_more():
    game = turn_with(CHOICE, "king granada; court: red 3; aragon: red 2").play("red special mode=place_two")
    game.play("red step > galicia", "red step > sevilla")
    assert game.position == "king granada; galicia: red 1; aragon: red 2; sevilla: red 1; court: red 1"


def test_the_choice_card_moves_all_own_out_of_one_region():
    game = turn_with(CHOICE, "king granada; court: red 3; aragon: red 2")
    game.play("red special mode=move_all_own source=aragon")
    game.play(*moves("red aragon > galicia", "red aragon > sevilla"))
    assert game.position == "king granada; galicia: red 1; sevilla: red 1; court: red 3"


def test_the_choice_card_never_does_both():
    game = turn_with(CHOICE, "king granada; court: red 3; aragon: red 2").play("red special mode=place_two")
    assert game.refuses("red step red aragon > sevilla") == "fields"
    assert game.play("red stop").refuses("red special mode=move_all_own source=aragon") == "never_split"


@pytest.mark.parametrize(
    ("position", "mode"),
    [
        pytest.param("king granada; aragon: red 2", "move_all_own", id="empty-court"),
        pytest.param("king granada; court: red 2; granada: red 2", "place_two", id="nobody-to-move"),
    ],
)
def test_the_choice_card_can_be_executed_when_either_way_can(position, mode):
    assert turn_with(CHOICE, position).choices("red", "mode") == [mode]


def test_the_choice_card_cannot_be_executed_when_neither_way_can():
    game = turn_with(CHOICE, "king granada; granada: red 2; court: blue 1; aragon: blue 1")
    assert game.asked is None


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("", "fields", id="no-mode"),
        pytest.param("mode=both", "fields", id="unknown-mode"),
        pytest.param("mode=place_two source=aragon", "fields", id="a-source-for-placing"),
        pytest.param("mode=move_all_own", "fields", id="no-source-for-moving"),
        pytest.param("mode=move_all_own source=sevilla", "as_many_as_there_are", id="empty-source"),
        pytest.param("mode=move_all_own source=granada", "taboo", id="kings-region"),
    ],
)
def test_a_wrong_choice_is_refused(choice, rule):
    game = turn_with(CHOICE, "king granada; court: red 3; granada: red 1; aragon: red 2")
    assert game.refuses(f"red special {choice}") == rule


@pytest.mark.parametrize(
    ("position", "choice"),
    [
        pytest.param("king granada; aragon: red 2", "mode=place_two", id="empty-court"),
        pytest.param("king granada; court: red 2", "mode=move_all_own source=aragon", id="nobody-to-move"),
    ],
)
def test_the_way_chosen_must_itself_be_possible(position, choice):
    assert turn_with(CHOICE, position).refuses(f"red special {choice}") == "executable"
