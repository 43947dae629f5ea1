"""Reads the transitions of games in the order of a feed."""

from __future__ import annotations

from collections.abc import Iterable

from cachetools import LRUCache
from msgspec import Struct

from events import history
from events.errors import NoSuchGame
from events.log import FeedEntry, Log, Span
from events.table.decider import GAME
from events.table.game import Game
from rules.texts import say

CACHED = 1000
"""So many games are kept as they were after the transition that was read last."""

Transition = history.Transition[Game]
"""A commit and the game before and after it."""


class TransitionReader:
    """For one thread. The next transition of a game that is kept costs one entry of the log to read, and a batch of
    transitions that was fetched before costs one round trip in all."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._games: LRUCache[str, Game] = LRUCache(CACHED)
        self._fetched: dict[str, Fetched] = {}

    def fetch(self, entries: Iterable[FeedEntry]) -> None:
        """Read at once all that is needed to read the transitions of these entries, in their order."""
        versions: dict[str, list[int]] = {}
        for entry in entries:
            versions.setdefault(entry.game, []).append(entry.version)
        spans = [Span(game, self._known_before(game, min(some)), max(some)) for game, some in versions.items()]
        found = self._log.read_many(spans)
        self._fetched = {span.game: Fetched(span, some or []) for span, some in zip(spans, found, strict=True)}

    def read(self, game: str, version: int) -> Transition:
        """The transition that has made this version."""
        before = self._before(game, version)
        entries = self._entries(game, version - 1, version)
        if not entries:
            raise NoSuchGame(say("there is no version {version} of game {game}", version=version, game=game))
        [transition] = history.replay(GAME, [GAME.read(entries[0], before)], before)
        self._games[game] = transition.after
        return transition

    def _before(self, game: str, version: int) -> Game | None:
        known = self._known_before(game, version)
        state = self._games[game] if known else None
        missing = self._entries(game, known, version - 1) if known < version - 1 else []
        return history.fold(GAME, missing, state)

    def _known_before(self, game: str, version: int) -> int:
        """The version of the game that is kept, if it can be folded on to the version before this one; else 0."""
        state = self._games.get(game)
        return state.version if state and state.version < version else 0

    def _entries(self, game: str, after: int, until: int) -> list[bytes]:
        fetched = self._fetched.get(game)
        return (
            fetched.between(after, until)
            if fetched and fetched.covers(after, until)
            else self._log.read(game, after, until)
        )


class Fetched(Struct, frozen=True):
    """The entries of a span."""

    span: Span
    entries: list[bytes]

    def covers(self, after: int, until: int) -> bool:
        return self.span.after <= after and until <= self.span.after + len(self.entries)

    def between(self, after: int, until: int) -> list[bytes]:
        return self.entries[after - self.span.after : until - self.span.after]
