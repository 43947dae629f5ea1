"""Notes of games in Redis: one hash for each bucket; those of many buckets cost one round trip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events.log import Note, Noted
from events.log.redis_packing import entries_of, pairs
from events.log.redis_part import RedisPart
from events.store import store_errors
from events.store.at_once import at_once

# A note is `<version> <word> <mark> <about>`. The mark outlives the note.
NOTE = """
local standing = {}
for i = 1, #ARGV, 4 do
  local game, version, word, about = unpack(ARGV, i, i + 3)
  local found = redis.call('HGET', KEYS[1], game)
  local before, mark = string.match(found or '0 - - ', '^(%d+) %S+ (%S+) ')
  if about ~= '' and tonumber(version) >= tonumber(before) then
    found = version .. ' ' .. word .. ' ' .. mark .. ' ' .. about
    redis.call('HSET', KEYS[1], game, found)
  end
  standing[#standing + 1] = found or ''
end
return standing
"""

MARK = """
local version, word, about = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '0 - - ', '^(%d+) (%S+) %S+ (.*)$')
redis.call('HSET', KEYS[1], ARGV[1], version .. ' ' .. word .. ' ' .. ARGV[2] .. ' ' .. about)
"""

# Of each game its note, and its entries after a version (-1: that of the note), or where it is in the archive; nothing
# of one that is not there.
NOTED = """
local answers = {}
for i = 1, #ARGV, 2 do
  local note, after, log = redis.call('HGET', KEYS[1], ARGV[i]) or '', ARGV[i + 1], KEYS[(i + 5) / 2]
  if after == '-1' then after = string.match(note, '^%d+') or '0' end
  local entries = redis.call('XRANGE', log, string.format('%.0f-0', after + 1), '+')
  local is_there = #entries > 0 or redis.call('EXISTS', log) == 1
  local found = is_there and entries or redis.call('HGET', KEYS[2], ARGV[i])
  answers[#answers + 1] = found and {note, after, found} or {}
end
return answers
"""


class RedisNotes(RedisPart):
    """See `events.log.Notes`."""

    def note(self, notes: Mapping[str, Note]) -> dict[str, Note]:
        words = {game: (game, note.version, note.word, note.about) for game, note in notes.items()}
        found = self._in_buckets(NOTE, words)
        return {game: note for game, text in found if (note := _read(text))}

    def mark(self, game: str, mark: str) -> None:
        with store_errors():
            key = self._keys.of_the_bucket_of(game, "notes")
            self._redis.execute_command("EVAL", MARK, 1, key, game, mark)

    def noted(self, versions: Mapping[str, int]) -> dict[str, Noted]:
        found = self._in_buckets(NOTED, {game: (game, after) for game, after in versions.items()}, "log")
        return {
            game: Noted(_read(answer[0]), self._entries(game, answer[2], int(answer[1]), None))
            for game, answer in found
            if answer
        }

    def _entries(self, game: str, found: Any, after: int, until: int | None) -> list[bytes]:
        """The entries of an answer; the log also has games that are in the archive."""
        return entries_of(list(pairs(found)), after, until)

    def _in_buckets(self, script: str, words: Mapping[str, Sequence[Any]], *of_game: str) -> Iterator[tuple[str, Any]]:
        """Run a script for the games of each bucket, on its notes and so many keys of each; answers game by game."""
        buckets: dict[int, list[str]] = {}
        for game in words:
            buckets.setdefault(self._keys.buckets.of(game), []).append(game)
        commands = []
        for bucket, games in buckets.items():
            keys = [self._keys.of_bucket(bucket, what) for what in ("notes", "archived")]
            keys += [self._keys.of_game(game, what) for game in games for what in of_game]
            commands.append(("EVAL", script, len(keys), *keys, *(word for game in games for word in words[game])))
        with store_errors():
            answers = at_once(self._redis, commands)
        for games, answer in zip(buckets.values(), answers, strict=True):
            yield from zip(games, answer, strict=True)


def _read(text: bytes) -> Note | None:
    if not text:
        return None
    version, word, mark, about = text.split(b" ", 3)
    return Note(int(version), word.decode(), about, "" if mark == b"-" else mark.decode())
