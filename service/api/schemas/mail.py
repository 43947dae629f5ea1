"""The mail of an account: its address, its choices, letters that have not arrived."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.fields import RequestSchema, ResponseSchema, doc, string_list
from service.notifications.mail.addresses import LONGEST
from service.notifications.mail.preferences import CHOICES, DIGESTS, SOON

LONGEST_CODE = 64


class MailChoicesRequest(RequestSchema):
    """The choices of an account."""

    address = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST),
        metadata=doc(
            "A new address gets a letter, and counts when its owner has answered it; the confirmed one takes a new one "
            "back. Left out: as before."
        ),
    )
    choices = fields.List(
        fields.String(validate=validate.OneOf(list(CHOICES))),
        load_default=list,
        validate=validate.Length(max=len(CHOICES)),
        metadata=doc("The notices that are mailed; none if left out."),
    )
    digest = fields.String(
        load_default=SOON,
        validate=validate.OneOf(DIGESTS),
        metadata=doc("`soon`: one letter about all notices of a minute. `daily`: one a day; reminders come at once."),
    )


class MailConfirmationRequest(RequestSchema):
    code = fields.String(
        required=True, validate=validate.Length(1, LONGEST_CODE), metadata=doc("The code in the letter.")
    )


class LetterResponse(ResponseSchema):
    number = fields.Integer(required=True)
    about = fields.String(required=True, metadata=doc("`notices` or `confirmation`."))
    notices = fields.List(fields.Integer(), required=True, metadata=doc("The ids of the notices that it tells of."))
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    attempts = fields.Integer(required=True)
    next_at = fields.Integer(required=True, allow_none=True, metadata=doc("The time of the next try."))
    status = fields.Integer(required=True, allow_none=True, metadata=doc("The last answer of the mail server."))
    error = fields.String(required=True, allow_none=True, metadata=doc("Why it has not arrived, in a sentence."))


class MailResponse(ResponseSchema):
    """Shown to the account itself alone."""

    available = fields.Boolean(required=True, metadata=doc("Whether this service sends mail."))
    address = fields.String(required=True, allow_none=True, metadata=doc("The confirmed address."))
    pending = fields.String(required=True, allow_none=True, metadata=doc("An address that is not confirmed yet."))
    choices = string_list("The notices that are mailed.")
    digest = fields.String(required=True, validate=validate.OneOf(DIGESTS))
    language = fields.String(required=True, metadata=doc("Of the letters: that of the request that made the choices."))
    waiting = fields.List(fields.Nested(LetterResponse), required=True, metadata=doc("Letters that wait to be sent."))
    parked = fields.List(
        fields.Nested(LetterResponse), required=True, metadata=doc("Letters that the mail server has not taken.")
    )
