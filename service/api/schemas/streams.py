"""Where a stream begins."""

from __future__ import annotations

from marshmallow import EXCLUDE, Schema, fields, validate

from service.api.schemas.fields import LARGEST_VERSION, doc
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
