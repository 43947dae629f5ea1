"""The schemas of the document as JSON Schemas, each complete in itself, for clients that check what they receive."""

from __future__ import annotations

from typing import Any

from events.errors import Declined
from rules.shapes import REFERENCE
from rules.texts import say

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LOCAL = "#/$defs/"


class NoSuchSchema(Declined):
    code = "not_found"


def listed(document: dict[str, Any]) -> list[dict[str, str]]:
    schemas = document["components"]["schemas"]
    return [{"name": name, "description": schemas[name].get("description", "")} for name in sorted(schemas)]


def json_schema(document: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of this name, with all that it refers to."""
    schemas = document["components"]["schemas"]
    if name not in schemas:
        raise NoSuchSchema(say("there is no schema {name}", name=name))
    found: dict[str, Any] = {}
    wanted = [name]
    while wanted:
        if (each := wanted.pop()) not in found:
            found[each] = local(schemas[each], wanted)
    about = {"$schema": DIALECT, "$id": f"urn:hidalgo:schema:{name}", "title": name}
    return about | {"$ref": LOCAL + name, "$defs": dict(sorted(found.items()))}


def local(part: Any, wanted: list[str]) -> Any:
    """A part of the document with references to definitions beside it; their names are added to those wanted."""
    if isinstance(part, list):
        return [local(each, wanted) for each in part]
    if not isinstance(part, dict):
        return part
    if isinstance(target := part.get("$ref"), str):
        wanted.append(target.removeprefix(REFERENCE))
        part = {**part, "$ref": LOCAL + wanted[-1]}
    return {name: local(value, wanted) for name, value in part.items() if not is_of_openapi(name, value)}


def is_of_openapi(name: str, value: Any) -> bool:
    return name == "discriminator" and "propertyName" in value
