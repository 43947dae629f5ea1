"""A bot plays by the rules, always the same, and knows no more than its player."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.bots import BOTS, CONSIDERED, answer
from rules.catalogue import GAMES
from rules.el_grande.commands import SetDisk
from rules.fairness import Chance
from rules.kernel import Answer, foreseen, options, play, waiting
from rules.simulation import random_command
from tests.rules.el_grande.test_hidden_information import TWINS, seen_by
from tests.rules.properties.situations import situations
from tests.rules.properties.test_secrets import DISKS, seen, with_another_disk, with_other_stacks

SEEDS = st.binary(min_size=1, max_size=8)
GREEDY = BOTS["greedy"]
OUTLOOK = GAMES["el_grande"].outlook

every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))


def answered(bot, state, player, seed):
    return answer(bot, state, player, Chance(seed))


def lead(board, player):
    outlook = OUTLOOK(board)
    return outlook[player] - max(points for other, points in outlook.items() if other != player)


@every_bot
@given(situations(), SEEDS)
def test_what_it_answers_is_always_legal_and_always_the_same(bot, state, seed):
    for player in waiting(state):
        [decision] = options(state, player)
        command = answered(bot, state, player, seed)
        play(state, Answer(player, decision.id, command))
        assert answered(bot, state, player, seed) == command


@every_bot
@pytest.mark.parametrize("name", TWINS)
def test_it_answers_the_same_whatever_is_hidden(bot, name):
    """Games that differ in one hidden fact."""
    one, *others = TWINS[name]()
    for other, player in [(other, player) for other in others for player in waiting(one.state)]:
        if seen_by(one, player) == seen_by(other, player):
            for number in range(20):
                seed = bytes([number])
                assert answered(bot, one.state, player, seed) == answered(bot, other.state, player, seed)


@given(situations(), SEEDS)
def test_it_does_not_know_the_stacks(state, seed):
    for player in waiting(state):
        assert answered(GREEDY, with_other_stacks(state), player, seed) == answered(GREEDY, state, player, seed)


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
    assert answered(GREEDY, twin, player, seed) == answered(GREEDY, state, player, seed)


@given(situations(DISKS), SEEDS, st.data())
def test_it_does_not_know_where_others_have_set_their_disks(state, seed, data):
    assume(state.sealed)
    sealed = data.draw(st.sampled_from(sorted(state.sealed)))
    assume(isinstance(state.sealed[sealed], SetDisk))
    twin = with_another_disk(state, sealed, data.draw(st.integers(0, 7)))
    for player in waiting(state):
        assert answered(GREEDY, twin, player, seed) == answered(GREEDY, state, player, seed)


@given(situations(), SEEDS)
def test_no_answer_that_the_greedy_bot_considers_would_have_led_further(state, seed):
    player = waiting(state)[0]
    [decision] = options(state, player)

    def reached(command):
        return lead(foreseen(state, Answer(player, decision.id, command)).board, player)

    pick = Chance(seed).below
    considered = [random_command(state, decision, pick) for _ in range(CONSIDERED)]
    assert reached(answered(GREEDY, state, player, seed)) == max(map(reached, considered))


def played(seats, seed):
    """A game in which each seat is played by the bot named."""
    game = GAMES["el_grande"]
    _, state = game.start(game.rules(), len(seats), seed, game_length="short")
    answers = []
    while not state.is_over:
        player = waiting(state)[0]
        [decision] = options(state, player)
        bot = BOTS[seats[state.board.players.index(player)]]
        command = answered(bot, state, player, seed + decision.id.encode())
        answers.append((decision.id, command))
        _, state = play(state, Answer(player, decision.id, command))
    return state.board, answers


def test_the_greedy_bot_beats_random_ones():
    boards = [played(["random", "greedy", "random"], bytes([number]))[0] for number in range(10)]
    assert sum(board.places[board.players[1]] == 1 for board in boards) > 6


def test_a_bot_never_plays_otherwise_than_when_it_was_released():
    """Else finished games with it could not be decided again. A bot that plays better is another one."""
    board, answers = played(["greedy", "random", "greedy"], b"released")
    assert len(answers) == LENGTH
    assert board.scores == SCORES


LENGTH, SCORES = 104, {"red": 117, "blue": 56, "yellow": 96}
