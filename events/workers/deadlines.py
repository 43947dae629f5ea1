"""The deadline worker looks after games whose time has come: it answers for players that are too late, or away.

Deadlines are data in the store, so that none is lost when a worker dies; every answer is decided on the game
itself, so that being told twice, or too early, does nothing.

Players who may be there come first, and no look takes longer than its patience with all lines together. Players who are
not there have threads of their own; tables that play by themselves, however many, have a small share of one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import NamedTuple

from events.errors import LeaseLost, NothingDue, TryLater
from events.games import Games
from events.log import Due
from events.repository import Accepted
from events.table.commands import AnswerOverdue
from events.table.game import ABSENT, PEOPLE, SELF_PLAYING, Game
from events.workers.heartbeat import Heartbeat
from events.workers.time_boxed_pool import TimeBoxedPool

log = logging.getLogger(__name__)


class Share(NamedTuple):
    """Of the worker's time, for the games of one priority."""

    threads: int
    """So many games are looked after at the same time: they share the store's writes to its disk. More would mostly
    wait for each other, and burn the processor while they do."""
    most_threads: int
    """While a long line waits, as on a slow disk or after another worker has died: then all of them wait for the disk,
    and each of its writes serves more of them."""
    seconds: float
    """At a time; then the line is formed anew."""
    patience: float
    """So many seconds a look waits for that."""
    answers: int
    """So many in a row a game gets before others have their turn."""


SHARES = {
    PEOPLE: Share(threads=2, most_threads=16, seconds=0.5, patience=0.6, answers=10),
    ABSENT: Share(threads=2, most_threads=2, seconds=0.5, patience=0.1, answers=10),
    SELF_PLAYING: Share(threads=1, most_threads=1, seconds=0.1, patience=0.2, answers=1),
}

LATE_AFTER_MS = 700
"""As late as a deadline may be when all is well."""

SECONDS_BEHIND = 5.0
"""So long less urgent jobs wait for this one, and no longer."""

SECONDS_PUT_OFF = 60.0
"""Seconds until a game that cannot be looked after is tried again."""

Fired = Callable[[Due, Accepted[Game]], None]
"""Called with a deadline that was dealt with, and its outcome."""


class DeadlineWorker:
    def __init__(self, games: Games, heartbeat: Heartbeat, fired: Fired = lambda due, taken: None) -> None:
        self._games = games
        self._heartbeat = heartbeat
        self._fired = fired
        self._behind_since: float | None = None
        self._put_off: dict[str, float] = {}
        self._pools = {priority: TimeBoxedPool(share.threads, share.most_threads) for priority, share in SHARES.items()}

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()

    @property
    def is_behind(self) -> bool:
        """Whether players wait for longer than they should: then less urgent jobs had better wait for a while, too."""
        return self._behind_since is not None and monotonic() - self._behind_since < SECONDS_BEHIND

    def attend(self, fences: Mapping[int, int]) -> int:
        """Look after games that are due in these buckets; says how many answers were given.

        While no player can move, no time runs out: an outage is over first, and then it is given back.
        """
        if not fences:
            return 0
        self._heartbeat.beat()
        until = self._heartbeat.served_until()
        if waiting := self._waiting(fences, until):
            # An outage that is found after a crash must not begin before a time-out.
            self._heartbeat.beat(to_disk=True)
        self._note_delay(waiting, until)
        buckets = self._games.log.buckets
        return sum(
            self._pools[priority].work_off(
                [one for one in waiting if one.priority == priority],
                lambda one, ends: self._look_after(one, until, fences[buckets.of(one.game)], ends),
                share.seconds,
                share.patience,
            )
            for priority, share in SHARES.items()
        )

    def _waiting(self, fences: Mapping[int, int], until: int) -> list[Due]:
        """The games to look after, of all buckets, the most urgent first."""
        self._put_off = {game: again for game, again in list(self._put_off.items()) if again > monotonic()}
        left_alone = {*self._put_off, *(game for pool in self._pools.values() for game in pool.busy_with)}
        due = self._games.log.due(list(fences), until, limit=100 + len(left_alone))
        return sorted((one for one in due if one.game not in left_alone), key=lambda one: one.at)

    def _note_delay(self, waiting: Iterable[Due], until: int) -> None:
        if not any(one.priority == PEOPLE and one.at < until - LATE_AFTER_MS for one in waiting):
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = monotonic()

    def _look_after(self, due: Due, until: int, fence: int, ends: float) -> int:
        try:
            return self._answered(due, until, fence, ends)
        except (LeaseLost, TryLater) as trouble:
            log.info("game %s is left alone: %s", due.game, trouble)
        except Exception:
            log.exception("game %s cannot be looked after; it is tried again in %d s", due.game, SECONDS_PUT_OFF)
            self._put_off[due.game] = monotonic() + SECONDS_PUT_OFF
        return 0

    def _answered(self, due: Due, until: int, fence: int, ends: float) -> int:
        most = SHARES[due.priority].answers
        for number in range(most):
            try:
                accepted = self._games.submit(due.game, AnswerOverdue(), fence=fence)
            except NothingDue:
                return number
            self._fired(due, accepted)
            after = accepted.after
            if after.priority != due.priority or not _is_due(after, until) or monotonic() > ends:
                return number + 1
            due = Due(due.game, after.attention_at, due.priority)
        return most


def _is_due(game: Game, until: int) -> bool:
    """Whether the game needs attention again at once. A player that is away has no time to lose."""
    if any(player in game.unattended for player in game.asked):
        return 0 < game.attention_at <= game.at
    return 0 < game.attention_at <= until
