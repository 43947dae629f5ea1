"""Requests of accounts that cost work or room, the same for programs and for pages: counted first, then done.

A password takes a while to hash, so that the thread counts as one that waits.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.errors import Unreadable
from rules.texts import say
from service.accounts import Account, Identity, Session
from service.accounts.token_fields import NewToken
from service.http.authentication import accounts, given_session, limit, limit_account, shown
from service.http.context import services, waiting
from service.http.idempotency import KEY

UNGUESSABLE = 22
"""Characters of a key; a random UUID has more."""


def register(handle: str, password: str) -> Account:
    limit("accounts_from_an_address")
    services().reserve.check()
    with waiting():
        return accounts().register(handle, password)


def register_once(handle: str, password: str, key: str) -> tuple[Account, NewToken]:
    """A client that repeats it shows the password, as in a sign-in."""
    limit("accounts_from_an_address")
    limit("sign_ins_of_a_handle", handle.lower())
    services().reserve.check()
    with waiting():
        return accounts().register_once(handle, password, key)


def make_guest() -> Account:
    limit("guests_from_an_address")
    services().reserve.check()
    return accounts().make_guest()


def make_guest_once(key: str) -> tuple[Account, NewToken]:
    """The key is all that a guest is asked for: a client that guessed it would get the guest of another."""
    limit("guests_from_an_address")
    services().reserve.check()
    if len(key) < UNGUESSABLE:
        raise Unreadable(
            say("for a guest, {header} has at least {least} random characters", header=KEY, least=UNGUESSABLE)
        )
    return accounts().make_guest_once(key)


def upgrade(account: str, handle: str, password: str) -> Account:
    limit("accounts_from_an_address")
    with waiting():
        return accounts().upgrade(account, handle, password)


def sign_in(handle: str, password: str, key: str = "") -> Session:
    """A new session, or that of the first request with this key; another one that the browser had before ends."""
    limit("sign_ins_from_an_address")
    limit("sign_ins_of_a_handle", handle.lower())
    with waiting():
        session = accounts().sessions.sign_in(handle, password, key)
    if given_session() != session.secret:
        accounts().sessions.sign_out(given_session())
    return session


def change_password(identity: Identity, old: str, new: str) -> None:
    limit("passwords_of_an_account", identity.account)
    session = given_session() if identity.by == "session" else ""
    with waiting():
        accounts().change_password(identity.account, old, new, session=session)


def delete(account: str, password: str) -> None:
    limit("passwords_of_an_account", account)
    with waiting():
        accounts().delete(account, password)


def create_token(identity: Identity, name: str, scopes: Iterable[str], key: str | None) -> NewToken:
    """The same token again for the same key, as long as the client shows the same token or session."""
    limit_account("tokens", identity.account)
    once = f"{shown()}\0{key}" if key else ""
    return accounts().tokens.create(identity.account, name, scopes, within=identity.scopes, once=once)
