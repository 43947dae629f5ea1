"""The OpenAPI document as a page shows it: operations by tag, and the schemas that they speak of.

Nothing is known here but OpenAPI 3.1 and JSON Schema: what the document says is shown, its author does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from markupsafe import Markup

from service.web.markdown import blocks, code, inline
from service.web.samples import samples

METHODS = ("get", "post", "put", "patch", "delete")
JSON = "application/json"
PROBLEM = "application/problem+json"
LIMITS = {
    "format": "format {}",
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "matches {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
}

Schema = Mapping[str, Any]


class Part(NamedTuple):
    """A piece of the name of a type; `schema` is the one that it leads to."""

    text: str
    schema: str = ""


class Field(NamedTuple):
    name: str
    is_required: bool
    type: tuple[Part, ...]
    limits: tuple[str, ...]
    text: Markup
    fields: tuple[Field, ...] = ()


class Shape(NamedTuple):
    """A schema of the document: fields, or variants, or something plain."""

    name: str
    text: Markup
    type: tuple[Part, ...]
    limits: tuple[str, ...]
    fields: tuple[Field, ...]
    variants: tuple[tuple[Part, ...], ...]
    told_by: str
    """The field that tells the variants apart."""


class Content(NamedTuple):
    kind: str
    type: tuple[Part, ...]
    example: Markup


class Reply(NamedTuple):
    status: str
    text: Markup
    contents: tuple[Content, ...]


class Input(NamedTuple):
    """A parameter of the path or of the query, for the form that tries an operation."""

    name: str
    place: str
    is_required: bool


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    summary: Markup
    text: Markup
    is_deprecated: bool
    scopes: tuple[str, ...]
    parameters: tuple[tuple[str, Field], ...]
    """Where it stands, and the parameter."""
    body: tuple[Content, ...]
    replies: tuple[Reply, ...]
    refusals: tuple[Reply, ...]
    samples: tuple[tuple[str, Markup], ...]
    """A request, in several languages."""
    example: str

    @property
    def inputs(self) -> list[Input]:
        return [
            Input(field.name, place, field.is_required)
            for place, field in self.parameters
            if place in ("path", "query")
        ]


class Tag(NamedTuple):
    name: str
    text: Markup
    operations: tuple[Operation, ...]


class Reference:
    """The whole document, read once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.components: Mapping[str, Mapping[str, Any]] = document.get("components", {})

    @cached_property
    def tags(self) -> tuple[Tag, ...]:
        found: dict[str, list[Operation]] = {tag["name"]: [] for tag in self.document["tags"]}
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item:
                    found[item[method]["tags"][0]].append(self.operation(path, method, item))
        return tuple(
            Tag(tag["name"], inline(tag.get("description", "")), tuple(found[tag["name"]]))
            for tag in self.document["tags"]
        )

    @cached_property
    def schemas(self) -> tuple[Shape, ...]:
        return tuple(self.shape(name, schema) for name, schema in sorted(self.components["schemas"].items()))

    # Operations

    def operation(self, path: str, method: str, item: Mapping[str, Any]) -> Operation:
        about = item[method]
        body = self.resolved(about.get("requestBody", {}))
        security = about.get("security", self.document.get("security", ()))
        replies = [self.reply(status, reply) for status, reply in about["responses"].items()]
        return Operation(
            id=about["operationId"],
            method=method.upper(),
            path=path,
            summary=inline(about.get("summary", "")),
            text=blocks(more_than_summary(about)),
            is_deprecated=about.get("deprecated", False),
            scopes=scopes(security),
            parameters=tuple(self.parameters([*item.get("parameters", ()), *about.get("parameters", ())])),
            body=self.contents(body),
            replies=tuple(reply for reply in replies if reply.status[0] in "123"),
            refusals=tuple(reply for reply in replies if reply.status[0] not in "123"),
            samples=tuple(
                (sample.language, code(sample.text, sample.language))
                for sample in samples(method.upper(), path, first_example(body), needs_token=bool(scopes(security)))
            ),
            example=written(first_example(body)),
        )

    def parameters(self, parameters: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Field]]:
        for parameter in map(self.resolved, parameters):
            schema = parameter.get("schema", {})
            text = inline(parameter.get("description") or schema.get("description", ""))
            is_required = parameter.get("required", False)
            yield parameter["in"], Field(parameter["name"], is_required, self.type(schema), limits(schema), text)

    def reply(self, status: str, reply: Mapping[str, Any]) -> Reply:
        found = self.resolved(reply)
        return Reply(status, inline(found.get("description", "")), self.contents(found))

    def contents(self, holder: Mapping[str, Any]) -> tuple[Content, ...]:
        return tuple(
            Content(kind, self.type(content.get("schema", {})), shown(content))
            for kind, content in holder.get("content", {}).items()
        )

    # Schemas

    def shape(self, name: str, schema: Schema) -> Shape:
        variants = schema.get("oneOf") or schema.get("anyOf") or ()
        return Shape(
            name,
            blocks(schema.get("description", "")),
            self.type(schema),
            limits(schema),
            tuple(self.fields(schema)),
            tuple(self.type(variant) for variant in variants),
            schema.get("discriminator", {}).get("propertyName", ""),
        )

    def fields(self, schema: Schema) -> Iterator[Field]:
        """The fields of an object, also those that it has from its parts."""
        for part in schema.get("allOf", ()):
            yield from self.fields(self.resolved(part))
        required = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            yield self.field(name, field, name in required)

    def field(self, name: str, schema: Schema, is_required: bool) -> Field:
        inner = schema.get("items", schema) if schema.get("type") == "array" else schema
        text = inline(schema.get("description", ""))
        return Field(name, is_required, self.type(schema), limits(schema), text, tuple(self.fields(inner)))

    def type(self, schema: Schema) -> tuple[Part, ...]:
        """How a schema reads in a line, such as "list of `Seat`"."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return (Part(name, name),)
        if "const" in schema:
            return (Part(json.dumps(schema["const"])),)
        if "enum" in schema:
            return (Part(" | ".join(map(json.dumps, schema["enum"]))),)
        for several, word in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
            if several in schema:
                return joined([self.type(each) for each in schema[several]], word)
        return self.plain_type(schema)

    def plain_type(self, schema: Schema) -> tuple[Part, ...]:
        kinds = schema.get("type", "anything")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return joined([self.one_type(kind, schema) for kind in kinds], " or ")

    def one_type(self, kind: str, schema: Schema) -> tuple[Part, ...]:
        if kind == "array":
            return (Part("list of "), *self.type(schema.get("items", {})))
        values = schema.get("additionalProperties")
        if kind == "object" and isinstance(values, Mapping) and values:
            return (Part("object of "), *self.type(values))
        return (Part(kind),)

    def resolved(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        """The part itself, or the component that it refers to."""
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        return self.resolved(self.components[kind][name])


def joined(types: Sequence[tuple[Part, ...]], word: str) -> tuple[Part, ...]:
    first, *others = types or [(Part("anything"),)]
    return (*first, *(part for other in others for part in (Part(word), *other)))


def limits(schema: Schema) -> tuple[str, ...]:
    """
    >>> limits({"type": "integer", "minimum": 1, "maximum": 16, "default": 4})
    ('at least 1', 'at most 16', 'default 4')
    """
    found = [text.format(schema[name]) for name, text in LIMITS.items() if name in schema]
    default = [f"default {json.dumps(schema['default'])}"] if schema.get("default") is not None else []
    return (*found, *default, *(["deprecated"] if schema.get("deprecated") else []))


def more_than_summary(about: Mapping[str, Any]) -> str:
    text: str = about.get("description", "")
    return "" if text == about.get("summary") else text


def scopes(security: Sequence[Mapping[str, Sequence[str]]]) -> tuple[str, ...]:
    """The scopes that an operation needs: none, if it can be asked without a token; an empty word: any will do.

    >>> scopes([{"token": ["play"]}, {"session": ["play"]}]), scopes([{"token": []}]), scopes([{"token": []}, {}])
    (('play',), ('',), ())
    """
    if not all(security):
        return ()
    return tuple(sorted({scope for way in security for held in way.values() for scope in held or [""]}))


# Examples


def first_example(holder: Mapping[str, Any]) -> Any:
    contents = list(holder.get("content", {}).values())
    return example_of(contents[0]) if contents else None


def example_of(content: Mapping[str, Any]) -> Any:
    if "example" in content:
        return content["example"]
    examples = list(content.get("examples", {}).values())
    return examples[0].get("value") if examples else None


def shown(content: Mapping[str, Any]) -> Markup:
    example = example_of(content)
    return Markup("") if example is None else code(written(example), "json")


def written(example: Any) -> str:
    return "" if example is None else json.dumps(example, indent=2, ensure_ascii=False)
