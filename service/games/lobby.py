"""Lists of games. The index says where to look, the games themselves say what they are."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from events.errors import NoSuchGame
from events.games import Games
from events.table.game import PUBLIC, Game
from rules.errors import Unreadable
from service.games.game_index import ANY, MEMBER, Listing, game_of, of_oneself, of_player, public, reindex


@dataclass(frozen=True)
class Page:
    """Some games; `next` is where to go on, if there are more. A page can be short of games that have moved on."""

    games: list[Game]
    next: str | None


@dataclass(frozen=True)
class Wanted:
    """Which games; what is empty does not matter."""

    status: str = ""
    rules: str = ""
    cursor: str = ""
    limit: int = 20

    def fits(self, game: Game) -> bool:
        return self.status in ("", game.status) and self.rules in ("", game.rules)


@dataclass(frozen=True)
class Lobby:
    games: Games
    listing: Listing

    def public_games(self, wanted: Wanted) -> Page:
        shelf = public(wanted.status or ANY, wanted.rules or ANY)
        return self._page(shelf, wanted, lambda game: game.visibility == PUBLIC)

    def games_of(self, player: str, who: str | None, wanted: Wanted) -> Page:
        """The public games of a player; private ones only for the player."""
        shelf = (of_oneself if player == who else of_player)(player, wanted.status or ANY)
        return self._page(shelf, wanted, lambda game: player in game.seats.values())

    def count_of(self, player: str) -> int:
        """How many public games this player has played."""
        self._make_sure_of_the_index()
        return self.listing.count(of_player(player))

    def _page(self, shelf: str, wanted: Wanted, belongs: Callable[[Game], bool]) -> Page:
        self._make_sure_of_the_index()
        members = self.listing.page(shelf, _place(wanted.cursor), wanted.limit + 1)
        games = [game for member in members[: wanted.limit] if (game := self._load(game_of(member)))]
        for stale in (game for game in games if not wanted.fits(game)):
            self.listing.put(stale)
        more = len(members) > wanted.limit
        return Page(
            [game for game in games if wanted.fits(game) and belongs(game)],
            _cursor(members[wanted.limit - 1]) if more else None,
        )

    def _load(self, game: str) -> Game | None:
        try:
            return self.games.load(game)
        except NoSuchGame:  # archived since
            return None

    def _make_sure_of_the_index(self) -> None:
        if not self.listing.is_complete:
            reindex(self.games, self.listing)


def _cursor(member: str) -> str:
    """Where a page ended, as a word that clients need not understand."""
    return urlsafe_b64encode(member.encode()).decode().rstrip("=")


def _place(cursor: str) -> str:
    if not cursor:
        return ""
    with suppress(ValueError):
        place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        if MEMBER.fullmatch(place):
            return place
    raise Unreadable("this cursor was not given out by us")
