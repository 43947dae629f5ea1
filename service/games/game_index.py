"""The index of games: public ones by status and rules, and those of each player, newest first.

It lies beside the log and is written after every commit that changes a seat or the status. Readers look at the games
themselves, so that a stale entry does no harm; of a game that has ended they read the summary, and look whether it has
gone on. It can be deleted: `reindex` makes it anew.

| key | content |
|---|---|
| `hidalgo:{games}:public:<status>:<rules>` | sorted set of public games; `*` stands for any |
| `hidalgo:{games}:player:<account>:<status>` | public games of a player |
| `hidalgo:{games}:seated:<account>:<status>` | all games of a player, for that player alone |
| `hidalgo:{games}:versions` | hash: the version of each game that was indexed, so that a late writer does no harm |
| `hidalgo:{games}:summaries` | hash: the summary of each game that has ended |
| `hidalgo:{games}:complete` | exists while the index is complete |

Entries are `<created, 13 digits>/<game>`, all with score 0: the order of their bytes is the order of the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import msgspec
from msgspec import Struct

from events.games import Games
from events.log import BUCKETS
from events.store import Store, store_errors
from events.table.game import ABORTED, OPEN, OVER, PUBLIC, RUNNING, Game
from service.games.game_summary import GameSummary, summary

STATUSES = (OPEN, RUNNING, OVER, ABORTED)
ANY = "*"

GAMES_AT_ONCE = 100
"""So many games are indexed in one round trip."""

ENTRY = re.compile(r"\d{13}/.+")

WRITE = """
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if stored and tonumber(stored) > tonumber(ARGV[2]) then return end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], ARGV[1], ARGV[5]) else redis.call('HDEL', KEYS[2], ARGV[1]) end
for i = 3, #KEYS do
  if i - 2 <= tonumber(ARGV[4]) then redis.call('ZADD', KEYS[i], 0, ARGV[3])
  else redis.call('ZREM', KEYS[i], ARGV[3]) end
end
"""

READ = """
local entries = redis.call('ZRANGE', KEYS[1], ARGV[1], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])
local summaries = {}
for i, entry in ipairs(entries) do
  summaries[i] = redis.call('HGET', KEYS[2], string.sub(entry, string.find(entry, '/') + 1)) or ''
end
return {redis.call('EXISTS', KEYS[3]), entries, summaries}
"""


class Listed(Struct, frozen=True):
    """An entry of the index, and the summary of the game, if it is stored."""

    entry: str
    summary: GameSummary | None

    @property
    def game(self) -> str:
        return self.entry.partition("/")[2]


class GameIndex:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._write = self._redis.register_script(WRITE)
        self._read = self._redis.register_script(READ)

    def put(self, game: Game, left: Iterable[str] = ()) -> None:
        """Index this game as it is now; `left` are the accounts that have just left a seat."""
        keys, arguments = _words(game, left)
        with store_errors():
            self._write(keys=keys, args=arguments)

    def put_all(self, games: Iterable[Game]) -> None:
        """Index these games as they are now, in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for game in games:
                keys, arguments = _words(game)
                pipe.execute_command("EVAL", WRITE, len(keys), *keys, *arguments)
            pipe.execute()

    def page(self, key: str, after: str, limit: int) -> list[Listed] | None:
        """Entries of one key, `after` the last one of the page before; None while the index is not complete."""
        start = f"({after}" if after else "+"
        with store_errors():
            is_complete, entries, summaries = self._read(
                keys=[key, _key("summaries"), _key("complete")], args=[start, limit]
            )
        if not is_complete:
            return None
        return [Listed(line.decode(), _summary(text)) for line, text in zip(entries, summaries, strict=True)]

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
    ids = list(all_games(games))
    for first in range(0, len(ids), GAMES_AT_ONCE):
        found = games.load_newer(dict.fromkeys(ids[first : first + GAMES_AT_ONCE], 0))
        index.put_all(game for game in found.values() if game)
    index.mark_complete()
    return len(ids)


def all_games(games: Games) -> Iterator[str]:
    for bucket in range(BUCKETS):
        yield from games.log.games(bucket)


# Keys and entries


def _words(game: Game, left: Iterable[str] = ()) -> tuple[list[str], list[str | int | bytes]]:
    """The keys and arguments that index a game."""
    add = list(keys_of(game, game.status, game.seats.values()))
    others = [status for status in STATUSES if status != game.status]
    drop = [key for status in others for key in keys_of(game, status, game.seats.values(), any_status=False)]
    drop += [key for status in STATUSES for key in keys_of(game, status, left) if key not in add]
    about = summary(game)
    stored = msgspec.json.encode(about) if about.has_ended else b""
    keys = [_key("versions"), _key("summaries"), *add, *drop]
    return keys, [game.id, game.version, entry(game), len(add), stored]


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


def _summary(stored: bytes) -> GameSummary | None:
    """None if there is none, or one of another shape."""
    try:
        return msgspec.json.decode(stored, type=GameSummary) if stored else None
    except msgspec.ValidationError:
        return None


def _key(*names: str) -> str:
    return ":".join(("hidalgo:{games}", *names))
