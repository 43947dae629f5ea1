"""The round: bidding, turn order, action cards, and what happens at its end."""

from itertools import pairwise

import pytest

from rules.el_grande.facts import (
    ActionCardTaken,
    GeneralScoringBegan,
    PowerCardPiled,
    PowerCardPlayed,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnEnded,
    TurnOrderSet,
)
from rules.el_grande.steps.rounds import Bid
from rules.el_grande.steps.turns import TakeActionCard
from rules.kernel import AnsweredForPlayer
from tests.rules.el_grande.opening import let_time_run, opening
from tests.rules.el_grande.table import table, turn_with

BIDS = ("red power 10", "blue power 3", "yellow power 7", "green power 12")


def automatic(game, kind):
    """For whom a decision of this kind was answered because only one answer was legal."""
    answered = game.happened(AnsweredForPlayer)
    return [fact.player for fact in answered if (fact.decision, fact.because) == (kind, "only_option")]


# Bidding


def test_the_first_bidder_begins_and_the_others_follow_clockwise():
    game = opening(first="yellow")
    for player, value in (("yellow", 1), ("green", 2), ("red", 3), ("blue", 4)):
        assert game.asked == ("power", (player,))
        game.play(f"{player} power {value}")


def test_a_power_card_that_was_played_in_this_round_is_blocked():
    game = opening().play("red power 10")
    assert game.refuses("blue power 10") == "power"
    assert "10" not in game.choices("blue", "value")


def test_a_power_card_that_is_not_in_the_hand_cannot_be_played():
    game = table("hand red: 1 2 3", Bid("red"))
    assert game.refuses("red power 4") == "power"
    assert game.choices("red", "value") == ["1", "2", "3"]


def test_a_player_cannot_pass_instead_of_playing_a_power_card():
    assert opening().refuses("red end") == "decision"


def test_a_power_card_is_public_at_once_and_leaves_the_hand():
    board = opening().play("red power 10").board
    assert (board.power, board.history["red"]) == ({"red": 10}, (10,))
    assert 10 not in board.hands["red"]


def test_a_player_with_one_playable_power_card_plays_it_automatically():
    game = table("hand red: 4 5; power: blue 4", Bid("red"))
    assert game.happened(PowerCardPlayed) == [PowerCardPlayed("red", 5)]
    assert automatic(game, "power") == ["red"]


def test_turns_go_by_descending_power_card():
    game = opening().play(*BIDS)
    assert game.happened(TurnOrderSet) == [TurnOrderSet(("green", "red", "yellow", "blue"))]


def test_the_last_player_of_a_round_bids_first_in_the_next_then_clockwise():
    game = let_time_run(opening().play(*BIDS), rounds=1)
    assert game.board.first == "blue"
    for player, value in (("blue", 13), ("yellow", 11), ("green", 9), ("red", 8)):
        assert game.asked == ("power", (player,))
        game.play(f"{player} power {value}")


def test_a_power_card_goes_on_the_played_pile_after_the_draw_and_keeps_its_turn():
    game = opening().play("red power 1", "blue power 2", "yellow power 3", "green power 4", "green draw 4")
    assert game.happened(PowerCardPiled) == [PowerCardPiled("green", 4)]
    assert (game.board.piles["green"], game.board.power["green"]) == ((4,), 4)


def test_a_power_card_without_caballeros_draws_automatically():
    game = opening().play(*BIDS)
    assert automatic(game, "draw") == ["green"]
    assert game.asked == ("choose_card", ("green",))


# Action cards


def test_a_player_takes_one_of_the_cards_that_are_left():
    game = opening().play(*BIDS, "green card 3", "green end", "red draw 0")
    assert game.refuses("red card 3") == "choose_card"
    assert game.choices("red", "stack") == ["1", "2", "4", "5"]


@pytest.mark.parametrize("stack", [0, 6, -1])
def test_there_are_five_stacks_to_take_from(stack):
    assert opening().play(*BIDS).refuses(f"green card {stack}") == "choose_card"


def test_taking_an_action_card_is_compulsory():
    assert opening().play(*BIDS).refuses("green end") == "decision"


def test_the_fifth_player_takes_the_last_card_automatically():
    game = opening(5).play("red power 13", "blue power 12", "yellow power 11", "green power 10", "brown power 9")
    let_time_run(game, rounds=1)
    assert automatic(game, "choose_card") == ["brown"]
    assert [fact.card[:2] for fact in game.happened(ActionCardTaken)] == ["s1", "s2", "s3", "s4", "s5"]


def test_a_single_card_left_is_taken_automatically():
    game = table("face_up: s1_place_two s5_king_any; taken: s1_place_two blue; court: red 2", TakeActionCard("red"))
    assert game.board.taken["s5_king_any"] == "red"
    assert automatic(game, "choose_card") == ["red"]


def test_a_turn_ends_by_itself_when_both_halves_are_used():
    game = turn_with("s5_king_any", "king granada; court: red 5; grandes: red aragon")
    game.play("red place sevilla 2", "red special to=aragon")
    assert automatic(game, "menu") == ["red"]
    assert game.happened(TurnEnded) == [TurnEnded("red", ())]


def test_a_turn_ends_by_itself_when_nothing_can_be_done():
    game = turn_with("s4_move_grande", "king granada; grandes: red granada")
    assert automatic(game, "menu") == ["red"]
    assert game.happened(TurnEnded) == [TurnEnded("red", ("s4_move_grande",))]


def test_a_turn_does_not_end_by_itself_while_something_can_be_done():
    game = turn_with("s5_king_any", "king granada; court: red 5").play("red place sevilla 2")
    assert game.asked == ("menu", ("red",))
    assert automatic(game, "menu") == []


def test_a_card_that_was_used_is_discarded():
    game = turn_with("s3_score_fours", "king granada; court: red 5").play("red end")
    assert game.board.discards == ("s3_score_fours",)


def test_the_kings_card_is_never_discarded():
    game = turn_with("s5_king_any", "king granada; court: red 5").play("red end")
    assert game.board.discards == ()


# The end of a round


def test_cards_that_were_not_taken_are_discarded_and_never_come_back():
    game = opening(2).play("red power 13", "blue power 12", "red card 1", "red end", "blue card 5", "blue end")
    [ended] = game.happened(RoundEnded)
    [first_round, second_round] = game.happened(RoundBegan)
    assert ended.discarded == first_round.cards[1:4]
    assert set(first_round.cards) & set(second_round.cards) == {"s5_king_any"}


def test_two_players_still_turn_up_five_cards():
    assert len(opening(2).board.face_up) == 5


def test_the_kings_card_comes_back_whether_it_was_taken_or_not():
    game = let_time_run(opening(5))
    assert all(fact.cards[-1] == "s5_king_any" for fact in game.happened(RoundBegan))


@pytest.mark.parametrize(("game_length", "left"), [("full", 2), ("short", 5)])
def test_the_stacks_outlast_the_game(game_length, left):
    game = let_time_run(opening(3, game_length=game_length))
    assert [len(stack) for stack in game.board.stacks] == [left] * 4


def test_no_card_is_turned_up_twice_but_the_kings():
    turned_up = [card for fact in let_time_run(opening()).happened(RoundBegan) for card in fact.cards[:4]]
    assert len(turned_up) == len(set(turned_up)) == 36


@pytest.mark.parametrize(
    ("game_length", "course"),
    [
        ("full", [1, 2, 3, "scoring", 4, 5, 6, "scoring", 7, 8, 9, "scoring"]),
        ("short", [2, 3, "scoring", 5, 6, "scoring", 8, 9, "scoring"]),
    ],
)
def test_everything_is_scored_after_rounds_3_6_and_9(game_length, course):
    game = let_time_run(opening(game_length=game_length))
    kinds = {RoundBegan: lambda fact: fact.round, GeneralScoringBegan: lambda fact: "scoring"}
    assert [kinds[type(fact)](fact) for fact in game.history if type(fact) in kinds] == course


@pytest.mark.parametrize(("game_length", "rounds"), [("full", 9), ("short", 6)])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_has_one_turn_a_round_and_plays_one_power_card(players, game_length, rounds):
    game = let_time_run(opening(players, game_length=game_length))
    assert len(game.happened(TurnBegan)) == rounds * players
    assert {len(values) for values in game.board.history.values()} == {rounds}
    assert {len(hand) for hand in game.board.hands.values()} == {13 - rounds}


def test_after_the_last_turn_of_a_round_the_bidding_begins_anew():
    course = let_time_run(opening()).history
    happened = [fact for fact in course if isinstance(fact, RoundEnded | TurnBegan | PowerCardPlayed)]
    for before, after in pairwise(happened):
        if isinstance(before, RoundEnded):
            assert isinstance(after, PowerCardPlayed)
            assert after.player == before.first


def test_the_marker_of_a_short_game_skips_rounds_1_4_and_7():
    game = let_time_run(opening(game_length="short"), rounds=2)
    assert game.board.round == 5
