"""Whatever is assumed, the game stays a game: what must hold in every game holds from there on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.assumptions import assumed, offered
from rules.catalogue import game_named
from rules.codec import codec_for, encode
from rules.el_grande.expansions.grandissimo.cards import STACK_SIX
from rules.el_grande.expansions.grandissimo.deck import FOR_A_FIRST_GAME
from rules.el_grande.facts import StacksShuffled
from rules.fairness import Chance
from rules.kernel import State, fold
from rules.soundness import check_fact
from tests.rules.properties.situations import HARDLY, KINDS, situations
from tests.rules.random_games import random_game, random_turns

DISKS = tuple(kind for kind in KINDS if kind.startswith("disk"))
MOVES_AFTER = 30


@st.composite
def assumptions(draw: st.DrawFn) -> tuple[State, str, object]:
    """A situation, and one of the things that can be assumed in it."""
    state = draw(situations(draw(st.sampled_from([KINDS, DISKS]))))
    found = offered(game_named(state.board.variant).assumptions, state)
    if not found:
        return state, "", None
    assumption = draw(st.sampled_from(found))
    values = [each.value for each in assumption.alternatives[1:]]
    return state, assumption.id, draw(st.sampled_from(values))


def facts_of(state, id, value):
    rules = state.board.variant
    return assumed(game_named(rules).assumptions, state, id, value, codec_for(rules).command) if id else ()


def inspected(state, facts):
    """The state after these facts, each of which keeps the invariants."""
    for fact in facts:
        following = fold(state, (fact,))
        check_fact(state.board, fact, following.board)
        state = following
    return state


@given(assumptions(), st.integers(0, 5))
def test_a_game_goes_on_soundly_after_an_assumption(situation, seed):
    state = inspected(situation[0], facts_of(*situation))
    for _, turn in zip(range(MOVES_AFTER), random_turns(state, Chance(bytes([seed]))), strict=False):
        assert inspected(turn.before, turn.facts) == turn.after


@given(assumptions())
def test_what_follows_from_an_assumption_can_be_kept(situation):
    facts = facts_of(*situation)
    assert tuple(codec_for(situation[0].board.variant).facts(encode(facts))) == facts


@given(assumptions())
def test_every_choice_that_is_offered_can_be_assumed(situation):
    state = situation[0]
    for assumption in offered(game_named(state.board.variant).assumptions, state):
        for each in evenly(assumption.alternatives[1:]):
            assert facts_of(state, assumption.id, each.value)


def evenly(choices):
    """All choices; of hundreds some, in a short run."""
    return choices[:: len(choices) // FEW + 1] if settings().max_examples < HARDLY else choices


FEW = 20


@pytest.mark.parametrize("deck", ["random", "first_game"])
def test_an_assumed_order_brings_only_cards_that_may_be_in_the_game(deck):
    """Of a deck that was agreed all know the cards; of any other only those that have been seen."""
    game = random_game(2, 3, ("grandissimo",), game_length="short", deck=deck)
    drawn = set()
    for turn in game.turns[::9]:
        for value in range(1, 6):
            rules = turn.before.board.variant
            read = codec_for(rules).command
            [shuffled] = assumed(
                game_named(rules).assumptions, turn.before, "order_of_cards", value, read, {"deck": deck}
            )
            assert isinstance(shuffled, StacksShuffled)
            assert list(map(len, shuffled.stacks)) == list(map(len, turn.before.board.stacks))
            assert not set(shuffled.stacks[4]) & {*turn.before.board.face_up, *turn.before.board.discards}
            drawn |= set(shuffled.stacks[4])
    seen = {card for card in (*game.state.board.discards, *game.state.board.stacks[4]) if card in STACK_SIX}
    assert drawn <= set(FOR_A_FIRST_GAME) if deck == "first_game" else drawn - seen
