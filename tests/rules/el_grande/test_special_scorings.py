"""Special scorings: stack 3, and the scoring of a space of one's choice in stack 2."""

import pytest

from rules.el_grande.facts import SpaceScored
from rules.el_grande.scoring import least_crowded, most_crowded, regions_worth
from tests.rules.el_grande.table import table, turn_with, vectors

EVERYWHERE = "; ".join(
    f"{region}: red 2, blue 1"
    for region in (
        "galicia",
        "pais_vasco",
        "castilla_la_vieja",
        "castilla_la_nueva",
        "aragon",
        "cataluna",
        "valencia",
        "granada",
        "sevilla",
        "castillo",
    )
)
CHOICE_CARDS = ["s2_score_chosen", "s3_score_chosen"]
PLAIN_CARDS = [
    "s3_score_fours",
    "s3_score_fives",
    "s3_score_six_sevens",
    "s3_score_castillo",
    "s3_score_firsts",
    "s3_score_most",
    "s3_score_least",
]


def scored(game):
    """The spaces scored, in order."""
    return [fact.space for fact in game.happened(SpaceScored)]


# By value


@pytest.mark.parametrize(
    ("card", "spaces", "points"),
    [
        ("s3_score_fours", ["galicia", "cataluna", "sevilla"], {"red": 4 + 4 + 4 + 2, "blue": 2 + 2 + 3}),
        ("s3_score_fives", ["pais_vasco", "aragon", "valencia"], {"red": 15, "blue": 3 + 4 + 3}),
        (
            "s3_score_six_sevens",
            ["castilla_la_vieja", "castilla_la_nueva", "granada"],
            {"red": 6 + 7 + 6, "blue": 4 + 4 + 3},
        ),
    ],
)
def test_a_value_scoring_takes_every_region_of_that_first_value(card, spaces, points):
    game = turn_with(card, f"king sevilla; {EVERYWHERE}").play("red special")
    assert scored(game) == spaces
    assert game.scores == points


def scoreboards(example):
    placed = ", ".join(f"{board} {space}" for board, space in example["scoreboards"].items())
    return f"; scoreboards: {placed}" if placed else ""


@pytest.mark.parametrize(
    "example",
    vectors("first_value_regions"),
    ids=lambda row: "-".join([*map(str, row["values"]), *row["scoreboards"], *row["scoreboards"].values()]),
)
def test_the_first_value_is_that_of_the_scoreboard_if_there_is_one(example):
    game = table(f"king sevilla{scoreboards(example)}")
    assert list(regions_worth(game.board, *example["values"])) == example["regions"]


def test_a_region_with_the_board_of_eight_is_in_no_value_scoring():
    board = table("king sevilla; scoreboards: board_840 aragon").board
    assert "aragon" not in regions_worth(board, 4, 5, 6, 7)


def test_a_board_of_four_brings_its_region_into_the_scoring_of_the_fours():
    game = turn_with("s3_score_fours", "king sevilla; granada: red 2, blue 1; scoreboards: board_400 granada")
    assert game.play("red special").scores == {"red": 4}


@pytest.mark.parametrize("card", ["s3_score_fours", "s3_score_fives"])
def test_the_castillo_is_never_part_of_a_value_scoring(card):
    game = turn_with(card, "king sevilla; castillo: red 2; scoreboards: board_400 castillo").play("red special")
    assert "castillo" not in scored(game)
    assert game.scores == {}


def test_the_kings_region_takes_part_in_a_value_scoring_with_both_bonuses():
    game = turn_with("s3_score_six_sevens", "king granada; granada: red 2, blue 1; grandes: red granada")
    assert game.play("red special").scores == {"red": 6 + 2 + 2, "blue": 3}


# The castillo


def test_the_castillo_is_opened_scored_and_keeps_its_caballeros():
    game = turn_with("s3_score_castillo", "king granada; castillo: red 1, blue 3, green 2").play("red special")
    assert game.scores == {"blue": 5, "green": 3, "red": 1}
    assert game.where("castillo") == {"red": 1, "blue": 3, "green": 2}


def test_a_scoreboard_on_the_castillo_replaces_its_table():
    position = "king granada; castillo: red 1, blue 3, green 2; scoreboards: board_840 castillo"
    assert turn_with("s3_score_castillo", position).play("red special").scores == {"blue": 8, "green": 4}


def test_all_viewers_see_the_caballeros_in_the_castillo_when_it_is_scored():
    game = turn_with("s3_score_castillo", "king granada; castillo: red 1, blue 3").play("red special")
    [opened] = game.happened(SpaceScored)
    assert opened.counts == {"red": 1, "blue": 3}
    assert opened.seen_by("yellow") == opened


# First places


def test_in_the_scoring_of_first_places_only_a_sole_leader_scores():
    game = turn_with("s3_score_firsts", "king sevilla; galicia: red 2, blue 1; aragon: red 1, blue 1, green 1")
    assert game.play("red special").scores == {"red": 4}


def test_the_scoring_of_first_places_takes_all_nine_regions_but_not_the_castillo():
    game = turn_with("s3_score_firsts", f"king sevilla; {EVERYWHERE}").play("red special")
    assert len(scored(game)) == 9
    assert "castillo" not in scored(game)
    assert game.scores == {"red": 4 + 5 + 6 + 7 + 5 + 4 + 5 + 6 + 4 + 2}


def test_in_the_scoring_of_first_places_a_tie_for_first_scores_nothing():
    position = "king aragon; aragon: red 3, blue 3, green 1; grandes: red aragon"
    assert turn_with("s3_score_firsts", position).play("red special").scores == {}


def test_first_places_earn_the_bonuses_of_king_and_grande():
    position = "king aragon; aragon: red 3, blue 1; grandes: red aragon"
    assert turn_with("s3_score_firsts", position).play("red special").scores == {"red": 5 + 2 + 2}


def test_a_scoreboard_counts_in_the_scoring_of_first_places():
    position = "king galicia; aragon: red 3, blue 1; scoreboards: board_840 aragon"
    assert turn_with("s3_score_firsts", position).play("red special").scores == {"red": 8}


# Most and fewest caballeros


@pytest.mark.parametrize("example", vectors("most_fewest"), ids=["some-regions", "only-the-castillo"])
def test_the_regions_with_most_and_fewest_caballeros(example):
    placed = [f"{space}: red {number}" for space, number in example["totals"].items() if number]
    board = table("; ".join(["king granada", *placed])).board
    assert list(most_crowded(board)) == example["most"]
    assert list(least_crowded(board)) == example["fewest"]


def test_caballeros_of_all_players_count_for_the_most_crowded_region():
    position = "king granada; aragon: red 3; sevilla: blue 2, green 2; castillo: yellow 9"
    game = turn_with("s3_score_most", position).play("red special")
    assert scored(game) == ["sevilla"]
    assert game.scores == {"blue": 3, "green": 3}


def test_all_regions_that_tie_for_most_are_scored():
    game = turn_with("s3_score_most", "king granada; aragon: red 3; sevilla: blue 3; galicia: green 1")
    assert scored(game.play("red special")) == ["aragon", "sevilla"]


def test_the_region_with_fewest_must_hold_at_least_one():
    game = turn_with("s3_score_least", "king galicia; aragon: red 3; sevilla: blue 1; castillo: green 1")
    assert scored(game.play("red special")) == ["sevilla"]
    assert game.scores == {"blue": 4}


def test_all_regions_that_tie_for_fewest_are_scored_the_kings_region_too():
    game = turn_with("s3_score_least", "king sevilla; aragon: red 1; sevilla: blue 1; galicia: green 2")
    assert scored(game.play("red special")) == ["aragon", "sevilla"]
    assert game.scores == {"red": 5, "blue": 4 + 2}


@pytest.mark.parametrize("card", ["s3_score_most", "s3_score_least"])
def test_when_all_regions_are_empty_neither_most_nor_fewest_is_scored(card):
    game = turn_with(card, "king granada; court: red 1; castillo: red 3").play("red special")
    assert scored(game) == []
    assert game.offered("red") == {"place", "end_turn"}


# A space of one's choice


@pytest.mark.parametrize("card", CHOICE_CARDS)
@pytest.mark.parametrize(
    ("space", "points"),
    [
        pytest.param("aragon", {"red": 5, "blue": 4}, id="a-region"),
        pytest.param("granada", {"red": 6 + 2, "blue": 3}, id="the-kings-region"),
        pytest.param("castillo", {"red": 5, "blue": 3}, id="the-castillo"),
    ],
)
def test_any_region_or_the_castillo_may_be_chosen_for_scoring(card, space, points):
    game = turn_with(card, f"king granada; {EVERYWHERE}").play(f"red special space={space}")
    assert scored(game) == [space]
    assert game.scores == points


@pytest.mark.parametrize("card", CHOICE_CARDS)
@pytest.mark.parametrize(("choice", "rule"), [("", "fields"), ("space=court", "regions"), ("to=aragon", "fields")])
def test_the_space_to_score_must_be_named(card, choice, rule):
    assert turn_with(card, "king granada; aragon: red 1").refuses(f"red special {choice}") == rule


@pytest.mark.parametrize("card", PLAIN_CARDS)
def test_a_scoring_without_a_choice_takes_none(card):
    assert turn_with(card, "king granada; court: red 1").refuses("red special space=aragon") == "fields"


@pytest.mark.parametrize("card", PLAIN_CARDS)
def test_a_scoring_is_possible_even_when_it_gives_nothing(card):
    game = turn_with(card, "king granada; court: red 1; grandes: red granada").play("red special")
    assert game.scores == {}
    assert game.offered("red") == {"place", "end_turn"}


@pytest.mark.parametrize("card", PLAIN_CARDS)
def test_a_scoring_moves_no_caballero(card):
    game = turn_with(card, f"king granada; {EVERYWHERE}")
    before = game.position
    assert game.play("red special").position == before
