"""The log in Redis, on one server or a cluster.

The keys are in `events.log.keys`; how a packed game is kept, in `events.log.redis_packing`. Every commit is also
published on the channel `hidalgo:commits`, as `<game> <version>`: a hint that may be lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import TimeoutError as TimedOut

from events.errors import Conflict, Damaged, LeaseLost
from events.log import (
    ANYTHING,
    NO_CHANGE,
    NO_DEADLINE,
    NO_FENCE,
    Appended,
    Due,
    FeedEntry,
    Hint,
    Span,
    StoredGame,
    bucket_of,
    priorities,
)
from events.log.keys import bucket_key, game_key, script_keys
from events.log.packing import UnpackedGame, unpack
from events.log.redis_packing import RedisPacking, entries_of, is_packed, pairs, range_of, unpacked
from events.log.script import Script
from events.store import Store, store_errors
from events.store.clients import Client, direct
from rules.texts import say

CHANNEL = "hidalgo:commits"
# After so long without a hint the server is asked whether it lives, and given as long to answer.
SECONDS_OF_SILENCE = 5.0

SPANS_AT_ONCE = 100
"""So many games are read in one round trip: each may have hundreds of entries."""

# Everything or nothing: a script is never interrupted, and a server that cannot write refuses it at the first write.
APPEND = """
local call, log, ids = redis.call, KEYS[1], KEYS[2]
if ARGV[8] and call('HGET', KEYS[8], 'fence') ~= ARGV[8] then return {'lost', 0} end
local game, expected, command, former = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[5]
local before = former ~= '' and call('HGET', ids, former)
if before then return {'repeated', tonumber(before)} end
local version = call('XLEN', log)
if version == 1 then
  local only = call('XRANGE', log, '-', '+')[1][2]
  if only[1] == 'z' then return {'packed', 0, only[2]} end
end
if version ~= expected or call('HSETNX', ids, command, expected + 1) == 0 then
  local repeated = call('HGET', ids, command)
  if repeated then return {'repeated', tonumber(repeated)} end
  return {'conflict', version, call('XRANGE', log, (expected + 1) .. '-0', '+')}
end
version = version + 1
call('XADD', log, version .. '-0', 'c', ARGV[4])
if version == 1 then
  call('ZADD', KEYS[5], call('TIME')[1], game)
  if ARGV[7] ~= '' then call('SET', KEYS[6], ARGV[7]) end
end
local deadline = ARGV[6]
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
local log, ids, deadlines, feed, games, secret, finished = unpack(KEYS)
local game, hidden, deadline, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local version = redis.call('XLEN', log)
if version > 0 then return {'conflict', version} end
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

# For each line, from its first deadline to its last, the games that wait there and their deadlines.
DUE = """
local due = {}
for i = 2, #ARGV, 2 do
  local line = redis.call('ZRANGE', KEYS[1], ARGV[i], ARGV[i + 1], 'BYSCORE', 'LIMIT', 0, ARGV[1], 'WITHSCORES')
  for _, part in ipairs(line) do due[#due + 1] = part end
end
return due
"""

# A lease that ends later than twice its time from now was written by a clock that was ahead: it is over.
LEASE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, ends, fence = unpack(redis.call('HMGET', KEYS[1], 'holder', 'until', 'fence'))
fence = tonumber(fence or 0)
if holder ~= ARGV[1] then
  local left = tonumber(ends or 0) - now
  if left > 0 and left <= 2 * ARGV[2] then return 0 end
  fence = fence + 1
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


class RedisLog(RedisPacking):
    """See `events.log.GameLog`."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._blocking = store.blocking
        say = direct(store.commands)
        self._append, self._restore, self._advance = (Script(say, text) for text in (APPEND, RESTORE, ADVANCE))
        self._command_version, self._stored = (Script(say, text) for text in (COMMAND_VERSION, STORED))

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
    ) -> Appended:
        keys, more = script_keys(game)[:4], tuple[Any, ...]()
        if fence != NO_FENCE:
            keys, more = script_keys(game), (deadline, secret, fence)
        elif version == 0 or deadline != NO_CHANGE:
            keys, more = script_keys(game)[:7], (deadline, secret)
        with store_errors():
            answer = self._append(keys, game, version, command, entry, former, *more)
        if isinstance(answer, int):
            return Appended(answer)
        what, number, *more = answer
        if what == b"lost":
            raise LeaseLost(say("bucket {bucket} has another holder", bucket=bucket_of(game)))
        if what == b"packed":
            return unpack(more[0]).answer(game, version, command, former)
        if what == b"conflict":
            raise Conflict(game, version, number, [fields[b"c"] for _, fields in pairs(more[0])])
        return Appended(number, repeated=True)

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        with store_errors():
            found = self._redis.xrange(*range_of(game, after, until))
        return entries_of(found, after, until)

    def read_many(self, spans: Sequence[Span]) -> list[list[bytes] | None]:
        found: list[list[bytes] | None] = []
        for first in range(0, len(spans), SPANS_AT_ONCE):
            with store_errors(), self._redis.pipeline(transaction=False) as asking:
                some = spans[first : first + SPANS_AT_ONCE]
                for span in some:
                    asking.exists(game_key(span.game, "log"))
                    asking.xrange(*range_of(span.game, span.after, span.until))
                replies = asking.execute()
            for span, exists, rows in zip(some, replies[::2], replies[1::2], strict=True):
                found.append(entries_of(rows, span.after, span.until) if exists else None)
        return found

    def version(self, game: str) -> int:
        key = game_key(game, "log")
        with store_errors():
            if (length := int(self._redis.xlen(key))) != 1:
                return length
            [(last, _)] = self._redis.xrevrange(key, count=1)
        return int(last.partition(b"-")[0])

    def command_version(self, game: str, command: str) -> int | None:
        with store_errors():
            found = self._command_version(script_keys(game)[:2], command)
        if not isinstance(found, list):
            return int(found) if found else None
        commands = unpacked(list(pairs(found))).commands
        return commands.index(command) + 1 if command in commands else None

    def secret(self, game: str) -> bytes:
        with store_errors():
            return self._redis.get(game_key(game, "secret")) or b""

    def games(self, bucket: int) -> Iterator[str]:
        with store_errors():
            games = self._redis.zrange(bucket_key(bucket, "games"), 0, -1)
        return (game.decode() for game in games)

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
            asking = self._redis.pipeline(transaction=False)
            for bucket in buckets:
                # `eval` is not offered where the store is a cluster, although it understands it.
                asking.execute_command("EVAL", script, 1, bucket_key(bucket, what), *args)
            return list(asking.execute())

    def deadline(self, game: str) -> int:
        with store_errors():
            at = self._redis.zscore(bucket_key(bucket_of(game), "deadlines"), game)
        return NO_DEADLINE if at is None else int(at)

    def feed(self, bucket: int, after: str = "0-0", limit: int = 100) -> list[FeedEntry]:
        with store_errors():
            lines = self._redis.xrange(bucket_key(bucket, "feed"), f"({after}", "+", count=limit)
        return _feed_entries(lines)

    def feeds(self, positions: Mapping[int, str], limit: int = 100) -> dict[int, list[FeedEntry]]:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket, after in positions.items():
                asking.xrange(bucket_key(bucket, "feed"), f"({after}", "+", count=limit)
            return {bucket: _feed_entries(lines) for bucket, lines in zip(positions, asking.execute(), strict=True)}

    def hints(self) -> RedisHints:
        return RedisHints(self._blocking)

    def checkpoint(self, bucket: int, consumer: str) -> str:
        with store_errors():
            position = self._redis.hget(bucket_key(bucket, "seen"), consumer)
        return position.decode() if position else "0-0"

    def set_checkpoint(self, bucket: int, consumer: str, position: str) -> None:
        with store_errors():
            self._advance((bucket_key(bucket, "seen"),), consumer, position)

    def checkpoints_of(self, consumer: str, buckets: Collection[int]) -> dict[int, str]:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket in buckets:
                asking.hget(bucket_key(bucket, "seen"), consumer)
            found = [(position or b"0-0").decode() for position in asking.execute()]
        return dict(zip(buckets, found, strict=True))

    def set_checkpoints(self, consumer: str, positions: Mapping[int, str]) -> None:
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for bucket, position in positions.items():
                asking.execute_command("EVAL", ADVANCE, 1, bucket_key(bucket, "seen"), consumer, position)
            asking.execute()

    def checkpoints(self, bucket: int) -> dict[str, str]:
        with store_errors():
            seen = self._redis.hgetall(bucket_key(bucket, "seen"))
        return {consumer.decode(): position.decode() for consumer, position in seen.items()}

    def trim_feed(self, bucket: int) -> None:
        if seen := self.checkpoints(bucket).values():
            oldest = min(seen, key=lambda position: tuple(map(int, position.split("-"))))
            with store_errors():
                self._redis.xtrim(bucket_key(bucket, "feed"), minid=oldest, approximate=True)

    def stored(self, game: str) -> StoredGame:
        with store_errors():
            found, ids, secret, deadline = self._stored(script_keys(game)[:6], game)
        found, versions = list(pairs(found)), dict(zip(ids[::2], map(int, ids[1::2]), strict=True))
        whole = unpacked(found) if is_packed(found) else _whole(entries_of(found), versions)
        return StoredGame(whole.entries, whole.commands, secret or b"", int(deadline or NO_DEADLINE))

    def restore(self, game: str, stored: StoredGame) -> None:
        rows = [part for row in zip(stored.entries, stored.commands, strict=True) for part in row]
        with store_errors():
            keys = script_keys(game)[:7]
            answer = self._restore(keys, game, stored.secret, stored.deadline, len(stored.entries), *rows)
        if not isinstance(answer, int):
            raise Conflict(game, 0, self.version(game), [])

    def remove(self, game: str) -> None:
        log, ids, deadlines, _, games, secret, finished, _ = script_keys(game)
        with store_errors():
            # Archived games are taken out of the index first: a crash in between leaves nothing that looks alive.
            for index in (games, deadlines, finished):
                self._redis.zrem(index, game)
            self._redis.delete(log, ids, secret)


class RedisHints:
    """See `events.log.Hints`. On a cluster, every node hears what is published on any other."""

    def __init__(self, redis: Client, channel: str = CHANNEL) -> None:
        self._redis = redis
        self._channel = channel
        self._pubsub: Any = None
        self._heard_at = 0.0
        self._asked = False

    def next(self, seconds: float) -> Hint | None:
        with store_errors():
            if self._pubsub is None:
                self._subscribe()
            message = self._pubsub.get_message(timeout=seconds)
            if message is None:
                self._check_that_it_lives()
                return None
        self._hear()
        match message["type"]:
            case "message":
                game, _, version = message["data"].decode().rpartition(" ")
                return Hint(game, int(version))
            case "subscribe":
                # Also when the client has connected anew by itself.
                return ANYTHING
        return None

    def close(self) -> None:
        if self._pubsub is not None:
            self._pubsub.close()
            self._pubsub = None

    def _subscribe(self) -> None:
        redis = self._redis
        server = redis.get_redis_connection(redis.get_random_node()) if isinstance(redis, RedisCluster) else redis
        self._pubsub = server.pubsub()
        self._pubsub.subscribe(self._channel)
        self._hear()

    def _hear(self) -> None:
        self._heard_at, self._asked = monotonic(), False

    def _check_that_it_lives(self) -> None:
        """A connection can be dead without a word: after a silence the server is asked, and must answer in time."""
        silence = monotonic() - self._heard_at
        if silence > 2 * SECONDS_OF_SILENCE:
            raise TimedOut("it does not answer")
        if silence > SECONDS_OF_SILENCE and not self._asked:
            self._asked = True
            self._pubsub.ping()


def _feed_entries(lines: Sequence[Any]) -> list[FeedEntry]:
    return [FeedEntry(position.decode(), line[b"g"].decode(), int(line[b"v"])) for position, line in lines]


def _whole(entries: list[bytes], versions: Mapping[bytes, int]) -> UnpackedGame:
    """Entries, and the commands that made these versions."""
    if sorted(versions.values()) != list(range(1, len(entries) + 1)):
        raise Damaged("not every commit was made by one command")
    return UnpackedGame(entries, [command.decode() for command in sorted(versions, key=versions.__getitem__)])
