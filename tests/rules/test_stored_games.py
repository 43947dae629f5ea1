"""Games that were stored once can always be read: folding their facts needs no rule of today."""

import pytest

from rules.catalogue import game_named
from rules.codec import codec_for, encode
from rules.kernel import SPECTATOR
from tests.rules.stored_games import GAMES, fingerprint, folded, read

FILES = sorted(GAMES.glob("*.json"))
stored_games = pytest.mark.parametrize("stored", [read(path) for path in FILES], ids=[path.stem for path in FILES])


def test_there_are_stored_games():
    assert len(FILES) >= 3


@stored_games
def test_a_stored_game_has_the_scores_it_had(stored):
    state = folded(stored)
    assert state.is_over
    assert state.board.scores == stored["scores"]


@stored_games
def test_a_stored_game_has_the_final_state_it_had(stored):
    assert fingerprint(folded(stored)) == stored["fingerprint"]


@stored_games
def test_a_stored_game_is_written_as_it_was(stored):
    assert encode(codec_for(stored["rules"]).facts(encode(stored["facts"]))) == encode(stored["facts"])


@stored_games
def test_a_stored_game_is_shown_and_told(stored):
    state = folded(stored)
    assert game_named(stored["rules"]).view(state, SPECTATOR)["scores"] == stored["scores"]
    for fact in codec_for(stored["rules"]).facts(encode(stored["facts"])):
        tag = str(fact.__struct_config__.tag)
        assert tag == "step_taken" or state.board.rules.sentences[tag](fact)
