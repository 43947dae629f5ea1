"""The index of tournaments: their lists, newest first. It lies beside the log, and can be made anew from it.

Readers look at the tournaments themselves, so that a stale entry does no harm.

| key | content |
|---|---|
| `hidalgo:{tournaments}:public:<status>` | sorted set: public tournaments |
| `hidalgo:{tournaments}:of:<account>:<status>` | those in which an account plays, works or is asked to, for it alone |
| `hidalgo:{tournaments}:about:<tournament>` | hash: the version that is indexed, and the keys in which it stands |
| `hidalgo:{tournaments}:complete`, `…:rebuilding` | whether it is complete, and how far it has come |

Entries are `<created, 13 digits>/<tournament>`, all with score 0: the order of their bytes is the order of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events.store import Store, store_errors
from events.workers.rebuilding import Completeness
from tournaments.options import PUBLIC
from tournaments.tournament import Tournament

# Only what is newer than the index; the keys that it stood in before and does not any more are left.
WRITE = """
local about, version, entry = KEYS[1], tonumber(ARGV[1]), ARGV[2]
if tonumber(redis.call('HGET', about, 'version') or 0) >= version then return 0 end
local now = {}
for i = 2, #KEYS do
  now[KEYS[i]] = true
  redis.call('ZADD', KEYS[i], 0, entry)
end
for _, key in ipairs(cjson.decode(redis.call('HGET', about, 'keys') or '[]')) do
  if not now[key] then redis.call('ZREM', key, entry) end
end
redis.call('HSET', about, 'version', version, 'keys', ARGV[3])
return 1
"""


class TournamentIndex:
    """Safe between threads and processes."""

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._write = self._redis.register_script(WRITE)
        self.complete = Completeness(store, "tournaments")

    def put(self, tournament: Tournament) -> None:
        """List a tournament as it is now, unless a newer one is listed."""
        keys = sorted(keys_of(tournament))
        with store_errors():
            self._write(
                keys=[index_key("about", tournament.id), *keys],
                args=[tournament.version, entry(tournament), msgspec.json.encode(keys)],
            )

    def page(self, keys: Sequence[str], after: str, limit: int) -> list[str]:
        """Entries of these lists together, newest first, `after` the last one of the page before."""
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for key in keys:
                asking.zrange(key, f"({after}" if after else "+", "-", desc=True, bylex=True, offset=0, num=limit)
            found = {each.decode() for some in asking.execute() for each in some}
        return sorted(found, reverse=True)[:limit]

    def count(self, key: str) -> int:
        with store_errors():
            return int(self._redis.zcard(key))


def keys_of(tournament: Tournament) -> Iterable[str]:
    """The lists in which a tournament stands."""
    if tournament.options.visibility == PUBLIC:
        yield public_key(tournament.status)
    players = (player.account for player in tournament.participants.values())
    asked = (request.account for request in tournament.asked.values())
    for account in {tournament.owner, *tournament.staff, *players, *tournament.invited, *asked}:
        yield own_key(account, tournament.status)


def public_key(status: str) -> str:
    return index_key("public", status)


def own_key(account: str, status: str) -> str:
    return index_key("of", account, status)


def entry(tournament: Tournament) -> str:
    return f"{tournament.created_at:013}/{tournament.id}"


def index_key(*words: str) -> str:
    return ":".join(["hidalgo:{tournaments}", *words])
