"""The inspector and the random player ask the rules what must hold and what to be rare with."""

import pytest
from msgspec.structs import replace

from rules.catalogue import GAMES
from rules.el_grande.commands import SetDisk
from rules.kernel import Answer, options
from rules.simulation import random_command
from rules.soundness import Violation, check_course, check_decision, check_notation
from tests.rules.el_grande.table import turn_with
from tests.rules.expanding import expanded
from tests.rules.random_games import random_game


@pytest.fixture
def menu(monkeypatch):
    """Red has taken the king's card: the state, and what red is asked, by rules with some changes."""

    def asked(**changes):
        rules = expanded(monkeypatch, **changes)
        state = turn_with("s5_king_any", "king granada; court: red 3; grandes: red aragon", rules=rules).state
        [decision] = options(state, "red")
        return state, decision

    return asked


def with_one_answer(decision):
    return replace(decision, forms=decision.forms[-1:])


def test_a_question_with_one_answer_is_a_violation(menu):
    state, decision = menu()
    with pytest.raises(Violation, match="red is asked menu, with just one legal answer"):
        check_decision(state, with_one_answer(decision))


def test_the_rules_may_insist_on_asking(menu):
    state, decision = menu(always_asked=("menu",))
    check_decision(state, with_one_answer(decision))


def test_a_secret_that_is_left_over_is_a_violation(menu):
    state, decision = menu()
    with pytest.raises(Violation, match="still sealed"):
        check_decision(replace(state, sealed={"blue": SetDisk("granada")}), decision)


def test_the_rules_may_let_a_secret_lie(menu):
    state, decision = menu(nothing_sealed=())
    check_decision(replace(state, sealed={"blue": SetDisk("granada")}), decision)


def test_the_rules_say_how_a_whole_game_goes():
    game = random_game(2, 1, game_length="short")
    check_course(game.state.board, game.facts)
    with pytest.raises(Violation, match="turn_ended happened 0 times, not 12"):
        check_course(game.state.board, ())


def test_a_move_that_is_another_one_in_notation_is_a_violation(menu, monkeypatch):
    state, decision = menu()
    answer = Answer("red", decision.id, SetDisk("aragon"))
    check_notation(state.board, answer)
    game = GAMES["el_grande"]
    ending = replace(game.notation, move=lambda command: "end")
    monkeypatch.setitem(GAMES, "el_grande", replace(game, notation=ending))
    with pytest.raises(Violation, match="is another move when it is written down: end"):
        check_notation(state.board, answer)


@pytest.mark.parametrize(("rare", "usual"), [("place", "special"), ("special", "place")])
def test_random_play_is_rare_with_answers_that_leave_something_undone(menu, rare, usual):
    state, decision = menu(finishing=("end_turn", rare))
    command = random_command(state, decision, lambda n: n - 1)
    assert command.__struct_config__.tag == usual
