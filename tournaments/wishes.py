"""What an organiser wants of a pairing. Plain data: certificates hold it, too."""

from __future__ import annotations

from msgspec import Struct

RANDOM, RATING, NUMBER = "random", "rating", "number"
SEEDINGS = (RANDOM, RATING, NUMBER)
"""How players with equal scores are told apart: by lot, or strong against weak by rating or starting number."""

AVOID, LEVEL_FIRST = "avoid", "level-first"
REMATCHES = (AVOID, LEVEL_FIRST)
"""What counts more: that nobody meets twice, or that tables are level."""

Pair = tuple[str, str]


class Wishes(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Of one round."""

    rematch: str = AVOID
    seeding: str = RANDOM
    forbidden: tuple[Pair, ...] = ()
    """Pairs that are kept apart, each in alphabetical order."""
    teams_apart: bool = True
    leaders_together: bool = False
    """The leaders sit at the first table, whoever they have met."""
    by_lot: bool = False
    """Scores do not count: in heats everybody may meet everybody."""
    odd_tables_first: bool = False
    """Tables of another size stand at the top of the standings, not at the bottom."""


def pair_of(one: str, other: str) -> Pair:
    """
    >>> pair_of("ben", "ana")
    ('ana', 'ben')
    """
    return (one, other) if one < other else (other, one)
