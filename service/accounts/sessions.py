"""Sessions of browsers: they begin with a password, or as those of a guest, and end some time after their last use."""

from __future__ import annotations

from collections.abc import Callable

from events.errors import Revoked
from rules.texts import say
from service.accounts.credentials import SESSION, account_of, digest, new_account, new_secret, secret_of_request
from service.accounts.errors import NotAGuest, SignInFailed
from service.accounts.handles import Handles
from service.accounts.identities import SCOPES, Identity, KeptSession, Session, account_from, role_from
from service.accounts.passwords import Passwords
from service.accounts.records import DAY, Records
from service.accounts.revocations import session_ends
from service.accounts.rights_cache import RightsCache

MOST_SESSIONS = 20
SESSION_LASTS = 30 * DAY
"""Milliseconds after its last use."""
SESSION_ID = 16
"""So many characters of a session's hash are its id."""
SIGN_INS = 3
"""So often a sign-in is tried while others change the password."""


class Sessions:
    """The sessions of all accounts. Safe between threads."""

    def __init__(
        self, records: Records, handles: Handles, passwords: Passwords, cache: RightsCache, now: Callable[[], int]
    ) -> None:
        self._records, self._handles, self._passwords = records, handles, passwords
        self._cache, self._now = cache, now

    def sign_in(self, handle: str, password: str, request: str = "") -> Session:
        """A new session, so that none can be planted; a repeated request gives its own again, until that ends."""
        for _ in range(SIGN_INS):
            if session := self._signed_in(handle, password, request):
                return session
        raise SignInFailed()

    def _signed_in(self, handle: str, password: str, request: str) -> Session | None:
        """Nothing if the password was changed in the middle: then it must be looked at again."""
        account = self._handles.holder(handle) or new_account()
        record = self._records.read(account)
        is_theirs = record.get("handle", "").lower() == handle.lower()
        kept = record.get("password", "") if is_theirs else ""
        is_used_up = "once" in record and int(record["once"]) < self._now()
        if not self._passwords.is_right(password, kept) or is_used_up:
            raise SignInFailed()
        found = account_from(account, [record["handle"], record["role"], record["created_at"], record.get("bot", "")])
        assert found, "a record with a password has all the rest"
        secret = self._secret(account, record, password, request)
        if int(record.get(f"session:{digest(secret)}", 0)) > self._now():
            return Session(found, secret)
        fields = {f"session:{digest(secret)}": str(self._now() + SESSION_LASTS)}
        if request:
            fields[f"keyed:{digest(secret)}"] = "1"
        if "once" in record:
            fields |= {"once": "0", "password": self._passwords.kept(password)}  # A second one finds another hash.
        elif self._passwords.is_outdated(kept):
            fields["password"] = self._passwords.kept(password)
        marked, old = session_ends(record, self._oldest(record), self._now())
        if not self._records.change(account, fields | marked, without=old, while_there="password", being=kept):
            return None
        if old:
            self._cache.tell_of_change(account)
        return Session(found, secret)

    def _secret(self, account: str, record: dict[str, str], password: str, request: str) -> str:
        """The secret of a new session; with the key of a request the one that it made, unless that has ended."""
        if not request:
            return new_secret(SESSION, account)
        once = self._passwords.proof(record, password, request)
        secret = secret_of_request(SESSION, account, record.get("salt", ""), once)
        if f"revoked:{digest(secret)}" in record:
            raise Revoked(say("the session that this request made has ended"))
        return secret

    def open(self, account: str) -> Session:
        """A session of a guest, who has no password to sign in with."""
        found = self._records.living(account)
        if found.role != "guest":
            raise NotAGuest(say("{handle} is not a guest", handle=found.handle))
        secret = new_secret(SESSION, account)
        fields = {f"session:{digest(secret)}": str(self._now() + SESSION_LASTS)}
        record = self._records.read(account)
        marked, old = session_ends(record, self._oldest(record), self._now())
        self._records.change(account, fields | marked, without=old)
        if old:
            self._cache.tell_of_change(account)
        return Session(found, secret)

    def of(self, account: str, secret: str) -> list[KeptSession]:
        """Those that last, the one used last first; `secret` is that of the browser that asks."""
        fields = {
            name.removeprefix("session:"): end
            for name, end in self._records.read(account).items()
            if name.startswith("session:")
        }
        lasting = [(int(end), key) for key, end in fields.items() if int(end) > self._now()]
        mine = digest(secret)
        return [
            KeptSession(key[:SESSION_ID], end - SESSION_LASTS, key == mine)
            for end, key in sorted(lasting, reverse=True)
        ]

    def end(self, account: str, session: str) -> None:
        """Ends the session of this id, if there is one."""
        record = self._records.read(account)
        names = [name for name in record if name.startswith(f"session:{session}")]
        if len(session) == SESSION_ID and names:
            marked, ended = session_ends(record, names, self._now())
            self._records.change(account, marked, without=ended)
            self._cache.tell_of_change(account)

    def end_others(self, account: str, but: str = "") -> None:
        """All but the one with this secret. After a change of the password the old one makes none."""
        record, kept = self._records.read(account), f"session:{digest(but)}" if but else ""
        others = [name for name in record if name.startswith("session:") and name != kept]
        marked, ended = session_ends(record, others, self._now())
        self._records.change(account, marked, without=ended)
        self._cache.tell_of_change(account)

    def _oldest(self, record: dict[str, str]) -> list[str]:
        """Sessions that have ended, and the oldest of the others, so that one more has room."""
        ends = {name: int(value) for name, value in record.items() if name.startswith("session:")}
        lasting = sorted((end, name) for name, end in ends.items() if end > self._now())
        kept = {name for _, name in lasting[-(MOST_SESSIONS - 1) :]}
        return [name for name in ends if name not in kept]

    def sign_out(self, secret: str) -> None:
        if account := account_of(SESSION, secret):
            marked, ended = session_ends(self._records.read(account), [f"session:{digest(secret)}"], self._now())
            self._records.change(account, marked, without=ended)
            self._cache.tell_of_change(account)

    def identity(self, secret: str, *, fresh: bool = False) -> Identity | None:
        """The identity of a session. Every use prolongs it."""
        account = account_of(SESSION, secret)
        if not account:
            return None
        key = digest(secret)
        if not fresh and (cached := self._cache.identities.get(key)):
            return cached
        handle, role, end, seen, bot = self._records.fields(account, "handle", "role", f"session:{key}", "seen", "bot")
        if not role or not end or int(end) <= self._now():
            return None
        self._prolong(account, f"session:{key}", int(end))
        self._records.see(account, seen, self._now())
        return self._cache.remember(key, Identity(account, handle, role_from(role), SCOPES[role], "session", bool(bot)))

    def _prolong(self, account: str, session: str, end: int) -> None:
        """Once a day is often enough."""
        if end < self._now() + SESSION_LASTS - DAY:
            self._records.change(account, {session: str(self._now() + SESSION_LASTS)}, while_there=session)
