"""Accounts of people and guests, with their passwords, sessions and tokens.

Flask and games may not enter. The log of a game names people by the ids of their accounts only.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec import Struct

from events.store import Store
from rules.texts import one_by_one, say
from service.accounts.credentials import (
    ACCOUNT,
    SESSION,
    TOKEN,
    Credential,
    account_of,
    csrf_of,
    digest,
    new_account,
    new_salt,
    new_secret,
    secret_of_request,
)
from service.accounts.ended_rights import EndedRights
from service.accounts.errors import (
    AnotherToken,
    HandleTaken,
    NoSuchAccount,
    NoSuchToken,
    NotAGuest,
    ScopeNotHeld,
    SignInFailed,
    StillAGuest,
    TooManyTokens,
    Unfit,
    WrongPassword,
)
from service.accounts.handles import GUEST, Handles, check_handle
from service.accounts.passwords import Passwords
from service.accounts.records import Records
from service.accounts.revocations import marks
from service.accounts.ttl_cache import SharedTTLCache
from service.text_patterns import WRITTEN, fits

Role = Literal["guest", "player", "admin"]

SCOPES: dict[str, frozenset[str]] = {
    "guest": frozenset({"read", "play", "account"}),
    "player": frozenset({"read", "play", "account"}),
    "admin": frozenset({"read", "play", "account", "admin"}),
}
"""The scopes of each role."""

MOST_TOKENS = 50
MOST_SESSIONS = 20
LONGEST_NAME = 60
DAY = 24 * 60 * 60 * 1000
SESSION_LASTS = 30 * DAY
"""Milliseconds after its last use."""
GUESTS_LAST = 30 * DAY
"""Milliseconds after they were last seen, for guests that sit at no table."""
SIGN_INS = 3
"""So often a sign-in is tried while others change the password."""
CACHED_FOR = 5.0
"""Seconds for which a process trusts its cache of tokens, sessions and handles."""


class Account(Struct, frozen=True):
    id: str
    handle: str
    role: Role
    created_at: int
    """Milliseconds."""


class Identity(Struct, frozen=True):
    """The account behind a request, and its scopes."""

    account: str
    handle: str
    role: Role
    scopes: frozenset[str]
    by: Literal["token", "session"]


class Token(Struct, frozen=True):
    """A token as it is kept: without its secret."""

    id: str
    name: str
    scopes: list[str]
    created_at: int


@dataclass(frozen=True)
class NewToken:
    token: Token
    secret: str = field(repr=False)
    """Shown once."""


@dataclass(frozen=True)
class Session:
    account: Account
    secret: str = field(repr=False)

    @property
    def csrf(self) -> str:
        return csrf_of(self.secret)


class Accounts:
    """All accounts of a store. Safe between threads."""

    def __init__(
        self,
        store: Store,
        passwords: Passwords | None = None,
        *,
        clock: Callable[[], float] = time.time,
        cached_for: float = CACHED_FOR,
    ) -> None:
        self._clock = clock
        self._records = Records(store)
        self._ended = EndedRights(store)
        self._handles = Handles(store, self._is_held, self._now)
        self._passwords = passwords or Passwords()
        self._identities: SharedTTLCache[Identity] = SharedTTLCache(cached_for)
        self._names: SharedTTLCache[tuple[str, str]] = SharedTTLCache(cached_for)

    # People

    def register(self, handle: str, password: str) -> Account:
        check_handle(handle)
        return self._open(handle, "player", self._passwords.kept(password))

    def make_guest(self) -> Account:
        """An account without a password, under a handle of our choice."""
        while True:
            try:
                return self._open(guest_handle(), "guest", "")
            except HandleTaken:
                continue

    def _open(self, handle: str, role: Role, kept: str) -> Account:
        account = Account(new_account(), handle, role, self._now())
        claim = self._handles.claim(handle, account.id)
        now = str(account.created_at)
        fields = {"handle": handle, "role": role, "created_at": now, "seen": now, "salt": new_salt()}
        self._records.create(account.id, fields | ({"password": kept} if kept else {}))
        if not self._handles.confirm(handle, claim):
            self._records.remove(account.id, self._now())
            raise HandleTaken(say("the handle {handle} is taken", handle=handle))
        return account

    def upgrade(self, account: str, handle: str, password: str) -> Account:
        """Gives a guest a handle and a password of their own; games, tokens and sessions stay theirs."""
        check_handle(handle)
        guest = self.living(account)
        if guest.role != "guest":
            raise NotAGuest(say("{handle} is no guest", handle=guest.handle))
        kept = self._passwords.kept(password)
        claim = self._handles.claim(handle, account)
        self._become(guest, handle, kept, claim)
        if not self._handles.confirm(handle, claim):
            self._records.change(account, {"handle": guest.handle, "role": "guest"}, without=["password"])
            raise HandleTaken(say("the handle {handle} is taken", handle=handle))
        self._handles.release(guest.handle, account)
        self._tell_of_change(account)
        return self.living(account)

    def _become(self, guest: Account, handle: str, kept: str, claim: str) -> None:
        fields = {"handle": handle, "role": "player", "password": kept}
        if self._records.change(guest.id, fields, while_there="role", being="guest"):
            return
        # Another request was faster; or this one was done, and its answer lost.
        if not self._is_held(guest.id, handle):
            self._handles.release(handle, claim)
            raise NotAGuest(say("{handle} is no guest any more", handle=guest.handle))

    def account(self, account: str) -> Account | None:
        if not ACCOUNT.fullmatch(account):
            return None
        return _account(account, self._records.fields(account, "handle", "role", "created_at"))

    def living(self, account: str) -> Account:
        if found := self.account(account):
            return found
        raise NoSuchAccount(say("there is no such account"))

    def account_named(self, handle: str) -> Account | None:
        found = self.account(self._handles.holder(handle) or "")
        return found if found and found.handle.lower() == handle.lower() else None

    def handle_of(self, accounts: Iterable[str]) -> dict[str, str | None]:
        """The handle of each account; none for an account that was deleted, or never was."""
        handles: dict[str, str | None] = {}
        unknown = []
        for account in accounts:
            cached = self._names.get(account)
            handles[account] = cached[1] if cached else None
            if not cached and ACCOUNT.fullmatch(account):
                unknown.append(account)
        for account, handle in zip(unknown, self._records.handles(unknown), strict=True):
            if handle:
                handles[account] = handle
                self._names.put(account, (account, handle))
        return handles

    def set_role(self, handle: str, role: Role) -> Account:
        """For the operator only."""
        account = self.account_named(handle)
        if not account:
            raise NoSuchAccount(say("there is no account with the handle {handle}", handle=handle))
        if "guest" in (account.role, role):
            raise Unfit(
                say("a guest cannot become {role}", role=role)
                if account.role == "guest"
                else say("an account never becomes a guest again")
            )
        self._records.change(account.id, {"role": role})
        self._tell_of_change(account.id)
        return msgspec.structs.replace(account, role=role)

    def delete(self, account: str, password: str = "") -> None:
        """Forgets everything but that the id is used up. An account with a password needs it for this."""
        found = self.living(account)
        [kept] = self._records.fields(account, "password")
        if kept and not self._passwords.is_right(password, kept):
            raise WrongPassword(say("the password is wrong, so the account stays"))
        self._records.remove(account, self._now())
        self._handles.release(found.handle, account)
        self._tell_of_change(account)

    def change_password(self, account: str, old: str, new: str, *, session: str = "") -> None:
        """Sessions end, but for the one whose secret is given; tokens stay."""
        self.living(account)
        [kept] = self._records.fields(account, "password")
        if not kept:
            raise StillAGuest(say("a guest has no password; POST /me gives them a handle and one"))
        if not self._passwords.is_right(old, kept):
            raise WrongPassword(say("the old password is wrong, so it stays"))
        fields = {"password": self._passwords.kept(new)}
        if not self._records.change(account, fields, without=["once"], while_there="password", being=kept):
            raise WrongPassword(say("the password was changed by another request just now"))
        self._end_sessions(account, but=session)

    def reset_password(self, handle: str) -> str:
        """A new password with which its owner can sign in once, within a day, to set another. For the operator only.

        All sessions and tokens end: they may be in the wrong hands.
        """
        account = self.account_named(handle)
        if not account or account.role == "guest":
            raise NoSuchAccount(say("there is no account with the handle {handle} that has a password", handle=handle))
        password = secrets.token_urlsafe(12)
        fields = {"password": self._passwords.kept(password), "once": str(self._now() + DAY)}
        record = self._records.read(account.id)
        marked, ended = marks(record, _tokens(record), self._now())
        self._records.change(account.id, fields | marked, without=ended)
        self._end_sessions(account.id)
        return password

    def _end_sessions(self, account: str, *, but: str = "") -> None:
        """After the password has changed no sign-in with the old one succeeds, so that these are all there are."""
        others = [name for name in self._records.read(account) if name.startswith("session:")]
        kept = f"session:{digest(but)}" if but else ""
        self._records.change(account, {}, without=[name for name in others if name != kept])
        self._tell_of_change(account)

    # Sessions

    def sign_in(self, handle: str, password: str) -> Session:
        """Always a new session, so that none can be planted."""
        for _ in range(SIGN_INS):
            if session := self._signed_in(handle, password):
                return session
        raise SignInFailed()

    def _signed_in(self, handle: str, password: str) -> Session | None:
        """Nothing if the password was changed in the middle: then it must be looked at again."""
        account = self._handles.holder(handle) or new_account()
        record = self._records.read(account)
        is_theirs = record.get("handle", "").lower() == handle.lower()
        kept = record.get("password", "") if is_theirs else ""
        is_used_up = "once" in record and int(record["once"]) < self._now()
        if not self._passwords.is_right(password, kept) or is_used_up:
            raise SignInFailed()
        secret = new_secret(SESSION, account)
        fields = {f"session:{digest(secret)}": str(self._now() + SESSION_LASTS)}
        if "once" in record:
            fields |= {"once": "0", "password": self._passwords.kept(password)}  # A second one finds another hash.
        elif self._passwords.is_outdated(kept):
            fields["password"] = self._passwords.kept(password)
        old = self._old_sessions(record)
        if not self._records.change(account, fields, without=old, while_there="password", being=kept):
            return None
        if old:
            self._tell_of_change(account)
        found = _account(account, [record["handle"], record["role"], record["created_at"]])
        assert found, "a record with a password has all the rest"
        return Session(found, secret)

    def _old_sessions(self, record: dict[str, str]) -> list[str]:
        """Sessions that have ended, and the oldest of the others, so that one more has room."""
        ends = {name: int(value) for name, value in record.items() if name.startswith("session:")}
        lasting = sorted((end, name) for name, end in ends.items() if end > self._now())
        kept = {name for _, name in lasting[-(MOST_SESSIONS - 1) :]}
        return [name for name in ends if name not in kept]

    def sign_out(self, secret: str) -> None:
        if account := account_of(SESSION, secret):
            self._records.change(account, {}, without=[f"session:{digest(secret)}"])
            self._tell_of_change(account)

    def identity_of_session(self, secret: str, *, fresh: bool = False) -> Identity | None:
        """The identity of a session. Every use prolongs it."""
        account = account_of(SESSION, secret)
        if not account:
            return None
        key = digest(secret)
        if not fresh and (cached := self._identities.get(key)):
            return cached
        handle, role, end, seen = self._records.fields(account, "handle", "role", f"session:{key}", "seen")
        if not role or not end or int(end) <= self._now():
            return None
        self._prolong(account, f"session:{key}", int(end))
        self._see(account, seen)
        return self._remember(key, account, handle, role, SCOPES[role], "session")

    def _prolong(self, account: str, session: str, end: int) -> None:
        """Once a day is often enough."""
        if end < self._now() + SESSION_LASTS - DAY:
            self._records.change(account, {session: str(self._now() + SESSION_LASTS)}, while_there=session)

    # Tokens

    def create_token(
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
        if is_new and len(_tokens(record)) >= MOST_TOKENS:
            raise TooManyTokens(say("an account has at most {most} tokens; revoke one first", most=MOST_TOKENS))
        token = Token(f"t_{secrets.token_urlsafe(6)}", name, sorted(wanted), self._now())
        kept = self._records.add_token(account, digest(secret), msgspec.json.encode(token).decode())
        made = msgspec.json.decode(kept, type=Token)
        if (made.name, made.scopes) != (token.name, token.scopes):
            raise AnotherToken(say("this name was given to another request before"))
        return NewToken(made, secret)

    def tokens(self, account: str) -> list[Token]:
        """Oldest first."""
        return sorted(_tokens(self._records.read(account)).values(), key=lambda token: (token.created_at, token.id))

    def revoke(self, account: str, token: str) -> None:
        record = self._records.read(account)
        names = [name for name, found in _tokens(record).items() if found.id == token]
        if not names:
            raise NoSuchToken(say("there is no token {token}", token=token))
        marked, ended = marks(record, names, self._now())
        self._records.change(account, marked, without=ended)
        self._tell_of_change(account)

    def identity_of_token(self, secret: str, *, fresh: bool = False) -> Identity | None:
        """The identity of a token. It never has more scopes than its account."""
        key = digest(secret)
        if not fresh and (cached := self._identities.get(key)):
            return cached
        account = account_of(TOKEN, secret)
        if not account:
            return None
        handle, role, kept, seen = self._records.fields(account, "handle", "role", f"token:{key}", "seen")
        if not role or not kept:
            return None
        self._see(account, seen)
        scopes = SCOPES[role].intersection(msgspec.json.decode(kept, type=Token).scopes)
        return self._remember(key, account, handle, role, scopes, "token")

    # Open streams

    def held(self, credentials: Collection[Credential]) -> set[Credential]:
        """Those of these tokens and sessions that have not ended, by one look into the store."""
        found = zip(credentials, self._records.credentials(credentials), strict=True)
        return {credential for credential, (role, text) in found if role and text and self._lasts(credential, text)}

    def _lasts(self, credential: Credential, text: str) -> bool:
        return not credential.field.startswith("session:") or int(text) > self._now()

    # Idle guests

    def _see(self, account: str, seen: str) -> None:
        """Once a day is often enough."""
        if not seen or int(seen) < self._now() - DAY:
            self._records.change(account, {"seen": str(self._now())})

    def idle_guests(self) -> Iterator[tuple[str, str]]:
        """Guests that have not been seen for thirty days, and when they were."""
        for account in self._records.all():
            role, seen = self._records.fields(account, "role", "seen")
            if role == "guest" and not seen:
                self._see(account, seen)  # From before this was written down: their days begin now.
            elif role == "guest" and int(seen) < self._now() - GUESTS_LAST:
                yield account, seen

    def forget_guest(self, account: str, seen: str) -> bool:
        """Forgets a guest, unless they were seen again."""
        [handle] = self._records.fields(account, "handle")
        if not self._records.forget_guest(account, seen):
            return False
        self._handles.release(handle, account)
        self._tell_of_change(account)
        return True

    # Cache

    def _remember(
        self, key: str, account: str, handle: str, role: str, scopes: frozenset[str], by: Literal["token", "session"]
    ) -> Identity:
        identity = Identity(account, handle, _role(role), scopes, by)
        self._identities.put(key, identity)
        return identity

    def _tell_of_change(self, account: str) -> None:
        """After rights of an account have changed: this process forgets what it has cached, others are told."""
        self._identities.forget(lambda identity: identity.account == account)
        self._names.forget(lambda name: name[0] == account)
        self._ended.announce(account)

    def _is_held(self, account: str, handle: str) -> bool:
        found = self.account(account)
        return found is not None and found.handle.lower() == handle.lower()

    def _now(self) -> int:
        return int(self._clock() * 1000)


def guest_handle() -> str:
    return GUEST + "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(8))


def check_name(name: str) -> None:
    if not 1 <= len(name) <= LONGEST_NAME or not fits(WRITTEN, name):
        raise Unfit(say("the name of a token has 1 to {longest} printable characters", longest=LONGEST_NAME))


def _account(account: str, fields: list[str]) -> Account | None:
    handle, role, created_at = fields
    return Account(account, handle, _role(role), int(created_at)) if role else None


def _role(role: str) -> Role:
    return msgspec.convert(role, Role)


def _tokens(record: dict[str, str]) -> dict[str, Token]:
    kept = {name: value for name, value in record.items() if name.startswith("token:")}
    return {name: msgspec.json.decode(value, type=Token) for name, value in kept.items()}
