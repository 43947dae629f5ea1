"""Who plays for somebody who is not there plays by the rules, always the same, and knows no more than the player."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.autopilot import CONSIDERED, autopilot
from rules.el_grande.commands import SetDisk
from rules.fairness import Chance
from rules.kernel import Answer, decide, dry_run, fold, options, play, waiting
from rules.simulation import random_command
from tests.rules.el_grande.test_hidden_information import TWINS, VETO, recovered, seen_by
from tests.rules.properties.situations import situations
from tests.rules.properties.test_secrets import DISKS, seen, with_another_disk, with_other_stacks

SEEDS = st.binary(min_size=1, max_size=8)


def answered(state, player, seed):
    return autopilot(state, player, Chance(seed).below)


@given(situations(), SEEDS)
def test_what_it_answers_is_always_legal(state, seed):
    for player in waiting(state):
        [decision] = options(state, player)
        play(state, Answer(player, decision.id, answered(state, player, seed)))


def test_it_can_let_others_do_what_it_may_not_see():
    """A power card that red takes back is hidden from blue, who holds a veto against it."""
    state = recovered(7, VETO).state
    assert waiting(state) == ("blue",)
    for number in range(20):
        [decision] = options(state, "blue")
        play(state, Answer("blue", decision.id, answered(state, "blue", bytes([number]))))


@pytest.mark.parametrize("name", TWINS)
def test_it_answers_the_same_whatever_is_hidden(name):
    """Games that differ in one hidden fact."""
    one, *others = TWINS[name]()
    twins = [(other, player) for other in others for player in waiting(one.state)]
    for other, player in twins:
        if seen_by(one, player) == seen_by(other, player):
            for number in range(20):
                assert answered(one.state, player, bytes([number])) == answered(other.state, player, bytes([number]))


@given(situations(), SEEDS)
def test_the_same_chance_gives_the_same_answer(state, seed):
    player = waiting(state)[0]
    assert answered(state, player, seed) == answered(state, player, seed)


@given(situations(), SEEDS)
def test_it_does_not_know_the_stacks(state, seed):
    for player in waiting(state):
        assert answered(with_other_stacks(state), player, seed) == answered(state, player, seed)


@given(situations(), SEEDS, st.data())
def test_it_does_not_know_which_power_cards_others_hold(state, seed, data):
    player = data.draw(st.sampled_from(waiting(state)))
    other = data.draw(st.sampled_from([other for other in state.board.players if other != player]))
    hand, pile = state.board.hands[other], state.board.piles[other]
    assume(hand and pile)
    hands = {**state.board.hands, other: (*hand[1:], pile[0])}
    piles = {**state.board.piles, other: (*pile[1:], hand[0])}
    twin = replace(state, board=replace(state.board, hands=hands, piles=piles))
    assert seen(twin, player) == seen(state, player)
    assert answered(twin, player, seed) == answered(state, player, seed)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(situations(DISKS), SEEDS, st.data())
def test_it_does_not_know_where_others_have_set_their_disks(state, seed, data):
    assume(state.sealed)
    sealed = data.draw(st.sampled_from(sorted(state.sealed)))
    assume(isinstance(state.sealed[sealed], SetDisk))
    twin = with_another_disk(state, sealed, data.draw(st.integers(0, 7)))
    for player in waiting(state):
        assert answered(twin, player, seed) == answered(state, player, seed)


@given(situations(), SEEDS)
def test_no_answer_that_it_considers_would_have_led_further(state, seed):
    player = waiting(state)[0]
    [decision] = options(state, player)

    def lead(command):
        answer = Answer(player, decision.id, command)
        scores = fold(state, decide(state, answer)[: len(dry_run(state, answer).facts)]).board.scores
        return scores[player] - max(score for other, score in scores.items() if other != player)

    pick = Chance(seed).below
    considered = [random_command(state, decision, pick) for _ in range(CONSIDERED)]
    assert lead(answered(state, player, seed)) == max(map(lead, considered))
