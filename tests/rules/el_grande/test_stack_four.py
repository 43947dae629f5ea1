"""Stack 4 and the king's card: scoreboards, the king, expulsion, Grandes, power cards, the court, secret scoring."""

import pytest

from rules.el_grande.facts import PowerCardRecovered, SpaceScored, SpecialActionBegan
from rules.el_grande.view import view
from rules.errors import NotYourDecision
from rules.kernel import SPECTATOR, AnswersOpened
from tests.rules.el_grande.table import turn_with, vectors

# Scoreboards

BOARDS = "king granada; court: red 1; scoreboards: board_840 aragon"


def test_an_unused_scoreboard_comes_into_play():
    game = turn_with("s4_scoreboard-1", BOARDS).play("red special board=board_400 to=sevilla")
    assert game.board.scoreboards == {"board_840": "aragon", "board_400": "sevilla"}


def test_a_placed_scoreboard_moves():
    game = turn_with("s4_scoreboard-1", BOARDS).play("red special board=board_840 to=castillo")
    assert game.board.scoreboards == {"board_840": "castillo"}


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("board=board_840 to=aragon", "one_scoreboard", id="where-it-lies-already"),
        pytest.param("board=board_400 to=aragon", "one_scoreboard", id="onto-the-other"),
        pytest.param("board=board_400 to=granada", "taboo", id="into-the-kings-region"),
        pytest.param("board=board_400 to=court", "regions", id="not-a-space"),
        pytest.param("board=board_531 to=sevilla", "scoreboards", id="no-such-board"),
        pytest.param("board=board_400", "fields", id="no-space"),
        pytest.param("to=sevilla", "fields", id="no-board"),
        pytest.param("board=board_400 to=sevilla value=4", "fields", id="too-much-said"),
    ],
)
def test_a_scoreboard_is_refused(choice, rule):
    assert turn_with("s4_scoreboard", BOARDS).refuses(f"red special {choice}") == rule


def test_a_scoreboard_under_the_king_cannot_be_moved_but_the_other_can():
    game = turn_with("s4_scoreboard", "king granada; scoreboards: board_840 granada, board_400 aragon")
    assert game.refuses("red special board=board_840 to=sevilla") == "taboo"
    assert game.choices("red", "board") == ["board_400"]


def test_two_scoreboards_never_lie_on_the_castillo():
    game = turn_with("s4_scoreboard", "king granada; scoreboards: board_840 castillo")
    assert game.refuses("red special board=board_400 to=castillo") == "one_scoreboard"


# The king


def test_the_king_moves_one_step():
    game = turn_with("s4_king_step", "king galicia; court: red 1").play("red special to=castilla_la_vieja")
    assert game.board.king == "castilla_la_vieja"


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("to=sevilla", "king_step", id="too-far"),
        pytest.param("to=galicia", "must_change", id="he-is-there"),
        pytest.param("to=castillo", "regions", id="castillo"),
        pytest.param("", "fields", id="nowhere"),
        pytest.param("region=pais_vasco", "fields", id="other-word"),
    ],
)
def test_a_step_of_the_king_is_refused(choice, rule):
    assert turn_with("s4_king_step", "king galicia").refuses(f"red special {choice}") == rule


def test_the_kings_card_moves_the_king_anywhere():
    game = turn_with("s5_king_any", "king galicia; court: red 1").play("red special to=sevilla")
    assert game.board.king == "sevilla"


def test_the_kings_card_offers_all_other_regions():
    game = turn_with("s5_king_any", "king galicia")
    assert set(game.choices("red", "to")) == set(game.board.rules.regions) - {"galicia"}


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("to=galicia", "must_change", id="he-is-there"),
        pytest.param("to=castillo", "regions", id="castillo"),
        pytest.param("", "fields", id="nowhere"),
    ],
)
def test_a_move_of_the_king_is_refused(choice, rule):
    assert turn_with("s5_king_any", "king galicia").refuses(f"red special {choice}") == rule


def test_the_kings_card_is_not_discarded():
    game = turn_with("s5_king_any", "king galicia; court: red 1").play("red place castillo 1", "red end")
    assert game.board.discards == ()


# Expulsion

ABROAD = "king granada; aragon: red 2, blue 3, yellow 1; court: red 1"


def test_every_opponent_moves_all_caballeros_from_the_named_region_to_a_secret_one():
    game = turn_with("s4_expulsion", ABROAD).play(
        "red special region=aragon", "yellow disk sevilla", "blue disk galicia"
    )
    assert game.position == "king granada; galicia: blue 3; aragon: red 2; sevilla: yellow 1; court: red 1"


def test_only_opponents_with_caballeros_there_are_asked_and_all_at_once():
    game = turn_with("s4_expulsion", ABROAD).play("red special region=aragon")
    assert game.asked == ("disk_expulsion", ("blue", "yellow"))


def test_disks_of_an_expulsion_are_opened_together():
    game = turn_with("s4_expulsion", ABROAD).play("red special region=aragon", "blue disk galicia")
    assert game.where("aragon") == {"red": 2, "blue": 3, "yellow": 1}
    game.play("yellow disk galicia")
    assert [set(fact.answers) for fact in game.happened(AnswersOpened)] == [{"blue", "yellow"}]


def test_a_disk_of_an_expulsion_is_locked_once_set():
    game = turn_with("s4_expulsion", ABROAD).play("red special region=aragon", "blue disk galicia")
    with pytest.raises(NotYourDecision):
        game.play("blue disk sevilla")


def test_expelled_caballeros_sent_to_the_king_go_to_court():
    game = turn_with("s4_expulsion", "king granada; aragon: blue 3; granada: blue 1").play("red special region=aragon")
    game.play("blue disk granada")
    assert game.position == "king granada; granada: blue 1; court: blue 3"


@pytest.mark.parametrize(("region", "rule"), [("aragon", "disk"), ("castillo", "regions"), ("portugal", "regions")])
def test_expelled_caballeros_go_to_another_region(region, rule):
    game = turn_with("s4_expulsion", ABROAD).play("red special region=aragon")
    assert game.refuses(f"blue disk {region}") == rule


def test_eight_regions_are_open_to_the_expelled():
    game = turn_with("s4_expulsion", f"{ABROAD}; grandes: blue sevilla").play("red special region=aragon")
    assert set(game.choices("blue", "region")) == set(game.board.rules.regions) - {"aragon"}


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("region=granada", "taboo", id="kings-region"),
        pytest.param("region=castillo", "regions", id="castillo"),
        pytest.param("", "fields", id="no-region"),
        pytest.param("to=aragon", "fields", id="other-word"),
    ],
)
def test_an_expulsion_is_refused(choice, rule):
    assert turn_with("s4_expulsion", ABROAD).refuses(f"red special {choice}") == rule


def test_a_region_without_opponents_may_be_named_and_nothing_happens():
    game = turn_with("s4_expulsion", "king granada; aragon: red 2; court: red 1").play("red special region=aragon")
    assert game.position == "king granada; aragon: red 2; court: red 1"
    assert game.happened(AnswersOpened) == []
    assert game.offered("red") == {"place", "end_turn"}


# The Grande


def test_the_actors_grande_moves_to_its_new_home():
    game = turn_with("s4_move_grande-2", "king granada; grandes: red aragon, blue sevilla").play(
        "red special to=galicia"
    )
    assert game.board.grandes == {"red": "galicia", "blue": "sevilla"}


def test_a_grande_may_join_another():
    game = turn_with("s4_move_grande", "king granada; grandes: red aragon, blue sevilla").play("red special to=sevilla")
    assert game.board.grandes == {"red": "sevilla", "blue": "sevilla"}


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        pytest.param("to=aragon", "must_change", id="it-is-there"),
        pytest.param("to=granada", "taboo", id="kings-region"),
        pytest.param("to=castillo", "regions", id="castillo"),
        pytest.param("", "fields", id="nowhere"),
    ],
)
def test_a_move_of_the_grande_is_refused(choice, rule):
    game = turn_with("s4_move_grande", "king granada; grandes: red aragon")
    assert game.refuses(f"red special {choice}") == rule


def test_a_grande_in_the_kings_region_cannot_be_moved():
    game = turn_with("s4_move_grande", "king granada; court: red 1; grandes: red granada")
    assert game.offered("red") == {"place", "end_turn"}
    assert game.refuses("red special to=aragon") == "executable"


# Power cards


def test_a_played_power_card_returns_to_the_hand():
    game = turn_with("s4_recover_power-1", "king granada; hand red: 1 2; pile red: 7 13").play("red special value=13")
    assert game.board.hands["red"] == (1, 2, 13)
    assert game.board.piles["red"] == (7,)


def test_the_power_card_of_this_turn_may_be_recovered():
    position = "king granada; hand red: 1 2; pile red: 13; power: red 13; history red: 13"
    game = turn_with("s4_recover_power", position).play("red special value=13")
    assert game.board.hands["red"] == (1, 2, 13)
    assert game.board.power == {"red": 13}


def test_other_players_do_not_learn_which_power_card_was_recovered():
    game = turn_with("s4_recover_power", "king granada; hand red: 1 2; pile red: 7 13").play("red special value=13")
    [recovered] = game.happened(PowerCardRecovered)
    [announced] = game.happened(SpecialActionBegan)
    assert recovered.seen_by("blue") == recovered.seen_by(SPECTATOR) == PowerCardRecovered("red", None)
    assert announced.choices == {}


def test_others_see_the_same_whichever_power_card_was_recovered():
    position = "king granada; court: red 1; hand red: 1 2; pile red: 7 13; history red: 7 13"
    seven, thirteen = (turn_with("s4_recover_power", position).play(f"red special value={v}") for v in (7, 13))
    assert view(seven.state, "blue") == view(thirteen.state, "blue")
    assert view(seven.state, "blue")["hands"]["red"] == {"size": 3, "cards": None}
    assert view(seven.state, "blue")["history"]["red"] == (7, 13)


@pytest.mark.parametrize(("choice", "rule"), [("value=1", "recover"), ("value=12", "recover"), ("", "fields")])
def test_only_a_card_of_the_own_played_pile_can_be_recovered(choice, rule):
    game = turn_with("s4_recover_power", "king granada; hand red: 1 2; pile red: 7; pile blue: 12")
    assert game.refuses(f"red special {choice}") == rule


# The court


def test_two_caballeros_come_from_the_province_to_court():
    game = turn_with("s4_court_two", "king granada; province: red 5; court: red 1").play("red special")
    assert game.position == "king granada; court: red 3; province: red 3"


def test_the_caballeros_that_came_to_court_may_be_placed_in_the_same_turn():
    game = turn_with("s4_court_two", "king granada; province: red 5").play("red special", "red place sevilla 2")
    assert game.position == "king granada; sevilla: red 2; province: red 3"


def test_a_province_too_small_may_be_helped_out_by_free_regions():
    game = turn_with("s4_court_two", "king granada; province: red 1; aragon: red 2")
    game.play("red special from_regions=aragon*1")
    assert game.position == "king granada; aragon: red 1; court: red 2"


def test_a_province_too_small_need_not_be_helped_out():
    game = turn_with("s4_court_two", "king granada; province: red 1; aragon: red 2").play("red special")
    assert game.position == "king granada; aragon: red 2; court: red 1"


def test_with_an_empty_province_both_may_come_from_regions():
    game = turn_with("s4_court_two", "king granada; aragon: red 2; sevilla: red 1")
    game.play("red special from_regions=aragon*1,sevilla*1")
    assert game.position == "king granada; aragon: red 1; court: red 2"


@pytest.mark.parametrize(
    ("position", "choice", "rule"),
    [
        pytest.param("province: red 3; aragon: red 1", "aragon*1", "shortage", id="no-shortage"),
        pytest.param("province: red 2; aragon: red 1", "aragon*1", "draw", id="province-just-enough"),
        pytest.param("province: red 1; aragon: red 2", "aragon*2", "draw", id="three-in-all"),
        pytest.param("aragon: red 1", "aragon*2", "as_many_as_there_are", id="more-than-there"),
        pytest.param("aragon: blue 2, red 1", "sevilla*1", "as_many_as_there_are", id="none-there"),
        pytest.param("aragon: red 1; granada: red 1", "granada*1", "taboo", id="kings-region"),
        pytest.param("aragon: red 1; castillo: red 1", "castillo*1", "castillo", id="castillo"),
        pytest.param("aragon: red 1", "aragon*0", "counts", id="zero"),
    ],
)
def test_a_shortage_of_the_court_is_refused(position, choice, rule):
    game = turn_with("s4_court_two", f"king granada; {position}")
    assert game.refuses(f"red special from_regions={choice}") == rule


def test_regions_are_offered_to_help_out_only_when_the_province_is_too_small():
    enough = turn_with("s4_court_two", "king granada; province: red 2; aragon: red 1")
    short = turn_with("s4_court_two", "king granada; province: red 1; aragon: red 1; granada: red 1; castillo: red 1")
    nobody_else = turn_with("s4_court_two", "king granada; province: red 1")
    assert [game.choices("red", "from_regions") for game in (enough, short, nobody_else)] == [[], ["aragon"], []]


def test_a_wrong_shortage_is_refused_before_a_veto_is_possible():
    game = turn_with("s4_court_two", "king granada; province: red 1; aragon: red 2; veto blue: s2_veto-1 2")
    assert game.refuses("red special from_regions=aragon*2") == "draw"


def test_without_caballeros_to_fetch_the_court_card_cannot_be_executed():
    game = turn_with("s4_court_two", "king granada; court: red 1; granada: red 3; castillo: red 3; province: blue 9")
    assert game.offered("red") == {"place", "end_turn"}
    assert game.refuses("red special") == "executable"


# Secret scoring


def secret_scoring(example):
    seats = example["seats"]
    game = turn_with("s4_secret_scoring", "king granada", by=example["actor"], players=len(seats))
    game.play(f"{example['actor']} special")
    return game.play(*(f"{player} disk {region}" for player, region in example["disks"].items()))


@pytest.mark.parametrize(
    "example", vectors("secret_scoring"), ids=["one-region-chosen-twice", "four-regions", "two-players-agree"]
)
def test_regions_that_only_one_player_chose_are_scored_beginning_with_the_actor(example):
    game = secret_scoring(example)
    assert [fact.space for fact in game.happened(SpaceScored)] == example["scored_in_order"]


def test_every_player_takes_part_in_the_secret_scoring_the_actor_too():
    game = turn_with("s4_secret_scoring", "king granada", by="yellow").play("yellow special")
    assert game.asked == ("disk_scoring", ("yellow", "green", "red", "blue"))


def test_the_kings_region_may_be_scored_secretly():
    game = turn_with("s4_secret_scoring", "king granada; granada: red 2", players=2).play("red special")
    game.play("red disk granada", "blue disk aragon")
    assert game.scores == {"red": 6 + 2}
    assert game.where("granada") == {"red": 2}


def test_disks_of_the_secret_scoring_are_closed_until_the_last_is_set():
    game = turn_with("s4_secret_scoring", "king granada; aragon: red 1", players=3).play("red special")
    game.play("red disk aragon", "blue disk galicia")
    assert game.scores == {}
    assert view(game.state, "yellow")["sealed"] == {"red": None, "blue": None}


def test_a_disk_of_the_secret_scoring_is_locked_once_set():
    game = turn_with("s4_secret_scoring", "king granada", players=2).play("red special", "red disk aragon")
    with pytest.raises(NotYourDecision):
        game.play("red disk galicia")
