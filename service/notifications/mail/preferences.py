"""The mail address of an account, and its choices: a field of the account's record, so that it is in backups and dies
with the account.

An address counts when its owner has answered a letter to it. Until then it gets that letter and nothing else.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotNow
from events.log.service_secret import ServiceSecret
from events.store import Store, store_errors
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import NoSuchAccount
from service.accounts.records import Records, key
from service.notifications.mail.addresses import check_address
from service.notifications.notices import PAIRING, REMINDER, YOUR_TURN
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS, ROUND_ENDING, ROUND_PUBLISHED

CHOICES = {
    "turn": (YOUR_TURN,),
    "reminder": (REMINDER, ROUND_ENDING),
    "pairing": (PAIRING, ROUND_PUBLISHED),
    "finished": ("game_over",),
    "tournament": tuple(kind for kind in ABOUT_TOURNAMENTS if kind not in (ROUND_ENDING, ROUND_PUBLISHED)),
}
"""What can be chosen, and the kinds of notices that it stands for."""

SOON, DAILY = "soon", "daily"
DIGESTS = (SOON, DAILY)

CONFIRMED_WITHIN = 24 * 3_600_000
"""Milliseconds in which a new address must be confirmed."""
CODE_BYTES = 18
FIELD = "mail"


class Preferences(Struct, frozen=True, omit_defaults=True):
    address: str = ""
    """Confirmed by its owner; empty if there is none."""
    pending: str = ""
    """An address that is not confirmed yet."""
    asked_at: int = 0
    """When the letter to it was written."""
    choices: tuple[str, ...] = ()
    digest: str = SOON
    language: str = "en"

    def __repr__(self) -> str:
        """Never with an address."""
        return f"Preferences({', '.join(self.choices)})"

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of notices that are mailed: none without a confirmed address."""
        chosen = (CHOICES[choice] for choice in self.choices) if self.address else ()
        return frozenset(kind for kinds in chosen for kind in kinds)


class MailPreferences:
    """Safe between threads and processes."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._redis: Any = store.commands
        self._records = Records(store)
        self._secret = ServiceSecret(store)
        self._now = now

    def read(self, account: str) -> Preferences:
        [found] = self._records.fields(account, FIELD)
        return msgspec.json.decode(found, type=Preferences) if found else Preferences()

    def read_all(self, accounts: Collection[str]) -> dict[str, Preferences]:
        """Of those accounts that have any, in one round trip."""
        named = [account for account in accounts if ACCOUNT.fullmatch(account)]
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in named:
                pipe.hget(key(account, "account"), FIELD)
            found = zip(named, pipe.execute(), strict=True)
        return {account: msgspec.json.decode(text, type=Preferences) for account, text in found if text}

    def choose(self, account: str, choices: Collection[str], digest: str, language: str) -> Preferences:
        ordered = tuple(choice for choice in CHOICES if choice in choices)
        return self._change(account, lambda before: replace(before, choices=ordered, digest=digest, language=language))

    def propose(self, account: str, address: str) -> Preferences:
        """An address that its owner must confirm; until then the former one stays."""
        check_address(address)
        return self._change(account, lambda before: replace(before, pending=address, asked_at=self._now()))

    def withdraw(self, account: str) -> Preferences:
        """No other address is asked for any more."""
        return self._change(account, lambda before: replace(before, pending="", asked_at=0))

    def confirm(self, account: str, code: str) -> Preferences:
        """The owner of the address agrees."""

        def confirmed(before: Preferences) -> Preferences:
            if not before.pending or not self._is_code(account, before, code):
                raise NotNow(say("this code is not valid, or not any more: ask for another letter"))
            return replace(before, address=before.pending, pending="", asked_at=0)

        return self._change(account, confirmed)

    def unsubscribe(self, token: str) -> str:
        """Nothing more is mailed to the address for which this token was made; gives the account."""
        account, _, mac = token.rpartition(".")
        found = self.read(account) if ACCOUNT.fullmatch(account) else Preferences()
        if not found.address or not hmac.compare_digest(mac.encode(), self._mac(account, found.address).encode()):
            raise NotNow(say("this link is not valid, or not any more"))
        self._change(account, lambda before: replace(before, choices=()))
        return account

    def forget(self, account: str) -> None:
        """Address and choices are forgotten."""
        self._records.change(account, {}, without=[FIELD])

    def code(self, account: str, preferences: Preferences) -> str:
        """Only a reader of the letter to the pending address can know it."""
        about = f"{account}\0{preferences.pending}\0{preferences.asked_at}"
        return self._secret.id("mail confirmation", about, CODE_BYTES)

    def unsubscribe_token(self, account: str, preferences: Preferences) -> str:
        return f"{account}.{self._mac(account, preferences.address)}"

    def _is_code(self, account: str, preferences: Preferences, code: str) -> bool:
        is_right = hmac.compare_digest(code.encode(), self.code(account, preferences).encode())
        return is_right and self._now() - preferences.asked_at < CONFIRMED_WITHIN

    def _mac(self, account: str, address: str) -> str:
        return self._secret.id("mail unsubscription", f"{account}\0{address}", CODE_BYTES)

    def _change(self, account: str, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Decided again if another request was faster."""
        for _ in range(20):
            [found] = self._records.fields(account, FIELD)
            before = msgspec.json.decode(found, type=Preferences) if found else Preferences()
            after = change(before)
            fields = {FIELD: msgspec.json.encode(after).decode()}
            while_there, being = (FIELD, found) if found else ("role", "")
            if self._records.change(account, fields, while_there=while_there, being=being):
                return after
            if not self._records.fields(account, "role")[0]:
                raise NoSuchAccount(say("there is no such account"))
        raise NotNow(say("too much happens to this account at once"))
