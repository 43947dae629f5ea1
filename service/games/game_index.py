"""Which games there are: public ones by status and rules, and those of each player, newest first.

An index beside the log. It is written after every commit that changes a seat or the status, and whoever reads it looks
at the games themselves, so that a stale line does no harm. It can be thrown away: `reindex` makes it anew.

| key | what |
|---|---|
| `hidalgo:{games}:public:<status>:<rules>` | sorted set; `*` stands for any |
| `hidalgo:{games}:player:<who>:<status>` | public games of a player |
| `hidalgo:{games}:seated:<who>:<status>` | all games of a player, for that player alone |
| `hidalgo:{games}:versions` | hash; game to the version that was written down, so that a late writer does no harm |
| `hidalgo:{games}:complete` | there while the index is |

Members are `<created, 13 digits>/<game>`, all with score 0: the order of their bytes is the order of the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from events.games import Games
from events.log import BUCKETS
from events.store import Store, store_errors
from events.table.game import ABORTED, OPEN, OVER, PUBLIC, RUNNING, Game

STATUSES = (OPEN, RUNNING, OVER, ABORTED)
ANY = "*"

MEMBER = re.compile(r"\d{13}/.+")

WRITE = """
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and tonumber(known) > tonumber(ARGV[2]) then return end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for i = 2, #KEYS do
  if i - 1 <= tonumber(ARGV[4]) then redis.call('ZADD', KEYS[i], 0, ARGV[3])
  else redis.call('ZREM', KEYS[i], ARGV[3]) end
end
"""


class Listing:
    """The index of games."""

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._write = self._redis.register_script(WRITE)

    def put(self, game: Game, left: Iterable[str] = ()) -> None:
        """Write down where this game belongs now; `left` are those who sat there just before."""
        add = list(shelves(game, game.status, game.seats.values()))
        others = [status for status in STATUSES if status != game.status]
        drop = [shelf for status in others for shelf in shelves(game, status, game.seats.values(), every=False)]
        drop += [shelf for status in STATUSES for shelf in shelves(game, status, left) if shelf not in add]
        arguments: list[str | int] = [game.id, game.version, member(game), len(add)]
        with store_errors():
            self._write(keys=[_key("versions"), *add, *drop], args=arguments)

    def page(self, shelf: str, after: str, limit: int) -> list[str]:
        """The next members of a shelf."""
        start = f"({after}" if after else "+"
        with store_errors():
            found = self._redis.zrange(shelf, start, "-", desc=True, bylex=True, offset=0, num=limit)
        return [line.decode() for line in found]

    def count(self, shelf: str) -> int:
        with store_errors():
            return int(self._redis.zcard(shelf))

    @property
    def is_complete(self) -> bool:
        with store_errors():
            return bool(self._redis.exists(_key("complete")))

    def mark_complete(self) -> None:
        with store_errors():
            self._redis.set(_key("complete"), 1)


def reindex(games: Games, listing: Listing) -> int:
    """Make the index anew from the log. Gives the number of games."""
    count = 0
    for game in all_games(games):
        listing.put(games.load(game))
        count += 1
    listing.mark_complete()
    return count


def all_games(games: Games) -> Iterator[str]:
    for bucket in range(BUCKETS):
        yield from games.log.games(bucket)


# Shelves


def public(status: str = ANY, rules: str = ANY) -> str:
    return _key("public", status, rules)


def of_player(who: str, status: str = ANY) -> str:
    return _key("player", who, status)


def of_oneself(who: str, status: str = ANY) -> str:
    return _key("seated", who, status)


def shelves(game: Game, status: str, players: Iterable[str], *, every: bool = True) -> Iterator[str]:
    """Where a game of this status and these players stands; `every` with the shelves that hold any status."""
    statuses, players = (status, ANY) if every else (status,), list(players)
    if game.visibility == PUBLIC:
        yield from (public(*key) for key in product(statuses, (game.rules, ANY)))
        yield from (of_player(*key) for key in product(players, statuses))
    yield from (of_oneself(*key) for key in product(players, statuses))


def member(game: Game) -> str:
    return f"{game.created_at:013}/{game.id}"


def game_of(member: str) -> str:
    return member.partition("/")[2]


def _key(*names: str) -> str:
    return ":".join(("hidalgo:{games}", *names))
