"""Positions of a long game without folding all of it: every so often a moment is kept, and folding goes on from there.

A moment that was asked for is kept, too: in a game that is being played the next one follows it. Moments of a game
share what has not changed between them, so that a kept one costs little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from cachetools import LRUCache

from events.errors import NoSuchGame
from events.history import replay
from events.log.codec import Commit
from events.table.decider import GAME
from replay.timeline import Moment, moment_after
from rules.texts import say

Read = Callable[[int, int], Iterable[Commit]]
"""The commits of a game after a version, up to another."""

EVERY = 50
"""So many commits are folded at most, once a game is known."""

KEPT = 2000
"""So many moments a process keeps, of all games."""


class Positions:
    """The kept moments of many games."""

    def __init__(self, size: int = KEPT) -> None:
        self._kept: LRUCache[tuple[str, int], Moment] = LRUCache(size)
        self._lock = Lock()

    def moment(self, game: str, version: int, read: Read) -> Moment:
        """The game after a version. Whoever may look at it is asked before and after: nothing here is hidden."""
        moment = self._nearest(game, version)
        known = moment.game.version if moment else 0
        if moment and known == version:
            return moment
        for transition in replay(GAME, read(known, version), moment.game if moment else None):
            moment = moment_after(moment, transition)
            if moment.game.version % EVERY == 0 or moment.game.version == version:
                self._keep(moment)
        if moment is None or moment.game.version != version:
            raise NoSuchGame(say("there is no version {version} of game {game}", version=version, game=game))
        return moment

    def _nearest(self, game: str, version: int) -> Moment | None:
        with self._lock:
            for earlier in range(version, 0, -1):
                if kept := self._kept.get((game, earlier)):
                    return kept
        return None

    def _keep(self, moment: Moment) -> None:
        with self._lock:
            self._kept[moment.game.id, moment.game.version] = moment
