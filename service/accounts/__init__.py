"""Accounts of people and guests, with their passwords, sessions and tokens.

Flask and games may not enter. The log of a game names people by the ids of their accounts only.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from events.errors import Revoked
from events.log.service_secret import ServiceSecret
from events.store import Store
from rules.texts import say
from service.accounts.credentials import ACCOUNT, Credential, new_account, new_salt
from service.accounts.errors import HandleTaken, NoSuchAccount, NotAGuest, StillAGuest, Unfit, WrongPassword
from service.accounts.handles import GUEST, Claims, Handles, check_handle, guest_handle, letters_from, names
from service.accounts.identities import SCOPES, Account, Identity, KeptSession, Profile, Role, Session
from service.accounts.passwords import Passwords
from service.accounts.records import DAY, Records
from service.accounts.revocations import marks
from service.accounts.rights_cache import CACHED_FOR, RightsCache
from service.accounts.sessions import MOST_SESSIONS, SESSION_LASTS, Sessions
from service.accounts.token_fields import (
    LONGEST_NAME,
    MOST_TOKENS,
    TOKEN_FIELD,
    NewToken,
    Token,
    check_name,
    fields_of_apps,
    personal_tokens,
)
from service.accounts.tokens import Tokens

__all__ = [
    "DAY",
    "FIRST_TOKEN",
    "LONGEST_NAME",
    "MOST_SESSIONS",
    "MOST_TOKENS",
    "SCOPES",
    "SESSION_LASTS",
    "Account",
    "Accounts",
    "Identity",
    "KeptSession",
    "Profile",
    "Role",
    "Session",
    "check_name",
]

GUESTS_LAST = 30 * DAY
"""Milliseconds after they were last seen, for guests that sit at no table."""
ACCOUNT_BYTES = 12
FIRST_TOKEN = "first"
"""The name of the token that an account is made with."""


class Accounts:
    """All accounts of a store, with their sessions and tokens. Safe between threads."""

    def __init__(
        self,
        store: Store,
        passwords: Passwords | None = None,
        *,
        clock: Callable[[], float] = time.time,
        cached_for: float = CACHED_FOR,
        leaving: Callable[[str], None] = lambda account: None,
    ) -> None:
        """`leaving` is called with an account that is about to be deleted."""
        self._leaving = leaving
        self._clock = clock
        self._records = Records(store)
        self._service_secret = ServiceSecret(store)
        self._handles = Handles(store, self._is_held, self._now)
        self._passwords = passwords or Passwords()
        self.rights = RightsCache(store, cached_for)
        self.sessions = Sessions(self._records, self._handles, self._passwords, self.rights, self._now)
        self.tokens = Tokens(self._records, self.rights, self._now)

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

    def register_once(self, handle: str, password: str, request: str) -> tuple[Account, NewToken]:
        """A new account with its first token; a repeated request gives the same. It needs the same password."""
        check_handle(handle)
        account = "a_" + self._service_secret.id("account", f"{handle}\0{request}", ACCOUNT_BYTES)
        record = self._living_record(account)
        if not record:
            self._open(handle, "player", self._passwords.kept(password), account)
            record = self._records.read(account)
        elif not self._passwords.is_right(password, record.get("password", "")):
            raise HandleTaken(say("the handle {handle} is taken", handle=handle))
        return self._with_first_token(account, handle, "player", self._passwords.proof(record, password, request))

    def make_guest_once(self, request: str) -> tuple[Account, NewToken]:
        """A new guest with its first token; a repeated request gives the same, whatever has become of the guest."""
        account = "a_" + self._service_secret.id("guest", request, ACCOUNT_BYTES)
        handle = GUEST + letters_from(self._service_secret.id("guest handle", request, ACCOUNT_BYTES))
        if not self._living_record(account):
            self._open(handle, "guest", "", account)
        return self._with_first_token(account, handle, "guest", request)

    def _living_record(self, account: str) -> dict[str, str]:
        """Nothing if there was no such account yet."""
        record = self._records.read(account)
        if "deleted" in record:
            raise Revoked(say("the account that this request made was deleted"))
        return record

    def _with_first_token(self, account: str, handle: str, role: Role, once: str) -> tuple[Account, NewToken]:
        """The account as it was made."""
        new = self.tokens.create(account, FIRST_TOKEN, SCOPES[role], once=once)
        return Account(account, handle, role, self.living(account).created_at), new

    def _open(self, handle: str, role: Role, kept: str, id: str = "") -> Account:
        account = Account(id or new_account(), handle, role, self._now())
        claims = self._handles.claim(handle, account.id)
        now = str(account.created_at)
        fields = {"handle": handle, "role": role, "created_at": now, "seen": now, "salt": new_salt()}
        # Of two requests with one key the first counts.
        self._records.put_back(account.id, fields | ({"password": kept} if kept else {}))
        if not self._handles.confirm(claims):
            self._records.remove(account.id, self._now())
            raise HandleTaken(say("the handle {handle} is taken", handle=handle))
        return account

    def upgrade(self, account: str, handle: str, password: str) -> Account:
        """Gives a guest a handle and a password of their own; games, tokens and sessions stay theirs."""
        check_handle(handle)
        guest = self.living(account)
        if guest.role != "guest":
            raise NotAGuest(say("{handle} is not a guest", handle=guest.handle))
        kept = self._passwords.kept(password)
        claims = self._handles.claim(handle, account)
        self._become(guest, handle, kept, claims)
        if not self._handles.confirm(claims):
            self._records.change(account, {"handle": guest.handle, "role": "guest"}, without=["password"])
            raise HandleTaken(say("the handle {handle} is taken", handle=handle))
        self._handles.release(guest.handle, account)
        self.rights.tell_of_change(account)
        return self.living(account)

    def _become(self, guest: Account, handle: str, kept: str, claims: Claims) -> None:
        fields = {"handle": handle, "role": "player", "password": kept}
        if self._records.change(guest.id, fields, while_there="role", being="guest"):
            return
        # Another request was faster; or this one was done, and its answer lost.
        if not self._is_held(guest.id, handle.lower()):
            self._handles.give_up(claims)
            raise NotAGuest(say("{handle} is not a guest any more", handle=guest.handle))

    def account(self, account: str) -> Account | None:
        return self._records.account(account)

    def living(self, account: str) -> Account:
        return self._records.living(account)

    def account_named(self, handle: str) -> Account | None:
        found = self.account(self._handles.holder(handle) or "")
        return found if found and found.handle.lower() == handle.lower() else None

    def is_free(self, handle: str) -> bool:
        """Whether no account has this handle, nor one that looks like it."""
        return self._handles.is_free(handle)

    def handle_of(self, accounts: Iterable[str]) -> dict[str, str | None]:
        """The handle of each account; none for an account that was deleted, or never was."""
        return {account: each.handle if each else None for account, each in self.profiles(accounts).items()}

    def profiles(self, accounts: Iterable[str]) -> dict[str, Profile | None]:
        """The profile of each account; none for an account that was deleted, or never was."""
        profiles = {account: self.rights.profiles.get(account) for account in accounts}
        unknown = [account for account, cached in profiles.items() if not cached and ACCOUNT.fullmatch(account)]
        for account, (handle, bot) in zip(unknown, self._records.profiles(unknown), strict=True):
            if handle:
                profiles[account] = Profile(account, handle, bool(bot))
                self.rights.profiles.put(account, Profile(account, handle, bool(bot)))
        return profiles

    def declare_bot(self, account: str, is_bot: bool) -> Account:
        """The account is played by a program from now on, or not any more. Seats that it has taken stay marked."""
        self._records.change(account, {"bot": "1"} if is_bot else {}, without=[] if is_bot else ["bot"])
        self.rights.tell_of_change(account)
        return self.living(account)

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
        self.rights.tell_of_change(account.id)
        return msgspec.structs.replace(account, role=role)

    def delete(self, account: str, password: str = "") -> None:
        """Forgets everything but that the id is used up. An account with a password needs it for this."""
        found = self.living(account)
        [kept] = self._records.fields(account, "password")
        if kept and not self._passwords.is_right(password, kept):
            raise WrongPassword(say("the password is wrong, so the account stays"))
        self._leaving(account)
        self._records.remove(account, self._now())
        self._handles.release(found.handle, account)
        self.rights.tell_of_change(account)

    def change_password(self, account: str, old: str, new: str, *, session: str = "") -> None:
        """Sessions end, but for the one whose secret is given; tokens stay."""
        self.living(account)
        [kept] = self._records.fields(account, "password")
        if not kept:
            raise StillAGuest(say("a guest has no password; POST /me gives it a handle and a password"))
        if not self._passwords.is_right(old, kept):
            raise WrongPassword(say("the old password is wrong, so it stays"))
        fields = {"password": self._passwords.kept(new)}
        if not self._records.change(account, fields, without=["once"], while_there="password", being=kept):
            raise WrongPassword(say("the password was changed by another request just now"))
        self.sessions.end_others(account, but=session)

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
        marked, ended = marks(record, personal_tokens(record), self._now())
        self._records.change(account.id, fields | marked, without=[*ended, *fields_of_apps(record)])
        self.sessions.end_others(account.id)
        return password

    # Open streams

    def held(self, credentials: Collection[Credential]) -> set[Credential]:
        """Those of these tokens and sessions that have not ended, by one look into the store."""
        found = zip(credentials, self._records.credentials(credentials), strict=True)
        held = {credential for credential, (role, text) in found if role and text and self._lasts(credential, text)}
        ended = {app for app in {each.app for each in held} if app and not self.tokens.is_app(app)}
        return {credential for credential in held if credential.app not in ended}

    def _lasts(self, credential: Credential, text: str) -> bool:
        if credential.field.startswith(TOKEN_FIELD):
            return msgspec.json.decode(text, type=Token).lasts(self._now())
        return int(text) > self._now()

    # Idle guests

    def idle_guests(self) -> Iterator[tuple[str, str]]:
        """Guests that have not been seen for thirty days, and when they were."""
        for account in self._records.all():
            role, seen = self._records.fields(account, "role", "seen")
            if role == "guest" and not seen:
                self._records.see(
                    account, seen, self._now()
                )  # From before this was written down: their days begin now.
            elif role == "guest" and int(seen) < self._now() - GUESTS_LAST:
                yield account, seen

    def forget_guest(self, account: str, seen: str) -> bool:
        """Forgets a guest, unless they were seen again."""
        [handle] = self._records.fields(account, "handle")
        self._leaving(account)
        if not self._records.forget_guest(account, seen):
            return False
        self._handles.release(handle, account)
        self.rights.tell_of_change(account)
        return True

    def _is_held(self, account: str, name: str) -> bool:
        found = self.account(account)
        return found is not None and name in names(found.handle)

    def _now(self) -> int:
        return int(self._clock() * 1000)
