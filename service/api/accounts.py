"""Accounts, guests, sessions and tokens over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import after_this_request
from marshmallow import Schema, ValidationError, fields, validate
from msgspec.structs import asdict
from werkzeug.wrappers import Response

from service.accounts import LONGEST_NAME, SCOPES, Account, NewToken, check_name
from service.accounts.errors import Unfit
from service.accounts.handles import check_shape
from service.accounts.passwords import LONGEST, SHORTEST, check_password
from service.api.blueprint import Blueprint
from service.api.schemas import Nothing, Sent
from service.http import authentication
from service.http.preconditions import given_key
from service.text_patterns import WRITTEN

accounts = Blueprint("accounts", __name__, description="Who people are, and by what they are known again.")

ALL_SCOPES = sorted(frozenset().union(*SCOPES.values()))
AN_ID = "a_mZ4rk0Qb2sVxW9cD"
A_TOKEN = "hdg_mZ4rk0Qb2sVxW9cD" + "…"
A_PERSON = {"id": AN_ID, "handle": "el_cid", "role": "player"}
A_KEPT_TOKEN = {"id": "t_q3XkP0aB", "name": "my bot", "scopes": ["play", "read"], "created_at": 1767225600000}


# What is sent


def fitting(check: Callable[[str], None]) -> Callable[[str], None]:
    """A check of ours as a validator of a field."""

    def validator(text: str) -> None:
        try:
            check(text)
        except Unfit as unfit:
            raise ValidationError(unfit.sentence) from None

    return validator


class Registration(Sent):
    handle = fields.String(
        required=True,
        validate=fitting(check_shape),
        metadata={"description": "Unique, whether in capitals or not.", "pattern": "^[A-Za-z0-9_-]{3,20}$"},
    )
    password = fields.String(
        required=True,
        validate=fitting(check_password),
        metadata={"format": "password", "minLength": SHORTEST, "maxLength": LONGEST},
    )


class Credentials(Sent):
    handle = fields.String(required=True, validate=validate.Length(max=100))
    password = fields.String(required=True, validate=validate.Length(max=LONGEST), metadata={"format": "password"})


class PasswordChange(Sent):
    old = fields.String(required=True, validate=validate.Length(max=LONGEST), metadata={"format": "password"})
    new = fields.String(
        required=True,
        validate=fitting(check_password),
        metadata={"format": "password", "minLength": SHORTEST, "maxLength": LONGEST},
    )


class Farewell(Sent):
    password = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST),
        metadata={"format": "password", "description": "Needed from who has one; guests have none."},
    )


class TokenWish(Sent):
    name = fields.String(
        required=True,
        validate=fitting(check_name),
        metadata={
            "description": "For you, to know it again.",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "pattern": WRITTEN,
        },
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(ALL_SCOPES)),
        load_default=None,
        validate=validate.Length(min=1, max=len(ALL_SCOPES)),
        metadata={"description": "What it may do: some of what you may do now, or else all of it."},
    )


# What is answered


class Person(Schema):
    id = fields.String(required=True, metadata={"description": "Never changes, and means nothing by itself."})
    handle = fields.String(required=True)
    role = fields.String(required=True, validate=validate.OneOf(sorted(SCOPES)))


class NewPerson(Person):
    token = fields.String(required=True, metadata={"description": "With all scopes of the account; shown only now."})


class SignedIn(Schema):
    id = fields.String(required=True)
    handle = fields.String(required=True)
    csrf = fields.String(
        required=True, metadata={"description": "To be sent as `X-CSRF-Token` with all that changes something."}
    )


class Me(Person):
    created_at = fields.Integer(required=True, metadata={"description": "Milliseconds since 1970."})
    scopes = fields.List(fields.String(), required=True, metadata={"description": "What you may do now."})
    by = fields.String(required=True, validate=validate.OneOf(["token", "session"]))
    csrf = fields.String(allow_none=True, metadata={"description": "Only for sessions."})


class KeptToken(Schema):
    id = fields.String(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = fields.Integer(required=True)


class KeptTokens(Schema):
    tokens = fields.List(fields.Nested(KeptToken), required=True)


class FreshToken(KeptToken):
    token = fields.String(required=True, metadata={"description": "Shown only now."})


# Views


@accounts.after_request
def never_keep(response: Response) -> Response:
    """No cache may keep what is said here."""
    response.headers["Cache-Control"] = "no-store"
    return response


@accounts.route("/accounts", methods=["POST"])
@accounts.arguments(Registration, example={"handle": "el_cid", "password": "tizona y colada"})
@accounts.response(201, NewPerson, example=A_PERSON | {"token": A_TOKEN})
def register(wish: dict[str, str]) -> dict[str, Any]:
    """Register with a handle and a password."""
    authentication.limit("accounts_from_an_address")
    return with_token(authentication.accounts().register(wish["handle"], wish["password"]))


@accounts.route("/guests", methods=["POST"])
@accounts.arguments(Nothing, required=False, example={})
@accounts.response(201, NewPerson, example={"id": AN_ID, "handle": "guest-k3w9p2xa", "role": "guest", "token": A_TOKEN})
def make_guest(_: dict[str, str]) -> dict[str, Any]:
    """Play at once, under a handle of our choice.

    Whoever loses the token of a guest loses the guest. `POST /me` turns a guest into an account.
    """
    authentication.limit("guests_from_an_address")
    return with_token(authentication.accounts().make_guest())


def with_token(account: Account) -> dict[str, Any]:
    new: NewToken = authentication.accounts().create_token(account.id, "first", SCOPES[account.role])
    return asdict(account) | {"token": new.secret}


@accounts.route("/sessions", methods=["POST"])
@accounts.arguments(Credentials, example={"handle": "el_cid", "password": "tizona y colada"})
@accounts.response(200, SignedIn, example={"id": AN_ID, "handle": "el_cid", "csrf": "nS1v…"})
def sign_in(given: dict[str, str]) -> dict[str, Any]:
    """Sign in with a browser: the session is a cookie.

    A session that the browser had before ends.
    """
    authentication.limit("sign_ins_from_an_address")
    authentication.limit("sign_ins_of_a_handle", given["handle"].lower())
    session = authentication.accounts().sign_in(given["handle"], given["password"])
    authentication.accounts().sign_out(authentication.given_session())
    after_this_request(partial(authentication.keep_session, secret=session.secret))
    return asdict(session.account) | {"csrf": session.csrf}


@accounts.route("/sessions", methods=["DELETE"])
@authentication.by_session
@accounts.response(204)
def sign_out() -> None:
    """Sign out: this session ends."""
    authentication.accounts().sign_out(authentication.given_session())
    after_this_request(authentication.drop_session)


@accounts.route("/me", methods=["GET"])
@authentication.by_anybody
@accounts.response(200, Me, example=A_PERSON | {"created_at": 1767225600000, "scopes": ["play", "read"], "by": "token"})
def me() -> dict[str, Any]:
    """Who you are, and what you may do."""
    identity = authentication.current(fresh=True)
    account = authentication.accounts().living(identity.account)
    if identity.by == "session":
        after_this_request(partial(authentication.keep_session, secret=authentication.given_session()))
    return asdict(account) | {"scopes": sorted(identity.scopes), "by": identity.by, "csrf": authentication.csrf()}


@accounts.route("/me", methods=["POST"])
@authentication.needs("account")
@accounts.arguments(Registration, example={"handle": "el_cid", "password": "tizona y colada"})
@accounts.response(200, Person, example=A_PERSON)
def upgrade(wish: dict[str, str]) -> Account:
    """Turn a guest into an account; games and tokens stay theirs."""
    authentication.limit("accounts_from_an_address")
    return authentication.accounts().upgrade(authentication.current().account, wish["handle"], wish["password"])


@accounts.route("/me", methods=["DELETE"])
@authentication.needs("account")
@accounts.arguments(Farewell, required=False, example={"password": "tizona y colada"})
@accounts.response(204)
def delete(given: dict[str, str]) -> None:
    """Delete the account.

    The handle is free again, every token and session ends. In games that were played, a former player stays.
    """
    identity = authentication.current()
    authentication.limit("sign_ins_of_a_handle", identity.handle.lower())
    authentication.accounts().delete(identity.account, given["password"])
    after_this_request(authentication.drop_session)


@accounts.route("/me/password", methods=["PUT"])
@authentication.needs("account")
@accounts.arguments(PasswordChange, example={"old": "tizona y colada", "new": "babieca al trote"})
@accounts.response(204)
def change_password(given: dict[str, str]) -> None:
    """Change the password.

    All other sessions end; tokens stay, and are revoked one by one.
    """
    identity = authentication.current()
    authentication.limit("sign_ins_of_a_handle", identity.handle.lower())
    session = authentication.given_session() if identity.by == "session" else ""
    authentication.accounts().change_password(identity.account, given["old"], given["new"], session=session)


@accounts.route("/tokens", methods=["GET"])
@authentication.needs("account")
@accounts.response(200, KeptTokens, example={"tokens": [A_KEPT_TOKEN]})
def tokens() -> dict[str, Any]:
    """Your tokens, oldest first, without their secrets."""
    return {"tokens": authentication.accounts().tokens(authentication.current().account)}


@accounts.route("/tokens", methods=["POST"])
@authentication.needs("account")
@accounts.arguments(TokenWish, example={"name": "my bot", "scopes": ["play", "read"]})
@accounts.response(201, FreshToken, example=A_KEPT_TOKEN | {"token": A_TOKEN})
def create_token(wish: dict[str, Any]) -> dict[str, Any]:
    """A new token for a program of yours.

    It may do no more than what you ask with: a token cannot make a stronger one.
    """
    identity = authentication.current()
    authentication.limit("tokens_of_an_account", identity.account)
    scopes = identity.scopes if wish["scopes"] is None else wish["scopes"]
    key = given_key()
    named = f"{authentication.shown()}\0{key}" if key else ""
    new = authentication.accounts().create_token(
        identity.account, wish["name"], scopes, within=identity.scopes, once=named
    )
    return asdict(new.token) | {"token": new.secret}


@accounts.route("/tokens/<token>", methods=["DELETE"])
@authentication.needs("account")
@accounts.response(204)
def revoke(token: str) -> None:
    """Revoke a token. Elsewhere it may be believed for some seconds more."""
    authentication.accounts().revoke(authentication.current().account, token)
