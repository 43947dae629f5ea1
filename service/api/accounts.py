"""Accounts, guests, sessions and tokens over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, after_this_request
from msgspec.structs import asdict

from service.accounts import FIRST_TOKEN, SCOPES, Account
from service.accounts.notice_choices import NoticeChoices
from service.accounts.token_fields import NewToken
from service.api.context import limited_account
from service.api.operation import Body, Reply, operation
from service.api.schemas.accounts import (
    AccountDeletionRequest,
    BotDeclarationRequest,
    ChosenNoticesResponse,
    CredentialsRequest,
    FreshTokenResponse,
    KeptTokensResponse,
    MeResponse,
    NewPersonResponse,
    NoticeChoicesRequest,
    PasswordChangeRequest,
    PersonResponse,
    RegistrationRequest,
    SignedInResponse,
    TokenRequest,
)
from service.api.schemas.fields import NO_FIELDS
from service.http import account_requests, authentication
from service.http.context import services
from service.http.idempotency import given_key
from service.http.responses import no_store

blueprint = Blueprint("accounts", __name__)
blueprint.after_request(no_store)

AN_ID = "a_mZ4rk0Qb2sVxW9cD"
A_TOKEN = "hdg_mZ4rk0Qb2sVxW9cD" + "…"
HANDLE_AND_PASSWORD = {"handle": "el_cid", "password": "tizona y colada"}
A_PERSON = {"id": AN_ID, "handle": "el_cid", "role": "player", "bot": False}
A_KEPT_TOKEN = {"id": "t_q3XkP0aB", "name": "my bot", "scopes": ["play", "read"], "created_at": 1767225600000}


@blueprint.post("/accounts")
@operation(
    Reply(201, NewPersonResponse, A_PERSON | {"token": A_TOKEN}),
    body=Body(RegistrationRequest, HANDLE_AND_PASSWORD),
)
def register(body: dict[str, str]) -> dict[str, Any]:
    """Register with a handle and a password."""
    if key := given_key():
        return shown(*account_requests.register_once(body["handle"], body["password"], key))
    return with_token(account_requests.register(body["handle"], body["password"]))


@blueprint.post("/guests")
@operation(
    Reply(201, NewPersonResponse, A_PERSON | {"handle": "guest-k3w9p2xa", "role": "guest", "token": A_TOKEN}),
    body=NO_FIELDS,
)
def make_guest(_: dict[str, str]) -> dict[str, Any]:
    """Play at once, under a handle of our choice.

    A guest whose token is lost is lost, too. `POST /me` turns a guest into an account.
    """
    if key := given_key():
        return shown(*account_requests.make_guest_once(key))
    return with_token(account_requests.make_guest())


def with_token(account: Account) -> dict[str, Any]:
    return shown(account, authentication.accounts().tokens.create(account.id, FIRST_TOKEN, SCOPES[account.role]))


def shown(account: Account, new: NewToken) -> dict[str, Any]:
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
    session = account_requests.sign_in(body["handle"], body["password"], given_key() or "")
    after_this_request(partial(authentication.keep_session, secret=session.secret))
    return asdict(session.account) | {"csrf": session.csrf}


@blueprint.delete("/sessions")
@authentication.by_session
@operation(Reply(204))
def sign_out() -> None:
    """Sign out: this session ends."""
    authentication.accounts().sessions.sign_out(authentication.given_session())
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
    return account_requests.upgrade(authentication.current().account, body["handle"], body["password"])


@blueprint.delete("/me")
@authentication.needs("account")
@operation(Reply(204), body=Body(AccountDeletionRequest, {"password": "tizona y colada"}, required=False))
def delete(body: dict[str, str]) -> None:
    """Delete the account.

    The handle is free again, every token and session ends. In games that were played, a former player stays.
    """
    account_requests.delete(authentication.current().account, body["password"])
    after_this_request(authentication.drop_session)


@blueprint.put("/me/password")
@authentication.needs("account")
@operation(Reply(204), body=Body(PasswordChangeRequest, {"old": "tizona y colada", "new": "babieca al trote"}))
def change_password(body: dict[str, str]) -> None:
    """Change the password.

    All other sessions end; tokens stay, and are revoked one by one.
    """
    account_requests.change_password(authentication.current(), body["old"], body["new"])


@blueprint.put("/me/bot")
@authentication.needs("account")
@operation(Reply(200, PersonResponse, A_PERSON | {"bot": True}), body=Body(BotDeclarationRequest, {"bot": True}))
def declare_bot(body: dict[str, bool]) -> Account:
    """Declare that a program plays for your account, or not any more.

    Everybody sees it beside your handle. Seats that you have taken as a bot stay marked.
    """
    return authentication.accounts().declare_bot(limited_account("changes"), body["bot"])


@blueprint.get("/me/notices")
@authentication.needs("account")
@operation(Reply(200, ChosenNoticesResponse, {"browser": True, "sound": False}))
def notice_choices() -> dict[str, Any]:
    """Your choices about notices in the browser."""
    return asdict(services().notice_choices.read(authentication.current().account))


@blueprint.put("/me/notices")
@authentication.needs("account")
@operation(
    Reply(200, ChosenNoticesResponse, {"browser": True, "sound": False}),
    body=Body(NoticeChoicesRequest, {"browser": True, "sound": False}),
)
def choose_notices(body: dict[str, bool]) -> dict[str, Any]:
    """Choose how the browser tells that it is your turn."""
    account, chosen = limited_account("changes"), NoticeChoices(**body)
    services().notice_choices.change(account, chosen)
    return asdict(chosen)


@blueprint.get("/tokens")
@authentication.needs("account")
@operation(Reply(200, KeptTokensResponse, {"tokens": [A_KEPT_TOKEN]}))
def tokens() -> dict[str, Any]:
    """Your tokens, oldest first, without their secrets."""
    return {"tokens": authentication.accounts().tokens.of(authentication.current().account)}


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
    scopes = identity.scopes if body["scopes"] is None else body["scopes"]
    new = account_requests.create_token(identity, body["name"], scopes, given_key())
    return asdict(new.token) | {"token": new.secret}


@blueprint.delete("/tokens/<token>")
@authentication.needs("account")
@operation(Reply(204))
def revoke(token: str) -> None:
    """Revoke a token. Elsewhere it may be believed for some seconds more."""
    authentication.accounts().tokens.revoke(authentication.current().account, token)
