"""Colours of two players: the first seat is white. What each is due, and who gets it. Pure.

A preference is absolute after two games more with one colour or two such games in a row, strong after one game more,
mild if both colours are even: then it is the other one than last time.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

WHITE, BLACK = 0, 1
NONE, MILD, STRONG, ABSOLUTE = range(4)


class Preference(Struct, frozen=True):
    colour: int = WHITE
    strength: int = NONE

    def clashes_with(self, other: Preference) -> bool:
        """Whether both must have the same colour."""
        return self.strength == other.strength == ABSOLUTE and self.colour == other.colour


def preference(had: Sequence[int]) -> Preference:
    """What a player is due who had these colours.

    >>> preference([WHITE]).colour, preference([WHITE, BLACK, BLACK]).strength == ABSOLUTE
    (1, True)
    """
    if not had:
        return Preference()
    more_white = had.count(WHITE) - had.count(BLACK)
    due = BLACK if more_white > 0 or (not more_white and had[-1] == WHITE) else WHITE
    if abs(more_white) > 1 or (len(had) > 1 and had[-1] == had[-2]):
        return Preference(1 - had[-1] if abs(more_white) < 2 else due, ABSOLUTE)
    return Preference(due, STRONG if more_white else MILD)


def denied(one: Preference, other: Preference) -> int:
    """What it costs that two play: nothing if both get what they are due, else the weaker preference."""
    if one.colour != other.colour or NONE in (one.strength, other.strength):
        return 0
    return min(one.strength, other.strength)


def is_first_white(one: Sequence[int], other: Sequence[int], *, is_odd: bool) -> bool:
    """Whether the first, who stands higher, has white: both get what they are due, or the stronger does, or colours
    alternate from the last round in which they differed, or the higher gets it. `is_odd` decides the first round."""
    mine, theirs = preference(one), preference(other)
    if mine.strength == theirs.strength == NONE:
        return is_odd
    if mine.colour != theirs.colour or theirs.strength == NONE:
        return mine.colour == WHITE if mine.strength else theirs.colour == BLACK
    if mine.strength == NONE:
        return theirs.colour == BLACK
    if mine.strength != theirs.strength:
        return (mine.colour == WHITE) == (mine.strength > theirs.strength)
    wide, wider = (abs(had.count(WHITE) - had.count(BLACK)) for had in (one, other))
    if mine.strength == ABSOLUTE and wide != wider:
        return (mine.colour == WHITE) == (wide > wider)
    for had, other_had in zip(reversed(one), reversed(other), strict=False):
        if had != other_had:
            return had == BLACK
    return mine.colour == WHITE
