"""The choices of an account about notices in the browser: a field of its record. Letters are chosen elsewhere
(`service.notifications.mail.preferences`)."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from events.store import Store
from service.accounts.records import Records

FIELD = "notices"


class NoticeChoices(Struct, frozen=True, omit_defaults=True):
    browser: bool = False
    """Whether the browser tells that it is the player's turn while its page is not looked at."""
    sound: bool = False
    """Whether a table makes a sound then."""


class NoticeChoicesOf:
    """Those of all accounts."""

    def __init__(self, store: Store) -> None:
        self._records = Records(store)

    def read(self, account: str) -> NoticeChoices:
        [found] = self._records.fields(account, FIELD)
        return msgspec.json.decode(found, type=NoticeChoices) if found else NoticeChoices()

    def change(self, account: str, choices: NoticeChoices) -> None:
        self._records.change(account, {FIELD: msgspec.json.encode(choices).decode()})
