"""Deadlines of different priorities, stored as one number each.

Games of a later priority wait in a line of their own: however many they are, no game of an earlier one waits behind
them. A deadline of the first priority is stored as its moment, as all were before there were priorities.
"""

from __future__ import annotations

from events.log import NO_DEADLINE, Due

PRIORITIES = 3

_SPAN = 2**44
"""No moment is as late: it is in the year 2527."""


def deferred(deadline: int, priority: int) -> int:
    """A deadline of this priority; what is none stays as it is.

    >>> deferred(1_777_888_800_000, priority=0), deferred(NO_DEADLINE, priority=2)
    (1777888800000, 0)
    >>> due("g1", deferred(1_777_888_800_000, priority=2))
    Due(game='g1', at=1777888800000, priority=2)
    """
    return deadline + priority * _SPAN if deadline > NO_DEADLINE else deadline


def due(game: str, deadline: int) -> Due:
    """A stored deadline that has come."""
    return Due(game, deadline % _SPAN, deadline // _SPAN)


def lines(now: int) -> list[tuple[int, int]]:
    """The stored deadlines that have come, from the first to the last of each priority."""
    return [(deferred(1, priority), deferred(min(now, _SPAN - 1), priority)) for priority in range(PRIORITIES)]
