"""The broadcast of a tournament's game: if its organiser wants that, spectators see it some time after its players.

Everybody who does not sit at the table is a spectator here, also the staff.
"""

from __future__ import annotations

from threading import Lock

from cachetools import LRUCache

from events.games import Games
from events.table.game import Game
from service.games.access import seat_of
from service.games.game_summary import GameSummary

COMMITS_AT_ONCE = 50
KEPT = 256
"""So many delayed games a process keeps."""


class Broadcast:
    """For many threads."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._kept: LRUCache[tuple[str, int], Game] = LRUCache(KEPT)
        self._lock = Lock()

    def shown(self, game: Game, account: str | None) -> Game:
        """The game as this account may see it now."""
        delay_ms = broadcast_delay(game, account)
        return self._as_it_was(game, self._games.now() - delay_ms) if delay_ms else game

    def _as_it_was(self, game: Game, moment: int) -> Game:
        version = self._version(game, moment)
        if version == game.version:
            return game
        with self._lock:
            kept = self._kept.get((game.id, version))
        if kept is None:
            kept = self._games.load(game.id, version)
            with self._lock:
                self._kept[game.id, version] = kept
        return kept

    def _version(self, game: Game, moment: int) -> int:
        """The last version that there was at a moment; the table itself is known at once."""
        if game.at <= moment:
            return game.version
        for last in range(game.version, 0, -COMMITS_AT_ONCE):
            commits = self._games.commits(game.id, max(0, last - COMMITS_AT_ONCE), last)
            if found := next((each for each in reversed(commits) if each.header.at <= moment), None):
                return found.header.version
        return 1


def broadcast_delay(game: Game | GameSummary, account: str | None) -> int:
    """How many milliseconds after the players this account sees the game."""
    at = game.tournament
    return at.spectators_delay_ms if at and not seat_of(game, account) else 0
