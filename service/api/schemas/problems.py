"""The schema of every refusal."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.fields import ResponseSchema, doc


class ProblemResponse(ResponseSchema):
    """RFC 9457. Programs look at `code`, people at `detail`."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata=doc("Stable; see the list of codes in the documentation."))
    detail = fields.String(required=True, metadata=doc("A sentence for people."))
    rule = fields.String(metadata=doc("Which rule was broken."))
    errors = fields.Dict(metadata=doc("The faults of each field."))
    request_id = fields.String(required=True, metadata=doc("The same as in the header X-Request-Id and in our log."))
