"""Rulings on what the rulebook leaves open, and where each is shown."""

import ast
from pathlib import Path

import pytest

from rules.codec import codec_for
from rules.el_grande.facts import PowerCardPiled, SpaceScored, TurnOrderSet
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, SetScoringDisks
from rules.el_grande.steps.rounds import BeginRound, Bid, EndGame, NextTurn, OrderTurns
from rules.el_grande.steps.turns import DrawCaballeros, TakeActionCard
from rules.el_grande.view import view
from rules.errors import Unreadable
from rules.kernel import SPECTATOR, AnsweredForPlayer
from tests.rules.el_grande.table import table, turn_with

# Ruling: the tests that show it, by module.
INDEX = {
    1: {"test_rulings": ["test_a_player_may_hold_back_everything_but_a_bid_and_a_card"]},
    2: {
        "test_placement": ["test_with_an_empty_court_nothing_can_be_placed"],
        "test_stack_four": ["test_the_caballeros_that_came_to_court_may_be_placed_in_the_same_turn"],
    },
    3: {
        "test_standing_rules": [
            "test_the_castillo_does_not_empty_into_the_kings_region",
            "test_a_secret_withdrawal_spares_the_kings_region",
        ],
        "test_stack_four": [
            "test_expelled_caballeros_sent_to_the_king_go_to_court",
            "test_the_kings_region_may_be_scored_secretly",
        ],
    },
    4: {"test_rulings": ["test_a_province_takes_any_number_back", "test_an_empty_province_means_a_shortage"]},
    5: {
        "test_stack_two": [
            "test_a_rebellion_against_empty_courts_is_possible_and_does_nothing",
            "test_a_secret_withdrawal_does_nothing_without_opponents_in_a_free_region",
        ],
        "test_stack_four": ["test_a_region_without_opponents_may_be_named_and_nothing_happens"],
    },
    6: {
        "test_special_scorings": [
            "test_a_scoring_is_possible_even_when_it_gives_nothing",
            "test_when_all_regions_are_empty_neither_most_nor_fewest_is_scored",
        ],
    },
    7: {
        "test_placement": [
            "test_when_the_king_moves_first_his_new_region_counts_for_the_placement",
            "test_the_region_the_king_has_left_is_free_at_once",
        ],
    },
    8: {"test_placement": ["test_caballeros_are_placed_and_then_the_king_moves_onto_them"]},
    9: {
        "test_stack_four": ["test_a_scoreboard_under_the_king_cannot_be_moved_but_the_other_can"],
        "test_rulings": ["test_a_scoreboard_under_the_king_keeps_its_effect"],
    },
    10: {"test_stack_four": ["test_two_scoreboards_never_lie_on_the_castillo"]},
    11: {
        "test_stack_four": ["test_a_grande_may_join_another"],
        "test_rulings": ["test_of_several_grandes_in_a_region_only_the_leaders_counts"],
    },
    12: {
        "test_special_scorings": ["test_the_kings_region_takes_part_in_a_value_scoring_with_both_bonuses"],
        "test_stack_four": ["test_a_grande_in_the_kings_region_cannot_be_moved"],
    },
    13: {"test_veto": ["test_a_veto_against_an_action_that_would_do_nothing_is_legal_and_spent"]},
    14: {"test_veto": ["test_the_second_veto_is_spent_only_by_its_owner"]},
    15: {"test_veto": ["test_a_veto_against_the_first_step_leaves_everything_as_it_was"]},
    16: {"test_veto": ["test_a_holder_may_let_others_pay_the_king_and_stop_him_at_the_own_turn"]},
    17: {"test_veto": ["test_a_player_cannot_veto_the_own_special_action"]},
    18: {"test_veto": ["test_a_veto_is_valid_through_the_next_round_that_is_played"]},
    19: {"test_veto": ["test_a_general_scoring_in_between_does_not_end_a_veto"]},
    20: {
        "test_veto": [
            "test_the_extra_placement_is_a_special_action_and_can_be_vetoed",
            "test_a_placement_cannot_be_vetoed",
        ],
    },
    21: {"test_intrigue": ["test_a_caballero_may_be_moved_away_and_back", "test_a_move_is_refused"]},
    22: {"test_rulings": ["test_a_shortage_may_take_from_the_region_to_which_the_king_will_go"]},
    23: {"test_rulings": ["test_a_recovered_power_card_is_playable_from_the_next_round_on"]},
    24: {"test_rulings": ["test_with_power_card_12_or_13_nothing_is_drawn_even_in_a_shortage"]},
    25: {"test_stack_four": ["test_regions_that_only_one_player_chose_are_scored_beginning_with_the_actor"]},
    26: {"test_rulings": ["test_two_players_never_play_the_same_power_card_in_a_round"]},
    27: {"test_rulings": ["test_the_castillo_may_be_scored_twice_in_a_row"]},
    28: {"test_rulings": ["test_a_region_may_be_scored_again_by_another_card"]},
    29: {"test_rulings": ["test_two_players_leave_three_of_five_cards"]},
    30: {"test_timeouts": ["test_time_up_for_a_holder_of_a_veto_lets_it_pass_and_spends_nothing"]},
    31: {"test_rulings": ["test_fetching_no_caballero_to_court_uses_the_special_action_up"]},
    32: {
        "test_intrigue": [
            "test_the_way_chosen_must_itself_be_possible",
            "test_the_region_to_move_all_own_out_of_must_hold_one",
        ],
    },
    33: {
        "test_rulings": [
            "test_a_count_that_is_named_is_at_least_one",
            "test_a_missing_map_or_number_means_nothing",
            "test_what_a_command_does_not_know_is_refused",
        ],
    },
    34: {
        "test_veto": [
            "test_no_window_opens_when_no_player_can_pay_the_king",
            "test_stopping_a_stepwise_card_at_once_opens_no_window",
            "test_when_the_payment_is_forced_the_window_still_comes_first",
        ],
    },
    35: {"test_veto": ["test_one_illegal_step_refuses_all_that_were_sent_together"]},
    36: {"test_rulings": ["test_a_turn_that_ends_by_itself_is_told_as_automatic"]},
    37: {
        "test_stack_two": ["test_a_veto_taken_in_the_last_round_is_valid_in_that_round"],
        "test_rulings": ["test_discards_have_no_order"],
    },
    38: {"test_rulings": ["test_what_was_seen_when_the_castillo_was_scored_is_not_in_later_views"]},
    39: {"test_rulings": ["test_after_the_end_nothing_is_hidden_from_any_viewer"]},
}


@pytest.mark.parametrize("ruling", range(1, 40))
def test_every_ruling_is_shown_by_a_test(ruling):
    for module, names in INDEX[ruling].items():
        assert names
        assert set(names) <= names_in(module)


def names_in(module):
    """The names of the tests in a module beside this one."""
    source = (Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    return {part.name for part in ast.parse(source).body if isinstance(part, ast.FunctionDef)}


# Drawing, bidding, turns


def test_a_player_may_hold_back_everything_but_a_bid_and_a_card():
    """Ruling 1."""
    position = "king granada; hand red: 1 2; province: red 9; court: red 2; face_up: s3_score_fives-1 s5_king_any"
    game = table(position, Bid("red"), DrawCaballeros("red"), TakeActionCard("red"))
    assert game.refuses("red end") == "decision"
    game.play("red power 1", "red draw 0")
    assert game.refuses("red end") == "decision"
    game.play("red card 3", "red end")
    assert game.where("court") == {"red": 2}


def test_a_province_takes_any_number_back():
    """Ruling 4."""
    game = turn_with("s2_rebellion_all", "king granada; court: blue 9; province: blue 21").play("red special")
    assert game.where("province") == {"blue": 30}


def test_an_empty_province_means_a_shortage():
    """Ruling 4."""
    game = table("king granada; power: red 9; aragon: red 3", DrawCaballeros("red")).play("red draw 0, aragon 2")
    assert game.where("court") == {"red": 2}


def test_a_shortage_may_take_from_the_region_to_which_the_king_will_go():
    """Ruling 22."""
    position = "king galicia; power: red 9; granada: red 3; face_up: s4_king_step s5_king_any"
    game = table(position, DrawCaballeros("red"), TakeActionCard("red"))
    game.play("red draw 0, granada 2", "red card 5", "red special to=granada")
    assert game.where("granada") == {"red": 1}


def test_a_recovered_power_card_is_playable_from_the_next_round_on():
    """Ruling 23."""
    position = "king granada; round 1; first red; hand red: 1; hand blue: 2 3; power: red 13, blue 9; queue: red blue;"
    game = table(f"{position} face_up: s4_recover_power-1 s5_king_any", NextTurn(), BeginRound(2), players=2)
    game.play("red card 4", "red special value=13")
    assert game.board.turn == "blue"
    assert game.play("blue end").asked == ("power", ("red",))
    assert game.play("red power 13").board.power == {"red": 13}


@pytest.mark.parametrize("value", [12, 13])
def test_with_power_card_12_or_13_nothing_is_drawn_even_in_a_shortage(value):
    """Ruling 24."""
    game = table(f"king granada; power: red {value}; aragon: red 3", DrawCaballeros("red"))
    assert game.asked is None
    assert game.where("aragon") == {"red": 3}
    assert game.happened(PowerCardPiled) == [PowerCardPiled("red", value)]


def test_two_players_never_play_the_same_power_card_in_a_round():
    """Ruling 26."""
    game = table("king granada; hand red: 4 9; hand blue: 4 9 13", Bid("red"), Bid("blue"), OrderTurns(), players=2)
    game.play("red power 9")
    assert game.refuses("blue power 9") == "power"
    game.play("blue power 13")
    assert game.happened(TurnOrderSet) == [TurnOrderSet(("blue", "red"))]


def test_two_players_leave_three_of_five_cards():
    """Ruling 29."""
    stacks = (
        "stack 1: s1_place_two s1_move_all_own; stack 2: s2_veto-1 s2_veto-2;"
        "stack 3: s3_score_most s3_score_least; stack 4: s4_king_step s4_expulsion"
    )
    game = table(f"king granada; first red; hand red: 1 2 13; hand blue: 3 4 12; {stacks}", BeginRound(1), players=2)
    assert len(game.board.face_up) == 5
    game.play("red power 13", "blue power 12", "red card 1", "blue card 3", "blue end")
    assert set(game.board.discards) == {"s1_place_two", "s2_veto-1", "s3_score_most", "s4_king_step"}
    assert "s5_king_any" in game.board.face_up


def test_a_turn_that_ends_by_itself_is_told_as_automatic():
    """Ruling 36."""
    game = turn_with("s3_score_fives", "king granada; court: red 1").play("red special", "red place sevilla 1")
    assert game.happened(AnsweredForPlayer) == [AnsweredForPlayer("red", "menu", "only_option")]


def test_discards_have_no_order():
    """Ruling 37."""
    one = table("king granada; discards: s1_place_two s2_veto-1")
    two = table("king granada; discards: s2_veto-1 s1_place_two")
    assert view(one.state, SPECTATOR) == view(two.state, SPECTATOR)


# Scoring


def test_a_scoreboard_under_the_king_keeps_its_effect():
    """Ruling 9."""
    position = "king granada; granada: red 2, blue 1; scoreboards: board_840 granada"
    assert turn_with("s2_score_chosen", position).play("red special space=granada").scores == {"red": 10, "blue": 4}


def test_of_several_grandes_in_a_region_only_the_leaders_counts():
    """Ruling 11."""
    position = "king granada; aragon: red 2, blue 1; grandes: red aragon, blue aragon, green aragon"
    assert turn_with("s3_score_fives", position).play("red special").scores == {"red": 5 + 2, "blue": 4}


def test_the_castillo_may_be_scored_twice_in_a_row():
    """Ruling 27."""
    game = turn_with("s3_score_castillo", "king granada; castillo: red 2", players=2).play("red special")
    again = table(f"{game.position}; scores: red 5", SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), players=2)
    again.play("red disk aragon", "blue disk aragon")
    assert again.scores == {"red": 10}
    assert again.position == "king granada; aragon: red 2"


def test_a_region_may_be_scored_again_by_another_card():
    """Ruling 28."""
    game = turn_with("s3_score_fives", "king granada; aragon: red 2").play("red special")
    again = turn_with("s2_score_chosen", f"{game.position}; scores: red 5", by="blue")
    assert again.play("blue special space=aragon").scores == {"red": 10}


# The court


def test_fetching_no_caballero_to_court_uses_the_special_action_up():
    """Ruling 31."""
    game = turn_with("s4_court_two", "king granada; court: red 1; aragon: red 2").play("red special")
    assert game.position == "king granada; aragon: red 2; court: red 1"
    assert game.refuses("red special from_regions=aragon*1") == "never_split"


# What a command says


@pytest.mark.parametrize("number", [0, -1])
def test_a_count_that_is_named_is_at_least_one(number):
    """Ruling 33."""
    place = turn_with("s4_king_step", "king granada; court: red 4")
    fetch = turn_with("s4_court_two", "king granada; aragon: red 2")
    pay = turn_with("s2_king_angry", "king granada; court: blue 4; aragon: blue 1").play("red special")
    draw = table("king granada; power: red 1; aragon: red 1", DrawCaballeros("red"))
    assert place.refuses(f"red place sevilla {number}") == "counts"
    assert fetch.refuses(f"red special from_regions=aragon*{number}") == "counts"
    assert pay.refuses(f"blue return 3, aragon {number}") == "counts"
    assert draw.refuses(f"red draw 0, aragon {number}") == "counts"


def test_a_missing_map_or_number_means_nothing():
    """Ruling 33."""
    read = codec_for("el_grande").command
    assert read({"kind": "draw"}) == read({"kind": "draw", "from_province": 0, "from_regions": {}})
    assert read({"kind": "return", "from_court": 3}) == read({"kind": "return", "from_court": 3, "from_regions": {}})


@pytest.mark.parametrize(
    "command",
    [{"kind": "draw", "from_court": 1}, {"kind": "place", "to": {}, "by": "red"}, {"kind": "end_turn", "now": True}],
    ids=lambda command: command["kind"],
)
def test_what_a_command_does_not_know_is_refused(command):
    """Ruling 33."""
    with pytest.raises(Unreadable):
        codec_for("el_grande").command(command)


# What can be seen


def test_what_was_seen_when_the_castillo_was_scored_is_not_in_later_views():
    """Ruling 38."""
    game = turn_with("s3_score_castillo", "king granada; court: red 1; castillo: red 2, blue 1").play("red special")
    [opened] = game.happened(SpaceScored)
    assert opened.counts == {"red": 2, "blue": 1}
    assert opened.seen_by(SPECTATOR) == opened
    assert {viewer: view(game.state, viewer)["castillo"] for viewer in ("red", "blue", SPECTATOR)} == {
        "red": None,
        "blue": None,
        SPECTATOR: None,
    }


def test_after_the_end_nothing_is_hidden_from_any_viewer():
    """Ruling 39."""
    position = "king granada; castillo: red 2; hand red: 4; pile red: 1 2; stack 1: s1_place_two s1_move_four_any"
    seen = view(table(position, EndGame(), players=2).state, SPECTATOR)
    assert seen["hands"]["red"]["cards"] == [4]
    assert seen["piles"]["red"]["cards"] == [1, 2]
    assert seen["stacks"] == (("s1_place_two", "s1_move_four_any"),)
    assert seen["castillo"] == {"red": 2}
