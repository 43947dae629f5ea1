"""Accounts of which a token or a session has ended, or all of it: told to every process that holds streams for them.

A stream of the store, `hidalgo:ended`. It is written after the right has ended: a reader that looks into the account
then finds it so. An account that is not there, because the writer died before, is found when all are looked at.
"""

from __future__ import annotations

from typing import Any

from events.store import Store, store_errors

KEY = "hidalgo:ended"
MOST = 1000
"""So many are kept, and read at once."""


class EndedRights:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands

    def announce(self, account: str) -> None:
        with store_errors():
            self._redis.xadd(KEY, {"a": account}, maxlen=MOST)

    def newest(self) -> str:
        """The position after all that was announced."""
        with store_errors():
            found = self._redis.xrevrange(KEY, count=1)
        return found[0][0].decode() if found else "0-0"

    def after(self, position: str) -> tuple[set[str] | None, str]:
        """The accounts that were announced after a position, and the position after them; None: too many to tell."""
        with store_errors():
            found = self._redis.xrange(KEY, f"({position}", "+", count=MOST)
        if not found:
            return set(), position
        accounts = {fields[b"a"].decode() for _, fields in found} if len(found) < MOST else None
        return accounts, found[-1][0].decode()
