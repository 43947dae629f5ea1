"""The bases of all schemas, and the fields that many of them have."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validate

from rules.texts import say
from service.api.operation import Body
from service.language import rendered
from service.text_patterns import NAME, fits

LONGEST_NAME = 200
LARGEST_VERSION = 10**9


class RequestSchema(Schema):
    """A request: unknown fields are refused."""

    class Meta:
        unknown = RAISE


class ResponseSchema(Schema):
    """A response. More fields may come with time: clients ignore those that they do not know."""

    class Meta:
        unknown = EXCLUDE


class EmptyRequest(RequestSchema):
    """No fields."""


NO_FIELDS = Body(EmptyRequest, example={}, required=False)


# Fields


class StrictInteger(fields.Integer):
    """An integer in JSON, where 2.0 is one, and "2" is not."""

    def _validated(self, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class StrictBoolean(fields.Boolean):
    """True or false in JSON, and nothing that is like it."""

    def _deserialize(self, value, attr, data, **kwargs):
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class FullMatch(validate.Regexp):
    """The pattern holds for all of the text: a line break at its end is part of it."""

    def __call__(self, value):
        if not fits(str(self.regex.pattern), value):
            raise ValidationError(rendered(say("Only characters that can be printed.")))
        return value


def short_text(text: str, longest: int = 64, pattern: str = NAME) -> fields.String:
    """A short text that may be left out."""
    return fields.String(
        load_default="", validate=[validate.Length(max=longest), FullMatch(pattern)], metadata=doc(text)
    )


def string_list(text: str) -> fields.List:
    return fields.List(fields.String(), required=True, metadata=doc(text))


def integers_by_name(text: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata=doc(text))


def doc(text: str, **more: Any) -> dict[str, Any]:
    """The metadata of a field, for the OpenAPI document."""
    return {"description": text, **more}
