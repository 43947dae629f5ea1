"""What is under way is visible: to a holder who is asked, and in everybody's view."""

import pytest

from rules.codec import encode
from rules.el_grande.cards import CARDS
from rules.el_grande.game import EL_GRANDE
from rules.kernel import SPECTATOR
from tests.rules.el_grande.table import turn_with
from tests.rules.foreign import Foreign, latin

view = EL_GRANDE.view

HOMES = "grandes: red galicia, blue sevilla, yellow aragon, green valencia"
POSITION = (
    "king granada; aragon: red 4, blue 1; sevilla: blue 2, yellow 1, green 1; galicia: red 1, green 5;"
    f" court: red 3, blue 4, yellow 1; province: red 5; pile red: 3 7; {HOMES}; veto green: s2_veto-1 2"
)

DEEDS = {
    "s1_move_all_own": (
        "special source=aragon",
        "step red aragon > sevilla",
        "red moves a caballero from Aragon to Seville",
    ),
    "s1_place_two": ("special", "step > castillo", "red places a caballero in Castillo"),
    "s1_place_two_or_move_all": ("special mode=place_two", "step > galicia", "red places a caballero in Galicia"),
    "s1_move_five_one_region": (
        "special source=sevilla",
        "step green sevilla > aragon",
        "red moves a caballero of green from Seville to Aragon",
    ),
    "s1_move_three_foreign": (
        "special",
        "step blue aragon > castillo",
        "red moves a caballero of blue from Aragon to Castillo",
    ),
    "s1_move_three_any": ("special", "step red galicia > aragon", "red moves a caballero from Galicia to Aragon"),
    "s1_move_two_own_two_foreign": (
        "special",
        "step green galicia > aragon",
        "red moves a caballero of green from Galicia to Aragon",
    ),
    "s1_move_four_own": ("special", "step red galicia > aragon", "red moves a caballero from Galicia to Aragon"),
    "s1_move_four_any": ("special", "step red galicia > aragon", "red moves a caballero from Galicia to Aragon"),
    "s2_veto": ("special", "red takes a veto"),
    "s2_rebellion_all": ("special", "all caballeros in the courts of blue, yellow and green go to the provinces"),
    "s2_rebellion_three": ("special", "3 caballeros in each court of blue, yellow and green go to the province"),
    "s2_king_angry": ("special", "blue gives up 3 caballeros"),
    "s2_return_one_each": (
        "special",
        "step green galicia",
        "a caballero of green goes from Galicia to the province",
    ),
    "s2_secret_remove_two": (
        "special",
        "blue, yellow and green each withdraw 2 caballeros from a region chosen secretly",
    ),
    "s2_secret_remove_all": (
        "special",
        "blue, yellow and green each withdraw all caballeros from a region chosen secretly",
    ),
    "s2_score_chosen": ("special space=castillo", "Castillo is scored"),
    "s3_score_fours": ("special", "Galicia, Catalonia and Seville are scored"),
    "s3_score_fives": ("special", "Basque Country, Aragon and Valencia are scored"),
    "s3_score_six_sevens": ("special", "Old Castile, New Castile and Granada are scored"),
    "s3_score_castillo": ("special", "Castillo is scored"),
    "s3_score_firsts": ("special", "first places are scored in all regions"),
    "s3_score_most": ("special", "Galicia is scored"),
    "s3_score_least": ("special", "Seville is scored"),
    "s3_score_chosen": ("special space=granada", "Granada is scored"),
    "s4_scoreboard": ("special board=board_840 to=sevilla", "scoreboard 8/4/0 goes to Seville"),
    "s4_king_step": ("special to=sevilla", "the king moves to Seville"),
    "s4_expulsion": (
        "special region=sevilla",
        "the caballeros of blue, yellow and green leave Seville for regions chosen secretly",
    ),
    "s4_move_grande": ("special to=sevilla", "red's Grande moves to Seville"),
    "s4_recover_power": ("special value=7", "red takes a power card back into the hand"),
    "s4_court_two": ("special", "red takes 2 caballeros to court"),
    "s4_secret_scoring": ("special", "every player secretly chooses a region to be scored"),
    "s5_king_any": ("special to=galicia", "the king moves to Galicia"),
}
"""Every card: how it begins, its first step if it goes step by step, and what a holder of a veto is told."""


def test_every_card_is_told():
    assert list(DEEDS) == list(CARDS)


@pytest.mark.parametrize("card", DEEDS)
def test_a_holder_is_told_exactly_what_a_veto_would_stop(card):
    *lines, deed = DEEDS[card]
    game = turn_with(card, POSITION).play(*(f"red {line}" for line in lines))
    sentence = f"red performs “{CARDS[card].title}”: {deed}"
    assert str(game.decision("green").text) == f"{sentence}. Do you veto this?"
    assert view(game.state, SPECTATOR)["action"]["text"] == sentence


def test_each_payer_of_an_angry_king_is_another_question():
    game = turn_with("s2_king_angry", POSITION).play("red special")
    questions = [str(game.decision("green").text)]
    game.play("green allow", "blue return 3")
    questions.append(str(game.decision("green").text))
    assert questions == [
        "red performs “The king is angry”: blue gives up 3 caballeros. Do you veto this?",
        "red performs “The king is angry”: yellow gives up 2 caballeros. Do you veto this?",
    ]


def test_each_region_of_a_secret_scoring_is_another_question():
    game = turn_with("s4_secret_scoring", POSITION).play("red special", "green allow")
    game.play("red disk aragon", "blue disk galicia", "yellow disk sevilla", "green disk sevilla")
    questions = [str(game.decision("green").text)]
    questions.append(str(game.play("green allow").decision("green").text))
    assert questions == [
        "red performs “Secret scoring”: Aragon is scored. Do you veto this?",
        "red performs “Secret scoring”: Galicia is scored. Do you veto this?",
    ]


def test_the_answers_of_a_holder_are_labelled():
    game = turn_with("s5_king_any", POSITION).play("red special to=galicia")
    answer = game.decision("green").schema()["anyOf"][0]["properties"]["answer"]
    assert dict(zip(answer["enum"], answer["x-labels"], strict=True)) == {
        "allow": "let this pass",
        "allow_rest": "let the whole special action pass",
        "veto": "stop this and the rest of the special action",
    }


# Views


def test_nothing_is_under_way_before_and_after_a_special_action():
    game = turn_with("s5_king_any", POSITION)
    assert view(game.state, "red")["action"] is None
    game.play("red special to=galicia", "green allow")
    assert view(game.state, "red")["action"] is None


def test_a_view_shows_what_every_payer_owes():
    game = turn_with("s2_king_angry", POSITION).play("red special", "green allow")
    action = view(game.state, SPECTATOR)["action"]
    assert (action["card"], action["player"]) == ("s2_king_angry", "red")
    assert [(step["payer"], step["owes"], step["text"]) for step in action["steps"]] == [
        ("blue", 3, "blue gives up 3 caballeros"),
        ("yellow", 2, "yellow gives up 2 caballeros"),
        ("green", 3, "green gives up 3 caballeros"),
    ]


def test_a_view_shows_the_announced_step_and_how_many_are_left():
    game = turn_with("s1_move_four_any", POSITION).play("red special", "red step red aragon > galicia", "green allow")
    before = view(game.state, SPECTATOR)["action"]
    assert (before["announced"], before["steps"][0]["total"]) == (None, 3)
    assert before["text"] == "red performs “Any four”: red moves up to 3 caballeros"
    announced = view(game.play("red step red aragon > sevilla").state, SPECTATOR)["action"]
    assert encode(announced["announced"]) == b'{"from":"aragon","kind":"step","owner":"red","to":"sevilla"}'
    assert announced["text"].endswith(": red moves a caballero from Aragon to Seville")


@pytest.mark.parametrize(
    ("card", "line", "left"),
    [
        ("s1_move_all_own", "special source=aragon", "red moves own caballeros out of Aragon"),
        ("s1_move_five_one_region", "special source=sevilla", "red moves up to 5 caballeros out of Seville"),
        ("s1_move_two_own_two_foreign", "special", "red moves up to 4 caballeros"),
        ("s1_place_two", "special", "red places up to 2 more caballeros from court"),
        ("s2_return_one_each", "special", "red sends back one caballero each of blue, yellow and green"),
    ],
)
def test_a_view_shows_what_the_steps_to_come_may_do(card, line, left):
    action = view(turn_with(card, POSITION).play(f"red {line}").state, SPECTATOR)["action"]
    assert [step["text"] for step in action["steps"]] == [left]


def test_a_view_shows_the_chosen_region_and_the_players_who_set_disks():
    game = turn_with("s4_expulsion", POSITION).play("red special region=sevilla", "green allow", "blue disk aragon")
    seen = view(game.state, SPECTATOR)
    [step] = seen["action"]["steps"]
    assert (step["step"], step["region"], step["asked"]) == ("expel", "sevilla", ("blue", "yellow", "green"))
    assert (seen["waiting"]["players"], seen["sealed"]) == (("yellow", "green"), {"blue": None})


def test_a_view_shows_the_holders_who_may_still_veto_and_the_steps_that_others_allowed():
    position = f"{POSITION}; veto blue: s2_veto-2 2"
    game = turn_with("s1_move_four_any", position).play("red special", "red step red aragon > galicia")

    def about():
        action = view(game.state, SPECTATOR)["action"]
        return {key: action[key] for key in ("may_veto", "asking", "allowed", "allowed_rest")}

    both = ("blue", "green")
    assert about() == {"may_veto": both, "asking": both, "allowed": (), "allowed_rest": ()}
    game.play("blue allow")
    assert about() == {"may_veto": both, "asking": ("green",), "allowed": ("blue",), "allowed_rest": ()}
    game.play("green allow_rest")
    assert about() == {"may_veto": ("blue",), "asking": (), "allowed": (), "allowed_rest": ("green",)}


def test_the_last_step_of_an_action_can_still_be_seen_while_a_flag_is_passed():
    position = "king granada; galicia: red+flag; sevilla: blue 1, blue+flag; aragon: blue 1; valencia: blue 1"
    game = turn_with("s1_move_four_any", position, rules=EL_GRANDE.rules(("anniversary",)))
    game.play("red special", "red step blue sevilla+flag > castillo")
    assert game.asked == ("pass_flag", ("blue",))
    assert view(game.state, SPECTATOR)["action"]["steps"][0]["total"] == 3


def test_a_bearer_is_told_as_such():
    position = "king granada; galicia: red+flag; sevilla: blue 1, blue+flag; veto green: s2_veto-1 2"
    game = turn_with("s1_move_four_any", position, rules=EL_GRANDE.rules(("anniversary",)))
    game.play("red special", "red step blue sevilla+flag > castillo")
    assert "from Seville (flag) to Castillo" in str(game.decision("green").text)


def test_no_other_player_sees_which_power_card_is_being_taken_back():
    game = turn_with("s4_recover_power", POSITION).play("red special value=7")
    assert [step for step in view(game.state, "green")["action"]["steps"] if "value" in step] == []
    assert view(game.state, "red")["sealed"]["red"].value == 7


@pytest.mark.parametrize("card", DEEDS)
def test_what_is_under_way_can_be_translated(card):
    *lines, _ = DEEDS[card]
    game = turn_with(card, POSITION).play(*(f"red {line}" for line in lines))
    action = view(game.state, SPECTATOR, Foreign())["action"]
    assert not latin(" ".join([action["text"], *(step["text"] for step in action["steps"])]))
    assert not latin(game.decision("green").text.rendered(Foreign(), game.board.rules.names.get))
