"""Apps, and what accounts allow them."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.accounts.apps import LONGEST_NAME, LONGEST_URI, MOST_URIS, check_name, check_uri
from service.accounts.authorizations import APP_SCOPES
from service.api.schemas.accounts import validator
from service.api.schemas.fields import RequestSchema, doc
from service.text_patterns import WRITTEN

ABOUT_URIS = (
    "Where browsers go back to: https, or http on the visitor's own machine. An app names one of them, to the letter, "
    "in every request."
)


def app_name(*, required: bool) -> fields.String:
    return fields.String(
        required=required,
        validate=validator(check_name),
        metadata=doc("Shown to people before they allow it.", minLength=1, maxLength=LONGEST_NAME, pattern=WRITTEN),
    )


def redirect_uris(*, required: bool) -> fields.List:
    uri = fields.String(validate=validator(check_uri), metadata={"format": "uri", "maxLength": LONGEST_URI})
    return fields.List(
        uri,
        required=required,
        validate=validate.Length(min=1, max=MOST_URIS),
        metadata=doc(ABOUT_URIS, uniqueItems=True),
    )


class NewAppRequest(RequestSchema):
    name = app_name(required=True)
    redirect_uris = redirect_uris(required=True)


class AppChangeRequest(RequestSchema):
    name = app_name(required=False)
    redirect_uris = redirect_uris(required=False)


class AppResponse(Schema):
    id = fields.String(required=True, metadata=doc("The `client_id` of OAuth. It is no secret."))
    name = fields.String(required=True)
    redirect_uris = fields.List(fields.String(), required=True)
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


class AppsResponse(Schema):
    apps = fields.List(fields.Nested(AppResponse), required=True)


class AuthorizationResponse(Schema):
    app = fields.String(required=True, metadata=doc("Its id."))
    name = fields.String(required=True, metadata=doc("Of the app, as it was when you allowed it."))
    scopes = fields.List(fields.String(validate=validate.OneOf(sorted(APP_SCOPES))), required=True)
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    until = fields.Integer(
        required=True, allow_none=True, metadata=doc("Milliseconds since 1970; null: until you end it.")
    )


class AuthorizationsResponse(Schema):
    authorizations = fields.List(fields.Nested(AuthorizationResponse), required=True)
