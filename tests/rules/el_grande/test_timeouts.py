"""When a player's time is up, something legal and foreseeable happens."""

import pytest

from rules.el_grande.board import Veto
from rules.el_grande.commands import SetDisk
from rules.el_grande.facts import SpaceScored
from rules.el_grande.steps.general import SetScoringDisks
from rules.el_grande.steps.rounds import Bid
from rules.el_grande.steps.turns import DrawCaballeros, TakeActionCard
from rules.kernel import AnsweredForPlayer, AnswerSealed, AnswersOpened
from tests.rules.el_grande.table import table, turn_with


def disks(game):
    """The regions on the disks that are set or were opened."""
    opened = [fact.answers for fact in game.happened(AnswersOpened)]
    return {player: disk.region for answers in (*opened, game.state.sealed) for player, disk in answers.items()}


def test_time_up_when_bidding_plays_the_lowest_card_that_is_free():
    game = table("king granada; hand red: 3 5 9; power: blue 3", Bid("red")).play("red time_up")
    assert game.board.power["red"] == 5


@pytest.mark.parametrize(("province", "drawn"), [(9, 6), (6, 6), (4, 4)])
def test_time_up_when_drawing_takes_as_many_as_the_province_gives_and_none_from_regions(province, drawn):
    position = f"king granada; power: red 1; province: red {province}; aragon: red 5"
    game = table(position, DrawCaballeros("red")).play("red time_up")
    assert game.where("court") == {"red": drawn}
    assert game.where("aragon") == {"red": 5}


def test_time_up_when_choosing_a_card_takes_the_lowest_stack():
    position = "king granada; face_up: s3_score_fours-1 s1_place_two s2_veto-1 s5_king_any; taken: s1_place_two blue"
    game = table(position, TakeActionCard("red")).play("red time_up")
    assert game.board.taken["s2_veto-1"] == "red"


def test_time_up_with_the_card_in_hand_ends_the_turn():
    game = turn_with("s3_score_fives", "king granada; aragon: red 1; court: red 3").play("red time_up")
    assert game.asked is None
    assert game.scores == {}
    assert game.where("court") == {"red": 3}


@pytest.mark.parametrize(
    ("card", "position", "moves"),
    [
        pytest.param("s1_move_four_any", "aragon: red 3", ["red step red aragon > sevilla"], id="moving"),
        pytest.param("s1_place_two", "court: red 3", ["red step > sevilla"], id="placing"),
        pytest.param("s2_return_one_each", "sevilla: blue 1, yellow 1", ["red step blue sevilla"], id="sending-home"),
    ],
)
def test_time_up_in_the_middle_of_a_special_action_stops_it(card, position, moves):
    game = turn_with(card, f"king granada; court: red 3; {position}").play("red special", *moves)
    before = game.position
    assert game.play("red time_up").position == before
    assert game.offered("red") == {"place", "end_turn"}


def test_time_up_for_a_holder_of_a_veto_lets_it_pass_and_spends_nothing():
    game = turn_with("s3_score_fives", "king granada; aragon: red 1; veto blue: s2_veto-1 2")
    game.play("red special", "blue time_up")
    assert game.scores == {"red": 5}
    assert game.board.vetoes == (Veto("blue", "s2_veto-1", 2),)


def test_time_up_for_a_holder_lets_only_this_step_pass():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2").play("red special")
    game.play("red step red aragon > sevilla", "blue time_up", "red step red aragon > sevilla")
    assert game.asked == ("veto", ("blue",))


@pytest.mark.parametrize(
    ("holdings", "left"),
    [
        pytest.param("court: blue 4; galicia: blue 2", "galicia: blue 2; court: blue 1", id="court-first"),
        pytest.param(
            "court: blue 1; galicia: blue 1; aragon: blue 3; sevilla: blue 3",
            "aragon: blue 2; sevilla: blue 3",
            id="then-regions-in-the-order-of-the-map",
        ),
        pytest.param(
            "granada: blue 3; valencia: blue 2; sevilla: blue 2",
            "granada: blue 3; sevilla: blue 1",
            id="not-the-kings-region",
        ),
    ],
)
def test_time_up_before_the_angry_king_pays_from_court_then_from_regions(holdings, left):
    game = turn_with("s2_king_angry", f"king granada; {holdings}").play("red special", "blue time_up")
    assert game.position == f"king granada; {left}; province: blue 3"


@pytest.mark.parametrize(
    ("card", "holdings", "chosen"),
    [
        pytest.param("s2_secret_remove_two", "galicia: blue 4; aragon: blue 1; sevilla: blue 3", "sevilla", id="two"),
        pytest.param("s2_secret_remove_two", "aragon: blue 2; sevilla: blue 2", "aragon", id="two-first-of-equals"),
        pytest.param("s2_secret_remove_two", "valencia: blue 1; sevilla: blue 1", "valencia", id="two-only-singles"),
        pytest.param("s2_secret_remove_all", "galicia: blue 4; aragon: blue 2; sevilla: blue 1", "sevilla", id="all"),
        pytest.param(
            "s2_secret_remove_all", "galicia: blue 4; aragon: blue 1; sevilla: blue 1", "aragon", id="all-first"
        ),
        pytest.param(
            "s2_secret_remove_all", "granada: blue 1; aragon: blue 3; sevilla: blue 2", "sevilla", id="not-king"
        ),
    ],
)
def test_time_up_in_a_secret_withdrawal_chooses_the_region_that_costs_least(card, holdings, chosen):
    game = turn_with(card, f"king granada; {holdings}").play("red special", "blue time_up")
    assert disks(game) == {"blue": chosen}


@pytest.mark.parametrize(
    ("king", "named", "home", "chosen"),
    [
        pytest.param("granada", "aragon", "sevilla", "sevilla", id="home"),
        pytest.param("granada", "aragon", "aragon", "galicia", id="home-is-named"),
        pytest.param("granada", "aragon", "granada", "galicia", id="home-is-the-kings"),
        pytest.param("galicia", "pais_vasco", "galicia", "castilla_la_vieja", id="first-that-is-neither"),
    ],
)
def test_time_up_for_the_expelled_sends_them_home_if_possible(king, named, home, chosen):
    game = turn_with("s4_expulsion", f"king {king}; {named}: blue 2; grandes: blue {home}")
    game.play(f"red special region={named}", "blue time_up")
    assert game.where(chosen) == {"blue": 2}


@pytest.mark.parametrize("home", ["aragon", "granada"])
def test_time_up_in_a_secret_scoring_chooses_the_own_home_even_under_the_king(home):
    game = turn_with("s4_secret_scoring", f"king granada; grandes: red sevilla, blue {home}", players=2)
    game.play("red special", "red disk sevilla", "blue time_up")
    assert [fact.space for fact in game.happened(SpaceScored)] == ["sevilla", home]


@pytest.mark.parametrize(
    ("king", "home", "chosen"),
    [
        pytest.param("granada", "aragon", "aragon", id="home"),
        pytest.param("granada", "granada", "galicia", id="home-is-the-kings"),
        pytest.param("galicia", "galicia", "pais_vasco", id="first-free-region"),
    ],
)
def test_time_up_in_a_general_scoring_chooses_the_own_home_if_it_is_free(king, home, chosen):
    game = table(f"king {king}; grandes: red {home}", SetScoringDisks(), players=2).play("red time_up")
    assert disks(game) == {"red": chosen}


def test_that_a_disk_is_a_default_is_told_when_the_disks_are_turned():
    """Ruling 52."""
    game = turn_with("s4_secret_scoring", "king granada; grandes: red sevilla, blue aragon, yellow galicia", players=3)
    game.play("red special", "red disk sevilla", "blue time_up")
    assert game.facts == (AnswerSealed("blue", SetDisk("aragon"), "time_up"),)
    assert game.facts[0].seen_by("red") == AnswerSealed("blue", None)
    [opened] = game.play("yellow time_up").happened(AnswersOpened)
    assert opened.late == ("blue", "yellow")


def test_it_is_told_that_time_was_up():
    game = turn_with("s3_score_fives", "king granada; court: red 3").play("red time_up")
    assert game.facts[0] == AnsweredForPlayer("red", "menu", "time_up")
