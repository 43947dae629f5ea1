"""Tokens as they are kept: without their secrets."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from rules.texts import say
from service.accounts.errors import Unfit
from service.text_patterns import WRITTEN, check_readable, fits

TOKEN_FIELD = "token:"
MOST_TOKENS = 50
LONGEST_NAME = 60


class Token(Struct, frozen=True, omit_defaults=True):
    """A personal token, or an access token of an app, which ends."""

    id: str
    name: str
    scopes: list[str]
    created_at: int
    app: str = ""
    family: str = ""
    expires_at: int = 0
    """Milliseconds; 0: when it is revoked."""

    def lasts(self, now: int) -> bool:
        return not self.expires_at or self.expires_at > now


@dataclass(frozen=True)
class NewToken:
    token: Token
    secret: str = field(repr=False)
    """Shown once."""


def check_name(name: str) -> None:
    if not 1 <= len(name) <= LONGEST_NAME or not fits(WRITTEN, name):
        raise Unfit(say("the name of a token has 1 to {longest} printable characters", longest=LONGEST_NAME))
    check_readable(name)


def personal_tokens(record: dict[str, str]) -> dict[str, Token]:
    """The personal tokens, by the names of their fields."""
    kept = {name: value for name, value in record.items() if name.startswith(TOKEN_FIELD)}
    found = {name: msgspec.json.decode(value, type=Token) for name, value in kept.items()}
    return {name: token for name, token in found.items() if not token.app}


def fields_of_apps(record: dict[str, str]) -> list[str]:
    """The fields of everything that apps were allowed."""
    of_apps = [name for name in record if name.startswith(("grant:", "code:", "family:"))]
    tokens = [name for name in record if name.startswith(TOKEN_FIELD) and name not in personal_tokens(record)]
    return [*of_apps, *tokens]
