"""Points of a table, against published examples."""

from itertools import product

import pytest

from rules.errors import Unreadable
from tournaments.points import PRESETS, UNIT, PointScheme, check_scheme, place_points, shown, table_points


def points(preset, places, *own, victory_points=()):
    return shown(table_points(PointScheme(preset, own), places, victory_points))


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (2, ["24", "0"]),
        (3, ["24", "12", "0"]),
        (4, ["24", "16", "8", "0"]),
        (5, ["24", "18", "12", "6", "0"]),
    ],
)
def test_the_scale_of_24_falls_evenly(size, expected):
    assert shown(place_points(PointScheme(), size)) == expected


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_tie_on_the_scale_of_24_has_whole_points_and_the_mean_is_12(size):
    patterns = {tuple(1 + sum(o < p for o in places) for p in places) for places in product(range(size), repeat=size)}
    for places in patterns:
        shared = table_points(PointScheme(), places, ())
        assert sum(shared) == 12 * size * UNIT
        assert all(units % UNIT == 0 for units in shared)


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset != "own"])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_tie_of_every_preset_is_shared_in_whole_units(preset, size):
    for places in {tuple(1 + sum(o < p for o in t) for p in t) for t in product(range(size), repeat=size)}:
        assert len(table_points(PointScheme(preset), places, ())) == size


@pytest.mark.parametrize(
    ("preset", "places", "expected"),
    [
        ("5-3-2-1-0", (1, 2, 3, 4), ["5", "3", "2", "1"]),
        ("5-3-2-1-0", (5, 4, 3, 2, 1), ["0", "1", "2", "3", "5"]),
        ("6-5-3-1-0", (1, 2, 3, 4), ["6", "5", "3", "1"]),
        ("6-5-3-1-0", (1, 2, 3), ["6", "5", "3"]),
        ("6-4-2-0", (1, 2, 3, 4), ["6", "4", "2", "0"]),
        ("6-4-2-0", (1, 2, 3), ["4", "2", "0"]),
        ("win-draw", (1, 2, 2, 2), ["5", "0", "0", "0"]),
        ("win-draw", (1, 1, 1, 1), ["1", "1", "1", "1"]),
        ("win", (1, 1, 3, 4), ["2½", "2½", "0", "0"]),
        ("chess", (1, 1), ["½", "½"]),
        ("chess", (2, 1), ["0", "1"]),
    ],
)
def test_presets_reproduce_what_organisers_publish(preset, places, expected):
    assert points(preset, places) == expected


def test_joint_places_of_an_own_list_share_the_mean():
    """4-2-1-0: a joint winner gets 3, a joint second 1½, a joint third ½."""
    assert points("own", (1, 1, 3, 4), 4, 2, 1, 0)[0] == "3"
    assert points("own", (1, 2, 2, 4), 4, 2, 1, 0)[1] == "1½"
    assert points("own", (1, 2, 3, 3), 4, 2, 1, 0)[3] == "½"


def test_victory_points_are_shared_out_with_a_mean_of_12():
    assert points("vp-share", (1, 2, 3, 3), victory_points=(60, 40, 10, 10)) == ["24", "16", "4", "4"]
    assert points("vp-share", (1, 2, 3), victory_points=(60, 50, 10)) == ["18", "15", "3"]
    assert points("vp-share", (1, 1), victory_points=(0, 0)) == ["12", "12"]


@pytest.mark.parametrize(
    "scheme",
    [
        PointScheme("golf"),
        PointScheme("own"),
        PointScheme("24", (3, 1)),
        PointScheme("own", (1, 2)),
        PointScheme("own", (0, 0)),
        PointScheme("own", (3, 2, 1, -1)),
        PointScheme("own", (9,) * 7),
        PointScheme("own", (5000,)),
    ],
    ids=str,
)
def test_points_that_cannot_rank_are_refused(scheme):
    with pytest.raises(Unreadable):
        check_scheme(scheme)
