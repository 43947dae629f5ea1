"""Grand Inquisitor & Colonies: new regions, special places, tokens, free travel, black caballeros, the limit board."""

from __future__ import annotations

import pytest

from rules.catalogue import GAMES
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    FurtherRegionsDrawn,
    LimitBoardFilled,
    TokenDelivered,
    TokensBrought,
    colonies,
    supply,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.held import Plagiarise, UseFreeWill
from rules.el_grande.expansions.grand_inquisitor_and_colonies.limit_board import FillLimitBoard
from rules.el_grande.expansions.grand_inquisitor_and_colonies.opening import SetColonistsDisks
from rules.el_grande.expansions.grand_inquisitor_and_colonies.travel import LeaveShip
from rules.el_grande.facts import RegionsDrawn, SpaceScored
from rules.el_grande.notation import parse_position
from rules.el_grande.scoring import score
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, ScoreRegions, SetScoringDisks
from rules.el_grande.steps.rounds import EndRound
from rules.el_grande.steps.turns import DrawCaballeros, LayCardAside, TakeActionCard, UseCard
from tests.rules.el_grande.table import Table, table, turn_with

EL_GRANDE = GAMES["el_grande"]
RULES = EL_GRANDE.rules(("grand_inquisitor_and_colonies",))
QUIET = "limit_board: galicia; round 2; turn red; face_up: s5_king_any; "


def points(space: str, position: str, players: int = 4, *, ranks: int = 3) -> dict[str, int]:
    board = parse_position("limit_board: galicia; king sevilla; " + position, players, RULES)
    return score(board, space, ranks=ranks).points


def at_sea(position: str, *steps: object, players: int = 4) -> Table:
    return table(QUIET + position, *steps, players=players, rules=RULES)  # type: ignore[arg-type]


def with_card(card: str, position: str, players: int = 4) -> Table:
    return turn_with(card, "limit_board: galicia; round 2; " + position, rules=RULES, players=players)


# Set-up


def test_region_cards_place_black_caballeros_the_limit_board_and_the_homes():
    facts, state = EL_GRANDE.start(RULES, 5, b"seed")
    [drawn] = [fact for fact in facts if isinstance(fact, RegionsDrawn)]
    [further] = [fact for fact in facts if isinstance(fact, FurtherRegionsDrawn)]
    regions = [drawn.king, *further.black, further.limit, *drawn.homes.values()]
    assert len(regions) == len(set(regions)) == 9
    assert set(regions) == set(RULES.region_order)
    assert all(state.board.cubes[region]["black"] == 2 for region in further.black)


def test_everybody_has_thirty_six_caballeros_two_of_them_sent_to_a_secret_region():
    _, state = EL_GRANDE.start(RULES, 3, b"seed")
    game = Table(state.board, SetColonistsDisks())
    free = [region for region in RULES.region_order if region != game.board.king]
    game.play(*(f"{player} disk {free[0]}" for player in game.board.players))
    assert [game.where("province")[player] for player in game.board.players] == [25, 25, 25]
    assert sum(game.where(free[0]).get(player, 0) for player in game.board.players) >= 6


def test_the_first_disk_never_names_the_kings_region():
    game = at_sea("king granada; province: red 5, blue 5, yellow 5, green 5", SetColonistsDisks())
    assert game.refuses("red disk granada") == "disk"
    assert game.refuses("red disk ship") == "disk"


def test_first_tokens_lie_in_the_colonies():
    _, state = EL_GRANDE.start(RULES, 3, b"seed")
    assert colonies(state.board).unclaimed == {"gold": 1, "goods": 2}
    assert (supply(state.board, "gold"), supply(state.board, "goods")) == (5, 9)


# Scoring the new regions


@pytest.mark.parametrize(
    ("space", "position", "players", "expected"),
    [
        pytest.param("francia", "francia: red:ambassador, red:emissary", 4, {"red": 6}, id="GI-1"),
        pytest.param(
            "francia",
            "francia: red:ambassador, blue:emissary, yellow:third",
            4,
            {"red": 3, "blue": 2, "yellow": 1},
            id="GI-2",
        ),
        pytest.param("ship", "ship: red 2, red:captain, blue 3", 4, {"red": 3}, id="GI-11 without a tile"),
        pytest.param(
            "ship",
            "ship: red 2, red:captain, blue 3; scoreboards: board_840 ship",
            4,
            {"blue": 8, "red": 7},
            id="GI-11 with a tile",
        ),
        pytest.param("america", "america: red 1, red:viceroy, blue 2", 4, {"blue": 4, "red": 5}, id="GI-12"),
        pytest.param("granada", "granada: red 1, black 2", 4, {"red": 6}, id="GI-20 black counts for nobody"),
        pytest.param("africa", "africa: red 3, blue 2, yellow 1", 4, {"red": 4, "blue": 2, "yellow": 1}, id="GI-22"),
        pytest.param(
            "francia",
            "king francia; francia: red:ambassador, red:emissary, blue:third",
            3,
            {"red": 8, "blue": 1},
            id="GI-23",
        ),
        pytest.param(
            "ship", "ship: red 3, blue:captain, blue 1; grandes: red ship", 4, {"red": 2, "blue": 3}, id="GI-24"
        ),
        pytest.param("america", "america: red:viceroy", 4, {"red": 5}, id="GI-25 the viceroy leads nobody"),
        pytest.param(
            "castillo", "castillo: red 3, blue 1; grandes: red castillo", 4, {"red": 7, "blue": 3}, id="GI-26"
        ),
        pytest.param(
            "granada", "inquisitor: red; granada: red 1, black 2, blue 2", 4, {"red": 6, "blue": 3}, id="GI-28"
        ),
        pytest.param(
            "granada",
            "limit_board: granada; granada: red:limit, red:limit, red:limit, red:limit, red:limit, red:limit, "
            "blue:limit, blue:limit, blue:limit, blue:limit, blue:beside, blue:beside, blue:beside, "
            "yellow:beside, yellow:beside",
            4,
            {"red": 6, "blue": 3},
            id="GI-29 beside the limit board nobody counts",
        ),
    ],
)
def test_special_places_score_beside_the_ranks(space: str, position: str, players: int, expected: dict[str, int]):
    assert points(space, position, players) == expected


def test_special_places_score_where_only_first_places_do():
    """GI-27."""
    assert points("francia", "francia: red:ambassador, red:third, blue:emissary", ranks=1) == {"red": 5, "blue": 1}


def test_special_places_of_black_caballeros_score_for_their_holder_only():
    assert points("america", "america: black:viceroy") == {}
    assert points("america", "inquisitor: blue; america: black:viceroy") == {"blue": 5}


def test_america_and_africa_are_among_the_regions_worth_four():
    """GI-13."""
    game = with_card("s3_score_fours", "king granada")
    game.play("red special")
    spaces = [fact.space for fact in game.happened(SpaceScored)]
    assert spaces == ["galicia", "cataluna", "sevilla", "america", "africa"]


# Coming and going


def test_france_and_the_ship_are_open_as_the_king_stands():
    """GI-18."""
    game = with_card("s4_king_step", "king granada; court: red 5")
    assert game.refuses("red place america 1") == "king_adjacency"
    assert game.refuses("red place francia:ambassador 1") == "king_adjacency"
    game.play("red place ship 1")
    assert game.where("ship") == {"red": 1}


def test_a_placement_names_the_place_in_france():
    game = with_card("s4_king_step", "king aragon; court: red 5; francia: blue:emissary")
    assert game.refuses("red place francia 1") == "king_adjacency"
    assert game.refuses("red place francia:emissary 1") == "king_adjacency"
    assert game.refuses("red place francia:ambassador 2") == "place"
    game.play("red place francia:ambassador 1, francia:third 1")
    assert score(game.board, "francia").counts == {"red": 2, "blue": 1}


def test_the_ship_takes_no_placement_while_the_king_is_inland():
    game = with_card("s4_king_step", "king aragon; court: red 5")
    assert game.refuses("red place ship 1") == "king_adjacency"


def test_the_captain_may_be_placed_at_once():
    game = with_card("s4_king_step", "king granada; court: red 5")
    game.play("red place ship:captain 1, ship 1")
    assert score(game.board, "ship").counts == {"red": 1}


def test_the_king_goes_to_france_but_not_aboard():
    game = with_card("s5_king_any", "king aragon")
    assert game.refuses("red special to=ship") == "king_step"
    game.play("red special to=francia")
    assert game.board.king == "francia"


def test_from_france_the_king_steps_to_its_neighbours():
    game = with_card("s4_king_step", "king francia; court: red 3")
    assert game.choices("red", "to")[:2] == ["aragon", "cataluna"] or "aragon" in game.choices("red", "to")
    assert game.refuses("red special to=granada") == "king_step"
    game.play("red place ship 1")


def test_no_move_goes_to_france_but_places_within_it_may_be_changed():
    game = with_card("s1_move_four_any", "king granada; francia: blue:third, red:ambassador; sevilla: red 2")
    game.play("red special")
    assert game.refuses("red step red sevilla > francia:emissary") == "move"
    game.play("red step blue francia > francia:emissary", "red step red francia > galicia")
    assert game.where("francia") == {}
    assert [piece.at for piece in game.board.marked] == ["francia:emissary", "galicia:limit"]


def test_a_caballero_becomes_captain_and_steps_back_for_a_move_each():
    game = with_card("s1_move_four_own", "king granada; ship: red 2")
    game.play("red special", "red step red ship > ship:captain")
    assert game.refuses("red step red ship > ship:captain") == "move"
    game.play("red step red ship:captain > ship", "red stop")
    assert game.board.cubes["ship"] == {"red": 2}


def test_a_grande_goes_to_new_regions_and_takes_no_place():
    game = with_card(
        "s4_move_grande", "king granada; grandes: red sevilla, blue galicia, yellow galicia, green galicia"
    )
    game.play("red special to=francia")
    assert game.board.grandes["red"] == "francia"


# Free travel


def test_who_came_aboard_in_an_earlier_round_may_leave_the_ship():
    """GI-3."""
    game = at_sea("king valencia; ship: red 2; tokens: gold 1, goods 2", LeaveShip("red"))
    game.play("red sail ship america", "red sail ship africa")
    assert game.where("america") == {"red": 1}
    assert game.where("africa") == {"red": 1}


def test_who_came_aboard_in_this_round_stays():
    """GI-4."""
    game = at_sea(
        "king valencia; ship: red 1; arrived ship: red 1; power: red 5",
        LeaveShip("red"),
        DrawCaballeros("red"),
    )
    assert game.asked == ("draw", ("red",))


def test_a_new_arrival_leaves_before_the_others_but_does_not_sail():
    game = with_card("s1_move_four_own", "king granada; ship: red 2; arrived ship: red 1")
    game.play("red special", "red step red ship > sevilla", "red stop")
    sailing = Table(game.board, LeaveShip("red"))
    assert sailing.asked == ("ship_departure", ("red",))


def test_no_ship_lands_in_the_kings_region():
    """GI-17."""
    game = at_sea("king sevilla; ship: red 1", LeaveShip("red"))
    assert game.refuses("red sail ship sevilla") == "sail"
    assert game.refuses("red sail ship aragon") == "sail"
    assert game.refuses("red sail ship francia") == "sail"


def test_gold_and_goods_come_home_in_four_turns():
    """GI-5."""
    game = at_sea(
        "king valencia; ship: red 1; power: red 5; province: red 3; tokens: goods 1",
        LeaveShip("red"),
        DrawCaballeros("red"),
    )
    game.play("red sail ship africa")
    assert game.refuses("red sail africa ship") == "as_many_as_there_are"
    game.play("red claim africa")
    aboard = table(QUIET + "round 3; king valencia; africa: red+goods; power: red 5; province: red 3",
                   DrawCaballeros("red"), rules=RULES)  # fmt: skip
    aboard.play("red sail africa ship")
    assert [piece.at for piece in aboard.board.marked] == ["ship+goods"]
    home = table(QUIET + "round 4; king valencia; ship: red+goods", LeaveShip("red"), rules=RULES)
    home.play("red sail ship granada")
    assert home.scores == {"red": 4}
    assert home.board.cubes["granada"] == {"red": 1}
    assert supply(home.board, "goods") == 11


def test_a_carrier_that_is_moved_to_spain_delivers_at_once():
    """GI-6."""
    game = with_card("s1_move_four_any", "king granada; america: blue+gold")
    game.play("red special", "red step blue america > sevilla")
    assert game.scores == {"blue": 6}
    assert game.board.cubes["sevilla"] == {"blue": 1}


def test_a_token_that_goes_into_the_castillo_is_lost():
    """GI-7."""
    game = with_card("s1_move_four_own", "king granada; america: red+gold")
    game.play("red special", "red step red america > castillo")
    assert game.scores == {}
    assert supply(game.board, "gold") == 6


def test_a_caballero_that_is_transported_claims_between_two_steps():
    """GI-31."""
    game = with_card("gi_transport", "king valencia; granada: red 1; tokens: gold 1")
    game.play("red special", "red step red granada > america", "red claim america", "red step red america > sevilla")
    assert game.scores == {"red": 6}
    assert game.asked == ("step", ("red",))


def test_one_token_each_and_none_for_the_viceroy():
    game = at_sea("king granada; america: red:viceroy, red+gold; tokens: gold 2; power: red 5", DrawCaballeros("red"))
    assert "claim" not in game.offered("red")
    assert game.refuses("red claim america") == "as_many_as_there_are"


def test_those_who_carry_tokens_take_no_special_place():
    game = at_sea("king granada; america: red+gold; power: red 5", DrawCaballeros("red"))
    assert game.refuses("red sail america ship:captain") == "sail"


def test_black_deliveries_bring_points_to_the_holder_only():
    for holder, scores in (("", {}), ("inquisitor: green; ", {"green": 6})):
        game = with_card("s1_move_four_any", f"{holder}king granada; america: black+gold")
        game.play("red special", "red step black america > sevilla")
        assert game.scores == scores


# Tokens of cards


def test_tokens_of_a_card_come_as_far_as_the_supply_lasts():
    """GI-19."""
    gold = ", ".join(["red+gold"] * 6)
    game = at_sea(f"king granada; america: {gold}; face_up: gi_limit_board_c s5_king_any", TakeActionCard("red"))
    game.play("red card 7")
    assert [(fact.gold, fact.goods) for fact in game.happened(TokensBrought)] == [(0, 1)]


def test_a_veto_against_tokens_stops_the_special_action_too():
    """GI-30."""
    game = at_sea(
        "king granada; court: red 3; face_up: gi_limit_board_a s5_king_any; veto blue: s2_veto-1 3",
        TakeActionCard("red"),
    )
    game.play("red card 7")
    assert game.asked == ("veto", ("blue",))
    game.play("blue veto")
    assert not game.happened(TokensBrought)
    assert game.board.taken == {"gi_limit_board_a": "red"}
    assert game.offered("red") == {"place", "end_turn"}


# The Grand Inquisitor


def test_the_holy_inquisition_takes_the_grand_inquisitor_and_moves_black_caballeros():
    """GI-8."""
    game = with_card(
        "gi_holy_inquisition", "king granada; court: red 5; province: red 3; aragon: black 2; valencia: black 2"
    )
    game.play("red special", "red step black aragon > cataluna", "red step black aragon > castillo")
    assert game.refuses("red place sevilla 4") == "place"
    game.play("red place sevilla 3", "red character grand_inquisitor place to=castilla_la_nueva")
    assert (game.where("sevilla"), game.where("castilla_la_nueva")) == ({"red": 3}, {"red": 1})
    assert game.where("castillo") == {"black": 1}


def test_the_holder_brings_one_to_court_before_placing():
    """GI-9."""
    game = with_card("s5_king_any", "inquisitor: red; king granada; court: red 4; province: red 1")
    game.play("red character grand_inquisitor draw", "red place sevilla 5")
    assert game.where("sevilla") == {"red": 5}


def test_the_grand_inquisitor_is_used_once_in_a_round():
    game = with_card("s5_king_any", "inquisitor: red; king granada; court: red 4; province: red 3")
    game.play("red character grand_inquisitor draw")
    assert "character" not in game.offered("red")


@pytest.mark.parametrize(("first", "most"), [("place", 2), ("special", 3)])
def test_scoring_black_regions_brings_the_grand_inquisitor_first(first: str, most: int):
    """GI-10."""
    game = with_card("gi_scoring_black", "king granada; court: red 5; aragon: black 2, red 1; sevilla: black 2, blue 1")
    if first == "place":
        game.play("red place sevilla 2", "red special")
        placed = 2
    else:
        game.play("red special", "red place sevilla 2", "red character grand_inquisitor place to=sevilla")
        placed = 3
    assert game.where("sevilla")["red"] == placed == most
    scored = game.happened(SpaceScored)
    assert [fact.space for fact in scored] == ["aragon", "sevilla"]
    assert scored[0].counts == {"red": 3}


def test_black_caballeros_are_opposing_for_everybody_but_the_holder():
    game = with_card("s1_move_two_own_two_foreign", "king granada; aragon: black 3, red 1")
    game.play("red special", "red step black aragon > sevilla", "red step black aragon > sevilla")
    assert game.refuses("red step black aragon > sevilla") == "limit"


def test_black_caballeros_are_never_sent_back():
    game = with_card("s2_king_angry", "inquisitor: blue; king granada; aragon: black 3, blue 1; court: blue 1")
    game.play("red special")
    assert game.where("aragon") == {"black": 3}


def test_black_caballeros_follow_the_holder_who_is_expelled():
    game = with_card(
        "s4_expulsion",
        "inquisitor: blue; king granada; aragon: black 3, yellow 1; grandes: blue sevilla, yellow sevilla",
    )
    game.play("red special region=aragon", "blue disk sevilla", "yellow disk granada")
    assert game.where("sevilla") == {"black": 3}
    assert game.where("court") == {"yellow": 1}


def test_black_caballeros_leave_the_castillo_with_the_holders_disk():
    position = "inquisitor: red; king granada; castillo: black 2, red 1; grandes: red sevilla, blue sevilla"
    game = at_sea(position, SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), players=2)
    game.play("red disk aragon", "blue disk sevilla")
    assert game.where("aragon") == {"red": 1, "black": 2}


@pytest.mark.parametrize(("holder", "disk"), [("", "aragon"), ("inquisitor: red; ", "granada")])
def test_black_caballeros_stay_inside_without_a_holder_or_for_the_kings_region(holder: str, disk: str):
    position = f"{holder}king granada; castillo: black 2, red 1; grandes: red sevilla, blue sevilla"
    game = at_sea(position, SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), players=2)
    game.play(f"red disk {disk}", "blue disk sevilla")
    assert game.where("castillo") == {"black": 2}


# The limit board

FULL = "limit_board: valencia; valencia: red:limit, red:limit, red:limit, red:limit, blue:limit, blue:limit"


def test_who_finds_no_space_on_the_limit_board_does_not_count():
    """GI-15."""
    game = with_card("s3_score_chosen", f"king granada; court: yellow 3, red 3; {FULL}", players=3)
    game.play("red place valencia 3")
    assert score(game.board, "valencia").counts == {"red": 4, "blue": 2}
    assert sum(piece.at == "valencia:beside" for piece in game.board.marked) == 3


def test_the_holder_fills_a_space_that_becomes_free():
    """GI-16."""
    game = at_sea(
        f"inquisitor: yellow; king granada; {FULL.replace('red:limit, ', '', 1)}, "
        "yellow:beside, yellow:beside, red:beside",
        FillLimitBoard("red"),
        players=3,
    )
    assert game.asked == ("limit_fill", ("yellow",))
    assert game.refuses("yellow fill yellow/valencia:beside*2") == "limit_board"
    game.play("yellow fill yellow/valencia:beside*1")
    assert score(game.board, "valencia").counts == {"red": 3, "blue": 2, "yellow": 1}


def test_without_a_choice_the_limit_board_is_filled_at_once():
    game = at_sea("limit_board: valencia; king granada; valencia: red:beside, blue:beside", FillLimitBoard("red"))
    assert game.asked is None
    assert [fact.pieces for fact in game.happened(LimitBoardFilled)] == [
        {"red/valencia:beside": 1, "blue/valencia:beside": 1}
    ]


def test_without_a_holder_the_player_whose_turn_ended_fills():
    game = at_sea(f"king granada; {FULL.replace('red:limit, ', '', 1)}, yellow:beside, red:beside",
                  FillLimitBoard("blue"), players=3)  # fmt: skip
    assert game.asked == ("limit_fill", ("blue",))
    game.play("blue time_up")
    assert score(game.board, "valencia").counts == {"red": 3, "blue": 2, "yellow": 1}


def test_moving_the_limit_board_leaves_ordinary_caballeros_and_seats_others():
    game = with_card("gi_limit_board_a", f"king granada; {FULL}; aragon: red 4, blue 3", players=3)
    assert game.refuses("red special to=granada") == "taboo"
    assert game.refuses("red special to=francia") == "limit_board"
    assert game.refuses("red special to=valencia") == "must_change"
    assert game.refuses("red special to=aragon") == "limit_board"
    assert game.refuses("red special to=sevilla pieces=red/aragon*1") == "fields"
    game.play("red special to=aragon pieces=red/aragon*4,blue/aragon*2")
    assert score(game.board, "aragon").counts == {"red": 4, "blue": 2}
    assert game.board.cubes["valencia"] == {"red": 4, "blue": 2}


def test_a_move_goes_from_a_space_to_beside_and_back():
    game = with_card("s1_move_four_own", "limit_board: valencia; king granada; valencia: red:limit, red:beside")
    game.play("red special", "red step red valencia:limit > valencia:beside")
    assert score(game.board, "valencia").counts == {}
    game.play("red step red valencia > valencia:limit", "red stop")
    assert score(game.board, "valencia").counts == {"red": 1}


def test_arrivals_from_the_castillo_that_do_not_all_fit_wait_beside():
    full = FULL.replace("red:limit, ", "", 1)
    position = f"king granada; castillo: red 2, blue 1; grandes: red sevilla, blue sevilla; {full}"
    game = at_sea(position, SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), players=2)
    game.play("red disk valencia", "blue disk valencia")
    assert sum(piece.at == "valencia:beside" for piece in game.board.marked) == 3


# Held cards


def test_a_held_card_stays_when_the_turn_ends():
    game = with_card("gi_plagiarist", "king granada")
    game.play("red special")
    assert colonies(game.board).held == {"gi_plagiarist": "red"}
    assert game.board.discards == ()


def test_a_held_card_that_is_declined_is_discarded():
    game = with_card("gi_plagiarist", "king granada; court: red 1")
    game.play("red end")
    assert game.board.discards == ("gi_plagiarist",)


def executing(position: str) -> Table:
    board = parse_position(QUIET + position, 4, RULES)
    return Table(board, UseCard("red", "gi_execute_action"), LayCardAside("red", "gi_execute_action"))


EXECUTING = "king granada; face_up: gi_execute_action s5_king_any s2_veto-1 s4_king_step; taken: gi_execute_action red"


def test_a_card_that_nobody_has_taken_is_executed_at_once():
    game = executing(f"{EXECUTING}, s5_king_any blue")
    assert game.refuses("red special card=s5_king_any to=sevilla") == "executable"
    game.play("red special card=s4_king_step to=sevilla")
    assert game.board.king == "sevilla"
    assert set(game.board.discards) == {"gi_execute_action", "s4_king_step"}


def test_a_veto_that_is_executed_stays_with_its_player():
    game = executing(EXECUTING)
    game.play("red special card=s2_veto-1")
    assert [veto.player for veto in game.board.vetoes] == ["red"]
    assert game.board.discards == ("gi_execute_action",)


def test_a_held_action_is_executed_in_a_later_turn_and_takes_the_card_away():
    game = at_sea(
        "king granada; power: red 5; province: red 3; held red: gi_execute_action; "
        "face_up: s5_king_any s4_king_step s3_score_fours",
        DrawCaballeros("red"),
        TakeActionCard("red"),
    )
    game.play("red use_held card=gi_execute_action target=s4_king_step to=sevilla")
    assert game.board.king == "sevilla"
    assert colonies(game.board).held == {}
    assert game.asked == ("draw", ("red",))
    game.play("red draw 0")
    assert game.refuses("red card 4") == "choose_card"


def test_an_executed_card_is_vetoed_like_the_card_itself():
    game = executing(EXECUTING + "; veto blue: s2_veto-2 3")
    game.play("red special card=s4_king_step to=sevilla", "blue veto")
    assert game.board.king == "granada"
    assert {"gi_execute_action", "s4_king_step"} <= set(game.board.discards)


def test_the_plagiarist_repeats_what_an_opponent_performed():
    game = at_sea(
        "king granada; held blue: gi_plagiarist; performed red: s4_king_step; grandes: red sevilla", Plagiarise("red")
    )
    assert game.asked == ("plagiarise", ("blue",))
    game.play("blue react answer=use card=s4_king_step to=sevilla")
    assert game.board.king == "sevilla"
    assert colonies(game.board).held == {}
    assert game.board.discards == ("gi_plagiarist",)


@pytest.mark.parametrize("card", ["s2_veto-1", "gi_free_will", "gi_execute_action", "gi_plagiarist"])
def test_the_plagiarist_repeats_no_veto_and_no_held_card(card: str):
    game = at_sea(f"king granada; held blue: gi_plagiarist; performed red: {card}", Plagiarise("red"))
    assert game.asked is None


def test_the_plagiarist_is_asked_after_opponents_turns_only():
    game = at_sea("king granada; held red: gi_plagiarist; performed red: s4_king_step", Plagiarise("red"))
    assert game.asked is None


def test_a_special_action_that_is_carried_out_can_be_repeated_and_one_that_is_vetoed_cannot():
    game = with_card("s4_king_step", "king granada; held blue: gi_plagiarist")
    game.play("red special to=sevilla")
    assert Table(game.board, Plagiarise("red")).asked == ("plagiarise", ("blue",))
    vetoed = with_card("s4_king_step", "king granada; held blue: gi_plagiarist; veto green: s2_veto-1 3")
    vetoed.play("red special to=sevilla", "green veto")
    assert Table(vetoed.board, Plagiarise("red")).asked is None


def test_the_opponent_may_veto_what_the_plagiarist_repeats():
    game = at_sea(
        "king granada; held blue: gi_plagiarist; performed red: s4_king_step; veto red: s2_veto-1 3", Plagiarise("red")
    )
    game.play("blue react answer=use card=s4_king_step to=sevilla", "red veto")
    assert game.board.king == "granada"
    assert colonies(game.board).held == {}


def test_the_plagiarist_may_wait():
    game = at_sea("king granada; held blue: gi_plagiarist; performed red: s4_king_step", Plagiarise("red"))
    game.play("blue time_up")
    assert colonies(game.board).held == {"gi_plagiarist": "blue"}


def test_free_will_moves_two_before_the_regions_are_scored_and_leaves():
    game = table(
        "limit_board: galicia; turn red; king granada; held red: gi_free_will; aragon: red 3; america: red 1; "
        "tokens: gold 1",
        UseFreeWill(),
        ScoreRegions(),
        rules=RULES,
    )
    game.play("red step red aragon > sevilla")
    assert game.refuses("red claim america") == "decision"
    game.play("red step red aragon > castillo")
    assert game.where("castillo") == {"red": 1}
    assert game.board.discards == ("gi_free_will",)
    assert game.scores["red"] > 0


def test_free_will_of_a_player_without_caballeros_lapses():
    game = at_sea("king granada; held red: gi_free_will; granada: red 3", UseFreeWill())
    assert game.asked is None
    assert game.board.discards == ("gi_free_will",)


# Delayed scoring and conspiracy


def test_a_marked_space_is_scored_at_the_end_of_the_next_round():
    """GI-14."""
    marking = with_card("gi_scoring_delayed", "king granada; galicia: red:limit")
    marking.play("red special space=galicia")
    assert (colonies(marking.board).marked, colonies(marking.board).marked_in) == ("galicia", 2)
    for number, scored in ((2, []), (3, ["galicia"])):
        now = f"marked_space: galicia 2; king granada; galicia: red:limit; round {number}; {every_hand}"
        game = table(now + "; limit_board: galicia; stack 1: s1_move_four_own", EndRound(number), rules=RULES)
        assert [fact.space for fact in game.happened(SpaceScored)] == scored


every_hand = "hand red: 1; hand blue: 2; hand yellow: 3; hand green: 4; first red; turn red"


def test_a_space_marked_in_the_last_round_is_scored_after_everything_else():
    """GI-14, round 9."""
    game = table(
        f"limit_board: galicia; marked_space: castillo 9; round 9; king granada; {every_hand}; castillo: red 1; "
        "grandes: red sevilla, blue sevilla, yellow sevilla, green sevilla",
        EndRound(9),
        rules=RULES,
    )
    game.play(*(f"{player} disk aragon" for player in game.board.players))
    assert [fact.space for fact in game.happened(SpaceScored)][-1] == "castillo"
    assert game.state.is_over


def test_a_grande_in_the_castillo_is_at_home_there_and_goes_with_the_disk():
    """GI-21."""
    position = "king sevilla; castillo: red 2; granada: red 2; grandes: red castillo, blue sevilla"
    game = at_sea(position, SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), ScoreRegions(), players=2)
    game.play("red disk granada", "blue disk sevilla")
    homes = [award for fact in game.happened(SpaceScored) for award in fact.awards if award.reason == "grande"]
    assert [award.points for award in homes] == [2, 2]
    assert game.board.grandes["red"] == "granada"


def test_a_grande_stays_in_the_castillo_if_the_disk_shows_the_kings_region():
    position = "king sevilla; castillo: red 2; grandes: red castillo, blue aragon"
    game = at_sea(position, SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), players=2)
    game.play("red disk sevilla", "blue disk aragon")
    assert game.board.grandes["red"] == "castillo"


def test_a_conspiracy_takes_any_grande_from_a_free_region():
    game = with_card("gi_conspiracy", "king granada; grandes: red sevilla, blue granada, yellow castillo, green aragon")
    assert game.refuses("red special player=blue") == "taboo"
    assert game.refuses("red special player=yellow") == "taboo"
    game.play("red special player=green")
    assert game.board.grandes["green"] == "castillo"


def test_a_grande_in_the_castillo_is_not_moved_by_cards():
    game = with_card("s4_move_grande", "king granada; grandes: red castillo; court: red 1")
    assert "special" not in game.offered("red")


def test_deliveries_are_told_with_their_points():
    game = with_card("s1_move_four_own", "king granada; africa: red+goods")
    game.play("red special", "red step red africa > aragon")
    assert game.happened(TokenDelivered) == [TokenDelivered("red", "red", "goods", 4)]
