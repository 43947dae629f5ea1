"""The log in Redis, on one server or a cluster.

The keys are in `events.log.keys`; how a packed game is kept, in `events.log.redis_packing`. Every commit is also
published as `<game> <version>`, a hint that may be lost: on one channel, that of games is `hidalgo:commits`, or on a
cluster on that of the bucket.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from redis.cluster import RedisCluster

from events.errors import Conflict, Damaged, LeaseLost
from events.log import (
    NO_CHANGE,
    NO_DEADLINE,
    NO_FENCE,
    Appended,
    Due,
    FeedEntry,
    Hints,
    Span,
    StoredGame,
    priorities,
)
from events.log.keys import channel
from events.log.packing import UnpackedGame, unpack
from events.log.redis_archive import Archived, RedisArchive, archived, in_order
from events.log.redis_hints import RedisHints, ShardedHints
from events.log.redis_notes import RedisNotes
from events.log.redis_packing import RedisPacking, entries_of, is_packed, pairs, range_of, unpacked
from events.log.script import Script
from events.store import Store, store_errors
from events.store.at_once import at_once
from events.store.direct import direct
from rules.texts import say

SPANS_AT_ONCE = 100
"""So many games are read in one round trip: each may have hundreds of entries."""

T = TypeVar("T")

MOST = 1_000_000
"""More entries than a game has."""

RETURNS = 10
"""So often a game may come back from the archive while one entry is appended."""

# Everything or nothing: a script is never interrupted, and a server that cannot write refuses it at the first write.
APPEND = """
local call, log, ids = redis.call, KEYS[1], KEYS[2]
if ARGV[9] and call('HGET', KEYS[9], 'fence') ~= ARGV[9] then return {'lost', 0} end
local game, expected, command, former, last = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[5], ARGV[6]
local before = former ~= '' and call('HGET', ids, former)
if before then return {'repeated', tonumber(before)} end
local newest, version = call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1], 0
if newest then
  if newest[2][1] == 'z' then return {'packed', 0, newest[2][2]} end
  version = tonumber(string.match(newest[1], '%d+'))
elseif expected == 0 then
  local archived = call('HGET', KEYS[8], game)
  if archived then return {'archived', 0, archived} end
end
local follows = version == expected and (not newest or string.find(newest[2][2], last, 1, true))
if not follows or call('HSETNX', ids, command, expected + 1) == 0 then
  local repeated = call('HGET', ids, command)
  if repeated then return {'repeated', tonumber(repeated)} end
  return {'conflict', version, call('XRANGE', log, (expected + 1) .. '-0', '+')}
end
version = version + 1
call('XADD', log, version .. '-0', 'c', ARGV[4])
if version == 1 then
  call('ZADD', KEYS[5], call('TIME')[1], game)
  if ARGV[8] ~= '' then call('SET', KEYS[6], ARGV[8]) end
end
local deadline = ARGV[7]
if deadline == '0' then call('ZREM', KEYS[3], game)
elseif deadline == '-2' then
  local time = call('TIME')
  call('ZREM', KEYS[3], game)
  call('ZADD', KEYS[7], time[1] * 1000 + math.floor(time[2] / 1000), game)
elseif deadline and deadline ~= '-1' then call('ZADD', KEYS[3], deadline, game) end
call('XADD', KEYS[4], '*', 'g', game, 'v', version)
call('PUBLISH', 'hidalgo:commits', game .. ' ' .. version)
return version
"""

STORED = """
local log, ids, deadlines, _, _, secret = unpack(KEYS)
local entries, commands = redis.call('XRANGE', log, '-', '+'), redis.call('HGETALL', ids)
return {entries, commands, redis.call('GET', secret), redis.call('ZSCORE', deadlines, ARGV[1])}
"""

RESTORE = """
local log, ids, deadlines, feed, games, secret, finished, archived = unpack(KEYS)
local game, hidden, deadline, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('XLEN', log) > 0 or redis.call('HEXISTS', archived, game) == 1 then return {'conflict'} end
for i = 1, count do
  redis.call('XADD', log, i .. '-0', 'c', ARGV[3 + 2 * i])
  redis.call('HSET', ids, ARGV[4 + 2 * i], i)
end
local time = redis.call('TIME')
redis.call('ZADD', games, time[1], game)
redis.call('ZADD', finished, time[1] * 1000 + math.floor(time[2] / 1000), game)
if hidden ~= '' then redis.call('SET', secret, hidden) end
if deadline ~= '0' then redis.call('ZADD', deadlines, deadline, game) end
redis.call('XADD', feed, '*', 'g', game, 'v', count)
redis.call('PUBLISH', 'hidalgo:commits', game .. ' ' .. count)
return count
"""

# A game without ids is packed, or there is no such game.
COMMAND_VERSION = """
local version = redis.call('HGET', KEYS[2], ARGV[1])
if version or redis.call('EXISTS', KEYS[2]) == 1 then return version end
return redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
"""

# The entries after a version; of a game that is archived, where.
NEWER = """
local found = redis.call('XRANGE', KEYS[1], ARGV[2], '+', 'COUNT', ARGV[3])
if #found > 0 or redis.call('EXISTS', KEYS[1]) == 1 then return found end
return redis.call('HGET', KEYS[2], ARGV[1])
"""

# For each line, from its first deadline to its last, the games that wait there and their deadlines.
DUE = """
local due = {}
for i = 2, #ARGV, 2 do
  local line = redis.call('ZRANGE', KEYS[1], ARGV[i], ARGV[i + 1], 'BYSCORE', 'LIMIT', 0, ARGV[1], 'WITHSCORES')
  for _, part in ipairs(line) do due[#due + 1] = part end
end
return due
"""

# A lease that ends later than twice its time from now was written by a clock that was ahead: it is over. When a lease
# is renewed, the store keeps that in its memory alone: holder and fence are on disk since they changed, and after a
# restart of the store every lease is over.
LEASE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, ends, fence = unpack(redis.call('HMGET', KEYS[1], 'holder', 'until', 'fence'))
fence = tonumber(fence or 0)
if holder ~= ARGV[1] then
  local left = tonumber(ends or 0) - now
  if left > 0 and left <= 2 * ARGV[2] then return 0 end
  fence = fence + 1
else
  redis.set_repl(redis.REPL_NONE)
end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'until', now + ARGV[2], 'fence', fence)
return fence
"""

GIVE_UP = """
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('HSET', KEYS[1], 'holder', '', 'until', 0) end
"""

ADVANCE = """
local function after(a, b)
  local ah, al = string.match(a, '(%d+)-(%d+)')
  local bh, bl = string.match(b, '(%d+)-(%d+)')
  return tonumber(ah) > tonumber(bh) or (tonumber(ah) == tonumber(bh) and tonumber(al) > tonumber(bl))
end
local seen = redis.call('HGET', KEYS[1], ARGV[1]) or '0-0'
if after(ARGV[2], seen) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
"""


class RedisLog(RedisPacking, RedisNotes, RedisArchive):
    """See `events.log.GameLog`."""

    def __init__(self, store: Store, space: str = "") -> None:
        """The log of games, or that of another name space (`events.log.keys`)."""
        super().__init__(store, space)
        self._blocking = store.blocking
        say = direct(store.commands)
        texts = (told(text, store, space) for text in (APPEND, RESTORE))
        self._append, self._restore = (Script(say, text) for text in texts)
        self._advance, self._command_version, self._stored, self._newer = (
            Script(say, text) for text in (ADVANCE, COMMAND_VERSION, STORED, NEWER)
        )

    def space(self, name: str) -> RedisLog:
        return RedisLog(self._store, name)

    def append(
        self,
        game: str,
        version: int,
        entry: bytes,
        *,
        command: str,
        former: str = "",
        deadline: int = NO_CHANGE,
        secret: bytes = b"",
        fence: int = NO_FENCE,
        last: bytes = b"",
    ) -> Appended:
        keys, more = self._keys.of_scripts(game)[:4], tuple[Any, ...]()
        if fence != NO_FENCE:
            keys, more = self._keys.of_scripts(game), (deadline, secret, fence)
        elif version == 0 or deadline != NO_CHANGE:
            keys, more = self._keys.of_scripts(game)[:8], (deadline, secret)
        for _ in range(RETURNS):
            with store_errors():
                answer = self._append(keys, game, version, command, entry, former, last, *more)
            if isinstance(answer, int):
                return Appended(answer)
            if found := self._answered(game, version, (command, former), *answer):
                return found
        raise Conflict(game, version, self.version(game), self.read(game, version))

    def _answered(self, game: str, version: int, commands: Sequence[str], what: bytes, number: int, *found: Any) -> Any:
        """The meaning of what the script has found instead of appending. None if it found no game because that was just
        coming back from the archive: the log is asked once more."""
        match what:
            case b"lost":
                raise LeaseLost(say("bucket {bucket} has another holder", bucket=self.buckets.of(game)))
            case b"packed":
                return unpack(found[0]).answer(game, version, *commands)
            case b"archived":
                return self.contents(game, archived(found[0])).answer(game, version, *commands)
            case b"repeated":
                return Appended(number, repeated=True)
        if number:
            raise Conflict(game, version, number, [fields[b"c"] for _, fields in pairs(found[0])])
        if about := self.archived(game):
            return self.contents(game, about).answer(game, version, *commands)
        if self.version(game):
            return None
        raise Conflict(game, version, 0, [])

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        key, first, _, count = range_of(self._log_key(game), after, until)
        if not after:
            with store_errors():
                found = self._redis.xrange(key, first, count=count)
            if found:
                return entries_of(found, after, until)
        with store_errors():
            found = self._newer((key, self._archived_key(game)), game, first, MOST if count is None else count)
        return self._entries(game, found, after, until)

    def _entries(self, game: str, found: Any, after: int, until: int | None) -> list[bytes]:
        """The entries of an answer: a part of a stream, or where the game is in the archive."""
        if isinstance(found, bytes):
            about = archived(found)
            return self.contents(game, about).entries[after:until] if about.version > after else []
        return entries_of(list(pairs(found or ())), after, until)

    def read_many(self, spans: Sequence[Span]) -> list[list[bytes] | None]:
        found: list[list[bytes] | None] = []
        for first in range(0, len(spans), SPANS_AT_ONCE):
            with store_errors(), self._redis.pipeline(transaction=False) as asking:
                some = spans[first : first + SPANS_AT_ONCE]
                for span in some:
                    key = self._log_key(span.game)
                    asking.exists(key)
                    asking.xrange(*range_of(key, span.after, span.until))
                replies = asking.execute()
            for span, exists, rows in zip(some, replies[::2], replies[1::2], strict=True):
                found.append(entries_of(rows, span.after, span.until) if exists else None)
        return self._with_archived(spans, found)

    def _with_archived(self, spans: Sequence[Span], found: list[list[bytes] | None]) -> list[list[bytes] | None]:
        """The same, with the games that are in the archive."""
        missing = [number for number, entries in enumerate(found) if entries is None]
        if not missing:
            return found
        keys = [(self._log_key(spans[n].game), self._archived_key(spans[n].game), spans[n].game) for n in missing]
        first = [f"{spans[n].after + 1}-0" for n in missing]
        with store_errors():
            answers = at_once(self._redis, [("EVAL", NEWER, 2, *k, f, MOST) for k, f in zip(keys, first, strict=True)])
        for number, answer in zip(missing, answers, strict=True):
            if answer is not None:
                span = spans[number]
                found[number] = self._entries(span.game, answer, span.after, span.until)
        return found

    def _log_key(self, game: str) -> str:
        return self._keys.of_game(game, "log")

    def version(self, game: str) -> int:
        return self._anywhere(game, lambda: self._version(game), lambda about: about.version) or 0

    def _version(self, game: str) -> int:
        key = self._log_key(game)
        with store_errors():
            if (length := int(self._redis.xlen(key))) != 1:
                return length
            newest = self._redis.xrevrange(key, count=1)
        return int(newest[0][0].partition(b"-")[0]) if newest else 0

    def command_version(self, game: str, command: str) -> int | None:
        def stored() -> int | list[str] | None:
            with store_errors():
                found = self._command_version(self._keys.of_scripts(game)[:2], command)
            return unpacked(list(pairs(found))).commands if isinstance(found, list) else int(found) if found else None

        found = self._anywhere(game, stored, lambda about: self.contents(game, about).commands)
        if not isinstance(found, list):
            return found
        return found.index(command) + 1 if command in found else None

    def secret(self, game: str) -> bytes:
        def stored() -> bytes:
            with store_errors():
                return self._redis.get(self._keys.of_game(game, "secret")) or b""

        return self._anywhere(game, stored, lambda about: self.archived_secret(game, about)) or b""

    def _anywhere(self, game: str, stored: Callable[[], T], archived: Callable[[Archived], T]) -> T | None:
        """What a game has, in the store or in the archive: it may pass from one to the other just now."""
        for _ in range(2):
            if found := stored():
                return found
            if about := self.archived(game):
                return archived(about)
        return None

    def games(self, bucket: int) -> Iterator[str]:
        with store_errors():
            games = self._redis.zrange(self._keys.of_bucket(bucket, "games"), 0, -1, withscores=True)
        return in_order(((game.decode(), int(created)) for game, created in games), self.archived_games(bucket))

    def due(self, buckets: Sequence[int], now: int, limit: int = 100) -> list[Due]:
        lines = [moment for line in priorities.lines(now) for moment in line]
        waiting = self._at_once(DUE, buckets, "deadlines", limit, *lines)
        pairs = (pair for flat in waiting for pair in zip(flat[::2], flat[1::2], strict=True))
        return [priorities.due(game.decode(), int(deadline)) for game, deadline in pairs]

    def lease(self, buckets: Sequence[int], holder: str, milliseconds: int) -> dict[int, int]:
        fences = self._at_once(LEASE, buckets, "lease", holder, milliseconds)
        return {bucket: fence for bucket, fence in zip(buckets, fences, strict=True) if fence}

    def give_up(self, buckets: Sequence[int], holder: str) -> None:
        self._at_once(GIVE_UP, buckets, "lease", holder)

    def _at_once(self, script: str, buckets: Sequence[int], what: str, *args: Any) -> list[Any]:
        """Run a script on a key of each of these buckets."""
        with store_errors():
            return at_once(
                self._redis, [("EVAL", script, 1, self._keys.of_bucket(bucket, what), *args) for bucket in buckets]
            )

    def deadline(self, game: str) -> int:
        with store_errors():
            at = self._redis.zscore(self._keys.of_the_bucket_of(game, "deadlines"), game)
        return NO_DEADLINE if at is None else int(at)

    def feed(self, bucket: int, after: str = "0-0", limit: int = 100) -> list[FeedEntry]:
        with store_errors():
            lines = self._redis.xrange(self._keys.of_bucket(bucket, "feed"), f"({after}", "+", count=limit)
        return _feed_entries(lines)

    def feeds(self, positions: Mapping[int, str], limit: int = 100) -> dict[int, list[FeedEntry]]:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket, after in positions.items():
                asking.xrange(self._keys.of_bucket(bucket, "feed"), f"({after}", "+", count=limit)
            return {bucket: _feed_entries(lines) for bucket, lines in zip(positions, asking.execute(), strict=True)}

    def hints(self) -> Hints:
        redis = self._blocking
        if isinstance(redis, RedisCluster):
            return ShardedHints(redis, [self._keys.of_bucket(bucket, "commits") for bucket in self.buckets.all])
        return RedisHints(redis, channel(self._space))

    def checkpoint(self, bucket: int, consumer: str) -> str:
        with store_errors():
            position = self._redis.hget(self._keys.of_bucket(bucket, "seen"), consumer)
        return position.decode() if position else "0-0"

    def set_checkpoint(self, bucket: int, consumer: str, position: str) -> None:
        with store_errors():
            self._advance((self._keys.of_bucket(bucket, "seen"),), consumer, position)

    def checkpoints_of(self, consumer: str, buckets: Collection[int]) -> dict[int, str]:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket in buckets:
                asking.hget(self._keys.of_bucket(bucket, "seen"), consumer)
            found = [(position or b"0-0").decode() for position in asking.execute()]
        return dict(zip(buckets, found, strict=True))

    def set_checkpoints(self, consumer: str, positions: Mapping[int, str]) -> None:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket, position in positions.items():
                asking.execute_command("EVAL", ADVANCE, 1, self._keys.of_bucket(bucket, "seen"), consumer, position)
            asking.execute()

    def checkpoints(self, bucket: int) -> dict[str, str]:
        with store_errors():
            seen = self._redis.hgetall(self._keys.of_bucket(bucket, "seen"))
        return {consumer.decode(): position.decode() for consumer, position in seen.items()}

    def trim_feed(self, bucket: int) -> None:
        if seen := self.checkpoints(bucket).values():
            oldest = min(seen, key=lambda position: tuple(map(int, position.split("-"))))
            with store_errors():
                self._redis.xtrim(self._keys.of_bucket(bucket, "feed"), minid=oldest, approximate=True)

    def stored(self, game: str) -> StoredGame:
        found = self._anywhere(game, lambda: self._stored_game(game), self._archived_game(game))
        return found or StoredGame([], [], b"")

    def _stored_game(self, game: str) -> StoredGame | None:
        with store_errors():
            found, ids, secret, deadline = self._stored(self._keys.of_scripts(game)[:6], game)
        if not found:
            return None
        found, versions = list(pairs(found)), dict(zip(ids[::2], map(int, ids[1::2]), strict=True))
        whole = unpacked(found) if is_packed(found) else _whole(entries_of(found), versions)
        return StoredGame(whole.entries, whole.commands, secret or b"", int(deadline or NO_DEADLINE))

    def _archived_game(self, game: str) -> Callable[[Archived], StoredGame]:
        def stored(about: Archived) -> StoredGame:
            whole = self.contents(game, about)
            return StoredGame(whole.entries, whole.commands, self.archived_secret(game, about))

        return stored

    def restore(self, game: str, stored: StoredGame) -> None:
        rows = [part for row in zip(stored.entries, stored.commands, strict=True) for part in row]
        with store_errors():
            keys = self._keys.of_scripts(game)[:8]
            answer = self._restore(keys, game, stored.secret, stored.deadline, len(stored.entries), *rows)
        if not isinstance(answer, int):
            raise Conflict(game, 0, self.version(game), [])

    def remove(self, game: str) -> None:
        log, ids, deadlines, _, games, secret, finished, archived, _ = self._keys.of_scripts(game)
        with store_errors():
            # Archived games are taken out of the index first: a crash in between leaves nothing that looks alive.
            for index in (games, deadlines, finished, self._keys.of_the_bucket_of(game, "packed")):
                self._redis.zrem(index, game)
            self._redis.delete(log, ids, secret)
            for kept in (archived, self._keys.of_the_bucket_of(game, "notes")):
                self._redis.hdel(kept, game)

    def is_packed(self, game: str) -> bool:
        packed = RedisPacking.is_packed
        return bool(self._anywhere(game, lambda: packed(self, game) or None, lambda about: True))

    def unpack(self, game: str) -> None:
        while self.is_packed(game):
            self.recall(game)
            super().unpack(game)


def told(script: str, store: Store, space: str) -> str:
    """The script, which hints in its last line but one where it is listened for: on a cluster in the bucket alone."""
    if store.is_cluster:
        return script.replace(
            f"call('PUBLISH', '{channel()}'", "call('SPUBLISH', (string.gsub(KEYS[4], 'feed$', 'commits'))"
        )
    return script.replace(channel(), channel(space))


def _feed_entries(lines: Sequence[Any]) -> list[FeedEntry]:
    return [FeedEntry(position.decode(), line[b"g"].decode(), int(line[b"v"])) for position, line in lines]


def _whole(entries: list[bytes], versions: Mapping[bytes, int]) -> UnpackedGame:
    """Entries, and the commands that made these versions."""
    if sorted(versions.values()) != list(range(1, len(entries) + 1)):
        raise Damaged("not every commit was made by one command")
    return UnpackedGame(entries, [command.decode() for command in sorted(versions, key=versions.__getitem__)])
