"""People whose messages an account does not want to read: fields of the account's record, which die with it."""

from __future__ import annotations

from events.errors import NotNow
from events.store import Store
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import NoSuchAccount
from service.accounts.records import Records

FIELD = "muted:"
MOST_MUTED = 200


class Mutes:
    def __init__(self, store: Store) -> None:
        self._records = Records(store)

    def of(self, account: str) -> frozenset[str]:
        """The accounts that this one has muted."""
        record = self._records.read(account)
        return frozenset(name.removeprefix(FIELD) for name in record if name.startswith(FIELD))

    def mute(self, account: str, other: str) -> None:
        if not ACCOUNT.fullmatch(other) or not self._records.fields(other, "role")[0]:
            raise NoSuchAccount(say("there is no such account"))
        muted = self.of(account)
        if other not in muted and len(muted) >= MOST_MUTED:
            raise NotNow(say("you have muted {most} people already", most=MOST_MUTED))
        self._records.change(account, {FIELD + other: "1"})

    def unmute(self, account: str, other: str) -> None:
        self._records.change(account, {}, without=[FIELD + other])
