"""Points of a table: what each place is worth, and how players who share places share their points.

A point is sixty units, so that every shared place of up to six players is a whole number: people are ranked by
integers alone.

>>> shown(table_points(PointScheme(), (1, 2, 2, 4), ()))
['24', '12', '12', '0']
>>> shown(table_points(PointScheme("own", (4, 2, 1, 0)), (1, 1, 1, 4), ()))
['2⅓', '2⅓', '2⅓', '0']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from rules.errors import Unreadable
from rules.texts import Text, one_by_one, say

UNIT = 60
"""Units of a point."""

SMALLEST, LARGEST = 2, 6
"""Players of a table: six share a place in sixtieths."""

MOST = 1000
"""Points of a place in an own list."""

SCALE, PLACES, UPWARDS, DRAW, SHARE, OWN = "24", "5-3-2-1-0", "6-4-2-0", "win-draw", "vp-share", "own"
CHESS, FOUR_PLACES, WIN = "chess", "6-5-3-1-0", "win"

PRESETS: Mapping[str, Text] = {
    SCALE: say("24 for the first, 0 for the last, the others evenly between: the same mean at every size"),
    PLACES: say("5, 3, 2, 1 and 0 points from the first place down"),
    FOUR_PLACES: say("6, 5, 3, 1 and 0 points from the first place down"),
    UPWARDS: say("0 points for the last place, 2 more for each place above it"),
    DRAW: say("5 points for a win, 1 for each player who shares the first place"),
    WIN: say("5 points for a win, shared if it is shared, and nothing else"),
    CHESS: say("1 point for a win, ½ for a draw"),
    SHARE: say("the player's share of the victory points of the table, 12 on average"),
    OWN: say("a list of your own"),
}
"""What each way to give points means. Players who share places get the mean of their points."""


LISTS: Mapping[str, tuple[int, ...]] = {
    PLACES: (5, 3, 2, 1),
    FOUR_PLACES: (6, 5, 3, 1),
    DRAW: (5,),
    WIN: (5,),
    CHESS: (1,),
}
"""From the first place down."""


class PointScheme(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The agreement about points."""

    preset: str = SCALE
    places: tuple[int, ...] = ()
    """Of a list of your own: points from the first place down; places beyond it get nothing."""


def check_scheme(scheme: PointScheme) -> None:
    """Refuses points that rank nobody."""
    if scheme.preset not in PRESETS:
        raise Unreadable(say("points are {presets}, not {preset}", presets=one_by_one(PRESETS), preset=scheme.preset))
    if (scheme.preset == OWN) != bool(scheme.places):
        raise Unreadable(say("a list of your own, and no other, has places with their points"))
    falling = all(0 <= low <= high <= MOST for high, low in zip(scheme.places, scheme.places[1:], strict=False))
    if scheme.places and not (falling and len(scheme.places) <= LARGEST and 0 < scheme.places[0] <= MOST):
        raise Unreadable(say("up to six places have 0 to {most} points, none more than the one before", most=MOST))


@lru_cache
def place_points(scheme: PointScheme, size: int) -> tuple[int, ...]:
    """What the places of a table of this size are worth, in units."""
    below = range(size - 1, -1, -1)
    if scheme.preset in (SCALE, SHARE):
        return tuple(24 * UNIT * count // (size - 1) for count in below)
    if scheme.preset == UPWARDS:
        return tuple(2 * UNIT * count for count in below)
    listed = LISTS.get(scheme.preset, scheme.places)
    return tuple(UNIT * points for points in (*listed, *[0] * size)[:size])


def win_points(scheme: PointScheme, size: int) -> int:
    """What a win alone is worth: no bye is worth more."""
    return place_points(scheme, size)[0]


def table_points(scheme: PointScheme, places: Sequence[int], victory_points: Sequence[int]) -> tuple[int, ...]:
    """The units that each seat gets. Equal places share the mean of what they are worth together."""
    if scheme.preset == SHARE and sum(victory_points) > 0:
        return _vp_share(victory_points)
    return _by_place(scheme, tuple(places))


@lru_cache(4096)
def _by_place(scheme: PointScheme, places: tuple[int, ...]) -> tuple[int, ...]:
    worth, ordered = place_points(scheme, len(places)), sorted(places)
    if scheme.preset == DRAW and places.count(1) > 1:
        return tuple(UNIT if place == 1 else 0 for place in places)
    return tuple(_mean(worth, ordered.index(place), ordered.count(place)) for place in places)


def _mean(worth: Sequence[int], first: int, count: int) -> int:
    shared, rest = divmod(sum(worth[first : first + count]), count)
    assert not rest, f"{count} places do not share whole units"
    return shared


def _vp_share(victory_points: Sequence[int]) -> tuple[int, ...]:
    """To the nearest unit, so that the mean is 12 points at every size."""
    counted = [max(0, points) for points in victory_points]
    whole = 12 * UNIT * len(counted)
    return tuple((2 * whole * points + sum(counted)) // (2 * sum(counted)) for points in counted)


# For people

FRACTIONS = {Fraction(n, d): sign for sign, n, d in [("½", 1, 2), ("⅓", 1, 3), ("⅔", 2, 3), ("¼", 1, 4), ("¾", 3, 4)]}


def shown_points(units: int) -> str:
    """
    >>> shown_points(750), shown_points(30), shown_points(-90), shown_points(7)
    ('12½', '½', '-1½', '7/60')
    """
    whole, rest = divmod(abs(units), UNIT)
    sign = "-" if units < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    part = Fraction(rest, UNIT)
    if part in FRACTIONS:
        return f"{sign}{whole or ''}{FRACTIONS[part]}"
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def shown(points: Iterable[int]) -> list[str]:
    return [shown_points(units) for units in points]
