"""The end of the game: the highest score wins, and equal scores share a place."""

import pytest

from rules.el_grande.commands import EndTurn
from rules.el_grande.facts import GameEnded, GeneralScoringBegan, RoundBegan
from rules.el_grande.steps.rounds import EndGame
from rules.el_grande.story import SENTENCES
from rules.errors import NotYourDecision
from rules.kernel import Answer, options, play, waiting
from tests.rules.el_grande.opening import let_time_run, opening
from tests.rules.el_grande.table import table


@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ("red 10, blue 20, yellow 15", {"red": 3, "blue": 1, "yellow": 2, "green": 4}),
        ("red 20, blue 20, yellow 15, green 1", {"red": 1, "blue": 1, "yellow": 3, "green": 4}),
        ("red 20, blue 15, yellow 15, green 1", {"red": 1, "blue": 2, "yellow": 2, "green": 4}),
        ("red 5, blue 5, yellow 5, green 9", {"red": 2, "blue": 2, "yellow": 2, "green": 1}),
        ("red 5, blue 5, yellow 5, green 5", {"red": 1, "blue": 1, "yellow": 1, "green": 1}),
        ("", {"red": 1, "blue": 1, "yellow": 1, "green": 1}),
    ],
    ids=["all differ", "shared win", "shared second place", "shared last place", "all equal", "nobody has points"],
)
def test_equal_scores_share_a_place_and_the_places_after_them_are_skipped(scores, places):
    game = table(f"scores: {scores}", EndGame())
    assert game.happened(GameEnded) == [GameEnded(places)]
    assert game.board.places == places


def test_players_who_tie_for_the_highest_score_share_the_win():
    [ended] = table("scores: red 7, blue 7, green 3", EndGame()).happened(GameEnded)
    assert str(SENTENCES["game_ended"](ended)) == "the game is over: red and blue share the win"


def test_the_highest_score_wins():
    [ended] = table("scores: red 7, blue 8, green 3", EndGame()).happened(GameEnded)
    assert str(SENTENCES["game_ended"](ended)) == "the game is over: blue wins"


@pytest.mark.parametrize("game_length", ["full", "short"])
def test_the_game_ends_after_the_general_scoring_of_round_9(game_length):
    game = let_time_run(opening(3, game_length=game_length))
    assert game.happened(GeneralScoringBegan)[-1] == GeneralScoringBegan(9)
    assert isinstance(game.history[-2], GameEnded)
    assert game.happened(RoundBegan)[-1].round == 9


def test_no_player_is_asked_after_the_end():
    state = let_time_run(opening(2)).state
    assert (state.is_over, waiting(state), options(state, "red"), state.sealed) == (True, (), (), {})


def test_an_answer_after_the_end_is_refused():
    state = let_time_run(opening(2)).state
    with pytest.raises(NotYourDecision, match="the game is over"):
        play(state, Answer("red", "0-red", EndTurn()))
