"""The timekeeper looks after games whose time has come: it answers for those who are too late, or not there.

What is due is data in the store, so that nothing is lost when a timekeeper dies; what it does is decided on the game
itself, so that being told twice, or too early, does nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from events.errors import LeaseLost, StoreTrouble
from events.games import Accepted, Games
from events.log import Due, bucket_of
from events.pulse import Pulse

log = logging.getLogger(__name__)

AT_ONCE = 8
"""So many games are looked after at the same time: they share what the store writes to its disk."""

MOST_IN_A_ROW = 50
"""So many answers a game gets before others have their turn."""

PATIENCE = 60.0
"""Seconds until a game that cannot be looked after is tried again."""

Fired = Callable[[Due, Accepted], None]
"""Told of a deadline that was dealt with, and what came of it."""


class Timekeeper:
    def __init__(self, games: Games, pulse: Pulse, fired: Fired = lambda due, taken: None) -> None:
        self._games = games
        self._pulse = pulse
        self._fired = fired
        self._put_off: dict[str, float] = {}
        self._hands = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="timekeeper")

    def close(self) -> None:
        self._hands.shutdown()

    def attend(self, fences: Mapping[int, int]) -> int:
        """Look after everything that is due in these buckets; says how many answers were given.

        While nobody can move, nobody's time runs out: an outage is over first, and then it is given back.
        """
        if not fences or not self._pulse.is_served():
            return 0
        self._put_off = {game: until for game, until in self._put_off.items() if until > monotonic()}
        due = self._games.log.due(list(fences), self._pulse.now(), limit=100 + len(self._put_off))
        waiting = [one for one in due if one.game not in self._put_off]
        return sum(self._hands.map(lambda one: self._look_after(one, fences[bucket_of(one.game)]), waiting))

    def _look_after(self, due: Due, fence: int) -> int:
        try:
            return self._answered(due, fence)
        except (LeaseLost, StoreTrouble) as trouble:
            log.info("game %s is left alone: %s", due.game, trouble)
        except Exception:
            log.exception("game %s cannot be looked after; it is tried again in %d s", due.game, PATIENCE)
            self._put_off[due.game] = monotonic() + PATIENCE
        return 0

    def _answered(self, due: Due, fence: int) -> int:
        for number in range(MOST_IN_A_ROW):
            taken = self._games.time_up(due.game, fence=fence)
            if taken is None:
                return number
            self._fired(due, taken)
            following = taken.game.attention_at
            if not 0 < following <= taken.game.at:
                return number + 1
            due = Due(due.game, following)
        return MOST_IN_A_ROW
