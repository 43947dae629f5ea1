"""What is seen to happen."""

from __future__ import annotations

from marshmallow import fields, validate

from rules.picture import BEATS
from service.api.schemas.fields import WORD, ResponseSchema, doc, either

POINT = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2, "description": "x and y."}


class BeatResponse(ResponseSchema):
    """Something that is seen to happen on the way."""

    kind = fields.String(required=True, validate=validate.OneOf(BEATS))
    symbol = fields.String()
    start = either(POINT, WORD, text="A point, or a seat: what lies in front of that player.", required=False)
    end = either(POINT, WORD, text="Likewise.", required=False)
    text = fields.String()
    space = fields.String()
    spots = fields.List(
        fields.List(fields.Float()),
        metadata=doc("Of a space that is made of several cells: their centres, where the symbol is drawn."),
    )
    points = fields.Dict(keys=fields.String(), values=fields.Integer())
    together = fields.Boolean(metadata=doc("At the same time as others of its kind beside it that say so, too."))
