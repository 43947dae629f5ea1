"""Invitations: a word that lets one account sit down at a private table. Only its digest is kept.

The first account that uses it owns it: a request that is sent again still finds its seat, and no other account can use
it.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from events.errors import NotNow
from events.store import Store, store_errors

MOST = 100
"""The most invitations of a table."""

# The first account that comes owns it. Returns the owner and the seat.
CLAIM = """
local seat = redis.call('HGET', KEYS[1], ARGV[1])
if not seat then return {} end
redis.call('HSETNX', KEYS[1], 'by:' .. ARGV[1], ARGV[2])
return {redis.call('HGET', KEYS[1], 'by:' .. ARGV[1]), seat}
"""


# An invitation that this account has used is used up: neither this account nor another can use it again.
USE_UP = """
local kept = redis.call('HGETALL', KEYS[1])
for i = 1, #kept, 2 do
  if string.sub(kept[i], 1, 3) == 'by:' and kept[i + 1] == ARGV[1] then redis.call('HSET', KEYS[1], kept[i], '') end
end
"""


PUT_BACK = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""


class NotInvited(NotNow):
    """The invitation is unknown, or another's."""

    code = "not_invited"


class Invitation(Struct, frozen=True):
    """`seat` may be empty: any free one."""

    word: str
    seat: str = ""
    used_up: bool = False


class Invitations:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands
        self._claim = self._redis.register_script(CLAIM)

    def write(self, game: str, word: str, seat: str = "") -> Invitation:
        with store_errors():
            self._redis.hsetnx(self._key(game), _digest(word), seat)
            kept, claimed_by = self._redis.hmget(self._key(game), _digest(word), f"by:{_digest(word)}")
        return Invitation(word, kept.decode(), claimed_by == b"")

    def reserve(self, game: str, word: str, seat: str, account: str) -> None:
        """An invitation that nobody but this account can use."""
        with store_errors():
            self._redis.hset(self._key(game), mapping={_digest(word): seat, f"by:{_digest(word)}": account})

    def is_good(self, game: str, word: str, account: str) -> bool:
        """Whether there is such an invitation that nobody has used, or this account has."""
        with store_errors():
            seat, claimed_by = self._redis.hmget(self._key(game), _digest(word), f"by:{_digest(word)}")
        return seat is not None and claimed_by in (None, account.encode() or None)

    def count(self, game: str) -> int:
        with store_errors():
            return int(self._redis.hlen(self._key(game)))

    def claim(self, game: str, word: str, account: str) -> str | None:
        """The seat of the invitation, which is this account's from now on; None if it is unknown, or another's."""
        with store_errors():
            owner, seat = self._claim(keys=[self._key(game)], args=[_digest(word), account]) or (b"", b"")
        return seat.decode() if owner.decode() == account else None

    def use_up(self, game: str, account: str) -> None:
        """The invitations that the account has used do not let it in again."""
        with store_errors():
            self._redis.eval(USE_UP, 1, self._key(game), account)

    def _key(self, game: str) -> str:
        return invitations_key(self._store, game)


class InvitationSection:
    """Invitations in a backup (`events.audit.backup.Section`): as they are kept, without their words."""

    name = "invitations"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        primary: Any
        for primary in self._store.primaries().values():
            with store_errors():
                for key in set(primary.scan_iter("hidalgo:{*}:invitations:*", count=1000)):
                    kept = primary.hgetall(key)
                    yield key.decode().split(":", 3)[3], {name.decode(): text.decode() for name, text in kept.items()}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        texts = [text for pair in fields.items() for text in pair]
        with store_errors():
            return bool(self._redis.eval(PUT_BACK, 1, invitations_key(self._store, row), *texts))


def invitation_word(secret: bytes, command: str) -> str:
    """The same for the same command; it cannot be guessed without the game's secret."""
    digest = hmac.digest(secret, f"hidalgo invitation\0{command}".encode(), "sha256")
    return f"hdi_{urlsafe_b64encode(digest[:24]).decode()}"


def invitations_key(store: Store, game: str) -> str:
    return store.buckets.key_of(game, f"invitations:{game}")


def _digest(word: str) -> str:
    return sha256(word.encode()).hexdigest()
