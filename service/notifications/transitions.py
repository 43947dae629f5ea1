"""Reads the transitions of games one by one, in the order of a feed."""

from __future__ import annotations

from cachetools import LRUCache

from events import history
from events.errors import NoSuchGame
from events.log import Log
from events.table.decider import GAME
from events.table.game import Game
from rules.texts import say

CACHED = 1000
"""So many games are kept as they were after the transition that was read last."""

Transition = history.Transition[Game]
"""A commit and the game before and after it."""


class TransitionReader:
    """For one thread. The next transition of a game that is kept costs one entry of the log to read."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._games: LRUCache[str, Game] = LRUCache(CACHED)

    def read(self, game: str, version: int) -> Transition:
        """The transition that has made this version."""
        before = self._before(game, version)
        entries = self._log.read(game, version - 1, version)
        if not entries:
            raise NoSuchGame(say("there is no version {version} of game {game}", version=version, game=game))
        [transition] = history.replay(GAME, [GAME.read(entries[0], before)], before)
        self._games[game] = transition.after
        return transition

    def _before(self, game: str, version: int) -> Game | None:
        if version == 1:
            return None
        state = self._games.get(game)
        if state is None or state.version >= version:
            return history.fold(GAME, self._log.read(game, until=version - 1))
        missing = self._log.read(game, state.version, version - 1) if state.version < version - 1 else []
        return history.fold(GAME, missing, state)
