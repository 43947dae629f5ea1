"""A game is its facts: folding, storing and replaying them gives the same game, whatever happens."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import json

from rules.codec import codec_for, encode
from rules.el_grande.facts import GameEnded, GeneralScoringBegan, TurnEnded
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.notation import move, parse_move
from rules.el_grande.setup import start
from rules.kernel import Answer, TimeUp, decide, decision_id, fold, options, play, waiting
from tests.rules.el_grande.table import turn_with
from tests.rules.properties.situations import COMBINATIONS, EXPANSIONS, LENGTHS, games, offered
from tests.rules.random_games import random_game

ALL = pytest.mark.parametrize(("players", "length", "expansions"), COMBINATIONS)


@given(games())
def test_folding_the_facts_gives_the_state(game):
    assert fold(game.table, game.facts).board == game.state.board
    for turn in game.turns:
        assert fold(turn.before, turn.facts) == turn.after


@given(games())
def test_facts_are_stored_and_read_back(game):
    stored = codec_for(game.table.board.variant).facts(encode(game.facts))
    assert tuple(stored) == game.facts
    assert encode(stored) == encode(game.facts)


@given(games(), st.data())
def test_a_state_is_stored_and_read_back_and_played_on(game, data):
    turn = data.draw(st.sampled_from(game.turns))
    read = codec_for(game.table.board.variant).state(encode(turn.before))
    assert read == turn.before
    assert play(read, turn.answer) == (turn.facts, turn.after)


def test_a_game_that_was_stored_in_mid_action_goes_on_as_if_it_had_not():
    position = "king granada; sevilla: red 1; aragon: red 1; court: red 1; veto blue: s2_veto-1 3"
    game = turn_with("s4_court_two", position).play("red special from_regions=sevilla*1,aragon*1")
    read = codec_for("el_grande").state(encode(game.state))
    allow = Answer("blue", decision_id(read, "blue"), parse_move("allow"))
    assert decide(read, allow) == decide(game.state, allow)


@given(games())
def test_commands_are_stored_and_read_back(game):
    reader = codec_for(game.table.board.variant)
    for turn in game.turns:
        if isinstance(turn.answer, Answer):
            assert reader.stored_command(json.decode(encode(turn.answer.command))) == turn.answer.command
            assert parse_move(move(turn.answer.command), turn.before.board.rules) == turn.answer.command


@given(games())
def test_deciding_twice_gives_the_same_facts(game):
    for turn in game.turns[::7]:
        assert decide(turn.before, turn.answer) == turn.facts


@given(games())
def test_nothing_that_must_always_hold_is_ever_broken(game):
    state = game.table
    for fact in game.facts:
        after = fold(state, (fact,))
        for holds in after.board.rules.invariants:
            assert holds(state.board, fact, after.board) is None
        state = after


@given(games())
def test_a_player_is_asked_until_the_end_and_nothing_stays_sealed(game):
    assert all(waiting(turn.before) for turn in game.turns)
    assert (waiting(game.state), game.state.agenda, game.state.sealed) == ((), (), {})


@ALL
def test_a_game_has_a_turn_for_every_player_in_every_round_and_three_general_scorings(players, length, expansions):
    facts = random_game(players, 0, expansions, game_length=length).facts
    turns = {"full": 9, "short": 6}[length] * players
    happened = [sum(isinstance(fact, kind) for fact in facts) for kind in (TurnEnded, GeneralScoringBegan, GameEnded)]
    assert happened == [turns, 3, 1]


@ALL
def test_the_same_seed_and_commands_give_the_same_bytes(players, length, expansions):
    game = random_game(players, 0, expansions, game_length=length)
    followed = EL_GRANDE.rules(expansions)
    facts, state = start(followed, players, bytes(8), game_length=length)
    for turn in game.turns:
        following, state = play(state, turn.answer)
        facts += following
    assert encode(facts) == encode(game.facts)
    assert encode(state) == encode(game.state)


FINGERPRINTS = """
from hashlib import sha256
from rules.codec import encode
from tests.rules.random_games import random_game
for players in (2, 3, 4, 5):
    for expansions in ((), ("anniversary",), ("king_and_intrigue",), ("grandissimo",)):
        game = random_game(players, players, expansions, game_length="short")
        print(players, expansions, sha256(encode(game.facts) + encode(game.state)).hexdigest())
"""


def test_the_same_seed_gives_the_same_bytes_in_every_process():
    printed = {
        subprocess.run(
            [sys.executable, "-c", FINGERPRINTS],
            cwd=Path(__file__).parents[3],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1
    assert printed.pop().count("\n") == 16


class AnyGame(RuleBasedStateMachine):
    """Players answer, hesitate and err, as hypothesis likes; the stored facts always tell the same game."""

    @initialize(
        players=st.integers(2, 5),
        length=st.sampled_from(LENGTHS),
        expansions=st.sampled_from(EXPANSIONS),
        seed=st.binary(max_size=4),
    )
    def begin(self, players, length, expansions, seed):
        followed = EL_GRANDE.rules(expansions)
        _, self.state = start(followed, players, seed, game_length=length)
        self.serial = self.state.serial

    @precondition(lambda self: not self.state.is_over)
    @rule(data=st.data())
    def answer(self, data):
        player = data.draw(st.sampled_from(waiting(self.state)))
        [decision] = options(self.state, player)
        said = data.draw(offered(decision))
        self.go_on(codec_for(self.state.board.variant).answer(player, said))

    @precondition(lambda self: not self.state.is_over)
    @rule(data=st.data())
    def let_time_run_out(self, data):
        player = data.draw(st.sampled_from(waiting(self.state)))
        self.go_on(TimeUp(player, options(self.state, player)[0].id))

    def go_on(self, answer):
        before = self.state
        facts, self.state = play(before, answer)
        assert fold(before, codec_for(before.board.variant).facts(encode(facts))) == self.state
        assert codec_for(before.board.variant).state(encode(self.state)) == self.state

    @invariant()
    def decisions_have_new_names(self):
        assert self.state.serial >= self.serial
        self.serial = self.state.serial

    @invariant()
    def everybody_has_all_caballeros(self):
        for player in self.state.board.players:
            plain = sum(counts.get(player, 0) for counts in self.state.board.cubes.values())
            everywhere = plain + sum(piece.owner == player for piece in self.state.board.marked)
            assert everywhere == sum(self.state.board.rules.pieces.values())


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=settings().max_examples // 3, stateful_step_count=40)
