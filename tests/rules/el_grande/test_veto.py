"""The veto: who is asked, when, and what it stops."""

import pytest

from rules.codec import encode, seen_by
from rules.el_grande.board import Veto
from rules.el_grande.commands import Several, TakeStep
from rules.el_grande.facts import SpaceScored, SpecialActionAllowed, StepAnnounced
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.steps.general import ReleaseCastillo, ScoreCastillo, ScoreRegions, SetScoringDisks
from rules.el_grande.steps.rounds import Bid, EndRound
from rules.el_grande.steps.turns import DrawCaballeros
from rules.errors import NotYourDecision
from rules.kernel import SPECTATOR, Answer, dry_run
from tests.rules.el_grande.table import table, turn_with

view = EL_GRANDE.view

POSITION = (
    "king granada; aragon: red 4, blue 4, yellow 4; sevilla: red 1, blue 1; castillo: blue 1; court: red 4, blue 4;"
    "province: red 5; grandes: red aragon, blue sevilla, yellow sevilla, green sevilla; hand red: 1; pile red: 7 13;"
    "round 2; veto blue: s2_veto-1 3"
)
MOVE = "red step red aragon > sevilla"

# Every card: the moves that perform it, and how often a holder is asked meanwhile.
PERFORMANCES = {
    "s1_move_all_own": (["red special source=aragon", MOVE, MOVE, "red stop"], 2),
    "s1_place_two": (["red special", "red step > galicia", "red step > galicia"], 2),
    "s1_place_two_or_move_all": (["red special mode=place_two", "red step > galicia", "red step > galicia"], 2),
    "s1_move_five_one_region": (["red special source=aragon", MOVE, MOVE, MOVE, MOVE, "red stop"], 4),
    "s1_move_three_foreign": (["red special", *["red step blue aragon > sevilla"] * 3], 3),
    "s1_move_three_any": (["red special", MOVE, MOVE, MOVE], 3),
    "s1_move_two_own_two_foreign": (["red special", MOVE, "red step blue aragon > sevilla", "red stop"], 2),
    "s1_move_four_own": (["red special", MOVE, MOVE, MOVE, MOVE], 4),
    "s1_move_four_any": (["red special", MOVE, MOVE, MOVE, MOVE], 4),
    "s2_veto-2": (["red special"], 1),
    "s2_rebellion_all": (["red special"], 1),
    "s2_rebellion_three": (["red special"], 1),
    "s2_king_angry": (["red special", "blue return 3"], 2),
    "s2_return_one_each": (["red special", "red step blue aragon", "red step yellow aragon"], 2),
    "s2_secret_remove_two": (["red special"], 1),
    "s2_secret_remove_all": (["red special", "blue disk aragon"], 1),
    "s2_score_chosen": (["red special space=aragon"], 1),
    "s3_score_fours": (["red special"], 1),
    "s3_score_fives": (["red special"], 1),
    "s3_score_six_sevens": (["red special"], 1),
    "s3_score_castillo": (["red special"], 1),
    "s3_score_firsts": (["red special"], 1),
    "s3_score_most": (["red special"], 1),
    "s3_score_least": (["red special"], 1),
    "s3_score_chosen": (["red special space=castillo"], 1),
    "s4_scoreboard": (["red special board=board_840 to=castillo"], 1),
    "s4_king_step": (["red special to=sevilla"], 1),
    "s4_expulsion": (["red special region=aragon", "blue disk galicia", "yellow disk galicia"], 1),
    "s4_move_grande": (["red special to=galicia"], 1),
    "s4_recover_power": (["red special value=13"], 1),
    "s4_court_two": (["red special"], 1),
    "s4_secret_scoring": (
        ["red special", "red disk aragon", "blue disk aragon", "yellow disk galicia", "green disk sevilla"],
        3,
    ),
    "s5_king_any": (["red special to=galicia"], 1),
}


EVERY_CARD = [pytest.param(card, *performance, id=card) for card, performance in PERFORMANCES.items()]


def lines_until_a_window(game, lines):
    """Play until a holder of a veto is asked."""
    for line in lines:
        game.play(line)
        if game.asked[0] == "veto":
            return game
    raise AssertionError("no holder of a veto was asked")


@pytest.mark.parametrize(("card", "lines", "windows"), EVERY_CARD)
def test_a_holder_is_asked_before_every_part_of_a_special_action(card, lines, windows):
    game = turn_with(card, POSITION)
    for line in lines:
        game.play(line)
        while game.asked[0] == "veto":
            game.play("blue allow")
    assert len(game.happened(SpecialActionAllowed)) == windows
    assert game.offered("red") == {"place", "end_turn"}


@pytest.mark.parametrize(("card", "lines", "windows"), EVERY_CARD)
def test_a_veto_stops_the_special_action_of_every_card(card, lines, windows):
    game = turn_with(card, POSITION)
    before = game.position, game.board.scores, game.board.hands, game.board.piles
    lines_until_a_window(game, lines).play("blue veto")
    assert (game.position, game.board.scores, game.board.hands, game.board.piles) == before
    assert game.board.vetoes == ()
    assert game.board.discards == ("s2_veto-1",)


@pytest.mark.parametrize(("card", "lines", "windows"), EVERY_CARD)
def test_after_a_veto_the_special_action_is_used_up_but_the_placement_is_not(card, lines, windows):
    game = lines_until_a_window(turn_with(card, POSITION), lines).play("blue veto")
    assert game.offered("red") == {"place", "end_turn"}
    assert game.refuses(lines[0]) == "never_split"
    assert game.play("red place sevilla 1").where("court")["red"] == 3


# A veto half-way


def test_a_veto_stops_the_rest_of_an_action_but_not_what_was_done():
    position = "king granada; aragon: red 4; court: red 1; veto blue: s2_veto-1 2"
    game = turn_with("s1_move_four_any", position).play("red special", MOVE, "blue allow", MOVE, "blue allow")
    game.play(MOVE, "blue veto")
    assert game.position == "king granada; aragon: red 2; sevilla: red 2; court: red 1"
    assert game.offered("red") == {"place", "end_turn"}


def test_a_veto_against_the_first_step_leaves_everything_as_it_was():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2")
    game.play("red special", MOVE, "blue veto")
    assert game.position == "king granada; aragon: red 4"
    assert game.asked is None


def test_a_step_is_announced_to_all_before_it_is_carried_out():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2").play(
        "red special", MOVE
    )
    [announced] = game.happened(StepAnnounced)
    assert announced.seen_by(SPECTATOR) == StepAnnounced("red", TakeStep("red", "aragon", "sevilla"))
    assert game.where("aragon") == {"red": 4}


def test_the_special_command_of_a_stepwise_card_alone_opens_no_window():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2").play("red special")
    assert game.asked == ("step", ("red",))


def test_stopping_a_stepwise_card_at_once_opens_no_window():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2")
    game.play("red special", "red stop")
    assert game.asked is None
    assert game.board.vetoes == (Veto("blue", "s2_veto-1", 2),)


def test_the_extra_placement_is_a_special_action_and_can_be_vetoed():
    game = turn_with("s1_place_two", "king granada; court: red 3; veto blue: s2_veto-1 2")
    game.play("red special", "red step > galicia", "blue veto", "red place sevilla 1")
    assert game.position == "king granada; sevilla: red 1; court: red 2"


def test_a_disk_action_is_vetoed_before_the_disks_are_set_or_not_at_all():
    position = "king granada; aragon: blue 2, yellow 2; sevilla: blue 2, yellow 2; veto blue: s2_veto-1 2"
    game = turn_with("s2_secret_remove_all", position).play("red special", "blue allow")
    game.play("blue disk aragon", "yellow disk aragon")
    assert game.where("province") == {"blue": 2, "yellow": 2}
    assert game.happened(SpecialActionAllowed) == [SpecialActionAllowed("blue", rest=False)]


def test_a_secret_scoring_can_be_stopped_after_some_regions():
    game = turn_with("s4_secret_scoring", "king granada; aragon: red 1; galicia: blue 1; veto blue: s2_veto-1 2")
    game.play("red special", "blue allow", "red disk aragon", "blue disk galicia", "yellow disk sevilla")
    game.play("green disk sevilla", "blue allow", "blue veto")
    assert [fact.space for fact in game.happened(SpaceScored)] == ["aragon"]
    assert game.scores == {"red": 5}


def test_a_vetoed_power_card_stays_on_the_pile_and_stays_secret():
    game = turn_with("s4_recover_power", "king granada; pile red: 7 13; veto blue: s2_veto-1 2")
    game.play("red special value=13", "blue veto")
    assert game.board.piles["red"] == (7, 13)
    assert b'"value":13' not in encode(seen_by(game.history, "blue"))


# The angry king


def test_a_holder_may_let_others_pay_the_king_and_stop_him_at_the_own_turn():
    position = "king granada; court: blue 4, yellow 4, green 4; aragon: blue 1, yellow 1, green 1"
    game = turn_with("s2_king_angry", f"{position}; veto green: s2_veto-1 2")
    game.play("red special", "green allow", "blue return 3", "green allow", "yellow return 3", "green veto")
    assert game.where("province") == {"blue": 3, "yellow": 3}
    assert game.where("court") == {"blue": 1, "yellow": 1, "green": 4}


def test_no_window_opens_for_a_player_who_cannot_pay_the_king():
    game = turn_with("s2_king_angry", "king granada; court: green 4; aragon: green 1; veto blue: s2_veto-1 2")
    game.play("red special", "blue allow")
    assert game.asked == ("return", ("green",))
    assert len(game.happened(SpecialActionAllowed)) == 1


def test_no_window_opens_when_no_player_can_pay_the_king():
    game = turn_with("s2_king_angry", "king granada; court: red 1; granada: blue 3; veto blue: s2_veto-1 2")
    assert game.play("red special").asked == ("menu", ("red",))


def test_when_the_payment_is_forced_the_window_still_comes_first():
    game = turn_with("s2_king_angry", "king granada; court: red 1, blue 2; veto blue: s2_veto-1 2").play("red special")
    assert game.asked == ("veto", ("blue",))
    assert game.where("court") == {"red": 1, "blue": 2}
    assert game.play("blue allow").where("province") == {"blue": 2}


# Who is asked


def test_holders_are_asked_clockwise_from_the_actors_left():
    position = "king granada; aragon: yellow 1; veto red: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s3_score_fives", position, by="yellow").play("yellow special")
    assert game.asked == ("veto", ("green",))
    assert game.play("green allow").asked == ("veto", ("red",))
    assert game.play("red allow").scores == {"yellow": 5}


def test_a_holder_cannot_answer_before_being_asked():
    position = "king granada; aragon: red 1; veto blue: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s3_score_fives", position).play("red special")
    with pytest.raises(NotYourDecision):
        game.play("green veto")


def test_when_the_first_holder_vetoes_the_second_keeps_the_card():
    position = "king granada; aragon: red 1; veto blue: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s3_score_fives", position).play("red special", "blue veto")
    assert game.board.vetoes == (Veto("green", "s2_veto-2", 2),)
    assert game.scores == {}


def test_the_second_veto_is_spent_only_by_its_owner():
    position = "king granada; aragon: red 1; veto blue: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s3_score_fives", position).play("red special", "blue allow", "green veto")
    assert game.board.vetoes == (Veto("blue", "s2_veto-1", 2),)
    assert game.board.discards == ("s2_veto-2", "s3_score_fives")


def test_a_player_cannot_veto_the_own_special_action():
    game = turn_with("s3_score_fives", "king granada; aragon: red 1; court: red 1; veto red: s2_veto-1 2")
    assert game.play("red special").asked == ("menu", ("red",))
    assert game.scores == {"red": 5}


def test_a_veto_against_an_action_that_would_do_nothing_is_legal_and_spent():
    game = turn_with("s2_rebellion_all", "king granada; court: red 1; veto blue: s2_veto-1 2")
    game.play("red special", "blue veto")
    assert game.board.vetoes == ()


def test_a_window_takes_allow_allow_rest_or_veto():
    game = turn_with("s3_score_fives", "king granada; veto blue: s2_veto-1 2").play("red special")
    assert str(game.decision("blue").text) == (
        "red performs “Scoring of the 5-regions”: Basque Country, Aragon and Valencia are scored. Do you veto this?"
    )
    assert game.choices("blue", "answer") == ["allow", "allow_rest", "veto"]
    assert game.refuses("blue end") == "veto"


# Allowing the rest


def test_a_holder_who_allows_the_rest_is_not_asked_again_during_this_action():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4; veto blue: s2_veto-1 2")
    game.play("red special", MOVE, "blue allow_rest", MOVE, MOVE)
    assert game.where("sevilla") == {"red": 3}
    assert game.board.vetoes == (Veto("blue", "s2_veto-1", 2),)


def test_others_are_still_asked_when_one_has_allowed_the_rest():
    position = "king granada; aragon: red 4; veto blue: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s1_move_four_any", position)
    game.play("red special", MOVE, "blue allow_rest", "green allow", MOVE)
    assert game.asked == ("veto", ("green",))


def test_allowing_the_rest_of_a_secret_scoring_covers_all_its_regions():
    game = turn_with("s4_secret_scoring", "king granada; aragon: red 1; veto blue: s2_veto-1 2", players=2)
    game.play("red special", "blue allow_rest", "red disk aragon", "blue disk galicia")
    assert [fact.space for fact in game.happened(SpaceScored)] == ["aragon", "galicia"]


def test_allowing_the_rest_of_the_kings_anger_covers_all_payers():
    game = turn_with("s2_king_angry", "king granada; court: blue 4, yellow 4, green 4; veto blue: s2_veto-1 2")
    game.play("red special", "blue allow_rest")
    assert game.where("province") == {"blue": 3, "yellow": 3, "green": 3}


# What is spent


def test_of_two_vetoes_the_one_that_expires_first_is_spent():
    position = "king granada; round 2; veto blue: s2_veto-2 3; veto blue: s2_veto-1 2"
    game = turn_with("s3_score_fives", position).play("red special", "blue veto")
    assert game.board.vetoes == (Veto("blue", "s2_veto-2", 3),)


def test_a_holder_of_two_vetoes_is_asked_once():
    position = "king granada; round 2; court: red 1; veto blue: s2_veto-2 3; veto blue: s2_veto-1 2"
    game = turn_with("s3_score_fives", position).play("red special", "blue allow")
    assert game.asked == ("menu", ("red",))


def test_taking_a_veto_can_be_vetoed_and_both_cards_are_gone():
    game = turn_with("s2_veto-2", "king granada; veto blue: s2_veto-1 2").play("red special", "blue veto")
    assert game.board.vetoes == ()
    assert game.board.discards == ("s2_veto-1", "s2_veto-2")


def test_a_veto_cannot_itself_be_vetoed():
    position = "king granada; court: red 1; veto blue: s2_veto-1 2; veto green: s2_veto-2 2"
    game = turn_with("s3_score_fives", position).play("red special", "blue veto")
    assert game.asked == ("menu", ("red",))


# What cannot be vetoed


def test_a_placement_cannot_be_vetoed():
    game = turn_with("s3_score_fives", "king granada; court: red 3; veto blue: s2_veto-1 2").play("red place sevilla 3")
    assert game.where("sevilla") == {"red": 3}


def test_playing_a_power_card_and_drawing_cannot_be_vetoed():
    position = "king granada; hand red: 1 2; province: red 9; veto blue: s2_veto-1 2"
    game = table(position, Bid("red"), DrawCaballeros("red")).play("red power 1", "red draw 6")
    assert game.where("court") == {"red": 6}


def test_a_general_scoring_cannot_be_vetoed():
    steps = SetScoringDisks(), ScoreCastillo(), ReleaseCastillo(), ScoreRegions()
    game = table("king granada; castillo: red 1; veto blue: s2_veto-1 2", *steps, players=2)
    game.play("red disk aragon", "blue disk aragon")
    assert game.scores == {"red": 10}


# How long it is valid


@pytest.mark.parametrize(
    ("length", "taken", "until"),
    [
        pytest.param("full", 3, 4, id="full-game"),
        pytest.param("short", 3, 5, id="short-game-skips-a-round"),
        pytest.param("short", 5, 6, id="short-game"),
        pytest.param("full", 9, 9, id="last-round"),
    ],
)
def test_a_veto_is_valid_through_the_next_round_that_is_played(length, taken, until):
    game = turn_with("s2_veto-1", f"king granada; round {taken}", game_length=length).play("red special")
    assert game.board.vetoes == (Veto("red", "s2_veto-1", until),)


def test_a_veto_lapses_at_the_end_of_its_last_round():
    game = table("king granada; round 4; turn red; veto blue: s2_veto-1 4; veto green: s2_veto-2 5", EndRound(4))
    assert game.board.vetoes == (Veto("green", "s2_veto-2", 5),)
    assert game.board.discards == ("s2_veto-1",)


def test_a_general_scoring_in_between_does_not_end_a_veto():
    game = table("king granada; round 3; turn red; veto blue: s2_veto-1 4", EndRound(3), players=2)
    game.play("red disk aragon", "blue disk aragon")
    assert game.board.round == 4
    assert game.board.vetoes == (Veto("blue", "s2_veto-1", 4),)


# Steps sent together

SEVERAL = "red several red aragon > sevilla / red aragon > galicia"
WATCHED = "king granada; aragon: red 4; court: red 1; veto blue: s2_veto-1 2"


def test_steps_sent_together_are_carried_out_one_after_the_other():
    game = turn_with("s1_move_four_any", "king granada; aragon: red 4").play("red special", SEVERAL)
    assert game.position == "king granada; galicia: red 1; aragon: red 2; sevilla: red 1"
    assert game.asked == ("step", ("red",))


def test_one_step_sent_as_several_is_just_that_step():
    alone = turn_with("s1_move_four_any", WATCHED).play("red special", MOVE)
    several = turn_with("s1_move_four_any", WATCHED).play("red special", "red several red aragon > sevilla")
    assert several.history == alone.history


def test_no_steps_at_all_are_refused():
    game = turn_with("s1_move_four_any", WATCHED).play("red special")
    assert dry_run(game.state, Answer("red", game.decision("red").id, Several(()))).rule == "several"


def test_steps_sent_together_are_announced_one_by_one():
    game = turn_with("s1_move_four_any", WATCHED).play("red special", SEVERAL)
    assert len(game.happened(StepAnnounced)) == 1
    game.play("blue allow")
    assert len(game.happened(StepAnnounced)) == 2
    assert game.where("aragon") == {"red": 3}
    assert game.play("blue allow").where("aragon") == {"red": 2}


def test_a_veto_drops_the_steps_that_were_sent_along():
    game = turn_with("s1_move_four_any", WATCHED).play("red special", SEVERAL, "blue allow", "blue veto")
    assert game.position == "king granada; aragon: red 3; sevilla: red 1; court: red 1"
    assert game.state.sealed == {}


@pytest.mark.parametrize("viewer", ["blue", "yellow", SPECTATOR])
def test_other_viewers_do_not_see_steps_that_are_not_yet_announced(viewer):
    game = turn_with("s1_move_four_any", WATCHED).play("red special", SEVERAL)
    assert b"galicia" not in encode(seen_by(game.history, viewer))
    assert view(game.state, viewer)["sealed"] == {"red": None}


def test_the_actor_sees_the_steps_that_wait():
    game = turn_with("s1_move_four_any", WATCHED).play("red special", SEVERAL)
    [waiting_step] = view(game.state, "red")["sealed"]["red"].steps
    assert waiting_step.target == "galicia"


def test_a_holder_cannot_tell_whether_more_steps_were_sent_along():
    one = turn_with("s1_move_four_any", WATCHED).play("red special", MOVE)
    two = turn_with("s1_move_four_any", WATCHED).play("red special", SEVERAL)
    assert view(one.state, "blue") == view(two.state, "blue")
    assert seen_by(one.history, "blue") == seen_by(two.history, "blue")


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        pytest.param("red aragon > sevilla / red aragon > granada", "taboo", id="second-into-the-kings-region"),
        pytest.param("red aragon > sevilla / blue sevilla > aragon", "as_many_as_there_are", id="second-moves-nobody"),
        pytest.param(" / ".join(["red aragon > sevilla"] * 4 + ["red sevilla > aragon"]), "limit", id="one-too-many"),
    ],
)
def test_one_illegal_step_refuses_all_that_were_sent_together(lines, rule):
    game = turn_with("s1_move_four_any", WATCHED).play("red special")
    assert game.refuses(f"red several {lines}") == rule
    assert game.happened(StepAnnounced) == []


def test_a_step_sent_along_may_move_a_caballero_that_the_step_before_brought():
    game = turn_with("s1_move_four_own", "king granada; aragon: red 1")
    game.play("red special", "red several red aragon > sevilla / red sevilla > galicia")
    assert game.where("galicia") == {"red": 1}


def test_single_answers_are_not_sent_together():
    game = turn_with("s1_place_two", "king granada; court: red 1").play("red special")
    assert game.refuses("red several > sevilla / > galicia") == "several"
