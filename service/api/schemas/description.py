"""The description of the interface: documents and schemas."""

from __future__ import annotations

from marshmallow import INCLUDE, Schema, fields

from service.api.schemas.fields import ResponseSchema, doc


class DocumentResponse(Schema):
    """A document whose fields are those of its own format."""

    class Meta:
        unknown = INCLUDE


class ListedSchemaResponse(ResponseSchema):
    name = fields.String(required=True, metadata=doc("To be asked for by this name."))
    description = fields.String(required=True)


class SchemaListResponse(ResponseSchema):
    schemas = fields.List(fields.Nested(ListedSchemaResponse), required=True)
