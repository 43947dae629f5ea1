"""The schema of every refusal."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.fields import ResponseSchema, doc


class ReachedLimitResponse(ResponseSchema):
    """The rate limit that was reached; `docs/api.md` lists them all."""

    name = fields.String(required=True)
    requests = fields.Integer(required=True, metadata=doc("So many at once."))
    seconds = fields.Float(required=True, metadata=doc("After so long a rest, as many again."))
    counted_by = fields.String(required=True, validate=validate.OneOf(["account", "handle", "address"]))


class ProblemResponse(ResponseSchema):
    """RFC 9457. Programs look at `code`, people at `detail`."""

    type = fields.String(required=True, metadata=doc("The page that explains the code."))
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata=doc("Never changes; the responses of each status list theirs."))
    detail = fields.String(required=True, metadata=doc("A sentence for people."))
    rule = fields.String(metadata=doc("Which rule was broken."))
    limit = fields.Nested(ReachedLimitResponse, metadata=doc("Which limit was reached, of `too_many_requests`."))
    errors = fields.Dict(metadata=doc("The faults of each field."))
    request_id = fields.String(required=True, metadata=doc("The same as in the header X-Request-Id and in our log."))
