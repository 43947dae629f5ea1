"""The worked examples of the rules."""

from typing import Any

import pytest

from rules.el_caballero.base import BASE
from rules.el_caballero.board import cards_in_court, contacts, room
from rules.el_caballero.facts import TilePlaced, TurnBegan
from rules.el_caballero.geometry import NORTH, number
from rules.el_caballero.map import Map
from rules.el_caballero.outlook import outlook
from rules.el_caballero.scoring import land_points, scores
from rules.el_caballero.setup import start
from rules.el_caballero.steps.rounds import Bid, EndRound, OrderTurns
from tests.rules.el_caballero.table import Table, board, turn

SCORING_EXAMPLE = (
    "tiles: 0,-1=24r1 1,-1=38r2 2,-1=20 0,0=16r3 1,0=17 2,0=25r2 0,1=34r1; "
    "cards red: 1,-2=high0 3,-1=low3 3,0=low3+ship3; "
    "cards blue: -1,0=high1 2,-2=low0 -1,1=low0 -1,-1=low1+ship1"
)


def scored(position: str, players: int = 2, **options: str) -> dict[str, tuple[Any, ...]]:
    """Every region by the side after which it is named: its value, who is there, what it brings."""
    laid = board(position, players, **options)
    return {f"{one.kind} {one.at}:{one.direction}": (one.value, one.counts, one.points) for one in scores(laid)}


@pytest.mark.parametrize(
    ("players", "total", "first", "second"),
    [
        (2, {"red": 16, "blue": 8}, {"red": 12}, {"blue": 4}),
        (3, {"red": 18, "blue": 14, "yellow": 0}, {"red": 12, "blue": 6}, {"blue": 4, "red": 2}),
    ],
    ids=["two players", "three players"],
)
def test_t1_the_scoring_example_of_the_rulebook(players, total, first, second):
    regions = scored(SCORING_EXAMPLE, players)
    assert regions == {
        "land 0,-1:1": (6, {"red": 7, "blue": 5}, first),
        "land 2,-1:0": (2, {"red": 1, "blue": 3}, second),
        "land 0,1:1": (1, {"blue": 2}, {"blue": 2}),
        "sea 0,-1:0": (2, {"blue": 1}, {"blue": 2}),
        "sea 0,0:1": (3, {}, {}),
        "sea 1,-1:1": (4, {"red": 1}, {"red": 4}),
    }
    assert outlook(board(SCORING_EXAMPLE, players)) == total


def test_t2_a_ship_scores_the_value_of_its_sea():
    position = "tiles: 0,0=4 1,0=5 0,1=6r2 1,1=7r2; cards red: 2,0=low0+ship3"
    assert scored(position)["sea 0,0:1"] == (4, {"red": 1}, {"red": 4})


def test_t3_no_player_may_have_as_many_as_another():
    game = turn("tiles: 0,0=34; cards red: 0,-1=low1; cards blue: 1,0=low0; court yellow: 8", "yellow", players=3)
    assert game.board.counts[0, 0, 0] == {"red": 2, "blue": 4}
    numbers = {
        number(answer["face"], answer["rotation"], NORTH)
        for answer in game.answers("place_caballero", "yellow")
        if answer["at"] == "0,1"
    }
    assert numbers == {1, 3, 5, 6, 7, 8}


def test_t4_the_court_uses_the_fewest_cards():
    assert [cards_in_court(court) for court in (5, 3, 13, 16, 17, 0)] == [1, 1, 2, 2, 3, 0]


def test_t4_the_last_card_can_be_laid_if_paying_empties_the_court():
    seven = " ".join(f"{x},9=low0" for x in range(7))
    game = turn(f"tiles: 0,0=4; cards red: {seven}; court red: 5; visible: 5", power=4)
    assert room(game.board, "red") == 3
    assert game.refuses("red supply 4") == "reserve"
    assert [answer["amount"] for answer in game.answers("take_supply")] == [1, 2, 3]
    assert game.refuses("red card 0,-1 low r0") == "reserve"  # for 3: the 2 that are left would need a ninth card
    assert [(answer["at"], answer["face"]) for answer in game.answers("place_caballero")] == [("0,-1", "high")]
    game.play("red card 0,-1 high r2")
    assert (game.board.courts["red"], len(game.board.cards)) == (0, 8)


@pytest.mark.parametrize(
    ("beside", "laid"), [("1,0=6r3", "tile 7 1,-1 r3"), ("1,0=18r3", "tile 19 1,-1 r2")], ids=["other", "same"]
)
@pytest.mark.parametrize(("castle", "court", "castles"), [("", 2, 12), ("+castle", 8, 12)], ids=["without", "with"])
def test_t5_a_card_with_a_second_land_side_is_eliminated(beside, laid, castle, court, castles):
    game = turn(f"tiles: 0,0=16 {beside}; cards red: 0,-1=high1{castle}; court red: 2; visible: 7 19", "blue")
    assert game.board.cards["0,-1"].shows(2) == 6
    game.play(f"blue {laid}")
    assert not game.board.cards
    assert (game.board.courts["red"], game.board.castles) == (court, castles)


def test_t6_a_card_at_sea_gets_land_for_nothing_and_can_be_increased_then():
    game = turn("tiles: 0,0=4; court red: 5; visible: 5 6", power=9)
    at_sea = [answer for answer in game.answers("place_caballero") if answer["at"] == "1,0"]
    assert [(answer["face"], answer["rotation"]) for answer in at_sea] == [("low", r) for r in range(4)]
    game.play("red card 1,0 low r1")
    assert game.board.courts["red"] == 4
    assert [game.board.cards["1,0"].shows(direction) for direction in range(4)] == [4, 1, 2, 3]
    game.play("red tile 5 0,-1 r2", "red tile 6 1,-1 r2")
    assert contacts(game.board, "1,0").land == 0b0001
    assert game.board.counts[-1, 1, 2] == {"red": 4}
    game.play("red increase 1,0 6")
    card = game.board.cards["1,0"]
    assert (game.board.courts["red"], card.face, card.rotation) == (2, "high", 3)


def test_t7_a_governor_of_land_scores_twice_its_value():
    game = turn("tiles: 0,0=4r1 1,0=8r3; court red: 1", mode="advanced")
    region = game.board.map.chart.regions["0,0", 1]
    assert (region.value, region.is_closed, region.anchor) == (3, True, (0, 0, 1))
    game.play("red governor 1,0 W")
    assert game.board.courts["red"] == 0
    assert outlook(game.board)["red"] == 6


def test_t8_a_governor_of_a_sea_scores_by_its_ship():
    game = turn("tiles: 0,0=34r2 1,0=42; court red: 3", mode="advanced")
    region = game.board.map.chart.regions["1,0", 3]
    assert (region.value, region.is_closed) == (3, True)
    game.play("red governor 1,0 W", "red ship 0,0 E")
    assert (game.board.courts["red"], outlook(game.board)["red"]) == (0, 3)


GRANDE_EXAMPLE = "tiles: 0,-1=16r1 1,-1=17r2 1,0=18r3 -1,0=4r1 -1,-1=5r3"


def test_t9_a_card_with_the_grande_costs_the_highest_number_and_the_grande():
    game = turn(f"{GRANDE_EXAMPLE}; court red: 5", mode="advanced")
    assert game.refuses("red card 0,0 low r0 place") == "cost"
    game = turn(f"{GRANDE_EXAMPLE}; court red: 6", mode="advanced").play("red card 0,0 low r0 place")
    regions = game.board.map.chart.regions
    assert game.board.courts["red"] == 0
    assert game.board.counts[regions["-1,0", 1].anchor] == {"red": 4}
    assert game.board.counts[regions["0,-1", 2].anchor] == {"red": 3}


def test_t9_the_card_that_the_grande_leaves_is_eliminated():
    position = f"{GRANDE_EXAMPLE}; cards red: 0,0=low0+castle+grande 2,0=low0; court red: 3"
    game = turn(position, mode="advanced").play("red move_grande 2,0")
    assert game.board.courts["red"] == 3 - 1 + 4
    assert set(game.board.cards) == {"2,0"}
    assert game.board.castles == 16


def test_t10_a_tile_with_two_seas_of_one_region_counts_once():
    laid = board("tiles: 0,0=28 1,0=4r1 1,-1=1 0,-1=5r2 -1,-1=2 -1,0=6r3")
    region = laid.map.chart.regions["0,0", 1]
    assert laid.map.chart.regions["0,0", 3] is region
    assert (len(region.cells), region.symbols, region.value) == (6, 2, 8)


@pytest.mark.parametrize(
    ("counts", "value", "players", "points"),
    [
        ((7, 5), 6, 2, (12, 0)),
        ((7, 5, 0), 6, 3, (12, 6, 0)),
        ((5, 5, 3), 4, 3, (4, 4, 0)),
        ((5, 5), 4, 2, (0, 0)),
        ((6, 3, 3, 1), 5, 4, (10, 0, 0, 0)),
        ((4, 4, 4), 3, 3, (3, 3, 3)),
        ((0, 2, 0), 1, 3, (0, 2, 0)),
        ((6, 5, 4, 3), 5, 4, (10, 5, 0, 0)),
    ],
)
def test_t11_ranks(counts, value, players, points):
    seats = ("red", "blue", "yellow", "green")[:players]
    there = {seat: count for seat, count in zip(seats, counts, strict=True) if count}
    scored = land_points(there, value, players)
    assert tuple(scored.get(seat, 0) for seat in seats) == points


@pytest.mark.parametrize(
    ("seed", "first_tile", "visible", "following", "first"),
    [
        (b"1", 37, (12, 14, 18, 1, 15), (46, 40, 32, 36, 34), "red"),
        (b"2", 35, (45, 2, 44, 27, 47), (39, 38, 29, 9, 13), "blue"),
    ],
)
def test_t12_the_set_up_follows_from_the_seed(seed, first_tile, visible, following, first):
    _, state = start(BASE, 3, seed)
    dealt = state.board
    assert dealt.map == Map().laid("0,0", dealt.map.tiles["0,0"])
    assert (dealt.map.tiles["0,0"].tile, dealt.visible, dealt.stack[:5], dealt.first) == (
        first_tile,
        visible,
        following,
        first,
    )


def test_t13_turns_go_by_descending_power_card():
    hands = "; ".join(f"hand {seat}: 1 2 5 9 13" for seat in ("red", "blue", "yellow", "green"))
    bids = [Bid(player) for player in ("yellow", "green", "red", "blue")]
    game = Table(board(f"tiles: 0,0=4; visible: 5 6 7 16 17; {hands}", 4), *bids, OrderTurns(), EndRound(1))
    game.play("yellow power 5")
    assert game.refuses("green power 5") == "power"
    game.play("green power 9", "red power 13", "blue power 2")
    while game.board.round == 1 and game.asked[0] == "turn":
        game.play(f"{game.asked[1][0]} time_up")
    assert [fact.player for fact in game.happened(TurnBegan)] == ["red", "green", "yellow", "blue"]
    assert [fact.player for fact in game.happened(TilePlaced)] == ["red", "green", "green", "yellow", "blue"]
    assert game.asked == ("power", ("blue",))
