"""Games as they were, one commit after the other, for who deals with every commit once."""

from __future__ import annotations

from cachetools import LRUCache

from events.errors import NoSuchGame
from events.history import Transition, fold, replay
from events.log import Log
from events.table.decider import GAME
from events.table.game import Game

CACHED = 1000
"""So many games are remembered as they were when they were last looked at."""

Happening = Transition[Game]


class Past:
    """For one thread."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: LRUCache[str, Game] = LRUCache(CACHED)

    def happening(self, game: str, version: int) -> Happening:
        """What has happened with this version."""
        before = self._before(game, version)
        entries = self._log.read(game, version - 1, version)
        if not entries:
            raise NoSuchGame(f"there is no version {version} of game {game}")
        [step] = replay(GAME, [GAME.read(entries[0], before)], before)
        self._known[game] = step.after
        return step

    def _before(self, game: str, version: int) -> Game | None:
        if version == 1:
            return None
        known = self._known.get(game)
        if known is None or known.version >= version:
            return fold(GAME, self._log.read(game, until=version - 1))
        missing = self._log.read(game, known.version, version - 1) if known.version < version - 1 else []
        return fold(GAME, missing, known)
