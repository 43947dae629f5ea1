"""Where a stream begins, and what it says at its end."""

from __future__ import annotations

from marshmallow import EXCLUDE, Schema, fields, validate

from events.table.game import ABORTED, OVER
from service.api.schemas.fields import LARGEST_VERSION, ResponseSchema, doc
from service.api.schemas.moves import ViewerQuery


class StreamQuery(ViewerQuery):
    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("Begin after this version; with the whole game if left out."),
    )


class StreamHeaders(Schema):
    """Headers that a browser sends by itself when it comes back to a stream."""

    class Meta:
        unknown = EXCLUDE

    last_seen = fields.Integer(
        data_key="Last-Event-ID",
        load_default=None,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("The id of the last event that has arrived; counts more than `after`."),
    )


class StreamEndResponse(ResponseSchema):
    """The game is over; nothing will follow."""

    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf([OVER, ABORTED]))


class GameStreamByeResponse(ResponseSchema):
    """The stream ends: come back, and go on after this version."""

    version = fields.Integer(required=True)


class InboxStreamByeResponse(ResponseSchema):
    """The stream ends: come back, and go on after this notice."""

    id = fields.Integer(required=True)
