"""Presets: whole agreements for common events, of which an organiser changes what is different. A table of data.

>>> club_evening = {"title": "Club evening", "game": "el_grande"}
>>> agreed(club_evening, "casual-evening").size
4
>>> agreed({**club_evening, "schedule": {"notice_ms": 0}}, "casual-evening").schedule.no_show_ms
600000
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, to_builtins

from events.errors import Declined
from rules.catalogue import GAMES
from rules.errors import Unreadable
from rules.texts import Text, say
from tournaments.certificate import DUTCH
from tournaments.options import BY_HAND, INTERVAL, WHEN_DONE, Options
from tournaments.points import CHESS
from tournaments.wishes import RATING

MINUTE = 60_000
HOUR, DAY = 60 * MINUTE, 24 * 60 * MINUTE

JOINED = ("schedule", "entry")
"""Parts of an agreement of which single fields can be given: the others stay as they are."""


class Preset(Struct, frozen=True):
    title: Text
    description: Text
    options: Mapping[str, Any]
    """Of `Options`; a title is the organiser's."""


class NoSuchPreset(Declined):
    code = "unreadable"


PRESETS: Mapping[str, Preset] = {
    "casual-evening": Preset(
        say("Casual evening"),
        say("three rounds at tables of 3 to 5; the next one follows as soon as all tables are done"),
        {
            "size": 4,
            "sizes": (3, 5),
            "stages": ({"rounds": 3},),
            "schedule": {
                "rule": WHEN_DONE,
                "notice_ms": 2 * MINUTE,
                "limit_ms": 2 * HOUR,
                "remind_ms": 15 * MINUTE,
                "no_show_ms": 10 * MINUTE,
            },
            "entry": {"fewest": 3, "late_until": 2, "late_half_bye": True},
            "time": {"bank_ms": 20 * MINUTE, "increment_ms": 15_000, "cap_ms": 20 * MINUTE, "policy": "bot"},
        },
    ),
    "weekend-swiss": Preset(
        say("Weekend Swiss"),
        say("five rounds of the Swiss system at tables of 4, then a final of the best four; players check in"),
        {
            "size": 4,
            "sizes": (3,),
            "stages": ({"rounds": 5}, {"kind": "final", "rounds": 1, "players": 4}),
            "schedule": {
                "check_in_ms": HOUR,
                "rule": INTERVAL,
                "interval_ms": 150 * MINUTE,
                "review_ms": 5 * MINUTE,
                "notice_ms": 10 * MINUTE,
                "limit_ms": 130 * MINUTE,
                "remind_ms": 20 * MINUTE,
                "no_show_ms": 15 * MINUTE,
            },
            "entry": {"fewest": 8, "late_until": 1, "half_byes": 1, "half_byes_until": 3},
            "time": {"bank_ms": 25 * MINUTE, "increment_ms": 15_000, "cap_ms": 25 * MINUTE, "policy": "bot"},
            "leaders_together": True,
        },
    ),
    "correspondence-league": Preset(
        say("Correspondence league"),
        say("four rounds of three weeks each, with a day for a decision and days off"),
        {
            "size": 4,
            "sizes": (3, 5),
            "stages": ({"rounds": 4},),
            "schedule": {
                "rule": WHEN_DONE,
                "interval_ms": 2 * DAY,
                "notice_ms": DAY,
                "limit_ms": 21 * DAY,
                "remind_ms": 3 * DAY,
                "no_show_ms": 3 * DAY,
            },
            "entry": {"fewest": 6},
            "time": {"limit_ms": DAY, "strikes": 3, "policy": "forfeit", "calendar": {"vacation_days": 7}},
            "absences": 1,
        },
    ),
    "two-player-fide": Preset(
        say("Two players, FIDE rules"),
        say("seven rounds of two players by the Dutch system of FIDE; an arbiter publishes and closes the rounds"),
        {
            "size": 2,
            "method": DUTCH,
            "stages": ({"rounds": 7},),
            "schedule": {"rule": BY_HAND, "limit_ms": 3 * HOUR, "remind_ms": 20 * MINUTE, "no_show_ms": 30 * MINUTE},
            "entry": {"fewest": 4, "most": 64, "half_byes": 1, "half_byes_until": 5},
            "time": {"bank_ms": 40 * MINUTE, "increment_ms": 10_000, "cap_ms": 60 * MINUTE, "policy": "forfeit"},
            "points": {"preset": CHESS},
            "seeding": RATING,
            "teams_apart": False,
        },
    ),
}
"""By name. Pages, the command line and the REST interface offer them."""


def agreed(given: Mapping[str, Any], preset: str = "") -> Options:
    """An agreement: what is given, and for the rest what the preset says."""
    if preset and preset not in PRESETS:
        raise NoSuchPreset(say("there is no preset {preset}", preset=preset))
    return with_changes(_fitting(PRESETS[preset].options, str(given.get("game"))) if preset else {}, given)


def _fitting(preset: Mapping[str, Any], game: str) -> Mapping[str, Any]:
    """A preset without tables that are too large or too small for the game.

    >>> _fitting({"sizes": (3, 5)}, "el_caballero")
    {'sizes': (3,)}
    """
    family = GAMES.get(game.partition("+")[0])
    if family is None or "sizes" not in preset:
        return preset
    return {**preset, "sizes": tuple(size for size in preset["sizes"] if size in family.players)}


def changed(options: Options, given: Mapping[str, Any]) -> Options:
    """An agreement with some of its fields changed."""
    return with_changes(to_builtins(options), given)


def with_changes(before: Mapping[str, Any], given: Mapping[str, Any]) -> Options:
    joined = {name: {**before.get(name, {}), **given[name]} for name in JOINED if name in given}
    try:
        return msgspec.convert({**before, **given, **joined}, Options)
    except msgspec.ValidationError as error:
        raise Unreadable(say("these are no options of a tournament: {error}", error=str(error))) from None
