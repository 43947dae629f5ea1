"""Accounts in a backup, with their apps and what they allow apps: all that is kept but sessions and codes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from events.audit.backup import Refusal
from events.store import Store
from service.accounts.handles import Handles, names
from service.accounts.records import Records

SESSIONS = ("session:", "keyed:", "code:")
"""What lasts too short a time to be kept."""


class AccountSection:
    """See `events.audit.backup.Section`. An account that is there stays as it is, also if it was deleted since."""

    name = "accounts"

    def __init__(self, store: Store) -> None:
        self._records = Records(store)
        self._handles = Handles(store, self._is_held, lambda: time.time_ns() // 1_000_000)

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        written: set[str] = set()
        for account in self._records.all():
            fields = self._records.read(account)
            if fields and account not in written:
                written.add(account)
                yield account, {name: text for name, text in fields.items() if not name.startswith(SESSIONS)}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        """The handle first: a crash in between leaves a claim without an account, which counts for nothing."""
        if self._records.read(row):
            return False
        handle = fields.get("handle", "")
        if handle and not self._handles.take_back(handle, row):
            raise Refusal(f"the handle {handle} belongs to another account")
        return self._records.put_back(row, fields)

    def _is_held(self, account: str, name: str) -> bool:
        [found] = self._records.fields(account, "handle")
        return name in names(found)
