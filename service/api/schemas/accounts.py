"""Accounts, guests, sessions and tokens."""

from __future__ import annotations

from collections.abc import Callable

from marshmallow import Schema, ValidationError, fields, validate

from service.accounts import LONGEST_NAME, SCOPES, check_name
from service.accounts.errors import Unfit
from service.accounts.handles import check_shape
from service.accounts.passwords import LONGEST, SHORTEST, check_password
from service.api.schemas.fields import RequestSchema, ResponseSchema, StrictBoolean, doc
from service.language import rendered
from service.text_patterns import WRITTEN

ALL_SCOPES = sorted(frozenset().union(*SCOPES.values()))


# Requests


def validator(check: Callable[[str], None]) -> Callable[[str], None]:
    """A check of accounts as a validator of a field."""

    def validate_text(text: str) -> None:
        try:
            check(text)
        except Unfit as unfit:
            raise ValidationError(rendered(unfit.text)) from None

    return validate_text


def new_password() -> fields.String:
    limits = {"format": "password", "minLength": SHORTEST, "maxLength": LONGEST}
    return fields.String(required=True, validate=validator(check_password), metadata=limits)


def known_password() -> fields.String:
    return fields.String(required=True, validate=validate.Length(max=LONGEST), metadata={"format": "password"})


class RegistrationRequest(RequestSchema):
    handle = fields.String(
        required=True,
        validate=validator(check_shape),
        metadata=doc("Unique, whether in capitals or not.", pattern="^[A-Za-z0-9_-]{3,20}$"),
    )
    password = new_password()


class CredentialsRequest(RequestSchema):
    handle = fields.String(required=True, validate=validate.Length(max=100))
    password = known_password()


class PasswordChangeRequest(RequestSchema):
    old = known_password()
    new = new_password()


class AccountDeletionRequest(RequestSchema):
    password = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST),
        metadata={"format": "password", "description": "Needed if the account has one; guests have none."},
    )


class BotDeclarationRequest(RequestSchema):
    bot = StrictBoolean(required=True, metadata=doc("Whether a program plays for this account."))


class TokenRequest(RequestSchema):
    name = fields.String(
        required=True,
        validate=validator(check_name),
        metadata=doc("For you, to know it again.", minLength=1, maxLength=LONGEST_NAME, pattern=WRITTEN),
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(ALL_SCOPES)),
        load_default=None,
        validate=validate.Length(min=1, max=len(ALL_SCOPES)),
        metadata=doc("Some of the scopes that you have now; all of them if left out."),
    )


# Responses


class PersonResponse(Schema):
    id = fields.String(required=True, metadata=doc("Never changes, and means nothing by itself."))
    handle = fields.String(required=True)
    role = fields.String(required=True, validate=validate.OneOf(sorted(SCOPES)))
    bot = fields.Boolean(required=True, metadata=doc("Whether a program plays for the account, by its own word."))


class NewPersonResponse(PersonResponse):
    token = fields.String(required=True, metadata=doc("With all scopes of the account; shown only now."))


class SignedInResponse(Schema):
    id = fields.String(required=True)
    handle = fields.String(required=True)
    csrf = fields.String(
        required=True, metadata=doc("To be sent as `X-CSRF-Token` with every request that changes something.")
    )


class MeResponse(PersonResponse):
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    scopes = fields.List(fields.String(), required=True, metadata=doc("The scopes that you have now."))
    by = fields.String(required=True, validate=validate.OneOf(["token", "session"]))
    csrf = fields.String(allow_none=True, metadata=doc("Only for sessions."))


class KeptTokenResponse(Schema):
    id = fields.String(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = fields.Integer(required=True)


class KeptTokensResponse(Schema):
    tokens = fields.List(fields.Nested(KeptTokenResponse), required=True)


class FreshTokenResponse(KeptTokenResponse):
    token = fields.String(required=True, metadata=doc("Shown only now."))


class NoticeChoicesRequest(RequestSchema):
    """How the browser tells that it is your turn."""

    browser = StrictBoolean(required=True, metadata=doc("By a notification, while its page is not looked at."))
    sound = StrictBoolean(required=True, metadata=doc("By a sound at the table."))


class ChosenNoticesResponse(ResponseSchema):
    browser = fields.Boolean(required=True)
    sound = fields.Boolean(required=True)
