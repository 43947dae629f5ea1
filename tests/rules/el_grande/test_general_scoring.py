"""General scoring: disks, the castillo, its release, and all regions."""

import pytest

from rules.el_grande.base import BASE
from rules.el_grande.facts import CaballerosReleased, SpaceScored
from rules.kernel import AnswerSealed, AnswersOpened, StepTaken
from tests.rules.el_grande.table import table, vectors

REGIONS = tuple(BASE.regions)
HOMES = "grandes: red galicia, blue sevilla, yellow aragon, green valencia"


def general_scoring(position, **options):
    steps = (step() for step in BASE.general_scoring)
    return table(position, *steps, **options)


def written(example):
    counts = (
        f"{space}: {', '.join(f'{player} {number}' for player, number in there.items())}"
        for space, there in example["counts"].items()
    )
    pairs = [
        f"{name}: {', '.join(f'{key} {value}' for key, value in example[name].items())}"
        for name in ("grandes", "scoreboards")
    ]
    return "; ".join((f"king {example['king']}", *counts, *pairs))


@pytest.fixture(params=vectors("general_scoring"), ids=lambda example: example["id"])
def example(request):
    return request.param


@pytest.fixture
def scored(example):
    game = general_scoring(written(example), players=example["players"])
    return game.play(*(f"{player} disk {region}" for player, region in example["disks"].items()))


def test_the_totals_of_a_whole_general_scoring(example, scored):
    assert scored.board.scores == example["expected"]["totals"]


def test_the_points_of_every_space_in_a_whole_general_scoring(example, scored):
    points: dict[str, dict[str, int]] = {}
    for fact in scored.happened(SpaceScored):
        points[fact.space] = {}
        for award in fact.awards:
            points[fact.space][award.player] = points[fact.space].get(award.player, 0) + award.points
    assert points == example["expected"]["points_by_space"]


def test_a_disk_on_the_kings_region_sends_the_caballeros_to_court(example, scored):
    assert scored.where("court") == example["expected"]["moved_to_court"]
    assert scored.where(example["king"]) == example["counts"][example["king"]]


def test_the_castillo_is_empty_after_a_general_scoring(scored):
    assert scored.where("castillo") == {}


def test_the_castillo_is_scored_first_then_disks_are_shown_then_caballeros_leave_then_regions_are_scored():
    game = general_scoring(f"king granada; castillo: red 2, blue 1; {HOMES}")
    game.play("red disk aragon", "blue disk sevilla", "yellow disk aragon", "green disk galicia")
    course = [(type(fact), getattr(fact, "space", "")) for fact in game.facts]
    assert course == [
        (AnswerSealed, ""),
        (SpaceScored, "castillo"),
        (AnswersOpened, ""),
        (CaballerosReleased, ""),
        (CaballerosReleased, ""),
        *((SpaceScored, region) for region in REGIONS),
        (StepTaken, ""),
    ]


def test_all_players_are_asked_for_a_disk_even_without_caballeros_in_the_castillo():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}")
    assert game.asked == ("disk_general", ("red", "blue", "yellow", "green"))


def test_disks_may_be_set_in_any_order():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}").play("green disk aragon", "blue disk aragon")
    assert game.asked == ("disk_general", ("red", "yellow"))


def test_any_region_may_be_chosen_on_a_disk_but_not_the_castillo():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}")
    assert tuple(game.choices("red", "region")) == REGIONS
    assert game.refuses("red disk castillo") == "regions"


def test_released_caballeros_count_in_the_region_they_reach():
    game = general_scoring(f"king granada; castillo: red 2; aragon: blue 1; {HOMES}")
    game.play("red disk aragon", "blue time_up", "yellow time_up", "green time_up")
    assert game.where("aragon") == {"red": 2, "blue": 1}
    assert game.scores == {"red": 5 + 5, "blue": 4}


def test_caballeros_back_in_court_do_not_count():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}")
    game.play("red disk granada", "blue time_up", "yellow time_up", "green time_up")
    assert (game.where("court"), game.scores) == ({"red": 2}, {"red": 5})


def test_all_caballeros_of_a_player_leave_for_one_region():
    game = general_scoring(f"king granada; castillo: red 5; {HOMES}")
    game.play("red disk sevilla", "blue time_up", "yellow time_up", "green time_up")
    assert game.happened(CaballerosReleased) == [CaballerosReleased("red", "sevilla", 5)]


def test_the_castillo_is_scored_with_the_scoreboard_on_it():
    game = general_scoring(f"king granada; castillo: red 5, blue 1; scoreboards: board_840 castillo; {HOMES}")
    game.play("red disk granada", "blue disk granada", "yellow time_up", "green time_up")
    assert game.scores == {"red": 8, "blue": 4}


def test_a_veto_cannot_stop_a_general_scoring():
    game = general_scoring(f"king granada; castillo: red 5; veto blue: s2_veto-1 4; round 3; {HOMES}")
    game.play("red time_up", "blue time_up", "yellow time_up", "green time_up")
    assert game.state.is_over
    assert game.scores == {"red": 5 + 4 + 2}


def test_the_kings_region_is_scored_with_its_bonus():
    game = general_scoring(f"king granada; granada: red 1; {HOMES}")
    game.play("red time_up", "blue time_up", "yellow time_up", "green time_up")
    assert game.scores == {"red": 6 + 2}
