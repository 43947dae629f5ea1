"""Scoring one space: ranks, ties, few players, bonuses."""

import pytest

from rules.el_grande.facts import Award
from rules.el_grande.notation import parse_position
from rules.el_grande.scoring import score
from tests.rules.el_grande.table import vectors

SPACES = {
    (4, 2, 0): "galicia",
    (5, 3, 1): "pais_vasco",
    (6, 4, 2): "castilla_la_vieja",
    (7, 4, 2): "castilla_la_nueva",
    (5, 4, 1): "aragon",
    (6, 3, 1): "granada",
    (8, 4, 0): "valencia",
    (4, 0, 0): "sevilla",
}
SCOREBOARDS = "scoreboards: board_840 valencia, board_400 sevilla"


def points(scored):
    """What each player gets, bonuses included."""
    got: dict[str, int] = {}
    for award in scored.awards:
        got[award.player] = got.get(award.player, 0) + award.points
    return got


def scored(space, position, players=4, **options):
    return points(score(parse_position(position, players), space, **options))


@pytest.mark.parametrize("example", vectors("score_space"), ids=lambda example: example["id"])
def test_examples_of_scoring_one_space(example):
    space = "castillo" if example["id"] == "T28" else SPACES[tuple(example["table"])]
    king = space if example["king_here"] else "cataluna"
    counts = ", ".join(f"{player} {number}" for player, number in example["counts"].items() if number)
    grandes = ", ".join(f"{player} {space}" for player in example["grandes_here"])
    position = f"king {king}; {space}: {counts}; {SCOREBOARDS}; grandes: {grandes}"
    ranks = {"ranks": 1} if example["first_only"] else {}
    expected = {player: number for player, number in example["expected"].items() if number}
    assert scored(space, position, example["players"], **ranks) == expected


def test_tied_players_take_the_next_lower_rank_however_many_they_are():
    """Ruling C1: the player after three who tie for first is third."""
    assert scored("pais_vasco", "king granada; pais_vasco: red 4, blue 4, yellow 4, green 3") == {
        "red": 3,
        "blue": 3,
        "yellow": 3,
        "green": 1,
    }


def test_a_player_without_caballeros_has_no_rank():
    assert scored("aragon", "king granada; aragon: blue 1; grandes: red aragon") == {"blue": 5}


def test_an_empty_region_gives_nothing_not_even_bonuses():
    assert scored("aragon", "king aragon; grandes: red aragon") == {}


@pytest.mark.parametrize(("players", "expected"), [(2, {}), (3, {"red": 4, "blue": 4}), (4, {"red": 4, "blue": 4})])
def test_a_tie_for_first_takes_the_second_rank_if_it_scores(players, expected):
    assert scored("aragon", "king granada; aragon: red 2, blue 2", players) == expected


@pytest.mark.parametrize(("players", "expected"), [(2, [7]), (3, [7, 4]), (4, [7, 4, 2]), (5, [7, 4, 2])])
def test_the_fewer_players_the_fewer_ranks_score(players, expected):
    position = "king granada; castilla_la_nueva: red 3, blue 2"
    position += ", yellow 1" if players > 2 else ""
    assert list(scored("castilla_la_nueva", position, players).values()) == expected


def test_the_sole_leader_gets_two_for_the_king_and_two_for_the_own_grande():
    scoring = score(parse_position("king aragon; aragon: red 2, blue 1; grandes: red aragon, blue aragon", 4), "aragon")
    assert scoring.awards == (
        Award("red", 5, "first"),
        Award("blue", 4, "second"),
        Award("red", 2, "king"),
        Award("red", 2, "grande"),
    )


def test_bonuses_do_not_depend_on_the_number_of_players():
    assert scored("aragon", "king aragon; aragon: red 2, blue 1; grandes: red aragon", 2) == {"red": 9}


def test_no_player_gets_a_bonus_in_a_tie_for_first():
    assert scored("aragon", "king aragon; aragon: red 2, blue 2; grandes: red aragon") == {"red": 4, "blue": 4}


def test_the_grande_of_another_brings_nothing():
    assert scored("aragon", "king granada; aragon: red 2, blue 1; grandes: blue aragon") == {"red": 5, "blue": 4}


def test_a_grande_is_not_a_caballero():
    assert scored("aragon", "king granada; aragon: blue 1; grandes: red aragon, blue galicia") == {"blue": 5}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_castillo_has_no_bonuses(players):
    assert scored("castillo", "king granada; castillo: red 2; grandes: red granada", players) == {"red": 5}


@pytest.mark.parametrize("space", ["castillo", "aragon"])
def test_a_scoreboard_replaces_the_whole_table(space):
    position = f"king granada; {space}: red 3, blue 2, yellow 1; scoreboards: board_840 {space}"
    assert scored(space, position) == {"red": 8, "blue": 4}


def test_a_scored_space_tells_the_count_of_every_player():
    scoring = score(parse_position("king granada; aragon: red 2, blue 1", 4), "aragon")
    assert scoring.counts == {"red": 2, "blue": 1}
