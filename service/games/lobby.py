"""Lists of games, page by page. The index leads to the games; their status is read from the games themselves."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from events.errors import NoSuchGame
from events.games import Games
from events.table.game import PUBLIC, Game
from rules.errors import Unreadable
from rules.texts import say
from service.games.game_index import (
    ANY,
    ENTRY,
    GameIndex,
    ensure_complete,
    game_of,
    player_key,
    public_key,
    seated_key,
)


@dataclass(frozen=True)
class Page:
    """Some games, and the cursor of the next page, if any. Games that have changed meanwhile may be missing."""

    games: list[Game]
    next: str | None


@dataclass(frozen=True)
class GameFilter:
    """The games of a list, and its page. An empty status, or empty rules, match all games."""

    status: str = ""
    rules: str = ""
    cursor: str = ""
    limit: int = 20

    def matches(self, game: Game) -> bool:
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

    def _page(self, key: str, game_filter: GameFilter, belongs: Callable[[Game], bool]) -> Page:
        ensure_complete(self.games, self.index)
        entries = self.index.page(key, _entry_of(game_filter.cursor), game_filter.limit + 1)
        games = [game for entry in entries[: game_filter.limit] if (game := self._load(game_of(entry)))]
        for stale in (game for game in games if not game_filter.matches(game)):
            self.index.put(stale)
        more = len(entries) > game_filter.limit
        return Page(
            [game for game in games if game_filter.matches(game) and belongs(game)],
            _cursor_of(entries[game_filter.limit - 1]) if more else None,
        )

    def _load(self, game: str) -> Game | None:
        try:
            return self.games.load(game)
        except NoSuchGame:  # archived since
            return None


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
