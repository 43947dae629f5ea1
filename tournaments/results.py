"""What happened in a round: tables with their results, and players who sat at none. Plain data.

A result tells the order of play and the end of a game by seat: the first seat begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

# Why a player sits at no table.
BYE, HALF_BYE, FULL_BYE, ZERO_BYE, ABSENT = "bye", "half_bye", "full_bye", "zero_bye", "absent"
UNPAIRED = (BYE, HALF_BYE, FULL_BYE, ZERO_BYE, ABSENT)
"""Given by the pairing, asked for (half a win, a win, nothing), or not there: late, away, withdrawn."""


class Result(Struct, frozen=True, omit_defaults=True):
    """The end of a game, seat by seat."""

    places: tuple[int, ...]
    """1 is first; players who share a place have the same."""
    victory_points: tuple[int, ...] = ()
    """As the game counts them; empty if they are not known."""
    absent: tuple[int, ...] = ()
    """Seats whose player did not come: the others played without them."""
    abandoned: tuple[int, ...] = ()
    """Seats whose player left the game: they come last, and get nothing."""


class Table(Struct, frozen=True, omit_defaults=True):
    """Players in the order of their seats, and how their game ended, once it has."""

    players: tuple[str, ...]
    result: Result | None = None

    @property
    def present(self) -> tuple[str, ...]:
        """Those who played, or will."""
        absent = self.result.absent if self.result else ()
        if not absent:
            return self.players
        return tuple(player for seat, player in enumerate(self.players) if seat not in absent)

    @property
    def is_played(self) -> bool:
        """Whether there was a game: a player alone wins without one."""
        return self.result is not None and len(self.present) > 1


class Round(Struct, frozen=True, omit_defaults=True):
    """Tables, and players who sit at none."""

    size: int
    """The players that a table should have; others are short, or long."""
    tables: tuple[Table, ...] = ()
    unpaired: Mapping[str, str] = {}

    @property
    def is_done(self) -> bool:
        return all(table.result for table in self.tables)


def standing_places(table: Table) -> tuple[int, ...]:
    """The places by seat, among those who stayed; players who left come after them, together.

    >>> standing_places(Table(("ana", "ben", "cid"), Result((1, 2, 3), abandoned=(0,))))
    (3, 1, 2)
    """
    assert table.result, "the game has ended"
    return _among_stayed(table.result.places, frozenset((*table.result.absent, *table.result.abandoned)))


@lru_cache(4096)
def _among_stayed(places: tuple[int, ...], left: frozenset[int]) -> tuple[int, ...]:
    stayed = [place for seat, place in enumerate(places) if seat not in left]
    last = len(stayed) + 1
    return tuple(
        last if seat in left else 1 + sum(other < mine for other in stayed) for seat, mine in enumerate(places)
    )
