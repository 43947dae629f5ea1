"""Every toy is played to its end by a client that knows no rules, and folds to the live state at every answer."""

from random import Random

import pytest

from tests.rules.kernel import (
    test_caballero_turn,
    test_espionage,
    test_king_incognito,
    test_last_word,
    test_nested_cards,
    test_plagiarist,
    test_third_player,
)
from tests.rules.kernel.toys import wander

GAMES = {
    "plagiarist": lambda: test_plagiarist.new_game(veto="red"),
    "nested cards": lambda: test_nested_cards.new_game(veto="blue"),
    "last word": lambda: test_last_word.new_game(veto="blue"),
    "king incognito": test_king_incognito.new_game,
    "escort": test_third_player.escorting,
    "espionage": test_espionage.new_game,
    "el caballero": lambda: test_caballero_turn.new_game(power_card=9),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", range(25))
def test_random_answers_out_of_the_forms_end_the_game(game, seed):
    assert wander(game(), Random(seed).randrange).state.is_over


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_defaults_end_the_game(game):
    game = game()
    for _ in range(60):
        if game.waiting:
            game.time_up(game.waiting[0])
    assert game.state.is_over
