"""What holds everywhere: the king's region is taboo, the castillo keeps what it has, special actions are optional."""

import pytest

from rules.el_grande.facts import CaballerosMoved, CaballerosPlaced
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, ScoreRegions, SetScoringDisks
from rules.el_grande.steps.turns import DrawCaballeros
from rules.kernel import SPECTATOR
from tests.rules.el_grande.table import table, turn_with

KING_IN_GRANADA = (
    "king granada; granada: red 2, blue 4; aragon: red 2, blue 2; castillo: red 2, blue 3; court: red 3, blue 2;"
    "grandes: red aragon, blue aragon, yellow sevilla, green sevilla; scoreboards: board_840 granada"
)

# The king's region


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        pytest.param("s1_move_four_any", ["red place granada 1"], id="placement"),
        pytest.param("s1_place_two", ["red special", "red step > granada"], id="extra-placement"),
        pytest.param("s1_move_four_any", ["red special", "red step blue aragon > granada"], id="intrigue"),
        pytest.param("s4_move_grande", ["red special to=granada"], id="grande"),
        pytest.param("s4_scoreboard", ["red special board=board_400 to=granada"], id="scoreboard"),
    ],
)
def test_nothing_enters_the_kings_region(card, moves):
    game = turn_with(card, KING_IN_GRANADA).play(*moves[:-1])
    assert game.refuses(moves[-1]) == "taboo"


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        pytest.param("s1_move_four_any", ["red special", "red step red granada > aragon"], id="intrigue"),
        pytest.param("s1_move_all_own", ["red special source=granada"], id="intrigue-from-one-region"),
        pytest.param("s2_king_angry", ["red special", "blue return 0, granada 3"], id="forced-return"),
        pytest.param("s2_return_one_each", ["red special", "red step blue granada"], id="sending-home"),
        pytest.param("s4_expulsion", ["red special region=granada"], id="expulsion"),
        pytest.param("s4_court_two", ["red special from_regions=granada*1"], id="shortage"),
        pytest.param("s4_scoreboard", ["red special board=board_840 to=sevilla"], id="scoreboard"),
    ],
)
def test_nothing_leaves_the_kings_region(card, moves):
    game = turn_with(card, KING_IN_GRANADA).play(*moves[:-1])
    assert game.refuses(moves[-1]) == "taboo"


def test_a_shortage_takes_nothing_from_the_kings_region():
    game = table("king granada; granada: red 4; aragon: red 1; power: red 1", DrawCaballeros("red"))
    assert game.refuses("red draw 0, granada 1") == "taboo"


def test_a_secret_withdrawal_spares_the_kings_region():
    game = turn_with("s2_secret_remove_all", "king granada; granada: blue 4; aragon: blue 2; sevilla: blue 1")
    assert game.play("red special").refuses("blue disk granada") == "disk"


def test_a_grande_cannot_leave_the_kings_region():
    game = turn_with("s4_move_grande", "king granada; court: red 1; grandes: red granada")
    assert game.refuses("red special to=aragon") == "executable"


def test_the_castillo_does_not_empty_into_the_kings_region():
    steps = SetScoringDisks(), ScoreCastillo(), ReleaseCastillo()
    game = table("king granada; granada: red 1; castillo: red 2, blue 3; court: red 3", *steps, players=2)
    game.play("red disk granada", "blue disk aragon")
    assert game.position == "king granada; aragon: blue 3; granada: red 1; court: red 5"


def test_the_king_himself_may_leave_his_region():
    game = turn_with("s4_king_step", KING_IN_GRANADA).play("red special to=sevilla")
    assert game.board.king == "sevilla"


def test_the_kings_region_is_scored_like_any_other_with_the_king_bonus():
    game = table("king granada; granada: red 2, blue 1; grandes: red aragon, blue aragon", ScoreRegions())
    assert game.scores == {"red": 6 + 2, "blue": 3}


# The castillo


@pytest.mark.parametrize("king", ["galicia", "castilla_la_nueva", "sevilla"])
def test_any_or_all_caballeros_may_be_thrown_into_the_castillo_wherever_the_king_is(king):
    game = turn_with("s4_king_step", f"king {king}; court: red 4").play("red place castillo 4")
    assert game.where("castillo") == {"red": 4}


def test_caballeros_moved_by_a_special_action_may_be_thrown_into_the_castillo():
    game = turn_with("s1_move_three_foreign", "king granada; aragon: blue 2")
    game.play("red special", "red step blue aragon > castillo", "red step blue aragon > castillo")
    assert game.where("castillo") == {"blue": 2}


@pytest.mark.parametrize(
    ("card", "moves", "rule"),
    [
        pytest.param("s1_move_four_any", ["red special", "red step red castillo > aragon"], "castillo", id="intrigue"),
        pytest.param("s1_move_all_own", ["red special source=castillo"], "regions", id="intrigue-from-one-region"),
        pytest.param("s2_king_angry", ["red special", "blue return 0, castillo 3"], "castillo", id="forced-return"),
        pytest.param("s2_return_one_each", ["red special", "red step blue castillo"], "castillo", id="sending-home"),
        pytest.param("s2_secret_remove_two", ["red special", "blue disk castillo"], "regions", id="withdrawal-of-two"),
        pytest.param("s2_secret_remove_all", ["red special", "blue disk castillo"], "regions", id="withdrawal-of-all"),
        pytest.param("s4_expulsion", ["red special region=castillo"], "regions", id="expulsion"),
        pytest.param("s4_court_two", ["red special from_regions=castillo*1"], "castillo", id="shortage"),
    ],
)
def test_no_card_takes_caballeros_out_of_the_castillo(card, moves, rule):
    game = turn_with(card, KING_IN_GRANADA + "; sevilla: blue 2").play(*moves[:-1])
    assert game.refuses(moves[-1]) == rule


def test_a_shortage_takes_nothing_from_the_castillo():
    game = table("king granada; castillo: red 4; aragon: red 1; power: red 1", DrawCaballeros("red"))
    assert game.refuses("red draw 0, castillo 1") == "castillo"


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        pytest.param("s4_expulsion", ["red special region=aragon", "blue disk castillo"], id="expulsion"),
        pytest.param("s4_secret_scoring", ["red special", "blue disk castillo"], id="secret-scoring"),
    ],
)
def test_the_castillo_is_not_on_the_disk(card, moves):
    game = turn_with(card, KING_IN_GRANADA).play(*moves[:-1])
    assert game.refuses(moves[-1]) == "regions"


def test_the_number_thrown_and_its_owner_are_announced_to_all():
    game = turn_with("s3_score_fives", "king granada; court: red 3").play("red place castillo 2, sevilla 1")
    [thrown] = [fact.seen_by(SPECTATOR) for fact in game.happened(CaballerosPlaced) if fact.space == "castillo"]
    assert thrown == CaballerosPlaced("red", "castillo", 2)


def test_a_caballero_of_another_thrown_by_a_move_is_announced_with_its_owner():
    game = turn_with("s1_move_three_any", "king granada; aragon: blue 2")
    game.play("red special", "red step blue aragon > castillo")
    [thrown] = [fact.seen_by(SPECTATOR) for fact in game.happened(CaballerosMoved)]
    assert thrown == CaballerosMoved("blue", "aragon", "castillo", 1, by="red")


# Optional, then complete

EVERY_CARD = [
    "s1_move_all_own",
    "s1_place_two",
    "s1_place_two_or_move_all",
    "s1_move_five_one_region",
    "s1_move_three_foreign",
    "s1_move_three_any",
    "s1_move_two_own_two_foreign",
    "s1_move_four_own",
    "s1_move_four_any",
    "s2_veto",
    "s2_rebellion_all",
    "s2_rebellion_three",
    "s2_king_angry",
    "s2_return_one_each",
    "s2_secret_remove_two",
    "s2_secret_remove_all",
    "s2_score_chosen",
    "s3_score_fours",
    "s3_score_fives",
    "s3_score_six_sevens",
    "s3_score_castillo",
    "s3_score_firsts",
    "s3_score_most",
    "s3_score_least",
    "s3_score_chosen",
    "s4_scoreboard",
    "s4_king_step",
    "s4_expulsion",
    "s4_move_grande",
    "s4_recover_power",
    "s4_court_two",
    "s4_secret_scoring",
    "s5_king_any",
]


@pytest.mark.parametrize("card", EVERY_CARD)
def test_every_special_action_is_offered_and_may_be_declined(card):
    game = turn_with(card, f"{KING_IN_GRANADA}; pile red: 4")
    before = game.board
    assert game.offered("red") == {"place", "special", "end_turn"}
    game.play("red end")
    assert (game.board.cubes, game.board.scores, game.board.piles) == (before.cubes, before.scores, before.piles)
    assert (game.board.king, game.board.grandes, game.board.vetoes) == (before.king, before.grandes, ())


def test_a_special_action_once_begun_is_finished_before_anything_else():
    game = turn_with("s1_move_four_any", KING_IN_GRANADA).play("red special", "red step red aragon > sevilla")
    assert game.refuses("red place sevilla 1") == "decision"
    assert game.refuses("red end") == "decision"


def test_what_a_card_makes_others_do_cannot_be_declined():
    game = turn_with("s2_king_angry", "king granada; court: blue 5; aragon: blue 1").play("red special")
    assert game.refuses("blue return 0") == "return"


# King adjacency, and as many as there are


def test_a_special_action_ignores_where_the_king_is():
    game = turn_with("s1_place_two", "king galicia; court: red 2").play("red special", "red step > sevilla")
    assert game.where("sevilla") == {"red": 1}


def test_a_player_who_must_give_up_more_than_there_is_gives_up_all_there_is():
    game = turn_with("s2_rebellion_three", "king granada; court: blue 2, yellow 3, green 4").play("red special")
    assert game.where("province") == {"blue": 2, "yellow": 3, "green": 3}
    assert game.where("court") == {"green": 1}
