"""The ledger of ratings: every rated table of every tournament in the order of its end, and what it did to its players.

A rating after a game depends on all games before it. So a table that is new, changed or gone marks its place, and
everything from the first marked place on is computed again, some tables at a time (`rating_worker`). Readers see the
former ratings until then. The ledger lies beside the logs, and can be made anew from them.

| key | what |
|---|---|
| `hidalgo:{ratings}:tables:<family>` | hash: `<tournament>/<round>/<table>` to a `RatedTable` |
| `hidalgo:{ratings}:order:<family>` | sorted set, all of score 0: the places of tables that count |
| `hidalgo:{ratings}:marks:<family>` | sorted set, all of score 0: places from which on to compute |
| `hidalgo:{ratings}:revision:<family>` | counts changes of the two above |
| `hidalgo:{ratings}:of:<family>:<account>` | sorted set, all of score 0: a place, and the rating after it |
| `hidalgo:{ratings}:read` | hash: tournament to the version up to which it was read |
| `hidalgo:{ratings}:complete` | exists when all tournaments were read |

A place is `<end, 13 digits>/<tournament>/<round>/<table>`: the order of the bytes is the order of the games.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events.store import Store, store_errors
from tournaments.ratings import RatedGame, Rating, strength

# Only if nobody else has changed the table meanwhile.
PUT = """
local tables, order, marks, revision = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local name, before, after, from, to = unpack(ARGV)
if (redis.call('HGET', tables, name) or '') ~= before then return 0 end
redis.call('HSET', tables, name, after)
redis.call('INCR', revision)
if from ~= '' then
  redis.call('ZREM', order, from)
  redis.call('ZADD', marks, 0, from)
  for i = 5, #KEYS do redis.call('ZREMRANGEBYLEX', KEYS[i], '[' .. from .. ' ', '(' .. from .. '!') end
end
if to ~= '' then
  redis.call('ZADD', order, 0, to)
  redis.call('ZADD', marks, 0, to)
end
return 1
"""

# Only if no table has changed since they were read.
SAVE = """
local revision, marks = KEYS[1], KEYS[2]
if (redis.call('GET', revision) or '0') ~= ARGV[1] then return 0 end
redis.call('ZREMRANGEBYLEX', marks, '-', '[' .. ARGV[2])
if ARGV[3] ~= '' then redis.call('ZADD', marks, 0, ARGV[3]) end
for i = 4, #ARGV, 3 do
  local of, place = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
  redis.call('ZREMRANGEBYLEX', of, '[' .. place .. ' ', '(' .. place .. '!')
  redis.call('ZADD', of, 0, ARGV[i + 2])
end
return 1
"""


class RatedTable(Struct, frozen=True, omit_defaults=True):
    """The result of a table, as it counts for ratings."""

    tournament: str
    round: int
    table: int
    version: int
    """Of the tournament, when it became so."""
    at: int = 0
    """When the table got a result."""
    players: tuple[str, ...] = ()
    """Accounts; fewer than two: it does not count."""
    places: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.tournament}/{self.round}/{self.table}"

    @property
    def place(self) -> str:
        """Among all tables; empty if it does not count."""
        return f"{self.at:013}/{self.tournament}/{self.round:03}/{self.table:05}" if len(self.players) > 1 else ""

    @property
    def game(self) -> RatedGame:
        return RatedGame(self.players, self.places)


class RatedStep(Struct, frozen=True):
    """The rating of a player after one game."""

    number: int
    """Counts the rated games of the player."""
    at: int
    tournament: str
    round: int
    rating: Rating
    place: int
    players: int

    @property
    def strength(self) -> int:
        return strength(self.rating)


class Chunk(Struct, frozen=True):
    """Some tables in order, and the ratings of their players before them."""

    revision: str
    start: str
    tables: tuple[RatedTable, ...]
    next: str
    """The place of the table after them; empty: there is none."""
    before: Mapping[str, Rating]


class RatingLedger:
    """Safe between threads and processes."""

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._put = self._redis.register_script(PUT)
        self._save = self._redis.register_script(SAVE)

    # Ratings

    def current(self, account: str, families: Sequence[str]) -> dict[str, RatedStep]:
        """The last step of an account in each family in which it has any, in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for family in families:
                pipe.zcard(_of(family, account))
                pipe.zrange(_of(family, account), -1, -1)
            found = pipe.execute()
        last = dict(zip(families, zip(found[::2], found[1::2], strict=True), strict=True))
        return {family: _step(members[0], count) for family, (count, members) in last.items() if members}

    def history(self, account: str, family: str, before: int, limit: int) -> list[RatedStep]:
        """The steps of an account before a number, the newest first."""
        with store_errors():
            count = int(self._redis.zcard(_of(family, account)))
            end = min(before - 1, count)
            first = max(0, end - limit)
            found = self._redis.zrange(_of(family, account), first, end - 1) if end > first else []
        return [_step(member, number) for number, member in enumerate(found, start=first + 1)][::-1]

    def strength(self, account: str, family: str) -> int:
        """For seeding; a player without games has none: 0."""
        found = self.current(account, [family]).get(family)
        return max(1, strength(found.rating)) if found else 0

    def is_settled(self, family: str) -> bool:
        """Whether nothing has to be computed again."""
        with store_errors():
            return not self._redis.exists(_key("marks", family))

    # Tables

    def table(self, family: str, name: str) -> RatedTable | None:
        with store_errors():
            found = self._redis.hget(_key("tables", family), name)
        return msgspec.json.decode(found, type=RatedTable) if found else None

    def put(self, family: str, table: RatedTable, before: RatedTable | None) -> bool:
        """Whether it was written; not if the table is not as it was before."""
        keys = [_key(name, family) for name in ("tables", "order", "marks", "revision")]
        keys += [_of(family, player) for player in before.players] if before else []
        old = msgspec.json.encode(before) if before else b""
        values: list[str | bytes] = [
            table.name,
            old,
            msgspec.json.encode(table),
            before.place if before else "",
            table.place,
        ]
        with store_errors():
            return bool(self._put(keys=keys, args=values))

    # Computing

    def next_chunk(self, family: str, limit: int) -> Chunk | None:
        """The first tables that have to be computed, again or for the first time."""
        with store_errors():
            revision = (self._redis.get(_key("revision", family)) or b"0").decode()
            marks = self._redis.zrange(_key("marks", family), 0, 0)
            if not marks:
                return None
            start = marks[0].decode()
            places = self._redis.zrange(_key("order", family), f"[{start}", "+", bylex=True, offset=0, num=limit + 1)
            names = [_name(place.decode()) for place in places]
            found = self._redis.hmget(_key("tables", family), names[:limit]) if names else []
        tables = tuple(msgspec.json.decode(each, type=RatedTable) for each in found if each)
        more = places[limit].decode() if len(places) > limit else ""
        players = sorted({player for table in tables for player in table.players})
        return Chunk(revision, start, tables, more, self._before(family, players, start))

    def _before(self, family: str, players: Collection[str], start: str) -> dict[str, Rating]:
        """In one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.zrange(_of(family, player), f"({start}", "-", desc=True, bylex=True, offset=0, num=1)
            found = zip(players, pipe.execute(), strict=True)
        return {player: _step(members[0], 0).rating for player, members in found if members}

    def save(self, family: str, chunk: Chunk, after: Sequence[Mapping[str, Rating]]) -> bool:
        """The ratings after each table of a chunk; ignored if a table has changed since it was read."""
        players = sorted({player for table in chunk.tables for player in table.players})
        numbers = {player: number for number, player in enumerate(players, start=3)}
        last = chunk.tables[-1].place if chunk.tables else chunk.start
        values: list[str | int] = [chunk.revision, last, chunk.next]
        for table, ratings in zip(chunk.tables, after, strict=True):
            for player, place in zip(table.players, table.places, strict=True):
                values += [numbers[player], table.place, _member(table, ratings[player], place)]
        keys = [_key("revision", family), _key("marks", family), *(_of(family, player) for player in players)]
        with store_errors():
            return bool(self._save(keys=keys, args=values))

    # How far logs were read

    def read_until(self, tournament: str) -> int:
        with store_errors():
            return int(self._redis.hget(_key("read"), tournament) or 0)

    def note_read(self, tournament: str, version: int) -> None:
        with store_errors():
            self._redis.hset(_key("read"), tournament, version)

    @property
    def is_complete(self) -> bool:
        with store_errors():
            return bool(self._redis.exists(_key("complete")))

    def mark_complete(self) -> None:
        with store_errors():
            self._redis.set(_key("complete"), 1)

    def mark_incomplete(self) -> None:
        """It is made anew when it is wanted next."""
        with store_errors():
            self._redis.delete(_key("complete"))


def _step(member: bytes, number: int) -> RatedStep:
    place, mean, uncertainty, games, placed, players = member.decode().split(" ")
    at, tournament, round, _ = place.split("/")
    rating = Rating(float(mean), float(uncertainty), int(games))
    return RatedStep(number, int(at), tournament, int(round), rating, int(placed), int(players))


def _member(table: RatedTable, rating: Rating, place: int) -> str:
    numbers = f"{rating.mean:.6f} {rating.uncertainty:.6f} {rating.games}"
    return f"{table.place} {numbers} {place} {len(table.players)}"


def _name(place: str) -> str:
    _, tournament, round, table = place.split("/")
    return f"{tournament}/{int(round)}/{int(table)}"


def _of(family: str, account: str) -> str:
    return _key("of", family, account)


def _key(*words: str) -> str:
    return ":".join(["hidalgo:{ratings}", *words])
