"""Presence: the accounts that have a study open just now, and where in it they are.

An account that has not said so again for 25 seconds is gone. Nothing of it is worth a write on disk: it is kept in the
memory of the store alone, in a hash beside the log of the study, `hidalgo:{07}:studies:presence:<study>`: for each
account until when, and its place; `changed` is when anything but a time was last written.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from events.log import STUDIES, Hints
from events.log.redis_hints import RedisHints
from events.log.script import Script
from events.store import Store, store_errors
from events.store.direct import direct

COUNTS_FOR_MS = 25_000
MOST = 200
"""So many accounts are seen in one study; the next one is not."""
CHANNEL = "hidalgo:studies:presence"
"""There every change is hinted, as `<study> <milliseconds>`."""

# Times alone are no news: those who listen hear of accounts that come, go on to another place, or are gone.
ENTER = """
redis.set_repl(redis.REPL_NONE)
local key, account, place, lasts, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all, count, news = redis.call('HGETALL', key), 0, true
for i = 1, #all, 2 do
  if all[i] ~= 'changed' then
    local ends, at = string.match(all[i + 1], '^(%d+) (.*)$')
    if all[i] == account then
      news = tonumber(ends) <= now or at ~= place
    elseif tonumber(ends) <= now then
      redis.call('HDEL', key, all[i])
    else
      count = count + 1
    end
  end
end
if count >= most then return 0 end
redis.call('HSET', key, account, string.format('%.0f', now + lasts) .. ' ' .. place)
if news then
  redis.call('HSET', key, 'changed', string.format('%.0f', now))
  redis.call('PUBLISH', ARGV[5], ARGV[6] .. ' ' .. string.format('%.0f', now))
end
redis.call('PEXPIRE', key, 2 * lasts)
return 1
"""

PRESENT = """
local time = redis.call('TIME')
return {time[1] * 1000 + math.floor(time[2] / 1000), redis.call('HGETALL', KEYS[1])}
"""


class Visitor(Struct, frozen=True, array_like=True):
    """An account that has the study open, and its place there; empty: none in particular."""

    account: str
    chapter: str = ""
    node: str = ""
    is_writing: bool = False


class Present(Struct, frozen=True):
    """Everyone in a study, and when that last changed, in milliseconds."""

    at: int
    visitors: tuple[Visitor, ...]


class Presence:
    """Of all studies; a source for a hub that hands out changes (see `events.workers.hub.Source`)."""

    def __init__(self, store: Store) -> None:
        say = direct(store.commands)
        self._store = store
        self._redis: Any = store.commands
        self._blocking = store.blocking
        self._enter, self._present = Script(say, ENTER), Script(say, PRESENT)

    def enter(self, study: str, visitor: Visitor) -> None:
        """It counts for 25 seconds."""
        place = msgspec.json.encode(visitor)
        with store_errors():
            self._enter((self._key(study),), visitor.account, place, COUNTS_FOR_MS, MOST, CHANNEL, study)

    def present(self, study: str) -> Present:
        with store_errors():
            return _read(*self._present((self._key(study),)))

    def present_in(self, studies: list[str]) -> dict[str, Present]:
        """In each of these studies, in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for study in studies:
                asking.execute_command("EVAL", PRESENT, 1, self._key(study))
            return {study: _read(*found) for study, found in zip(studies, asking.execute(), strict=True)}

    def _key(self, study: str) -> str:
        return self._store.buckets.key_of(study, f"{STUDIES}:presence:{study}")

    # As a source

    def hints(self) -> Hints:
        return RedisHints(self._blocking, CHANNEL)

    def read(self, topic: str, after: int, limit: int | None = None) -> list[Present]:
        """Everyone in a study, if that has changed since."""
        now = self.present(topic)
        return [now] if now.at > after else []

    def number(self, item: Present) -> int:
        return item.at


def _read(now: int, flat: list[bytes]) -> Present:
    kept = dict(zip(flat[::2], flat[1::2], strict=True))
    changed = int(kept.pop(b"changed", 0))
    found = [(int(until), place) for until, _, place in (text.partition(b" ") for text in kept.values())]
    visitors = [msgspec.json.decode(place, type=Visitor) for until, place in found if until > now]
    left = [until for until, _ in found if until <= now]
    return Present(max([changed, *left]), tuple(sorted(visitors, key=lambda visitor: visitor.account)))
