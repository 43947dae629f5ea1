"""The deadline worker looks after games whose time has come: it answers for players that are too late, or away.

Deadlines are data in the store, so that none is lost when a worker dies; every answer is decided on the game
itself, so that being told twice, or too early, does nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from events.errors import LeaseLost, NothingDue, StoreError
from events.games import Games
from events.log import Due, bucket_of
from events.repository import Accepted
from events.table.commands import AnswerOverdue
from events.table.game import Game
from events.workers.heartbeat import Heartbeat

log = logging.getLogger(__name__)

THREADS = 2
"""So many games are looked after at the same time: they share the store's writes to its disk. More would mostly wait
for each other, and burn the processor while they do."""

MOST_ANSWERS_IN_A_ROW = 50
"""So many answers a game gets before others have their turn."""

LATE_AFTER_MS = 700
"""As late as a deadline may be when all is well."""

SECONDS_PUT_OFF = 60.0
"""Seconds until a game that cannot be looked after is tried again."""

Fired = Callable[[Due, Accepted[Game]], None]
"""Called with a deadline that was dealt with, and its outcome."""


class DeadlineWorker:
    def __init__(self, games: Games, heartbeat: Heartbeat, fired: Fired = lambda due, taken: None) -> None:
        self._games = games
        self._heartbeat = heartbeat
        self._fired = fired
        self.is_behind = False
        """Whether games wait for longer than they should: then less urgent jobs had better wait, too."""
        self._put_off: dict[str, float] = {}
        self._hands = ThreadPoolExecutor(THREADS, thread_name_prefix="deadlines")

    def close(self) -> None:
        self._hands.shutdown()

    def attend(self, fences: Mapping[int, int]) -> int:
        """Look after everything that is due in these buckets; says how many answers were given.

        While no player can move, no time runs out: an outage is over first, and then it is given back.
        """
        if not fences:
            return 0
        self._heartbeat.beat()
        until = self._heartbeat.served_until()
        self._put_off = {game: again for game, again in self._put_off.items() if again > monotonic()}
        due = self._games.log.due(list(fences), until, limit=100 + len(self._put_off))
        waiting = [one for one in due if one.game not in self._put_off]
        self.is_behind = any(one.at < until - LATE_AFTER_MS for one in waiting)
        return sum(self._hands.map(lambda one: self._look_after(one, until, fences[bucket_of(one.game)]), waiting))

    def _look_after(self, due: Due, until: int, fence: int) -> int:
        try:
            return self._answered(due, until, fence)
        except (LeaseLost, StoreError) as trouble:
            log.info("game %s is left alone: %s", due.game, trouble)
        except Exception:
            log.exception("game %s cannot be looked after; it is tried again in %d s", due.game, SECONDS_PUT_OFF)
            self._put_off[due.game] = monotonic() + SECONDS_PUT_OFF
        return 0

    def _answered(self, due: Due, until: int, fence: int) -> int:
        for number in range(MOST_ANSWERS_IN_A_ROW):
            try:
                accepted = self._games.submit(due.game, AnswerOverdue(), fence=fence)
            except NothingDue:
                return number
            self._fired(due, accepted)
            if not _is_due(accepted.after, until):
                return number + 1
            due = Due(due.game, accepted.after.attention_at)
        return MOST_ANSWERS_IN_A_ROW


def _is_due(game: Game, until: int) -> bool:
    """Whether the game needs attention again at once. A player that is away has no time to lose."""
    if any(player in game.unattended for player in game.asked):
        return 0 < game.attention_at <= game.at
    return 0 < game.attention_at <= until
