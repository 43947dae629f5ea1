"""How open questions are ruled: one test for every number of the table in docs/el-caballero.md."""

import pytest

from rules.el_caballero.base import BASE
from rules.el_caballero.board import reserve
from rules.el_caballero.facts import FirstPlayerDrawn, GameEnded, RegionScored
from rules.el_caballero.outlook import outlook
from rules.el_caballero.setup import start
from rules.el_caballero.steps.rounds import EndGame
from rules.el_caballero.tiles import TILES
from tests.rules.el_caballero.table import Table, board, turn

TWO_SIDES = "tiles: 0,0=16 1,0=18r3"
"""Land to the north of both; 1,-1 may join it to a card at 0,-1."""
SEVERAL_LANDS = "tiles: 0,-1=16r1 1,-1=17r2 1,0=18r3 -1,0=4r1 -1,-1=5r3"
"""Land on three sides of 0,0."""


def test_ruling_1_a_card_meets_land_with_one_side_even_of_the_same_region():
    game = turn(f"{TWO_SIDES} 1,-1=19r2; court red: 8")
    assert game.refuses("red card 0,-1 low r0") == "one_land"


def test_ruling_2_a_castle_saves_the_number_that_faced_the_earlier_land():
    game = turn(f"{TWO_SIDES}; cards red: 0,-1=low1+castle; visible: 19", "blue").play("blue tile 19 1,-1 r2")
    assert game.board.courts["red"] == 2


def test_ruling_3_a_castle_at_sea_saves_one():
    game = turn("tiles: 0,0=4; cards red: 1,0=low1+castle; visible: 5").play("red return 1,0")
    assert game.board.courts["red"] == 1


def test_ruling_4_without_a_castle_the_card_goes_to_the_reserve_and_its_caballeros_are_lost():
    game = turn(f"{TWO_SIDES}; cards red: 0,-1=high1; visible: 19", "blue").play("blue tile 19 1,-1 r2")
    assert (game.board.courts["red"], reserve(game.board, "red")) == (0, 8)


@pytest.mark.parametrize("moved", ["move_ship 1,0 W > -1,0 E", "move_castle 1,0 > -1,0"])
def test_ruling_5_moving_a_ship_or_a_castle_costs_one(moved):
    game = turn("tiles: 0,0=4; cards red: 1,0=low1+castle+ship3 -1,0=low0; court red: 1; visible: 5")
    assert game.play(f"red {moved}").board.courts["red"] == 0


def test_ruling_6_actions_can_be_split_around_others():
    game = turn("tiles: 0,0=4; court red: 8; visible: 5 6", power=9)
    game.play("red card 1,0 low r0", "red tile 5 0,-1 r2", "red castle 1,0", "red card -1,0 low r0", "red ship 1,0 W")
    assert (game.board.courts["red"], len(game.board.cards)) == (3, 2)


def test_ruling_7_with_the_nine_two_tiles_must_be_placed():
    game = turn("tiles: 0,0=4; visible: 5 6", power=9).play("red tile 5 0,-1 r2")
    assert game.refuses("red end") == "compulsory"
    assert "end_turn" not in game.offered()


def test_ruling_8_fewer_than_all_heads_can_be_taken_once():
    game = turn("tiles: 0,0=4; court red: 5; visible: 5", power=1).play("red supply 2")
    assert game.board.courts["red"] == 7
    assert game.refuses("red supply 1") == "limit"


def test_ruling_9_cards_on_the_map_and_those_that_show_the_court_are_all_there_are():
    seven = " ".join(f"{x},9=low0" for x in range(7))
    game = turn(f"tiles: 0,0=4; cards red: {seven}; court red: 8; visible: 5", power=1)
    assert game.refuses("red supply 1") == "reserve"
    assert "take_supply" not in game.offered()


def test_ruling_10_the_obligation_lapses_where_no_tile_fits():
    game = turn("tiles: 0,0=1; visible: 46 47; court red: 1", power=9)
    assert "place_tile" not in game.offered()
    game.play("red end")
    assert game.board.visible == (46, 47)


def test_ruling_11_a_tile_must_be_placed_beside_a_card_if_it_fits_nowhere_else():
    game = turn("tiles: 0,0=1; cards red: 1,0=low0; cards blue: -1,0=low0; visible: 46")
    assert game.refuses("red end") == "compulsory"
    assert {answer["at"] for answer in game.answers("place_tile")} == {"2,0", "1,-1", "1,1"}
    assert game.refuses("red tile 46 -2,0 r0") == "tiers"


def test_ruling_11_and_beside_the_card_of_another_player_after_that():
    game = turn("tiles: 0,0=1; cards blue: -1,0=low0; visible: 46")
    assert {answer["at"] for answer in game.answers("place_tile")} == {"-2,0", "-1,-1", "-1,1"}
    assert game.play("red tile 46 -2,0 r0").board.map.tiles["-2,0"].tile == 46


def test_ruling_12_a_bought_ship_goes_straight_to_its_place():
    game = turn("tiles: 0,0=4; cards red: 1,0=low0; court red: 2; visible: 5").play("red ship 1,0 W")
    assert (game.board.cards["1,0"].ships, game.board.fleets["red"], game.board.ships) == ((3,), 0, 11)


def test_ruling_13_ships_stay_on_their_side_when_a_card_is_turned():
    game = turn("tiles: 0,0=16 1,-1=1; cards red: 0,-1=low1+ship1; court red: 4; visible: 5")
    card = game.play("red increase 0,-1 6").board.cards["0,-1"]
    assert (card.face, card.shows(2), card.ships) == ("high", 6, (1,))


def test_ruling_14_a_card_at_sea_is_not_increased():
    game = turn("tiles: 0,0=4; cards red: 1,0=low0; court red: 5; visible: 5")
    assert game.refuses("red increase 1,0 5") == "only_sea"
    assert "increase_caballero" not in game.offered()


def test_ruling_15_a_sea_is_worth_its_tiles_not_its_sections():
    laid = board("tiles: 0,0=28 1,0=4r1 1,-1=1 0,-1=5r2 -1,-1=2 -1,0=6r3")
    assert laid.map.chart.regions["0,0", 1].value == 6 + 2


def test_ruling_16_two_players_who_tie_for_the_lead_score_nothing():
    assert outlook(board("tiles: 0,0=34; cards red: 0,-1=low1; cards blue: 1,0=low2")) == {"red": 0, "blue": 0}


def test_ruling_17_after_a_tie_for_the_lead_no_other_player_scores():
    tied = "tiles: 0,0=34; cards red: 0,-1=low1; cards blue: 1,0=low2; cards yellow: 0,1=low0"
    assert outlook(board(tied, 3)) == {"red": 1, "blue": 1, "yellow": 0}


def test_ruling_18_a_region_is_closed_when_every_side_meets_a_tile():
    closed = board("tiles: 0,0=4r1 1,0=8r3").map.chart.regions["0,0", 1]
    beside_a_card = board("tiles: 0,0=4r1; cards red: 1,0=low0").map.chart.regions["0,0", 1]
    assert (closed.is_closed, beside_a_card.is_closed) == (True, False)


def test_ruling_19_a_governor_scores_twice_the_value_once():
    laid = board("tiles: 0,0=4r1 1,0=8r3; governors red: 0,0:1", mode="advanced")
    assert outlook(laid)["red"] == 2 * 3


def test_ruling_20_a_governed_sea_takes_one_ship_of_its_owner():
    sea = "tiles: 0,0=34r2 1,0=42; governors red: 0,0:1; court red: 9; court blue: 9; visible: 5"
    game = turn(sea, mode="advanced").play("red ship 0,0 E")
    assert game.refuses("red ship 0,0 E") == "slot"
    assert turn(sea, "blue", mode="advanced").refuses("blue ship 0,0 E") == "slot"


def test_ruling_21_governors_are_not_limited_by_the_turn():
    game = turn("tiles: 0,0=4r1 1,0=8r3 5,0=34r2 6,0=42; court red: 2; visible: 5", mode="advanced")
    game.play("red governor 0,0 E", "red governor 5,0 E")
    assert (game.board.governors_left["red"], game.board.courts["red"]) == (3, 0)


def test_ruling_22_the_grande_can_be_moved_to_a_card_that_is_laid_on_several_land_sides():
    game = turn(f"{SEVERAL_LANDS}; cards red: 2,0=low0+grande; court red: 5; visible: 6", mode="advanced")
    game.play("red card 0,0 low r0 move")
    assert (game.board.courts["red"], game.board.grandes["red"]) == (5 - 4 - 1, "0,0")
    assert game.refuses("red move_grande 2,0") == "limit"


@pytest.mark.parametrize(("castle", "fleet", "ships"), [("", 0, 16), ("+castle", 1, 15)], ids=["without", "with"])
def test_ruling_23_ships_on_a_card_that_its_grande_leaves(castle, fleet, ships):
    position = f"{SEVERAL_LANDS} 0,1=1; cards red: 0,0=low0+grande{castle}+ship2 2,0=low0; court red: 1; visible: 6"
    game = turn(position, mode="advanced").play("red move_grande 2,0")
    assert (game.board.fleets["red"], game.board.ships) == (fleet, ships)


def test_ruling_24_a_grande_on_a_returned_card_goes_to_court_and_is_placed_again_for_two():
    game = turn("tiles: 0,0=4; cards red: 1,0=low0+grande -1,0=low0; court red: 2; visible: 5", mode="advanced")
    game.play("red return 1,0")
    assert game.board.grandes["red"] == ""
    assert game.play("red grande -1,0").board.courts["red"] == 0


@pytest.mark.parametrize("seed", range(20))
def test_ruling_25_the_map_begins_with_a_tile_without_gold_or_fish(seed):
    _, state = start(BASE, 2, bytes([seed]))
    tile = TILES[state.board.map.tiles["0,0"].tile]
    assert (tile.symbol, set(tile.edges)) == ("", {"L", "S"})


def test_ruling_26_the_first_player_is_drawn_from_the_seed():
    firsts = {
        fact.player
        for seed in range(30)
        for fact in start(BASE, 4, bytes([seed]))[0]
        if isinstance(fact, FirstPlayerDrawn)
    }
    assert firsts == {"red", "blue", "yellow", "green"}


def test_ruling_27_equal_scores_share_the_win():
    game = Table(board("scores: red 40, blue 40, yellow 12", 3), EndGame())
    assert game.happened(GameEnded) == [GameEnded({"red": 1, "blue": 1, "yellow": 3})]


def test_ruling_28_the_lead_brings_twice_the_value_and_castles_bring_nothing():
    assert outlook(board("tiles: 0,0=34; cards red: 0,-1=low1+castle"))["red"] == 2
    assert [mode.scoring_rounds for mode in BASE.modes.values()] == [(4, 7), (4, 7, 10)]


def test_ruling_29_what_is_taken_back_gives_no_action_back():
    game = turn("tiles: 0,0=4; court red: 9; visible: 5")
    game.play("red card 1,0 low r0", "red card -1,0 low r0", "red return 1,0")
    assert game.refuses("red card 1,0 low r0") == "limit"
    game.play("red ship -1,0 E", "red return_ship -1,0 E", "red ship -1,0 E", "red return_ship -1,0 E")
    assert game.refuses("red ship -1,0 E") == "limit"


def test_scoring_changes_nothing_on_the_map():
    assert RegionScored("land", "0,0", 0, 1, {}, {}).apply(laid := board("tiles: 0,0=4")) is laid
