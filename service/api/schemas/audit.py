"""The audit log, and the reasons in it."""

from __future__ import annotations

from marshmallow import fields, validate

from service.accounts.audit_log import ACTIONS, LONGEST_REASON
from service.api.schemas.fields import LARGEST_VERSION, RequestSchema, ResponseSchema, doc


class ReasonRequest(RequestSchema):
    """Why it is done; of an administrator, it is kept in the audit log."""

    reason = fields.String(
        load_default="",
        validate=validate.Length(max=LONGEST_REASON),
        metadata=doc("For the audit log, if an administrator without a seat asks."),
    )


class AuditQuery(RequestSchema):
    before = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("`next` of the page before; the newest entries if it is left out."),
    )
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 1000), metadata=doc("The most at once."))


class AuditEntryResponse(ResponseSchema):
    """An action of staff."""

    id = fields.String(required=True)
    action = fields.String(required=True, validate=validate.OneOf(ACTIONS))
    by = fields.String(required=True, metadata=doc("An account, or `operator` and the user of the machine."))
    handle = fields.String(required=True, metadata=doc("Of that account, at that time."))
    about = fields.String(required=True, metadata=doc("The account, game or tournament that it was done to."))
    about_handle = fields.String(required=True)
    reason = fields.String(required=True)
    refused = fields.String(required=True, metadata=doc("Why it was not done; empty if it was."))
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))


class AuditPageResponse(ResponseSchema):
    entries = fields.List(fields.Nested(AuditEntryResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` for the next page, if any."))
