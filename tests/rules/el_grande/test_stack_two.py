"""Stack 2: the veto, rebellions, the angry king, sending home, secret withdrawals."""

import pytest

from rules.el_grande.board import Veto
from rules.el_grande.facts import CaballerosReturned
from rules.el_grande.notation import move
from rules.errors import NotYourDecision
from rules.kernel import AnsweredForPlayer, AnswersOpened, Number, Total
from tests.rules.el_grande.table import turn_with, vectors

# The veto card (how it is used: test_veto.py)


def test_a_veto_stays_in_front_of_its_owner_until_the_end_of_the_next_round():
    game = turn_with("s2_veto-1", "king granada; round 4").play("red special")
    assert game.board.vetoes == (Veto("red", "s2_veto-1", until=5),)
    assert game.board.discards == ()


def test_a_veto_that_is_declined_is_discarded():
    game = turn_with("s2_veto-1", "king granada; court: red 1").play("red end")
    assert game.board.vetoes == ()
    assert game.board.discards == ("s2_veto-1",)


def test_a_veto_taken_in_the_last_round_is_valid_in_that_round():
    game = turn_with("s2_veto-2", "king granada; round 9").play("red special")
    assert game.board.vetoes == (Veto("red", "s2_veto-2", until=9),)


def test_a_player_may_hold_both_vetoes():
    game = turn_with("s2_veto-2", "king granada; round 2; veto red: s2_veto-1 2").play("red special")
    assert [veto.card for veto in game.board.vetoes] == ["s2_veto-1", "s2_veto-2"]


# Rebellions


def test_a_rebellion_empties_the_courts_of_all_opponents():
    game = turn_with("s2_rebellion_all", "king granada; court: red 2, blue 5, yellow 1; province: blue 1")
    game.play("red special")
    assert game.position == "king granada; court: red 2; province: blue 6, yellow 1"


def test_a_rebellion_of_three_takes_three_from_each_opponents_court():
    game = turn_with("s2_rebellion_three", "king granada; court: red 4, blue 5, yellow 3, green 1").play("red special")
    assert game.position == "king granada; court: red 4, blue 2; province: blue 3, yellow 3, green 1"


@pytest.mark.parametrize("card", ["s2_rebellion_all", "s2_rebellion_three"])
def test_a_rebellion_against_empty_courts_is_possible_and_does_nothing(card):
    game = turn_with(card, "king granada; court: red 2; aragon: blue 3").play("red special")
    assert game.position == "king granada; aragon: blue 3; court: red 2"
    assert game.offered("red") == {"place", "end_turn"}


@pytest.mark.parametrize("card", ["s2_veto", "s2_rebellion_all", "s2_rebellion_three", "s2_king_angry"])
def test_a_card_that_leaves_no_choice_takes_none(card):
    assert turn_with(card, "king granada; court: red 2").refuses("red special region=aragon") == "fields"


# The king is angry


def test_when_the_king_is_angry_every_opponent_gives_up_three_clockwise_from_the_actors_left():
    position = "king granada; court: red 5, blue 5, yellow 5, green 5; aragon: red 1, blue 1, yellow 1, green 1"
    game = turn_with("s2_king_angry", position, by="yellow").play("yellow special")
    game.play("green return 3", "red return 2, aragon 1", "blue return 2, aragon 1")
    assert [fact.owner for fact in game.happened(CaballerosReturned)] == ["green", "red", "red", "blue", "blue"]
    assert game.where("province") == {"red": 3, "blue": 3, "green": 3}


def test_when_the_king_is_angry_the_actor_pays_nothing():
    game = turn_with("s2_king_angry", "king granada; court: red 5; aragon: red 2").play("red special")
    assert game.where("court") == {"red": 5}
    assert game.where("aragon") == {"red": 2}


def test_when_the_king_is_angry_players_pay_one_after_the_other():
    game = turn_with("s2_king_angry", "king granada; court: blue 5, yellow 5; aragon: blue 1, yellow 1")
    game.play("red special")
    with pytest.raises(NotYourDecision):
        game.play("yellow return 3")


def test_caballeros_for_the_king_may_come_from_court_and_several_regions():
    game = turn_with("s2_king_angry", "king granada; court: blue 2; aragon: blue 2; sevilla: blue 2")
    game.play("red special", "blue return 1, aragon 1, sevilla 1")
    assert game.position == "king granada; aragon: blue 1; sevilla: blue 1; court: blue 1; province: blue 3"


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        pytest.param("2", "return", id="too-few"),
        pytest.param("2, aragon 2", "return", id="too-many"),
        pytest.param("3", "return", id="more-than-in-court"),
        pytest.param("0, aragon 3", "as_many_as_there_are", id="more-than-in-the-region"),
        pytest.param("0, granada 3", "taboo", id="kings-region"),
        pytest.param("0, castillo 3", "castillo", id="castillo"),
        pytest.param("2, aragon 0", "counts", id="zero"),
        pytest.param("-1, aragon 2", "counts", id="less-than-nothing"),
        pytest.param("0, portugal 3", "regions", id="not-on-the-map"),
    ],
)
def test_the_angry_king_takes_exactly_three_from_court_and_free_regions(answer, rule):
    position = "king granada; court: blue 2; granada: blue 3; aragon: blue 2; castillo: blue 3"
    assert turn_with("s2_king_angry", position).play("red special").refuses(f"blue return {answer}") == rule


@pytest.mark.parametrize("number", [1, 2], ids=["two-in-all", "three-in-all"])
def test_a_player_with_no_more_than_the_angry_king_wants_gives_all_without_being_asked(number):
    game = turn_with("s2_king_angry", f"king granada; court: red 1, blue 1; aragon: blue {number}; granada: blue 4")
    game.play("red special")
    assert game.where("province") == {"blue": 1 + number}
    assert game.happened(AnsweredForPlayer) == [AnsweredForPlayer("blue", "return", "only_option")]


def test_one_whose_caballeros_are_all_in_one_place_is_not_asked():
    game = turn_with("s2_king_angry", "king granada; court: red 1, blue 5").play("red special")
    assert game.where("province") == {"blue": 3}
    assert game.asked == ("menu", ("red",))


def test_a_player_with_nothing_for_the_angry_king_is_passed_over():
    game = turn_with("s2_king_angry", "king granada; granada: blue 3; court: yellow 4; aragon: yellow 1")
    assert game.play("red special").asked == ("return", ("yellow",))


@pytest.mark.parametrize(("court", "most"), [(2, 2), (5, 3)])
def test_at_most_what_is_due_and_in_court_is_offered_to_the_angry_king(court, most):
    game = turn_with("s2_king_angry", f"king granada; court: blue {court}; aragon: blue 4").play("red special")
    [form] = game.decision("blue").forms
    assert form.fields["from_court"] == Number(0, most, of="court")
    assert form.total == Total(("from_court", "from_regions"), 3, 3)


def test_the_angry_king_takes_no_other_answer():
    game = turn_with("s2_king_angry", "king granada; court: blue 5; aragon: blue 1").play("red special")
    assert game.refuses("blue disk aragon") == "decision"


def test_a_secret_withdrawal_takes_no_other_answer():
    game = turn_with("s2_secret_remove_all", "king granada; sevilla: blue 5; aragon: blue 1").play("red special")
    assert game.refuses("blue return 0, aragon 1") == "decision"


# Forced removals, example by example


def position_of(example):
    """Blue is the one who must give something up."""
    spaces = {"court": example.get("court", 0), **example["own"]}
    clauses = [f"{space}: blue {number}" for space, number in spaces.items() if number]
    return f"king {example['king']}; {'; '.join(clauses)}"


def examples(prefix):
    rows = [row for row in vectors("forced_removal") if row["card"].startswith(prefix)]
    return [pytest.param(row, id=f"{row['card'][3:]}-{number}") for number, row in enumerate(rows, start=1)]


@pytest.mark.parametrize("example", examples("s2_rebellion"))
def test_a_rebellion_takes_what_the_court_holds(example):
    game = turn_with(example["card"], position_of(example)).play("red special")
    assert game.where("province") == {"blue": example["must_return"]}


@pytest.mark.parametrize("example", examples("s2_king_angry"))
def test_the_angry_king_takes_three_or_all_there_are(example):
    game = turn_with(example["card"], position_of(example)).play("red special")
    if game.asked:
        game.play("blue time_up")
    assert game.where("province").get("blue", 0) == example["must_return"]


@pytest.mark.parametrize("example", examples("s2_secret_remove"))
def test_a_secret_withdrawal_asks_for_a_region_that_can_pay(example):
    game = turn_with(example["card"], position_of(example)).play("red special")
    opened = [move(disk).split()[1] for fact in game.happened(AnswersOpened) for disk in fact.answers.values()]
    legal = example["legal_disks"]
    assert (game.choices("blue", "region") if len(legal) > 1 else opened) == legal


@pytest.mark.parametrize("example", examples("s2_secret_remove"))
def test_a_secret_withdrawal_costs_what_the_region_can_pay(example):
    game = turn_with(example["card"], position_of(example)).play("red special")
    legal, due = example["legal_disks"], example["must_return"]
    if len(legal) > 1:
        game.play(f"blue disk {legal[-1]}")
    assert game.where("province").get("blue", 0) == (due[legal[-1]] if isinstance(due, dict) else due)


# One of each opponent goes home

HOME = "s2_return_one_each"


def test_one_caballero_of_each_opponent_may_be_sent_home_from_different_regions():
    game = turn_with(HOME, "king granada; aragon: red 1, blue 2; sevilla: yellow 1; galicia: green 3")
    game.play("red special", "red step green galicia", "red step blue aragon", "red step yellow sevilla")
    assert game.where("province") == {"blue": 1, "yellow": 1, "green": 1}
    assert game.asked is None


def test_an_opponent_may_be_spared():
    game = turn_with(HOME, "king granada; aragon: blue 2, yellow 2").play("red special")
    game.play("red step yellow aragon", "red stop")
    assert game.where("aragon") == {"blue": 2, "yellow": 1}


def test_every_caballero_of_an_opponent_in_a_free_region_may_be_chosen():
    game = turn_with(HOME, "king granada; aragon: red 1, blue 2; sevilla: blue 1; granada: yellow 1; galicia: green 1")
    game.play("red special")
    assert (game.choices("red", "owner"), game.choices("red", "from")) == (
        ["blue", "green"],
        ["aragon", "sevilla", "galicia"],
    )


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        pytest.param("blue aragon", "limit", id="a-second-of-the-same"),
        pytest.param("red aragon", "players", id="an-own-one"),
        pytest.param("brown aragon", "players", id="not-at-the-table"),
        pytest.param("yellow granada", "taboo", id="kings-region"),
        pytest.param("yellow castillo", "castillo", id="castillo"),
        pytest.param("yellow court", "regions", id="court"),
        pytest.param("green aragon", "as_many_as_there_are", id="nobody-of-that-colour"),
        pytest.param("yellow aragon > sevilla", "fields", id="a-move"),
    ],
)
def test_sending_home_is_refused(step, rule):
    position = "king granada; aragon: red 1, blue 2, yellow 1; granada: yellow 1; castillo: yellow 1; court: yellow 1"
    game = turn_with(HOME, position).play("red special", "red step blue aragon")
    assert game.refuses(f"red step {step}") == rule


def test_no_caballero_can_be_sent_home_when_no_opponent_is_in_a_free_region():
    position = "king granada; court: red 1; granada: blue 2; castillo: yellow 2; aragon: red 2"
    game = turn_with(HOME, position)
    assert game.offered("red") == {"place", "end_turn"}
    assert game.refuses("red special") == "executable"


# Secret withdrawals


def test_every_opponent_withdraws_two_from_a_secret_region():
    game = turn_with("s2_secret_remove_two", "king granada; aragon: blue 3, yellow 2; sevilla: blue 2, yellow 4, red 4")
    game.play("red special", "yellow disk sevilla", "blue disk aragon")
    assert game.position == (
        "king granada; aragon: blue 1, yellow 2; sevilla: red 4, blue 2, yellow 2; province: blue 2, yellow 2"
    )


def test_every_opponent_withdraws_all_from_a_secret_region():
    game = turn_with("s2_secret_remove_all", "king granada; aragon: blue 3, yellow 2; sevilla: blue 2, yellow 4, red 4")
    game.play("red special", "yellow disk sevilla", "blue disk aragon")
    assert game.position == "king granada; aragon: yellow 2; sevilla: red 4, blue 2; province: blue 3, yellow 4"


@pytest.mark.parametrize(
    ("card", "asked"), [("s2_secret_remove_two", "disk_remove_two"), ("s2_secret_remove_all", "disk_remove_all")]
)
def test_withdrawals_are_chosen_at_once_and_opened_together(card, asked):
    game = turn_with(card, "king granada; aragon: blue 3, yellow 2; sevilla: blue 2, yellow 4").play("red special")
    assert game.asked == (asked, ("blue", "yellow"))
    game.play("blue disk aragon")
    assert game.happened(AnswersOpened) == []
    assert game.where("province") == {}
    game.play("yellow disk aragon")
    assert [set(fact.answers) for fact in game.happened(AnswersOpened)] == [{"blue", "yellow"}]


@pytest.mark.parametrize("card", ["s2_secret_remove_two", "s2_secret_remove_all"])
def test_a_disk_is_locked_once_set(card):
    game = turn_with(card, "king granada; aragon: blue 3, yellow 2; sevilla: blue 2, yellow 4")
    game.play("red special", "blue disk aragon")
    with pytest.raises(NotYourDecision):
        game.play("blue disk sevilla")


@pytest.mark.parametrize(
    ("region", "rule"),
    [
        pytest.param("galicia", "disk", id="too-few-there"),
        pytest.param("valencia", "disk", id="none-there"),
        pytest.param("granada", "disk", id="kings-region"),
        pytest.param("castillo", "regions", id="castillo"),
    ],
)
def test_two_are_withdrawn_from_a_free_region_that_holds_two(region, rule):
    position = "king granada; aragon: blue 3; sevilla: blue 2; galicia: blue 1; granada: blue 5; castillo: blue 5"
    assert turn_with("s2_secret_remove_two", position).play("red special").refuses(f"blue disk {region}") == rule


def test_all_are_withdrawn_from_any_free_region_that_holds_one():
    position = "king granada; aragon: blue 3; galicia: blue 1; granada: blue 5"
    game = turn_with("s2_secret_remove_all", position).play("red special")
    assert game.choices("blue", "region") == ["galicia", "aragon"]


def test_a_player_with_only_single_caballeros_withdraws_one():
    game = turn_with("s2_secret_remove_two", "king granada; aragon: blue 1; galicia: blue 1; granada: blue 5")
    game.play("red special", "blue disk galicia")
    assert game.position == "king granada; aragon: blue 1; granada: blue 5; province: blue 1"


@pytest.mark.parametrize("card", ["s2_secret_remove_two", "s2_secret_remove_all"])
def test_a_player_without_caballeros_in_a_free_region_is_left_out(card):
    game = turn_with(card, "king granada; granada: blue 5; aragon: yellow 2; sevilla: yellow 2").play("red special")
    assert game.asked[1] == ("yellow",)


@pytest.mark.parametrize("card", ["s2_secret_remove_two", "s2_secret_remove_all"])
def test_a_secret_withdrawal_does_nothing_without_opponents_in_a_free_region(card):
    game = turn_with(card, "king granada; granada: blue 5; aragon: red 3; court: red 1").play("red special")
    assert game.position == "king granada; aragon: red 3; granada: blue 5; court: red 1"
    assert game.happened(AnswersOpened) == []
    assert game.offered("red") == {"place", "end_turn"}


@pytest.mark.parametrize("card", ["s2_secret_remove_two", "s2_secret_remove_all"])
def test_with_a_single_region_to_choose_the_disk_sets_itself_and_stays_closed(card):
    game = turn_with(card, "king granada; aragon: blue 3, yellow 2; sevilla: yellow 2").play("red special")
    assert game.happened(AnsweredForPlayer) == [AnsweredForPlayer("blue", game.asked[0], "only_option")]
    assert game.happened(AnswersOpened) == []
    assert game.asked[1] == ("yellow",)


# The scoring of a space of one's choice: test_special_scorings.py
