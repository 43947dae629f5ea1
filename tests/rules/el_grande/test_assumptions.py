"""What may be assumed of hidden things, when people ask what would have been."""

import pytest

from rules.assumptions import AS_IT_IS, SEALED, assumed, offered, sentence
from rules.codec import codec_for
from rules.el_grande.commands import SetDisk
from rules.el_grande.facts import CaballerosReleased, StacksShuffled
from rules.el_grande.game import EL_GRANDE
from rules.errors import RuleBroken, Unreadable
from rules.kernel import SPECTATOR, fold
from tests.rules.el_grande.table import table
from tests.rules.random_games import random_game

ORDER = "order_of_cards"
HOMES = "grandes: red galicia, blue sevilla, yellow aragon, green valencia"
DEALT = random_game(2, 1, game_length="short").turns[0].before


def assume(state, id, value):
    """The facts that follow."""
    return assumed(EL_GRANDE.assumptions, state, id, value, codec_for(state.board.variant).command)


def what(state):
    return {each.id: each for each in offered(EL_GRANDE.assumptions, state)}


def a_general_scoring():
    """Red has set a disk, the others have not."""
    steps = (step() for step in EL_GRANDE.rules().general_scoring)
    return table(f"king granada; castillo: red 2; {HOMES}", *steps).play("red disk aragon")


# The order of the cards


def test_the_cards_that_are_not_yet_turned_up_may_lie_in_another_order():
    state = fold(DEALT, assume(DEALT, ORDER, 7))
    assert state.board.stacks != DEALT.board.stacks
    assert [sorted(stack) for stack in state.board.stacks] == [sorted(stack) for stack in DEALT.board.stacks]
    assert state.board.face_up == DEALT.board.face_up


def test_the_same_number_is_the_same_order_and_another_is_another():
    assert assume(DEALT, ORDER, 7) == assume(DEALT, ORDER, 7) != assume(DEALT, ORDER, 8)


def test_an_assumed_order_tells_nothing_of_the_one_that_was_dealt():
    other = fold(DEALT, [StacksShuffled(tuple(stack[::-1] for stack in DEALT.board.stacks))])
    assert assume(other, ORDER, 7) == assume(DEALT, ORDER, 7)


def test_it_stays_hidden_from_those_who_may_not_see_it():
    [shuffled] = assume(DEALT, ORDER, 7)
    assert shuffled.seen_by(SPECTATOR) == StacksShuffled(()) == shuffled.seen_by("red")


@pytest.mark.parametrize("value", [0, -1, 10**7, "seven", True, {"kind": "set_disk"}])
def test_an_order_is_a_number(value):
    with pytest.raises(Unreadable):
        assume(DEALT, ORDER, value)


def test_what_is_so_already_is_no_assumption():
    with pytest.raises(RuleBroken, match="nothing would change"):
        assume(DEALT, ORDER, AS_IT_IS)


def test_at_the_end_nothing_is_left_to_be_assumed():
    assert what(random_game(2, 1, game_length="short").state) == {}


# Secret disks


def test_a_disk_may_have_been_set_elsewhere():
    game = a_general_scoring()
    state = fold(game.state, assume(game.state, f"{SEALED}red", {"kind": "set_disk", "region": "sevilla"}))
    assert state.sealed["red"] == SetDisk("sevilla")
    game.state = state
    game.play("blue disk galicia", "yellow disk galicia", "green disk galicia")
    [released] = game.happened(CaballerosReleased)
    assert (released.player, released.target, released.count) == ("red", "sevilla", 2)


def test_every_legal_place_of_a_disk_is_offered():
    found = what(a_general_scoring().state)[f"{SEALED}red"].alternatives
    regions = [each.value["region"] for each in found[1:]]
    assert (found[0].value, regions) == (AS_IT_IS, list(EL_GRANDE.rules().region_order))


def test_only_disks_that_are_set_can_be_assumed_elsewhere():
    game = a_general_scoring()
    assert [id for id in what(game.state) if id.startswith(SEALED)] == [f"{SEALED}red"]
    with pytest.raises(Unreadable):
        assume(game.state, f"{SEALED}blue", {"kind": "set_disk", "region": "sevilla"})


def test_a_disk_cannot_be_assumed_where_it_may_not_be_set():
    state = a_general_scoring().state
    for value in ({"kind": "set_disk", "region": "castillo"}, {"kind": "stop"}):
        with pytest.raises(RuleBroken):
            assume(state, f"{SEALED}red", value)
    for unreadable in ({}, {"kind": "set_disk"}, "sevilla", 3):
        with pytest.raises(Unreadable):
            assume(state, f"{SEALED}red", unreadable)


def test_a_player_who_was_late_is_not_told_to_be_so_when_another_disk_is_assumed():
    steps = (step() for step in EL_GRANDE.rules().general_scoring)
    game = table(f"king granada; castillo: red 2; {HOMES}", *steps).play("red time_up")
    state = fold(game.state, assume(game.state, f"{SEALED}red", {"kind": "set_disk", "region": "sevilla"}))
    assert not state.late


def test_what_is_assumed_is_said_openly():
    told = sentence(EL_GRANDE.assumptions, f"{SEALED}red", {"kind": "set_disk", "region": "sevilla"})
    assert str(told) == "assumed: red has secretly chosen sevilla"
    assert "order 7" in str(sentence(EL_GRANDE.assumptions, ORDER, 7))
