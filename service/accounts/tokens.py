"""Tokens of programs: the personal ones of an account, and those that it has given to apps."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

import msgspec

from rules.texts import one_by_one, say
from service.accounts.apps import owner_of
from service.accounts.credentials import TOKEN, account_of, digest, new_secret, secret_of_request
from service.accounts.errors import AnotherToken, NoSuchAccount, NoSuchToken, ScopeNotHeld, TooManyTokens
from service.accounts.identities import SCOPES, Identity, role_from
from service.accounts.records import Records
from service.accounts.revocations import marks
from service.accounts.rights_cache import RightsCache
from service.accounts.token_fields import MOST_TOKENS, NewToken, Token, check_name, personal_tokens


class Tokens:
    """The tokens of all accounts. Safe between threads."""

    def __init__(self, records: Records, cache: RightsCache, now: Callable[[], int]) -> None:
        self._records, self._cache, self._now = records, cache, now

    def create(
        self, account: str, name: str, scopes: Iterable[str], *, within: frozenset[str] | None = None, once: str = ""
    ) -> NewToken:
        """A token with some of the account's scopes, and only scopes `within` those of the identity that makes it.

        `once` is the secret of that identity and the key of the request: the same makes the same token.
        """
        check_name(name)
        record = self._records.read(account)
        if "role" not in record:
            raise NoSuchAccount(say("there is no such account"))
        wanted, held = frozenset(scopes), SCOPES[record["role"]]
        if too_much := wanted - (held if within is None else held & within):
            raise ScopeNotHeld(
                say(
                    "a new token cannot have scopes that you do not have: {scopes}", scopes=one_by_one(sorted(too_much))
                )
            )
        secret = secret_of_request(TOKEN, account, record.get("salt", ""), once) if once else new_secret(TOKEN, account)
        is_new = f"token:{digest(secret)}" not in record and f"revoked:{digest(secret)}" not in record
        if is_new and len(personal_tokens(record)) >= MOST_TOKENS:
            raise TooManyTokens(say("an account has at most {most} tokens; revoke one first", most=MOST_TOKENS))
        token = Token(f"t_{secrets.token_urlsafe(6)}", name, sorted(wanted), self._now())
        kept = self._records.add_token(account, digest(secret), msgspec.json.encode(token).decode())
        made = msgspec.json.decode(kept, type=Token)
        if (made.name, made.scopes) != (token.name, token.scopes):
            raise AnotherToken(say("this name was given to another request before"))
        return NewToken(made, secret)

    def of(self, account: str) -> list[Token]:
        """Oldest first."""
        return sorted(
            personal_tokens(self._records.read(account)).values(), key=lambda token: (token.created_at, token.id)
        )

    def revoke(self, account: str, token: str) -> None:
        record = self._records.read(account)
        names = [name for name, found in personal_tokens(record).items() if found.id == token]
        if not names:
            raise NoSuchToken(say("there is no token {token}", token=token))
        marked, ended = marks(record, names, self._now())
        self._records.change(account, marked, without=ended)
        self._cache.tell_of_change(account)

    def identity(self, secret: str, *, fresh: bool = False) -> Identity | None:
        """The identity of a token. It never has more scopes than its account."""
        key = digest(secret)
        if not fresh and (cached := self._cache.identities.get(key)):
            return cached
        account = account_of(TOKEN, secret)
        if not account:
            return None
        handle, role, kept, seen, bot = self._records.fields(account, "handle", "role", f"token:{key}", "seen", "bot")
        if not role or not kept:
            return None
        token = msgspec.json.decode(kept, type=Token)
        if not token.lasts(self._now()) or (token.app and not self.is_app(token.app)):
            return None
        self._records.see(account, seen, self._now())
        scopes = SCOPES[role].intersection(token.scopes)
        return self._cache.remember(
            key, Identity(account, handle, role_from(role), scopes, "token", bool(bot), token.app)
        )

    def is_app(self, app: str) -> bool:
        """Whether the app is still registered, which its owner's record knows."""
        role, kept = self._records.fields(owner_of(app), "role", f"app:{app}")
        return bool(role and kept)
