"""Bodies of requests in the OpenAPI document: each has a name, and is written out in one piece.

Fields with a default may be left out of a request. Generators of code would demand them in a schema that answers could
use as well, so schemas of requests are no schemas of the document's components. Unions are, and what they are made of:
there the description of a field tells its default.
"""

from __future__ import annotations

import json
from typing import Any

from rules.shapes import REFERENCE

UNIONS = ("oneOf", "anyOf")
"""By their tags; or of what two games tag alike."""


def request_bodies(document: dict[str, Any]) -> dict[str, Any]:
    """The bodies of all operations by name; the operations then refer to them, and their schemas are gone."""
    found: dict[str, Any] = {}
    schemas = document["components"]["schemas"]
    for item in document["paths"].values():
        for operation in item.values():
            if name := body_name(operation, schemas):
                body = operation["requestBody"]
                [content] = body["content"].values()
                content["schema"] = written_out(content["schema"], schemas)
                assert found.setdefault(name, body) == body, f"{name} is described in two ways"
                operation["requestBody"] = {"$ref": f"#/components/requestBodies/{name}"}
    drop_unused(document, found)
    for schema in schemas.values():
        tell_defaults(schema)
    return dict(sorted(found.items()))


def body_name(operation: Any, schemas: dict[str, Any]) -> str:
    """The name of the body of an operation; none if it is a union, which answers share."""
    if not isinstance(operation, dict) or "requestBody" not in operation:
        return ""
    [content] = operation["requestBody"]["content"].values()
    name: str = content["schema"].get("$ref", "").removeprefix(REFERENCE)
    return "" if is_union(schemas.get(name, {})) else name


def is_union(schema: dict[str, Any]) -> bool:
    return any(keyword in schema for keyword in UNIONS)


def written_out(schema: Any, schemas: dict[str, Any]) -> Any:
    """A schema without references but those to unions, which answers share."""
    if isinstance(schema, list):
        return [written_out(each, schemas) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and not is_union(schemas[schema["$ref"].removeprefix(REFERENCE)]):
        rest = {name: value for name, value in schema.items() if name != "$ref"}
        return {**written_out(schemas[schema["$ref"].removeprefix(REFERENCE)], schemas), **rest}
    return {name: written_out(value, schemas) for name, value in schema.items()}


def drop_unused(document: dict[str, Any], bodies: dict[str, Any]) -> None:
    """Without the schemas that only requests had: they are written out."""
    schemas = document["components"]["schemas"]
    others = {name: schema for name, schema in schemas.items() if name not in bodies}
    used = names_in([document["paths"], document["webhooks"], document["components"]["responses"], bodies])
    while more := names_in([others[name] for name in used if name in others]) - used:
        used |= more
    for name in set(schemas) - used:
        del schemas[name]


def tell_defaults(schema: dict[str, Any]) -> None:
    """Defaults of fields in words, unless they are empty.

    >>> member = {"properties": {"days": {"type": "integer", "default": 3, "description": "How long."}}}
    >>> tell_defaults(member)
    >>> member
    {'properties': {'days': {'type': 'integer', 'description': 'How long. If left out: 3.'}}}
    """
    for field in schema.get("properties", {}).values():
        default = field.pop("default", "")
        if default != "":
            field["description"] = f"{field.get('description', '')} If left out: {json.dumps(default)}.".lstrip()


def names_in(part: Any) -> set[str]:
    """The schemas that a part of the document refers to."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    found = {name for each in inner for name in names_in(each)}
    if isinstance(part, dict) and isinstance(target := part.get("$ref"), str) and target.startswith(REFERENCE):
        found.add(target.removeprefix(REFERENCE))
    return found
