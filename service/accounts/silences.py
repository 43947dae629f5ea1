"""Accounts that an administrator has silenced: they write in no chat, for a time or for good.

It is a field of the account's record, which dies with it.
"""

from __future__ import annotations

from events.store import Store
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import NoSuchAccount
from service.accounts.records import Records

FIELD = "silenced"
FOR_GOOD = 253_402_300_799_000
"""The last second of the year 9999, in milliseconds."""
LONGEST = 3650
"""Days; beyond that it is for good."""
DAY = 86_400_000


class Silences:
    def __init__(self, store: Store) -> None:
        self._records = Records(store)

    def until(self, account: str, now: int) -> int:
        """Until when it is silenced; 0: it is not."""
        [found] = self._records.fields(account, FIELD) if ACCOUNT.fullmatch(account) else [""]
        return int(found) if found and int(found) > now else 0

    def silence(self, account: str, days: int | None, now: int) -> None:
        """For so many days from now, or for good."""
        until = FOR_GOOD if days is None else now + days * DAY
        if not self._records.change(account, {FIELD: str(until)}):
            raise NoSuchAccount(say("there is no such account"))

    def lift(self, account: str) -> None:
        if not self._records.change(account, {}, without=[FIELD]):
            raise NoSuchAccount(say("there is no such account"))
