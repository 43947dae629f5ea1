"""The index of games: public ones by status and rules, those that are over, and those of each player, newest first.

It lies beside the log and is written after every commit that changes a seat or the status. Readers look at the games
themselves, so that a stale entry does no harm; what lists show of a game is in its note (`events.log.Notes`), with the
version at which that was so. All of it can be deleted: a job makes it anew (`service.games.index_rebuild`).

| key | content |
|---|---|
| `hidalgo:{games:<status>}:public:<rules>` | sorted set of public games; `*` stands for any rules |
| `hidalgo:{games:ended}:public` | public games that are over, by their end |
| `hidalgo:{<account>}:games:<status>` | public games of a player |
| `hidalgo:{<account>}:private:<status>` | private games of a player, for that player alone |
| `hidalgo:{games}:complete`, `…:rebuilding` | whether it is complete, and how far it has come (`events.workers.rebuilding`) |

Entries are `<created, 13 digits>/<game>/<traits>`, all with score 0: the order of their bytes is the order of the list.
Those of `ended` begin with the moment of the end. The traits are what lists are filtered by. On a cluster the lists, and
the notes of games, are spread over all servers.
"""  # noqa: E501 - a row of a table is a line

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.log import GameLog, Note
from events.log.redis import RedisLog
from events.store import Store, store_errors
from events.store.at_once import at_once
from events.table.game import OVER, PUBLIC, Game
from events.workers.rebuilding import Completeness
from service.games.game_index_keys import (
    CLOCKS,
    STATUSES,
    Keys,
    Traits,
    ended_keys,
    entry,
    game_of,
    keys_of,
    keys_of_players,
)
from service.games.game_index_scripts import PAGE
from service.games.game_summary import GameSummary, summary
from service.games.summary_notes import written

SHAPE = "3"
"""An index of another shape is made anew."""

LOOKED_AT = 2000
"""So many games of a list are looked at for one page, if a filter leaves most of them out."""

ATTEMPTS = 3
"""So often the lists of a game are written again because another process has indexed it at the same moment."""

MARK = 16
"""So many digits of the head are noted of a game whose chain was checked."""


class Query(Struct, frozen=True):
    """Entries of some keys together, `after` the last one of the page before."""

    keys: Keys
    after: str
    limit: int
    traits: Traits = Traits()


class Entries(Struct, frozen=True):
    """Entries that were found, and the last one that was looked at; empty if there are no more."""

    found: list[str]
    last: str

    @property
    def games(self) -> list[str]:
        return [game_of(each) for each in self.found]


class GameIndex:
    def __init__(self, store: Store, log: GameLog | None = None) -> None:
        self._redis: Any = store.commands
        self._log: GameLog = log or RedisLog(store)
        self.complete = Completeness(store, "games", SHAPE)

    def put(self, game: Game, left: Iterable[str] = ()) -> None:
        """Index this game as it is now; `left` are the accounts that have just left a seat."""
        about = summary(game)
        self.put_all([about])
        if gone := set(left) - set(game.seats.values()):
            keys = (key for status in STATUSES for key in keys_of_players(about, status, gone))
            with store_errors():
                at_once(self._redis, [("ZREM", key, entry(about)) for key in keys])

    def put_all(self, games: Iterable[GameSummary]) -> None:
        """Index these games as they are now.

        Lists have a game twice rather than not at all: it comes into those of its status first, is noted, and leaves
        the others. If another process knows a newer status, that one counts.
        """
        left = {game.id: game for game in games}
        status = {name: game.status for name, game in left.items()}
        notes = {name: Note(game.version, game.status, written(game)) for name, game in left.items()}
        for _ in range(ATTEMPTS):
            self._enter(left, status)
            status |= {name: note.word for name, note in self._log.note(notes).items()}
            self._leave_others(left, status)
            notes = dict.fromkeys(left, Note(0, "", b""))
            changed = {name: note.word for name, note in self._log.note(notes).items() if note.word != status[name]}
            left, status = {name: left[name] for name in changed}, changed
            if not left:
                return

    def note(self, games: Iterable[GameSummary]) -> None:
        """Note these games as they are now, whose status has not changed."""
        self._log.note({game.id: Note(game.version, game.status, written(game)) for game in games})

    def _enter(self, games: Mapping[str, GameSummary], status: Mapping[str, str]) -> None:
        places = []
        for name, game in games.items():
            places += [(key, entry(game)) for key in keys_of(game, status[name], game.seats.values())]
            if game.status == status[name] == OVER and game.visibility == PUBLIC:
                places += [(key, entry(game, game.ended_at)) for key in ended_keys()]
        with store_errors():
            at_once(self._redis, [("ZADD", key, 0, member) for key, member in places])

    def _leave_others(self, games: Mapping[str, GameSummary], status: Mapping[str, str]) -> None:
        places = [
            (key, entry(game))
            for name, game in games.items()
            for other in STATUSES
            if other != status[name]
            for key in keys_of(game, other, game.seats.values())
        ]
        with store_errors():
            at_once(self._redis, [("ZREM", key, member) for key, member in places])

    def read(self, queries: Sequence[Query], counted: Sequence[Keys] = ()) -> tuple[list[Entries], list[int], bool]:
        """The entries for each query, the lengths of some lists, and whether all games are there; in one round trip."""
        commands: list[tuple[Any, ...]] = [
            ("EVAL", PAGE, 1, key, *_words_of(query)) for query in queries for key in query.keys
        ]
        commands += [("ZCARD", key) for keys in counted for key in keys]
        with store_errors():
            *answers, shape = at_once(self._redis, [*commands, ("GET", self.complete.keys[0])])
        left = iter(answers)
        pages = [_merged([next(left) for _ in query.keys], query.limit) for query in queries]
        return pages, [sum(next(left) for _ in keys) for keys in counted], shape == SHAPE.encode()

    def mark_verified(self, game: str, head: str) -> None:
        self._log.mark(game, head[:MARK])

    def count(self, keys: Keys) -> int:
        with store_errors():
            return sum(at_once(self._redis, [("ZCARD", key) for key in keys]))


def is_verified(note: Note | None, head: str) -> bool:
    return note is not None and note.mark != "" and head.startswith(note.mark)


def _words_of(query: Query) -> tuple[str | int, ...]:
    traits = query.traits
    clock = CLOCKS[traits.clock] if traits.clock else ""
    after = f"({query.after}" if query.after else "+"
    return after, query.limit, LOOKED_AT, traits.players, clock, *traits.rules


def _merged(parts: Sequence[Any], limit: int) -> Entries:
    """The first entries of some keys together. Below the last one that was looked at, a key may have more."""
    frontier = max((last for last, _ in parts), default=b"")
    found = sorted({each for _, some in parts for each in some if each >= frontier}, reverse=True)
    if len(found) > limit:
        return Entries([each.decode() for each in found[:limit]], found[limit - 1].decode())
    return Entries([each.decode() for each in found], frontier.decode())
