"""Lists of games, page by page. The index leads to the games, and their notes tell what lists show of them.

Some pages of a hundred games in all cost two round trips, one to the index and one to the log, however many of them
this process has never seen. A note is believed as long as its game is at the same version; a game that has gone on is
read whole, unless this process knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from events.games import Games
from events.log import Note
from events.table.game import Game
from service.games.broadcast import Broadcast, broadcast_delay
from service.games.game_index import GameIndex, is_verified
from service.games.game_index_keys import Keys, player_keys
from service.games.game_lists import (
    Belongs,
    GameFilter,
    GameList,
    Look,
    Page,
    list_of,
    page_of,
    public_list,
)
from service.games.game_summary import GameSummary, summary
from service.games.summary_notes import read

MOST_GAMES = 100
"""So many whole games are read at once."""


@dataclass(frozen=True)
class ManyGames:
    """Whole games, the ids of those that are not there, and the cursor of the next page, if any."""

    games: list[Game]
    missing: list[str]
    next: str | None = None


@dataclass(frozen=True)
class Needed:
    """Which games must be read whole: surely, by their ids alone; or once their summary is known."""

    surely: Callable[[str], bool] = lambda game: False
    about: Belongs = lambda about: False


AS_LISTED = Needed()
"""A summary is all that is needed of a game."""

ALL_WHOLE = Needed(surely=lambda game: True)


@dataclass(frozen=True)
class Lobby:
    games: Games
    index: GameIndex
    broadcast: Broadcast

    def public_games(self, game_filter: GameFilter) -> Page:
        [page] = self.pages([public_list(game_filter)])
        return page

    def games_of(self, player: str, account: str | None, game_filter: GameFilter) -> Page:
        """The public games of a player; private ones as well, if the player asks."""
        [page] = self.pages([list_of(player, account, game_filter)])
        return page

    def pages(self, lists: Sequence[GameList], needed: Needed = AS_LISTED) -> list[Page]:
        """A page of each list."""
        return self.pages_and_lengths(lists, (), needed)[0]

    def pages_and_lengths(
        self, lists: Sequence[GameList], counted: Sequence[Keys], needed: Needed = AS_LISTED
    ) -> tuple[list[Page], list[int]]:
        """A page of each list, and the lengths of other lists."""
        found, lengths, is_complete = self.index.read([each.query for each in lists], counted)
        shown = [entries.games[: each.filter.limit] for each, entries in zip(lists, found, strict=True)]
        looks = self._looks([game for games in shown for game in games], needed)
        self._mend(lists, shown, looks)
        pages = [
            page_of(each, entries, looks, is_complete=is_complete) for each, entries in zip(lists, found, strict=True)
        ]
        return [self._broadcast(each, page) for each, page in zip(lists, pages, strict=True)], lengths

    def games_named(self, names: Sequence[str], account: str | None) -> ManyGames:
        """These games, in this order, as far as the account may see them; in one round trip."""
        wanted = list(dict.fromkeys(names))[:MOST_GAMES]
        found = self.games.load_newer(dict.fromkeys(wanted, 0))
        visible = {name: game for name, game in found.items() if game and game.is_visible_to(account)}
        shown = {name: self.broadcast.shown(game, account) for name, game in visible.items()}
        return ManyGames(
            [shown[name] for name in wanted if name in shown], [name for name in wanted if name not in shown]
        )

    def whole_games(self, player: str, account: str | None, game_filter: GameFilter) -> ManyGames:
        """A page of public games, or of those of a player, with all that there is of each; in two round trips."""
        wanted = list_of(player, account, game_filter) if player else public_list(game_filter)
        [page] = self.pages([wanted], ALL_WHOLE)
        games = [page.whole[each.id] for each in page.games]
        return ManyGames([game for game in games if game.is_visible_to(account)], [], page.next)

    def _broadcast(self, wanted: GameList, page: Page) -> Page:
        """The page as whoever has asked may see it."""
        late = [each for each in page.games if broadcast_delay(each, wanted.account) and not self._is_over(each)]
        if not late:
            return page
        shown = {
            each.id: self.broadcast.shown(page.whole.get(each.id) or self.games.load(each.id), wanted.account)
            for each in late
        }
        games = [summary(shown[each.id]) if each.id in shown else each for each in page.games]
        return replace(page, games=games, whole={**page.whole, **shown})

    def _is_over(self, game: GameSummary) -> bool:
        """Whether its broadcast has ended, too."""
        return game.has_ended and game.ended_at + broadcast_delay(game, None) <= self.games.now()

    def count_of(self, player: str) -> int:
        """How many public games this player has played."""
        return self.index.count(player_keys(player))

    def _looks(self, ids: Sequence[str], needed: Needed) -> dict[str, Look]:
        """The games as they are now, without those that are gone."""
        looks = {}
        found = self.games.noted(ids, needed.surely)
        for id, (note, game) in found.items():
            about = summary(game) if game else read(note.about) if note else None
            if about and (game or not needed.about(about)):
                looks[id] = _look(note, about, game)
        unknown = dict.fromkeys((id for id in found if id not in looks), 0)
        for id, game in (self.games.load_newer(unknown) if unknown else {}).items():
            if game:
                looks[id] = _look(found[id][0], summary(game), game)
        return looks

    def _mend(self, lists: Sequence[GameList], shown: Sequence[Sequence[str]], looks: Mapping[str, Look]) -> None:
        """Index games that the index has elsewhere, and note those whose note is older than they are."""
        misplaced = {
            look.about.id: look.about
            for wanted, games in zip(lists, shown, strict=True)
            for look in (looks[game] for game in games if game in looks)
            if wanted.filter.status not in ("", look.about.status) or look.is_misplaced
        }
        if misplaced:
            self.index.put_all(misplaced.values())
        if outdated := [look.about for look in looks.values() if not look.is_noted and look.about.id not in misplaced]:
            self.index.note(outdated)


def _look(note: Note | None, about: GameSummary, game: Game | None) -> Look:
    is_noted = note is not None and note.version == about.version and (game is None or read(note.about) is not None)
    is_misplaced = note is None or note.word != about.status
    return Look(about, game, is_verified(note, about.head), is_noted, is_misplaced)
