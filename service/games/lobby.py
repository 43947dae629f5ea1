"""Lists of games, page by page. The index leads to the games; their status is read from the games themselves.

A page of a hundred games costs two round trips, one to the index and one to the log, however many of them this process
has never seen.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from events.games import Games
from events.table.game import PUBLIC, Game
from rules.errors import Unreadable
from rules.texts import say
from service.games.game_index import (
    ANY,
    ENTRY,
    GameIndex,
    Listed,
    ensure_complete,
    player_key,
    public_key,
    reindex,
    seated_key,
)
from service.games.game_summary import GameSummary, summary


@dataclass(frozen=True)
class Page:
    """Some games, and the cursor of the next page, if any. Games that have changed meanwhile may be missing."""

    games: list[GameSummary]
    next: str | None


@dataclass(frozen=True)
class GameFilter:
    """The games of a list, and its page. An empty status, or empty rules, match all games."""

    status: str = ""
    rules: str = ""
    cursor: str = ""
    limit: int = 20

    def matches(self, game: GameSummary) -> bool:
        return self.status in ("", game.status) and self.rules in ("", game.rules)


@dataclass(frozen=True)
class Lobby:
    games: Games
    index: GameIndex

    def public_games(self, game_filter: GameFilter) -> Page:
        key = public_key(game_filter.status or ANY, game_filter.rules or ANY)
        return self._page(key, game_filter, lambda game: game.visibility == PUBLIC)

    def games_of(self, player: str, account: str | None, game_filter: GameFilter) -> Page:
        """The public games of a player; private ones as well, if the player asks."""
        key = (seated_key if player == account else player_key)(player, game_filter.status or ANY)
        return self._page(key, game_filter, lambda game: player in game.seats.values())

    def count_of(self, player: str) -> int:
        """How many public games this player has played."""
        ensure_complete(self.games, self.index)
        return self.index.count(player_key(player))

    def _page(self, key: str, game_filter: GameFilter, belongs: Callable[[GameSummary], bool]) -> Page:
        found = self._listed(key, game_filter)
        shown = found[: game_filter.limit]
        return Page(
            [game for game in self._summaries(shown, game_filter) if game_filter.matches(game) and belongs(game)],
            _cursor_of(shown[-1].entry) if len(found) > game_filter.limit else None,
        )

    def _listed(self, key: str, game_filter: GameFilter) -> list[Listed]:
        """The entries of a page, and the first one of the next, if any."""
        start, most = _entry_of(game_filter.cursor), game_filter.limit + 1
        found = self.index.page(key, start, most)
        if found is None:
            reindex(self.games, self.index)
            found = self.index.page(key, start, most)
        return found or []

    def _summaries(self, listed: Sequence[Listed], game_filter: GameFilter) -> list[GameSummary]:
        """The games as they are now, without those that are gone."""
        newer = self.games.load_newer({each.game: each.summary.version if each.summary else 0 for each in listed})
        self._mend([game for game in newer.values() if game], game_filter)
        there = [each for each in listed if each.game in newer]
        found = (summary(game) if (game := newer[each.game]) else each.summary for each in there)
        return [about for about in found if about]

    def _mend(self, games: Sequence[Game], game_filter: GameFilter) -> None:
        """Index games that the index has elsewhere, or that have ended and have no summary there."""
        listed = ((game, summary(game)) for game in games)
        if stale := [game for game, about in listed if about.has_ended or not game_filter.matches(about)]:
            self.index.put_all(stale)


def _cursor_of(entry: str) -> str:
    """The last entry of a page, as a word that clients need not understand."""
    return urlsafe_b64encode(entry.encode()).decode().rstrip("=")


def _entry_of(cursor: str) -> str:
    if not cursor:
        return ""
    with suppress(ValueError):
        entry = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        if ENTRY.fullmatch(entry):
            return entry
    raise Unreadable(say("this cursor was not given out by us"))
