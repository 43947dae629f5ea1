"""What accounts have allowed apps, and the codes and tokens that follow from it. Everything is a field of the record of
the account that allowed it, and dies with it:

| field | meaning |
|---|---|
| `grant:<app>` | the account allows the app these scopes, until a day |
| `code:<SHA-256>` | a code on its way to the app: used once, within a minute |
| `family:<id>` | the tokens that came of one code: which refresh token is next, and until when |
| `token:<SHA-256>` | an access token, as a personal token is kept, with its app, family and end |

A refresh token is used once and replaced by its successor. If an older one comes, it was stolen, or its successor was:
the whole family ends. Only for some seconds it may come again, because an answer can be lost; then it gets the same
successor.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.errors import Busy
from events.store import Store
from rules.texts import one_by_one, say
from service.accounts.credentials import TOKEN, account_of, digest, new_secret
from service.accounts.errors import NoSuchAccount, NoSuchApp, ScopeNotHeld, TooManyApps
from service.accounts.records import Records
from service.accounts.token_fields import TOKEN_FIELD, Token

GRANT, CODE, FAMILY = "grant:", "code:", "family:"

APP_SCOPES = frozenset({"read", "play"})
"""Tokens, webhooks and passwords outlive the right that made them: no app gets the scopes to make them."""

MOST_GRANTS = 50
MOST_FAMILIES = 10
"""Of one app: so many browsers or telephones of one account."""
MOST_TOKENS_OF_A_FAMILY = 3
MOST_CODES = 10
TRIES = 5

SECOND = 1000
DAY = 24 * 60 * 60 * SECOND
CODE_LASTS = 60 * SECOND
USED_CODES_LAST = DAY
"""A code that comes again within this time ends what it gave."""
ACCESS_LASTS = 60 * 60 * SECOND
REFRESH_LASTS = 90 * DAY
"""After its last use."""
LOST_ANSWERS = 30 * SECOND
"""For so long a refresh token may come again."""

_CODE = re.compile(r"hdc_([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{43}")
_REFRESH = re.compile(r"hdr_([A-Za-z0-9_-]{16})([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{43}")

Kept = TypeVar("Kept", bound=Struct)


class Grant(Struct, frozen=True):
    """An account allows an app these scopes."""

    app: str
    name: str
    """Of the app, as it was shown to the account."""
    scopes: list[str]
    created_at: int
    until: int = 0
    """Milliseconds; 0: until the account ends it."""


class Code(Struct, frozen=True, omit_defaults=True):
    app: str
    redirect_uri: str
    challenge: str
    """Of the proof key: BASE64URL(SHA256(verifier))."""
    scopes: list[str]
    expires_at: int
    family: str = ""
    """What it has given, when it was used."""


class Family(Struct, frozen=True, omit_defaults=True):
    app: str
    scopes: list[str]
    created_at: int
    expires_at: int
    refresh: str
    """The SHA-256 of the refresh token that is next."""
    previous: str = ""
    rotated_at: int = 0


@dataclass(frozen=True)
class Issued:
    """What an app is given for a code or a refresh token."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)
    scopes: list[str]
    seconds: int


class Authorizations:
    """All of a store. `tell_of_change` is told of accounts whose rights have changed."""

    def __init__(
        self, store: Store, tell_of_change: Callable[[str], None], *, clock: Callable[[], float] = time.time
    ) -> None:
        self._records = Records(store)
        self._tell_of_change = tell_of_change
        self._clock = clock

    # The account

    def allow(
        self, account: str, app: str, name: str, scopes: Iterable[str], days: int, redirect_uri: str, challenge: str
    ) -> str:
        """The account allows the app; the answer is a code for it. 0 days: until the account ends it."""
        record, now = self._read(account), self._now()
        grants = kept(record, GRANT, Grant)
        if GRANT + app not in grants and len(grants) >= MOST_GRANTS:
            raise TooManyApps(say("you have allowed {most} apps; end one first", most=MOST_GRANTS))
        allowed = sorted(scopes)
        secret = f"hdc_{account.removeprefix('a_')}{secrets.token_urlsafe(32)}"
        grant = Grant(app, name, allowed, now, now + days * DAY if days else 0)
        code = Code(app, redirect_uri, challenge, allowed, now + CODE_LASTS)
        fields = {GRANT + app: written(grant), CODE + digest(secret): written(code)}
        if not self._records.change(account, fields, without=spent(record, now) + crowded_codes(record)):
            raise NoSuchAccount(say("there is no such account"))
        return secret

    def grants(self, account: str) -> list[Grant]:
        """What the account allows now, oldest first."""
        found = kept(self._records.read(account), GRANT, Grant).values()
        lasting = [grant for grant in found if not grant.until or grant.until > self._now()]
        return sorted(lasting, key=lambda grant: (grant.created_at, grant.app))

    def grant(self, account: str, app: str) -> Grant | None:
        return next((grant for grant in self.grants(account) if grant.app == app), None)

    def end(self, account: str, app: str) -> None:
        """The app may do nothing for the account any more."""
        record = self._records.read(account)
        if GRANT + app not in record:
            raise NoSuchApp(say("you have not allowed the app {app}", app=app))
        self._records.change(account, {}, without=[GRANT + app, *fields_of(record, lambda each: each.app == app)])
        self._tell_of_change(account)

    # The app

    def code(self, secret: str, app: str) -> Code | None:
        """The code, if it is one of this app and can be used. One that was used before ends what it gave."""
        account = code_account(secret)
        [text] = self._records.fields(account, CODE + digest(secret)) if account else [""]
        if not text or (code := msgspec.json.decode(text, type=Code)).app != app:
            return None
        if code.family:
            self._end_family(account, code.family)
        return code if not code.family and code.expires_at > self._now() else None

    def redeem(self, secret: str, app: str) -> Issued | None:
        """The tokens for a code; nothing if it was used, also at this moment."""
        account, field = code_account(secret), CODE + digest(secret)
        record = self._records.read(account)
        grant = kept(record, GRANT, Grant).get(GRANT + app)
        if field not in record or not grant or not self.code(secret, app):
            return None
        code, family = msgspec.json.decode(record[field], type=Code), secrets.token_urlsafe(12)
        refresh = f"hdr_{account.removeprefix('a_')}{family}{secrets.token_urlsafe(32)}"
        begun = Family(app, code.scopes, self._now(), self._end_of(grant), digest(refresh))
        used = {field: written(replace(code, family=family))}
        without = crowded_families(record, app)
        return self._issue(account, family, begun, refresh, used, (field, record[field]), without)

    def refresh(self, secret: str, app: str, wanted: Collection[str] = ()) -> Issued | None:
        """New tokens for a refresh token; nothing if it was used before, and then the whole family ends.

        The access token has the `wanted` scopes, or all of them.
        """
        for _ in range(TRIES):
            account, family = refresh_parts(secret)
            record = self._records.read(account) if account else {}
            grant = kept(record, GRANT, Grant).get(GRANT + app)
            text = record.get(FAMILY + family, "")
            if not text or not grant or (found := msgspec.json.decode(text, type=Family)).app != app:
                return None
            if found.expires_at <= self._now():
                return None
            if not set(wanted) <= set(found.scopes):
                raise ScopeNotHeld(say("the account has allowed {scopes}", scopes=one_by_one(found.scopes)))
            successor = successor_of(secret, record.get("salt", ""))
            rotated = self._rotated(found, digest(secret), digest(successor), self._end_of(grant))
            if not rotated:
                self._end_family(account, family)
                return None
            without = crowded_tokens(record, family, self._now())
            used = (FAMILY + family, text)
            if issued := self._issue(account, family, rotated, successor, {}, used, without, sorted(wanted)):
                return issued
        raise Busy(say("too many requests use this refresh token at once"))

    def _rotated(self, family: Family, presented: str, successor: str, end: int) -> Family | None:
        """The family after this token was used; nothing if it is an older one."""
        if hmac.compare_digest(presented, family.refresh):
            return replace(family, refresh=successor, previous=presented, rotated_at=self._now(), expires_at=end)
        is_again = hmac.compare_digest(presented, family.previous) and hmac.compare_digest(successor, family.refresh)
        return family if is_again and self._now() - family.rotated_at < LOST_ANSWERS else None

    def _issue(
        self,
        account: str,
        family: str,
        kept_family: Family,
        refresh: str,
        fields: Mapping[str, str],
        while_there: tuple[str, str],
        without: Collection[str],
        wanted: list[str] | None = None,
    ) -> Issued | None:
        """Writes the family and an access token, unless what it follows from has changed meanwhile."""
        secret, now = new_secret(TOKEN, account), self._now()
        end = min(now + ACCESS_LASTS, kept_family.expires_at)
        scopes = wanted or kept_family.scopes
        token = Token(f"t_{secrets.token_urlsafe(6)}", "", scopes, now, kept_family.app, family, expires_at=end)
        fields = {**fields, FAMILY + family: written(kept_family), TOKEN_FIELD + digest(secret): written(token)}
        name, being = while_there
        if not self._records.change(account, fields, without=without, while_there=name, being=being):
            return None
        return Issued(secret, refresh, scopes, max(1, (end - now) // SECOND))

    def revoke(self, secret: str, app: str) -> None:
        """A token of the app ends: an access token alone, a refresh token with all of its family (RFC 7009)."""
        if account := account_of(TOKEN, secret):
            [text] = self._records.fields(account, TOKEN_FIELD + digest(secret))
            if text and msgspec.json.decode(text, type=Token).app == app:
                self._records.change(account, {}, without=[TOKEN_FIELD + digest(secret)])
                self._tell_of_change(account)
            return
        account, family = refresh_parts(secret)
        [text] = self._records.fields(account, FAMILY + family) if account else [""]
        found = msgspec.json.decode(text, type=Family) if text else None
        if found and found.app == app and digest(secret) in (found.refresh, found.previous):
            self._end_family(account, family)

    def _end_family(self, account: str, family: str) -> None:
        record = self._records.read(account)
        ended = [TOKEN_FIELD + name for name, token in tokens(record).items() if token.family == family]
        self._records.change(account, {}, without=[FAMILY + family, *ended])
        self._tell_of_change(account)

    def _end_of(self, grant: Grant) -> int:
        return min(self._now() + REFRESH_LASTS, grant.until or self._now() + REFRESH_LASTS)

    def _read(self, account: str) -> dict[str, str]:
        record = self._records.read(account)
        if "role" not in record:
            raise NoSuchAccount(say("there is no such account"))
        return record

    def _now(self) -> int:
        return int(self._clock() * 1000)


# Secrets


def code_account(secret: str) -> str:
    found = _CODE.fullmatch(secret)
    return f"a_{found[1]}" if found else ""


def refresh_parts(secret: str) -> tuple[str, str]:
    """The account and the family that a refresh token names; empty if it is none."""
    found = _REFRESH.fullmatch(secret)
    return (f"a_{found[1]}", found[2]) if found else ("", "")


def successor_of(secret: str, salt: str) -> str:
    """The same for the same refresh token, so that a lost answer can be given again; only the store knows the salt."""
    random = hmac.digest(salt.encode(), f"hidalgo refresh\0{secret}".encode(), "sha256")
    return secret[:36] + urlsafe_b64encode(random).decode().rstrip("=")


# Fields


def written(value: Struct) -> str:
    return msgspec.json.encode(value).decode()


def kept(record: Mapping[str, str], prefix: str, kind: type[Kept]) -> dict[str, Kept]:
    """The fields of one kind, by their names."""
    return {name: msgspec.json.decode(text, type=kind) for name, text in record.items() if name.startswith(prefix)}


def tokens(record: Mapping[str, str]) -> dict[str, Token]:
    """The access tokens of apps, by their SHA-256."""
    found = kept(record, TOKEN_FIELD, Token)
    return {name.removeprefix(TOKEN_FIELD): token for name, token in found.items() if token.app}


def fields_of(record: Mapping[str, str], is_meant: Callable[[Code | Family | Token], bool]) -> list[str]:
    """The names of the codes, families and tokens of apps that are meant."""
    found: dict[str, Code | Family | Token] = {**kept(record, CODE, Code), **kept(record, FAMILY, Family)}
    found |= {TOKEN_FIELD + name: token for name, token in tokens(record).items()}
    return [name for name, each in found.items() if is_meant(each)]


def spent(record: Mapping[str, str], now: int) -> list[str]:
    """What has ended by itself."""
    grants = [name for name, grant in kept(record, GRANT, Grant).items() if 0 < grant.until <= now]
    codes = [name for name, code in kept(record, CODE, Code).items() if code.expires_at + USED_CODES_LAST <= now]
    others = fields_of(record, lambda each: not isinstance(each, Code) and each.expires_at <= now)
    return [*grants, *codes, *others]


def crowded_codes(record: Mapping[str, str]) -> list[str]:
    """The oldest codes, so that one more has room."""
    codes = sorted(kept(record, CODE, Code).items(), key=lambda item: item[1].expires_at)
    return [name for name, _ in codes[: max(0, len(codes) - MOST_CODES + 1)]]


def crowded_families(record: Mapping[str, str], app: str) -> list[str]:
    """The oldest families of the app, with their tokens, so that one more has room."""
    families = kept(record, FAMILY, Family).items()
    mine = sorted((family.created_at, name.removeprefix(FAMILY)) for name, family in families if family.app == app)
    gone = {name for _, name in mine[: max(0, len(mine) - MOST_FAMILIES + 1)]}
    ended = [TOKEN_FIELD + name for name, token in tokens(record).items() if token.family in gone]
    return [*(FAMILY + name for name in gone), *ended]


def crowded_tokens(record: Mapping[str, str], family: str, now: int) -> list[str]:
    """Access tokens of the family that have ended, and the oldest of the others, so that one more has room."""
    mine = sorted((token.expires_at, name) for name, token in tokens(record).items() if token.family == family)
    lasting = [name for end, name in mine if end > now][-(MOST_TOKENS_OF_A_FAMILY - 1) :]
    return [TOKEN_FIELD + name for _, name in mine if name not in lasting]
