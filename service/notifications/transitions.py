"""Games as they were, one commit after the other, for who deals with every commit once."""

from __future__ import annotations

from collections import OrderedDict

from msgspec import Struct

from events.errors import NoSuchGame
from events.games import Game, after, fold_entries
from events.log import Log, codec
from events.log.codec import Commit

KEPT = 1000
"""So many games are remembered as they were when they were last looked at."""


class Happening(Struct, frozen=True):
    """A commit, and the game on both sides of it; there is none before its first commit."""

    before: Game | None
    commit: Commit
    after: Game


class Past:
    """For one thread."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: OrderedDict[str, Game] = OrderedDict()

    def happening(self, game: str, version: int) -> Happening:
        """What has happened with this version."""
        before = self._before(game, version)
        entries = self._log.read(game, version - 1, version)
        if not entries:
            raise NoSuchGame(f"there is no version {version} of game {game}")
        [entry] = entries
        if before is None:
            created = fold_entries([entry])
            assert created, "one commit makes a game"
            return Happening(None, codec.read_creation(entry)[0], self._keep(created))
        commit = codec.read(entry, before.rules)
        return Happening(before, commit, self._keep(after(before, [commit])))

    def _before(self, game: str, version: int) -> Game | None:
        known = self._known.get(game)
        if known is None or known.version >= version:
            return fold_entries(self._log.read(game, until=version - 1)) if version > 1 else None
        missing = self._log.read(game, known.version, version - 1) if known.version < version - 1 else []
        return after(known, (codec.read(entry, known.rules) for entry in missing))

    def _keep(self, game: Game) -> Game:
        self._known[game.id] = game
        self._known.move_to_end(game.id)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return game
