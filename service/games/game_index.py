"""The index of games: public ones by status and rules, and those of each player, newest first.

It lies beside the log and is written after every commit that changes a seat or the status. Readers look at the games
themselves, so that a stale entry does no harm. It can be deleted: `reindex` makes it anew.

| key | content |
|---|---|
| `hidalgo:{games}:public:<status>:<rules>` | sorted set of public games; `*` stands for any |
| `hidalgo:{games}:player:<account>:<status>` | public games of a player |
| `hidalgo:{games}:seated:<account>:<status>` | all games of a player, for that player alone |
| `hidalgo:{games}:versions` | hash: the version of each game that was indexed, so that a late writer does no harm |
| `hidalgo:{games}:complete` | exists while the index is complete |

Entries are `<created, 13 digits>/<game>`, all with score 0: the order of their bytes is the order of the list.
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

ENTRY = re.compile(r"\d{13}/.+")

WRITE = """
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored and tonumber(stored) > tonumber(ARGV[2]) then return end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for i = 2, #KEYS do
  if i - 1 <= tonumber(ARGV[4]) then redis.call('ZADD', KEYS[i], 0, ARGV[3])
  else redis.call('ZREM', KEYS[i], ARGV[3]) end
end
"""


class GameIndex:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._write = self._redis.register_script(WRITE)

    def put(self, game: Game, left: Iterable[str] = ()) -> None:
        """Index this game as it is now; `left` are the accounts that have just left a seat."""
        add = list(keys_of(game, game.status, game.seats.values()))
        others = [status for status in STATUSES if status != game.status]
        drop = [key for status in others for key in keys_of(game, status, game.seats.values(), any_status=False)]
        drop += [key for status in STATUSES for key in keys_of(game, status, left) if key not in add]
        arguments: list[str | int] = [game.id, game.version, entry(game), len(add)]
        with store_errors():
            self._write(keys=[_key("versions"), *add, *drop], args=arguments)

    def page(self, key: str, after: str, limit: int) -> list[str]:
        """Entries of one key; `after` is the last one of the page before."""
        start = f"({after}" if after else "+"
        with store_errors():
            found = self._redis.zrange(key, start, "-", desc=True, bylex=True, offset=0, num=limit)
        return [line.decode() for line in found]

    def count(self, key: str) -> int:
        with store_errors():
            return int(self._redis.zcard(key))

    @property
    def is_complete(self) -> bool:
        with store_errors():
            return bool(self._redis.exists(_key("complete")))

    def mark_complete(self) -> None:
        with store_errors():
            self._redis.set(_key("complete"), 1)


def ensure_complete(games: Games, index: GameIndex) -> None:
    if not index.is_complete:
        reindex(games, index)


def reindex(games: Games, index: GameIndex) -> int:
    """Make the index anew from the log. Gives the number of games."""
    count = 0
    for game in all_games(games):
        index.put(games.load(game))
        count += 1
    index.mark_complete()
    return count


def all_games(games: Games) -> Iterator[str]:
    for bucket in range(BUCKETS):
        yield from games.log.games(bucket)


# Keys and entries


def public_key(status: str = ANY, rules: str = ANY) -> str:
    return _key("public", status, rules)


def player_key(account: str, status: str = ANY) -> str:
    """Public games of a player."""
    return _key("player", account, status)


def seated_key(account: str, status: str = ANY) -> str:
    """All games of a player, private ones as well."""
    return _key("seated", account, status)


def keys_of(game: Game, status: str, accounts: Iterable[str], *, any_status: bool = True) -> Iterator[str]:
    """The keys under which a game of this status with these players is found, with those for any status or without."""
    statuses, accounts = (status, ANY) if any_status else (status,), list(accounts)
    if game.visibility == PUBLIC:
        yield from (public_key(*names) for names in product(statuses, (game.rules, ANY)))
        yield from (player_key(*names) for names in product(accounts, statuses))
    yield from (seated_key(*names) for names in product(accounts, statuses))


def entry(game: Game) -> str:
    return f"{game.created_at:013}/{game.id}"


def game_of(entry: str) -> str:
    return entry.partition("/")[2]


def _key(*names: str) -> str:
    return ":".join(("hidalgo:{games}", *names))
