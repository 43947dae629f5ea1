"""Games that have left the store for the archive (`events.archive`), as the log in Redis knows them.

Of an archived game the store keeps one field in a hash of its bucket: `<version> <created> <volume> <offset> <length>`.
All else of it, with its secret, is in a volume. A game is in the store or in the archive: one script turns the one into
the other, and only if the game is exactly what was archived.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from threading import Lock

from msgspec import Struct

from events.archive import ArchivedGame, Location, Place, read_at
from events.errors import ArchiveDamaged
from events.log import Finished
from events.log.packing import UnpackedGame, unpack
from events.log.redis_part import RedisPart
from events.log.script import Script
from events.store import Store, store_errors
from events.store.at_once import at_once
from events.store.direct import direct
from rules.texts import say

KEPT = 16
"""So many games that were read from the archive a process keeps for a moment: one is often read in several parts."""

# The games of a bucket that are packed, by the millisecond since which they are. Those from before they were noted are
# looked at once. Answers the oldest ones that have waited for long enough, or that are more than so many.
ARCHIVABLE = """
local packed, games, searched = unpack(KEYS)
if redis.call('SET', searched, 1, 'NX') then
  redis.call('ZUNIONSTORE', packed, 2, games, packed, 'WEIGHTS', 1000, 1, 'AGGREGATE', 'MAX')
end
local limit = tonumber(ARGV[2])
local found = redis.call('ZRANGE', packed, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
local surplus = math.min(limit, redis.call('ZCARD', packed) - tonumber(ARGV[3]))
if ARGV[3] ~= '-1' and surplus > #found / 2 then
  found = redis.call('ZRANGE', packed, 0, surplus - 1, 'WITHSCORES')
end
return found
"""

FORGET = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
"""

PACKED = """
local found = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not found or found[2][1] ~= 'z' then return false end
local version, value, secret = string.match(found[1], '%d+'), found[2][2], redis.call('GET', KEYS[2])
return {version, value, secret or '', redis.call('ZSCORE', KEYS[3], ARGV[1]) or '0'}
"""

ARCHIVE = """
local log, secret, games, packed, archived = unpack(KEYS)
local game, version, value, place = unpack(ARGV)
local found = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not found then return redis.call('HGET', archived, game) == place and 1 or 0 end
if found[1] ~= version .. '-0' or found[2][1] ~= 'z' or found[2][2] ~= value then return 0 end
redis.call('HSET', archived, game, place)
redis.call('DEL', log, secret)
redis.call('ZREM', games, game)
redis.call('ZREM', packed, game)
return 1
"""

RECALL = """
local log, secret, games, packed, archived = unpack(KEYS)
local game, place, version, value, hidden, created = unpack(ARGV)
if redis.call('HGET', archived, game) ~= place then return 0 end
redis.call('XADD', log, version .. '-0', 'z', value)
if hidden ~= '' then redis.call('SET', secret, hidden) end
redis.call('ZADD', games, created, game)
local time = redis.call('TIME')
redis.call('ZADD', packed, time[1] * 1000 + math.floor(time[2] / 1000), game)
redis.call('HDEL', archived, game)
return 1
"""


class Archived(Struct, frozen=True):
    """What the store remembers of a game that has left it."""

    version: int
    created: int
    at: Location

    @property
    def text(self) -> str:
        return f"{self.version} {self.created} {self.at.volume} {self.at.offset} {self.at.length}"


def archived(text: bytes) -> Archived:
    version, created, volume, offset, length = text.decode().split(" ")
    return Archived(int(version), int(created), Location(volume, int(offset), int(length)))


class RedisArchive(RedisPart):
    """See `events.log.Archiving`."""

    def __init__(self, store: Store, space: str = "") -> None:
        super().__init__(store, space)
        self.place: Place = store.archive
        self._recalled: OrderedDict[str, tuple[Archived, UnpackedGame, bytes]] = OrderedDict()
        self._lock = Lock()
        say_to = direct(store.commands)
        self._archive_one, self._recall, self._packed_game, self._forget_packed = (
            Script(say_to, text) for text in (ARCHIVE, RECALL, PACKED, FORGET)
        )

    # Into the archive

    def archivable(self, buckets: Collection[int], until: int, most: int | None, limit: int) -> list[Finished]:
        commands = []
        for bucket in buckets:
            keys = [self._keys.of_bucket(bucket, what) for what in ("packed", "games", "packed_searched")]
            commands.append(("EVAL", ARCHIVABLE, len(keys), *keys, until, limit, -1 if most is None else most))
        with store_errors():
            found = at_once(self._redis, commands)
        return [Finished(row[i].decode(), int(row[i + 1])) for row in found for i in range(0, len(row), 2)]

    def not_archivable(self, finished: Finished) -> None:
        with store_errors():
            key = self._keys.of_the_bucket_of(finished.game, "packed")
            self._forget_packed((key,), finished.game, finished.at)

    def to_archive(self, game: str) -> ArchivedGame | None:
        log, _, _, _, games, secret, *_ = self._keys.of_scripts(game)
        with store_errors():
            found = self._packed_game((log, secret, games), game)
        if not found:
            return None
        version, value, hidden, created = found
        return ArchivedGame(game, int(version), int(created), hidden, value)

    def archive(self, game: ArchivedGame, at: Location) -> bool:
        place = Archived(game.version, game.created, at).text
        with store_errors():
            return bool(self._archive_one(self._keys_of(game.game), game.game, game.version, game.value, place))

    # Out of it

    def recall(self, game: str) -> bool:
        """Bring a game back into the store, packed, if it is in the archive; says whether it was."""
        while about := self.archived(game):
            found = self._record(game, about)
            words = game, about.text, found.version, found.value, found.secret, found.created
            with store_errors():
                if self._recall(self._keys_of(game), *words):
                    return True
        return False

    def archived(self, game: str) -> Archived | None:
        with store_errors():
            found = self._redis.hget(self._archived_key(game), game)
        return archived(found) if found else None

    def archived_games(self, bucket: int) -> Mapping[str, Archived]:
        with store_errors():
            found = self._redis.hgetall(self._keys.of_bucket(bucket, "archived"))
        return {game.decode(): archived(text) for game, text in found.items()}

    def contents(self, game: str, about: Archived) -> UnpackedGame:
        """All entries of an archived game, and the commands that made them."""
        return self._whole(game, about)[0]

    def archived_secret(self, game: str, about: Archived) -> bytes:
        return self._whole(game, about)[1]

    def _whole(self, game: str, about: Archived) -> tuple[UnpackedGame, bytes]:
        with self._lock:
            kept = self._recalled.get(game)
        if kept and kept[0] == about:
            return kept[1:]
        found = self._record(game, about)
        whole = unpack(found.value)
        with self._lock:
            self._recalled[game] = about, whole, found.secret
            while len(self._recalled) > KEPT:
                self._recalled.popitem(last=False)
        return whole, found.secret

    def _record(self, game: str, about: Archived) -> ArchivedGame:
        found = read_at(self.place, about.at)
        if (found.game, found.version) != (game, about.version):
            raise ArchiveDamaged(say("volume {volume} of the archive has another game", volume=about.at.volume))
        return found

    def _archived_key(self, game: str) -> str:
        return self._keys.of_the_bucket_of(game, "archived")

    def _keys_of(self, game: str) -> Sequence[str]:
        log, _, _, _, games, secret, *_ = self._keys.of_scripts(game)
        return log, secret, games, self._keys.of_the_bucket_of(game, "packed"), self._archived_key(game)


def in_order(stored: Iterator[tuple[str, int]], gone: Mapping[str, Archived]) -> Iterator[str]:
    """All games of a bucket, oldest first: those in the store with the second of their creation, and the others."""
    both = [*stored, *((game, about.created) for game, about in gone.items())]
    return (game for game, _ in sorted(both, key=lambda each: each[1]))
