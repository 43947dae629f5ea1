"""The bases of all schemas, and the fields that many of them have."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validate

from rules.errors import Unreadable
from rules.texts import say
from service.api.operation import Body
from service.language import rendered
from service.text_patterns import NAME, WRITTEN, check_readable, fits, is_blank

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
        if self.regex.pattern == WRITTEN:
            check_readable(value)
        return value


def not_blank(value: str) -> str:
    """Beyond the schema, like what cannot be read: no pattern tells what can be seen."""
    if is_blank(value):
        raise Unreadable(say("a text has something that can be seen"))
    return value


class Component(fields.Raw):
    """Something that `service.api.components` describes under this name."""

    def __init__(self, name: str, text: str = "", *, nullable: bool = False) -> None:
        super().__init__(required=True, metadata=doc(text) if text else {})
        self.component, self.nullable = name, nullable


def components(name: str, text: str = "") -> fields.List:
    return fields.List(Component(name), required=True, metadata=doc(text) if text else {})


def nothing() -> fields.Raw:
    """A field that is always null, where others like it have a value."""
    return fields.Raw(required=True, metadata={"type": "null"})


WORD, NUMBER, OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "object", "additionalProperties": True}


def either(*kinds: dict[str, Any], text: str = "", required: bool = True) -> fields.Raw:
    """A field whose value is of one of these kinds."""
    return fields.Raw(required=required, metadata={"anyOf": list(kinds)} | (doc(text) if text else {}))


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
