"""Accounts as others see them: their roles and scopes, the identity behind a request, and sessions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec import Struct

from service.accounts.credentials import csrf_of

Role = Literal["guest", "player", "admin"]

SCOPES: dict[str, frozenset[str]] = {
    "guest": frozenset({"read", "play", "account"}),
    "player": frozenset({"read", "play", "account"}),
    "admin": frozenset({"read", "play", "account", "admin"}),
}
"""The scopes of each role."""


class Account(Struct, frozen=True):
    id: str
    handle: str
    role: Role
    created_at: int
    """Milliseconds."""
    bot: bool = False
    """Whether a program plays for it, by its own word."""


class Profile(Struct, frozen=True):
    """The part of an account that everybody sees."""

    account: str
    handle: str
    bot: bool = False


class Identity(Struct, frozen=True):
    """The account behind a request, and its scopes."""

    account: str
    handle: str
    role: Role
    scopes: frozenset[str]
    by: Literal["token", "session"]
    bot: bool = False
    app: str = ""
    """The app that acts for the account."""


@dataclass(frozen=True)
class Session:
    account: Account
    secret: str = field(repr=False)

    @property
    def csrf(self) -> str:
        return csrf_of(self.secret)


class KeptSession(Struct, frozen=True):
    """A session as its account may see it."""

    id: str
    used_at: int
    """Milliseconds; it is noted once a day."""
    is_this: bool


def account_from(account: str, fields: list[str]) -> Account | None:
    handle, role, created_at, bot = fields
    return Account(account, handle, role_from(role), int(created_at), bool(bot)) if role else None


def role_from(role: str) -> Role:
    return msgspec.convert(role, Role)
