"""Setting up the table."""

import pytest

from rules.codec import encode
from rules.el_grande.base import BASE
from rules.el_grande.board import COLOURS, count
from rules.el_grande.deck import copies
from rules.el_grande.facts import FirstBidderDrawn, RegionsDrawn, RoundBegan, StacksShuffled
from rules.el_grande.setup import deal, face_down_stacks, start
from rules.errors import Unreadable
from rules.fairness import Chance
from tests.rules.el_grande.opening import opening

PLAYER_COUNTS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def test_a_seed_reproduces_the_set_up():
    assert encode(start(BASE, 4, b"a seed")) == encode(start(BASE, 4, b"a seed"))


def test_another_seed_gives_another_set_up():
    assert len({encode(start(BASE, 4, bytes([seed]))[0]) for seed in range(20)}) == 20


def test_the_set_up_of_a_seed_never_changes():
    """Saved games depend on it."""
    regions, _, stacks, first = deal(BASE, COLOURS[:3], Chance(b"hidalgo"))
    assert isinstance(regions, RegionsDrawn)
    assert isinstance(stacks, StacksShuffled)
    assert (regions.king, *regions.homes.values()) == ("castilla_la_vieja", "pais_vasco", "granada", "cataluna")
    assert [stack[0] for stack in stacks.stacks] == [
        "s1_move_five_one_region-1",
        "s2_score_chosen-2",
        "s3_score_castillo-1",
        "s4_move_grande-2",
    ]
    assert first == FirstBidderDrawn("yellow")


@PLAYER_COUNTS
def test_regions_are_shuffled_first_then_the_stacks_then_the_first_bidder_is_drawn(players):
    chance = Chance(b"in this order")
    regions = chance.shuffled(tuple(BASE.regions))
    stacks = tuple(chance.shuffled(stack) for stack in face_down_stacks(BASE))
    first = COLOURS[chance.below(players)]
    drawn, _, shuffled, bidder = deal(BASE, COLOURS[:players], Chance(b"in this order"))
    assert drawn == RegionsDrawn(regions[0], dict(zip(COLOURS, regions[1 : players + 1], strict=False)), BASE.pieces)
    assert (shuffled, bidder) == (StacksShuffled(stacks), FirstBidderDrawn(first))


def test_stacks_are_shuffled_from_the_order_of_the_table_copies_in_order():
    first, second, *_ = face_down_stacks(BASE)
    assert first[:6] == (
        "s1_move_all_own",
        "s1_place_two",
        "s1_place_two_or_move_all",
        "s1_move_five_one_region-1",
        "s1_move_five_one_region-2",
        "s1_move_three_foreign",
    )
    assert second[:3] == ("s2_veto-1", "s2_veto-2", "s2_rebellion_all")


def test_there_are_forty_five_action_cards_eleven_in_each_of_four_stacks():
    assert [len(stack) for stack in face_down_stacks(BASE)] == [11, 11, 11, 11]
    assert sum(len(copies(name, card)) for name, card in BASE.cards.items()) == 45


@PLAYER_COUNTS
def test_no_grande_stands_in_the_kings_region_and_homes_are_distinct(players):
    for seed in range(30):
        board = opening(players, bytes([seed])).board
        assert len({board.king, *board.grandes.values()}) == players + 1


@PLAYER_COUNTS
def test_every_player_has_two_at_home_seven_in_court_and_twenty_one_in_the_province(players):
    board = opening(players).board
    for player in board.players:
        spaces = (board.grandes[player], "court", "province", "castillo")
        assert [count(board, space, player) for space in spaces] == [2, 7, 21, 0]
        assert sum(count(board, space, player) for space in board.cubes) == 30


@PLAYER_COUNTS
def test_every_player_holds_all_power_cards_and_no_points(players):
    board = opening(players).board
    assert board.hands == dict.fromkeys(board.players, tuple(range(1, 14)))
    assert board.piles == dict.fromkeys(board.players, ())
    assert board.scores == dict.fromkeys(board.players, 0)


def test_scoreboards_are_unused_and_no_player_holds_a_veto():
    board = opening().board
    assert (board.scoreboards, board.vetoes, board.discards) == ({}, (), ())


@pytest.mark.parametrize(("game_length", "first_round"), [("full", 1), ("short", 2)])
def test_a_full_game_begins_with_round_1_and_a_short_one_with_round_2(game_length, first_round):
    assert opening(game_length=game_length).board.round == first_round


def test_the_first_bidder_is_drawn_and_asked_first():
    drawn = set()
    for seed in range(30):
        _, state = start(BASE, 3, bytes([seed]))
        drawn.add(state.board.first)
        assert state.agenda[0].waits_for(state) == (state.board.first,)
    assert drawn == {"red", "blue", "yellow"}


def test_the_top_cards_of_four_stacks_and_the_kings_card_lie_face_up():
    [round_began] = opening().happened(RoundBegan)
    assert [card[:3] for card in round_began.cards] == ["s1_", "s2_", "s3_", "s4_", "s5_"]


@pytest.mark.parametrize("players", [0, 1, 6])
def test_el_grande_is_for_two_to_five_players(players):
    with pytest.raises(Unreadable, match="2 to 5 players"):
        start(BASE, players, b"a seed")


@pytest.mark.parametrize("option", [{"game_length": "long"}, {"castillo_display": "glass"}, {"chairs": "six"}])
def test_only_known_options_can_be_agreed(option):
    with pytest.raises(Unreadable):
        start(BASE, 4, b"a seed", **option)
