"""Accounts, guests, sessions and tokens over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, after_this_request
from msgspec.structs import asdict

from service.accounts import SCOPES, Account, NewToken
from service.api.context import limited_account
from service.api.operation import Body, Reply, operation
from service.api.schemas.accounts import (
    AccountDeletionRequest,
    CredentialsRequest,
    FreshTokenResponse,
    KeptTokensResponse,
    MeResponse,
    NewPersonResponse,
    PasswordChangeRequest,
    PersonResponse,
    RegistrationRequest,
    SignedInResponse,
    TokenRequest,
)
from service.api.schemas.fields import NO_FIELDS
from service.http import authentication
from service.http.context import services, waiting
from service.http.idempotency import given_key
from service.http.responses import no_store

blueprint = Blueprint("accounts", __name__)
blueprint.after_request(no_store)

AN_ID = "a_mZ4rk0Qb2sVxW9cD"
A_TOKEN = "hdg_mZ4rk0Qb2sVxW9cD" + "…"
HANDLE_AND_PASSWORD = {"handle": "el_cid", "password": "tizona y colada"}
A_PERSON = {"id": AN_ID, "handle": "el_cid", "role": "player"}
A_KEPT_TOKEN = {"id": "t_q3XkP0aB", "name": "my bot", "scopes": ["play", "read"], "created_at": 1767225600000}


@blueprint.post("/accounts")
@operation(
    Reply(201, NewPersonResponse, A_PERSON | {"token": A_TOKEN}),
    body=Body(RegistrationRequest, HANDLE_AND_PASSWORD),
)
def register(body: dict[str, str]) -> dict[str, Any]:
    """Register with a handle and a password."""
    authentication.limit("accounts_from_an_address")
    services().reserve.check()
    with waiting():
        return with_token(authentication.accounts().register(body["handle"], body["password"]))


@blueprint.post("/guests")
@operation(
    Reply(201, NewPersonResponse, {"id": AN_ID, "handle": "guest-k3w9p2xa", "role": "guest", "token": A_TOKEN}),
    body=NO_FIELDS,
)
def make_guest(_: dict[str, str]) -> dict[str, Any]:
    """Play at once, under a handle of our choice.

    A guest whose token is lost is lost, too. `POST /me` turns a guest into an account.
    """
    authentication.limit("guests_from_an_address")
    services().reserve.check()
    return with_token(authentication.accounts().make_guest())


def with_token(account: Account) -> dict[str, Any]:
    new: NewToken = authentication.accounts().create_token(account.id, "first", SCOPES[account.role])
    return asdict(account) | {"token": new.secret}


@blueprint.post("/sessions")
@operation(
    Reply(200, SignedInResponse, {"id": AN_ID, "handle": "el_cid", "csrf": "nS1v…"}),
    body=Body(CredentialsRequest, HANDLE_AND_PASSWORD),
)
def sign_in(body: dict[str, str]) -> dict[str, Any]:
    """Sign in with a browser: the session is a cookie.

    A session that the browser had before ends.
    """
    authentication.limit("sign_ins_from_an_address")
    authentication.limit("sign_ins_of_a_handle", body["handle"].lower())
    with waiting():
        session = authentication.accounts().sign_in(body["handle"], body["password"])
    authentication.accounts().sign_out(authentication.given_session())
    after_this_request(partial(authentication.keep_session, secret=session.secret))
    return asdict(session.account) | {"csrf": session.csrf}


@blueprint.delete("/sessions")
@authentication.by_session
@operation(Reply(204))
def sign_out() -> None:
    """Sign out: this session ends."""
    authentication.accounts().sign_out(authentication.given_session())
    after_this_request(authentication.drop_session)


@blueprint.get("/me")
@authentication.by_anybody
@operation(Reply(200, MeResponse, A_PERSON | {"created_at": 1767225600000, "scopes": ["play", "read"], "by": "token"}))
def me() -> dict[str, Any]:
    """Your account, with its role and scopes."""
    identity = authentication.current(fresh=True)
    account = authentication.accounts().living(identity.account)
    if identity.by == "session":
        after_this_request(partial(authentication.keep_session, secret=authentication.given_session()))
    return asdict(account) | {"scopes": sorted(identity.scopes), "by": identity.by, "csrf": authentication.csrf()}


@blueprint.post("/me")
@authentication.needs("account")
@operation(Reply(200, PersonResponse, A_PERSON), body=Body(RegistrationRequest, HANDLE_AND_PASSWORD))
def upgrade(body: dict[str, str]) -> Account:
    """Turn a guest into an account; games and tokens stay theirs."""
    authentication.limit("accounts_from_an_address")
    with waiting():
        return authentication.accounts().upgrade(authentication.current().account, body["handle"], body["password"])


@blueprint.delete("/me")
@authentication.needs("account")
@operation(Reply(204), body=Body(AccountDeletionRequest, {"password": "tizona y colada"}, required=False))
def delete(body: dict[str, str]) -> None:
    """Delete the account.

    The handle is free again, every token and session ends. In games that were played, a former player stays.
    """
    identity = authentication.current()
    authentication.limit("passwords_of_an_account", identity.account)
    with waiting():
        authentication.accounts().delete(identity.account, body["password"])
    after_this_request(authentication.drop_session)


@blueprint.put("/me/password")
@authentication.needs("account")
@operation(Reply(204), body=Body(PasswordChangeRequest, {"old": "tizona y colada", "new": "babieca al trote"}))
def change_password(body: dict[str, str]) -> None:
    """Change the password.

    All other sessions end; tokens stay, and are revoked one by one.
    """
    identity = authentication.current()
    authentication.limit("passwords_of_an_account", identity.account)
    session = authentication.given_session() if identity.by == "session" else ""
    with waiting():
        authentication.accounts().change_password(identity.account, body["old"], body["new"], session=session)


@blueprint.get("/tokens")
@authentication.needs("account")
@operation(Reply(200, KeptTokensResponse, {"tokens": [A_KEPT_TOKEN]}))
def tokens() -> dict[str, Any]:
    """Your tokens, oldest first, without their secrets."""
    return {"tokens": authentication.accounts().tokens(authentication.current().account)}


@blueprint.post("/tokens")
@authentication.needs("account")
@operation(
    Reply(201, FreshTokenResponse, A_KEPT_TOKEN | {"token": A_TOKEN}),
    body=Body(TokenRequest, {"name": "my bot", "scopes": ["play", "read"]}),
)
def create_token(body: dict[str, Any]) -> dict[str, Any]:
    """A new token for a program of yours.

    Its scopes are among those of the token or session that asks: a token cannot make a stronger one.
    """
    identity = authentication.current()
    limited_account("tokens")
    scopes = identity.scopes if body["scopes"] is None else body["scopes"]
    key = given_key()
    named = f"{authentication.shown()}\0{key}" if key else ""
    new = authentication.accounts().create_token(
        identity.account, body["name"], scopes, within=identity.scopes, once=named
    )
    return asdict(new.token) | {"token": new.secret}


@blueprint.delete("/tokens/<token>")
@authentication.needs("account")
@operation(Reply(204))
def revoke(token: str) -> None:
    """Revoke a token. Elsewhere it may be believed for some seconds more."""
    authentication.accounts().revoke(authentication.current().account, token)
