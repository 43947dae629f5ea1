"""Lists of games: which games belong to them, by which filter, and their pages."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from events.table.game import PUBLIC, Game
from rules.errors import Unreadable
from rules.texts import say
from service.games.game_index import Entries, Query
from service.games.game_index_keys import (
    ANY,
    ENTRY,
    WITH,
    WITHOUT,
    Keys,
    Traits,
    ended_keys,
    entry,
    game_of,
    player_keys,
    public_keys,
    seated_keys,
)
from service.games.game_summary import GameSummary


@dataclass(frozen=True)
class GameFilter:
    """The games of a list, and its page. What is empty matches all games."""

    status: str = ""
    rules: str = ""
    """The game with all of its expansions."""
    game: str = ""
    expansion: str = ""
    """One that they are played with; `-`: games without any."""
    players: int | None = None
    clock: str = ""
    """`with`, or `without`."""
    cursor: str = ""
    limit: int = 20

    def matches(self, game: GameSummary) -> bool:
        name, *expansions = game.rules.split("+")
        return (
            self.status in ("", game.status)
            and self.rules in ("", game.rules)
            and self.game in ("", name)
            and (self.expansion in ("", *expansions) or (self.expansion == "-" and not expansions))
            and self.players in (None, len(game.players))
            and self.clock in ("", WITH if game.time else WITHOUT)
        )

    @property
    def traits(self) -> Traits:
        return Traits(self.game, self.expansion, str(self.players or ""), self.clock)


Belongs = Callable[[GameSummary], bool]


@dataclass(frozen=True)
class GameList:
    """A list of the index, and which of the games that it leads to belong there."""

    keys: Keys
    filter: GameFilter
    belongs: Belongs
    account: str | None = None
    """The player whose own list it is."""
    is_by_end: bool = False

    @property
    def query(self) -> Query:
        """The entries of a page, and the first one of the next, if any."""
        return Query(self.keys, entry_of(self.filter.cursor), self.filter.limit + 1, self.filter.traits)

    def fits(self, game: GameSummary, found: str) -> bool:
        """Whether the game of an entry belongs here, at this place."""
        is_here = not self.is_by_end or found == entry(game, game.ended_at)
        return is_here and self.filter.matches(game) and self.belongs(game)


def public_list(game_filter: GameFilter) -> GameList:
    return GameList(public_keys(game_filter.status or ANY, game_filter.rules or ANY), game_filter, _is_public)


def ended_list(game_filter: GameFilter) -> GameList:
    """Public games that are over: the one that ended last comes first."""
    return GameList(ended_keys(), game_filter, _is_public, is_by_end=True)


def list_of(player: str, account: str | None, game_filter: GameFilter) -> GameList:
    """The public games of a player; private ones as well, if the player asks."""
    keys = (seated_keys if player == account else player_keys)(player, game_filter.status or ANY)
    own = player if player == account else None
    return GameList(keys, game_filter, lambda game: player in game.seats.values(), own)


def _is_public(game: GameSummary) -> bool:
    return game.visibility == PUBLIC


# Pages


@dataclass(frozen=True)
class Look:
    """A game as it is now: as lists show it, and whole if it was read whole."""

    about: GameSummary
    whole: Game | None = None
    is_verified: bool = False
    is_noted: bool = True
    """Whether its note is about this very version."""
    is_misplaced: bool = False
    """Whether it was indexed last when it had another status."""


@dataclass(frozen=True)
class Page:
    """Some games, and the cursor of the next page, if any. Games that have changed meanwhile may be missing."""

    games: list[GameSummary]
    next: str | None
    whole: Mapping[str, Game] = field(default_factory=dict)
    """Those of them that were read whole."""
    verified: frozenset[str] = frozenset()
    """Those whose chain was checked after their end."""
    is_complete: bool = True
    """Whether all games are in the lists; not while the index is made anew."""


def page_of(wanted: GameList, entries: Entries, looks: Mapping[str, Look], *, is_complete: bool = True) -> Page:
    shown = entries.found[: wanted.filter.limit]
    fitting = [look for each in shown if (look := looks.get(game_of(each))) and wanted.fits(look.about, each)]
    has_more = len(entries.found) > wanted.filter.limit
    last = shown[-1] if has_more else entries.last
    return Page(
        [look.about for look in fitting],
        cursor_of(last) if last else None,
        {look.about.id: look.whole for look in fitting if look.whole},
        frozenset(look.about.id for look in fitting if look.is_verified),
        is_complete,
    )


def cursor_of(entry: str) -> str:
    """The last entry of a page, as a word that clients need not understand."""
    return urlsafe_b64encode(entry.encode()).decode().rstrip("=")


def entry_of(cursor: str) -> str:
    if not cursor:
        return ""
    with suppress(ValueError):
        entry = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        if ENTRY.fullmatch(entry):
            return entry
    raise Unreadable(say("this cursor is not from this service"))
