"""Packed games in Redis.

A packed game is a stream of one entry, whose id is the game's last version: whatever reads the entries after an older
version finds it, with the same command and in the same round trip, and whatever knows the last version finds nothing
newer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from events.log import Finished, PackedGame
from events.log.packing import UnpackedGame, unpack
from events.log.redis_part import RedisPart
from events.log.script import Script
from events.store import Store, store_errors
from events.store.direct import direct

FINISHED_GAMES = """
local finished, games, searched = unpack(KEYS)
if redis.call('SET', searched, 1, 'NX') then
  redis.call('ZUNIONSTORE', finished, 2, games, finished, 'WEIGHTS', 1000, 1, 'AGGREGATE', 'MAX')
end
return redis.call('ZRANGE', finished, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
"""

FORGET = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
"""

# The last entry is bound to all before it: if that is the same, everything is. A server whose memory is full refuses a
# write that needs more, unless the script has written before: so it begins by deleting nothing. The entries go only
# when their replacement is there.
PACK = """
local log, ids, deadlines, finished, new, noted = unpack(KEYS)
local game, version, last, packed = unpack(ARGV)
local found = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not found or found[1] ~= version .. '-0' then return 0 end
if found[2][1] == 'z' and found[2][2] == packed then return 1 end
if found[2][1] ~= 'c' or found[2][2] ~= last then return 0 end
if redis.call('XLEN', log) ~= tonumber(version) or redis.call('HLEN', ids) ~= tonumber(version) then return 0 end
if redis.call('ZSCORE', deadlines, game) then return 0 end
redis.call('DEL', new)
redis.call('XADD', new, version .. '-0', 'z', packed)
redis.call('RENAME', new, log)
redis.call('DEL', ids)
redis.call('ZREM', finished, game)
local time = redis.call('TIME')
redis.call('ZADD', noted, time[1] * 1000 + math.floor(time[2] / 1000), game)
return 1
"""

UNPACK = """
local log, ids, finished, new, noted = unpack(KEYS)
local game, packed, count = ARGV[1], ARGV[2], tonumber(ARGV[3])
local found = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not found or found[2][1] ~= 'z' or found[2][2] ~= packed then return 0 end
redis.call('DEL', new)
for i = 1, count do
  redis.call('XADD', new, i .. '-0', 'c', ARGV[2 + 2 * i])
  redis.call('HSET', ids, ARGV[3 + 2 * i], i)
end
redis.call('RENAME', new, log)
redis.call('ZREM', noted, game)
local time = redis.call('TIME')
redis.call('ZADD', finished, time[1] * 1000 + math.floor(time[2] / 1000), game)
return 1
"""


class RedisPacking(RedisPart):
    """See `events.log.Packing`."""

    def __init__(self, store: Store, space: str = "") -> None:
        super().__init__(store, space)
        say = direct(store.commands)
        self._forget, self._pack, self._unpack = (Script(say, text) for text in (FORGET, PACK, UNPACK))

    def finished(self, buckets: Sequence[int], until: int, limit: int = 100) -> list[Finished]:
        with store_errors():
            asking = self._redis.pipeline(transaction=False)
            for bucket in buckets:
                keys = [self._keys.of_bucket(bucket, what) for what in ("finished", "games", "searched")]
                asking.execute_command("EVAL", FINISHED_GAMES, len(keys), *keys, until, limit)
            found = asking.execute()
        return [Finished(row[i].decode(), int(row[i + 1])) for row in found for i in range(0, len(row), 2)]

    def forget(self, finished: Finished) -> None:
        with store_errors():
            self._forget((self._keys.of_the_bucket_of(finished.game, "finished"),), finished.game, finished.at)

    def pack(self, game: str, packed: PackedGame) -> bool:
        log, ids, deadlines, _, _, _, finished, *_ = self._keys.of_scripts(game)
        keys = log, ids, deadlines, finished, *self._of_packing(game)
        with store_errors():
            return bool(self._pack(keys, game, packed.version, packed.last, packed.value))

    def is_packed(self, game: str) -> bool:
        log, ids = self._keys.of_scripts(game)[:2]
        with store_errors():
            return int(self._redis.exists(log, ids)) == 1

    def unpack(self, game: str) -> None:
        log, ids, _, _, _, _, finished, *_ = self._keys.of_scripts(game)
        keys = log, ids, finished, *self._of_packing(game)
        with store_errors():
            while is_packed(found := self._redis.xrevrange(log, count=1)):
                value, whole = found[0][1][b"z"], unpacked(found)
                rows = [part for row in zip(whole.entries, whole.commands, strict=True) for part in row]
                self._unpack(keys, game, value, len(whole.entries), *rows)

    def _of_packing(self, game: str) -> tuple[str, str]:
        packing, packed = (self._keys.of_the_bucket_of(game, what) for what in ("packing", "packed"))
        return packing, packed


# Streams of games, packed or not


def range_of(key: str, after: int, until: int | None) -> tuple[str, str, str, int | None]:
    """The stream of a game, from which id on, and how many entries: a packed game has all under the last id."""
    return key, f"{after + 1}-0", "+", None if until is None else max(1, until - after)


def entries_of(found: Sequence[Any], after: int = 0, until: int | None = None) -> list[bytes]:
    """The entries after a version, up to and including another, of a part of a stream that `range_of` names."""
    if is_packed(found):
        return unpacked(found).entries[after:until]
    return [fields[b"c"] for _, fields in found][: None if until is None else max(0, until - after)]


def is_packed(found: Sequence[Any]) -> bool:
    return bool(found) and b"z" in found[0][1]


def unpacked(found: Sequence[Any]) -> UnpackedGame:
    """The contents of the stream of a packed game; nothing of one that is not there."""
    return unpack(found[0][1][b"z"]) if found else UnpackedGame([], [])


def pairs(entries: Sequence[Any]) -> Iterator[tuple[bytes, dict[bytes, bytes]]]:
    """Stream entries as a script returns them: id, then a flat list of fields."""
    for position, flat in entries:
        yield position, dict(zip(flat[::2], flat[1::2], strict=True))
