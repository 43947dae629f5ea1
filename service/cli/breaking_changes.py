"""Breaking changes between two descriptions of the interface: those that a client of the older one would not survive.

Clients bear new operations, new fields in answers, and new values of what is enumerated in answers: new kinds of facts
come with every expansion. They do not bear that anything goes, or that a request needs more than before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

METHODS = ("get", "put", "post", "delete", "patch")
LOWER_BOUNDS = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER_BOUNDS = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
EXACT = ("pattern", "format", "multipleOf", "uniqueItems")


def breaking_changes(old: Schema, new: Schema) -> list[str]:
    """A sentence for each breaking change; none if every client of the old description can go on.

    >>> look = {"get": {"operationId": "look", "responses": {}}}
    >>> breaking_changes({"paths": {"/games": look}}, {"paths": {}})
    ['GET /games: the operation is gone']
    """
    return list(dict.fromkeys(Comparison(old, new).changes()))


def is_new_interface(old: str, new: str) -> bool:
    """Whether the version says that clients must look again: the first number has grown; before 1.0 the second.

    >>> is_new_interface("1.4.0", "2.0.0"), is_new_interface("1.4.0", "1.5.0"), is_new_interface("0.9.0", "0.10.0")
    (True, False, True)
    """
    before, after = _numbers(old), _numbers(new)
    return after[:2] > before[:2] if before[0] == after[0] == 0 else after[0] > before[0]


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


class Side(NamedTuple):
    """A schema, and the document that its references lead into."""

    schema: Schema
    document: Schema
    reference: str = ""
    """The reference that has led to it."""

    def part(self, schema: Any) -> Side:
        return Side(schema if isinstance(schema, Mapping) else {}, self.document)

    def resolved(self) -> Side:
        """The schema itself, with all that it is made of (`allOf`)."""
        schema, reference = self.schema, self.reference
        while "$ref" in schema:
            reference = schema["$ref"]
            schema = found(self.document, reference)
        if "allOf" not in schema:
            return Side(schema, self.document, reference)
        merged: dict[str, Any] = {}
        for piece in (*schema["allOf"], {name: value for name, value in schema.items() if name != "allOf"}):
            merged = _merged(merged, self.part(piece).resolved().schema)
        return self.part(merged)

    def alternatives(self) -> Alternatives:
        """What a value may be, each with a name by which it is recognised."""
        whole = self.resolved()
        if union := whole.schema.get("oneOf") or whole.schema.get("anyOf"):
            return [one for each in union for one in whole.part(each).alternatives()]
        types = whole.schema.get("type")
        if isinstance(types, list):
            return [(_name(each := self._typed(whole, one)), each) for one in types]
        return [(_name(whole), whole)]

    @property
    def is_open(self) -> bool:
        """Whether it is said that there may be more kinds of it: a union in which each is known by a tag."""
        return "discriminator" in self.resolved().schema

    @staticmethod
    def _typed(side: Side, name: str) -> Side:
        if name == "null":
            return side.part({"type": "null"})
        schema = {key: value for key, value in side.schema.items() if key != "type"} | {"type": name}
        if "enum" in schema:
            schema["enum"] = [value for value in schema["enum"] if value is not None]
        return side.part(schema)


Alternatives = list[tuple[str, Side]]


def _counterpart(name: str, old: Side, after: Alternatives) -> Side | None:
    """The alternative that an old one has become. Two games may call things the same: then its reference tells."""
    same = [side for other, side in after if other == name]
    return next((side for side in same if side.reference == old.reference), same[0] if same else None)


def found(document: Schema, reference: str) -> Any:
    """The part of the document that a reference such as `#/components/schemas/Game` leads to."""
    part: Any = document
    for name in reference.removeprefix("#/").split("/"):
        part = part[name.replace("~1", "/").replace("~0", "~")]
    return part


def _merged(schema: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    properties = {**schema.get("properties", {}), **more.get("properties", {})}
    required = [*schema.get("required", ()), *more.get("required", ())]
    return {**schema, **more} | ({"properties": properties} if properties else {}) | {"required": required}


def _name(side: Side) -> str:
    """Tagged objects are recognised by their tags, all others by their types."""
    schema = side.schema
    tags = {
        name: each["const"] for name, each in schema.get("properties", {}).items() if "const" in side.part(each).schema
    }
    if tags:
        return "the object with " + ", ".join(f"{name} {value!r}" for name, value in sorted(tags.items()))
    if "type" in schema:
        return f"type {schema['type']}"
    return "an enumeration" if "enum" in schema or "const" in schema else "anything"


def _values(schema: Schema) -> list[Any] | None:
    """The values that are enumerated, if any."""
    if "const" in schema:
        return [schema["const"]]
    return schema.get("enum")


class Comparison:
    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new = old, new
        self._compared: set[tuple[str, str, bool]] = set()

    def changes(self) -> Iterator[str]:
        for section in ("paths", "webhooks"):
            paths = self.new.get(section, {})
            for path, item in self.old.get(section, {}).items():
                for method in METHODS:
                    if method in item:
                        yield from self._operation(
                            f"{method.upper()} {path}", item, paths.get(path, {}), method, section == "webhooks"
                        )

    def _operation(self, where: str, old_item: Schema, new_item: Schema, method: str, is_ours: bool) -> Iterator[str]:
        """`is_ours`: the service sends the request, as webhooks are sent."""
        if method not in new_item:
            yield f"{where}: the operation is gone"
            return
        old, new = old_item[method], new_item[method]
        if old.get("operationId") != new.get("operationId"):
            yield f"{where}: its operationId was {old.get('operationId')}, and is {new.get('operationId')}"
        yield from _security(where, self._security(old, self.old), self._security(new, self.new))
        if not is_ours:
            yield from self._parameters(where, self._parts(old_item, old), self._new_parts(new_item, new))
        body, new_body = old.get("requestBody", {}), new.get("requestBody", {})
        yield from self._body(where, self._resolved(self.old, body), self._resolved(self.new, new_body), is_ours)
        yield from self._responses(where, old["responses"], new["responses"])

    @staticmethod
    def _security(operation: Schema, document: Schema) -> list[Any]:
        return list(operation.get("security", document.get("security", [])))

    def _parts(self, item: Schema, operation: Schema) -> dict[tuple[str, str], Schema]:
        return _parameters(self.old, (*item.get("parameters", ()), *operation.get("parameters", ())))

    def _new_parts(self, item: Schema, operation: Schema) -> dict[tuple[str, str], Schema]:
        return _parameters(self.new, (*item.get("parameters", ()), *operation.get("parameters", ())))

    def _parameters(self, where: str, old: Mapping[Any, Schema], new: Mapping[Any, Schema]) -> Iterator[str]:
        for (place, name), parameter in old.items():
            if (place, name) not in new:
                yield f"{where}: the parameter {name} ({place}) is gone"
                continue
            yield from self._compare(
                f"{where}, parameter {name}",
                Side(parameter.get("schema", {}), self.old),
                Side(new[place, name].get("schema", {}), self.new),
                is_request=True,
            )
        for (place, name), parameter in new.items():
            if parameter.get("required") and not old.get((place, name), {}).get("required"):
                yield f"{where}: the parameter {name} ({place}) is required now"

    def _body(self, where: str, old: Schema, new: Schema, is_ours: bool) -> Iterator[str]:
        if new.get("required") and not old.get("required") and not is_ours:
            yield f"{where}: a body is required now"
        yield from self._contents(f"{where}, body", old.get("content", {}), new.get("content", {}), not is_ours)

    def _responses(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        for status, response in old.items():
            if status not in new:
                if status.startswith("2"):
                    yield f"{where}: it is not answered with {status} any more"
                continue
            before, after = self._resolved(self.old, response), self._resolved(self.new, new[status])
            for header in before.get("headers", {}):
                if header not in after.get("headers", {}):
                    yield f"{where}, {status}: the header {header} is gone"
            yield from self._contents(
                f"{where}, {status}", before.get("content", {}), after.get("content", {}), is_request=False
            )

    @staticmethod
    def _resolved(document: Schema, part: Schema) -> Schema:
        return found(document, part["$ref"]) if "$ref" in part else part

    def _contents(self, where: str, old: Schema, new: Schema, is_request: bool) -> Iterator[str]:
        for kind, content in old.items():
            if kind not in new:
                yield f"{where}: {kind} is gone"
                continue
            before, after = Side(content.get("schema", {}), self.old), Side(new[kind].get("schema", {}), self.new)
            yield from self._compare(where, before, after, is_request)

    # Schemas

    def _compare(self, where: str, old: Side, new: Side, is_request: bool) -> Iterator[str]:
        before, after = old.alternatives(), new.alternatives()
        if len(before) == len(after) == 1:
            [(was, old_one)], [(now, new_one)] = before, after
            if was == now or _is_same_kind(old_one, new_one, is_request):
                yield from self._one(where, old_one, new_one, is_request)
            elif "anything" in ((now,) if is_request else (was,)):
                return
            else:
                yield f"{where}: it was {was}, and is {now}"
            return
        was_union = old.is_open or len([name for name, _ in before if name != "type null"]) > 1
        yield from self._unions(where, before, after, is_request, was_union)

    def _unions(
        self, where: str, before: Alternatives, after: Alternatives, is_request: bool, was_union: bool
    ) -> Iterator[str]:
        known, names = {name for name, _ in before}, {name for name, _ in after}
        if "anything" in (names if is_request else known):
            return
        for name, old in before:
            if new := _counterpart(name, old, after):
                yield from self._one(where, old, new, is_request)
            elif is_request or name != "type null":
                yield f"{where}: {name} is gone"
        for name in sorted(names - known):
            if not is_request and (name == "type null" or not was_union):
                yield f"{where}: it can be {name} now"

    def _one(self, where: str, old: Side, new: Side, is_request: bool) -> Iterator[str]:
        pair = (old.reference, new.reference, is_request)
        if old.reference and new.reference and pair in self._compared:
            return
        self._compared.add(pair)
        yield from _enumerations(where, old.schema, new.schema, is_request)
        if is_request:
            yield from _bounds(where, old.schema, new.schema)
        yield from self._properties(where, old, new, is_request)
        for name in ("items", "additionalProperties", "propertyNames"):
            if isinstance(old.schema.get(name), Mapping) and isinstance(new.schema.get(name), Mapping):
                inner = old.part(old.schema[name]), new.part(new.schema[name])
                yield from self._compare(f"{where}[]", *inner, is_request=is_request)

    def _properties(self, where: str, old: Side, new: Side, is_request: bool) -> Iterator[str]:
        before, after = old.schema.get("properties", {}), new.schema.get("properties", {})
        for name, schema in before.items():
            if name in after:
                yield from self._compare(f"{where}.{name}", old.part(schema), new.part(after[name]), is_request)
            elif not (is_request and new.schema.get("additionalProperties", True)):
                yield f"{where}.{name}: the field is gone"
        was, now = set(old.schema.get("required", ())), set(new.schema.get("required", ()))
        if is_request:
            yield from (f"{where}.{name}: the field is required now" for name in sorted(now - was))
        else:
            gone = (was - now) & set(after)
            yield from (f"{where}.{name}: the field may be missing now" for name in sorted(gone))


def _is_same_kind(old: Side, new: Side, is_request: bool) -> bool:
    """Whether these are compared field by field: values of the same type, or objects with tags and without."""
    wide, narrow = (new, old) if is_request else (old, new)
    return {wide.schema.get("type"), narrow.schema.get("type")} in ({"number", "integer"}, {"object"}) and not (
        wide.schema.get("type") == "integer" and narrow.schema.get("type") == "number"
    )


def _parameters(document: Schema, parts: Iterable[Schema]) -> dict[tuple[str, str], Schema]:
    resolved = [found(document, part["$ref"]) if "$ref" in part else part for part in parts]
    return {(part["in"], part["name"]): part for part in resolved}


def _security(where: str, old: list[Any], new: list[Any]) -> Iterator[str]:
    """Whoever was let in is let in: by one of the ways that there were, with no more scopes."""
    for way in old or [{}]:
        if not any(_is_enough(way, other) for other in new or [{}]):
            yield f"{where}: {' and '.join(way) or 'nothing'} is not enough any more"


def _is_enough(given: Mapping[str, list[str]], needed: Mapping[str, list[str]]) -> bool:
    return all(name in given and set(scopes) <= set(given[name]) for name, scopes in needed.items())


def _enumerations(where: str, old: Schema, new: Schema, is_request: bool) -> Iterator[str]:
    before, after = _values(old), _values(new)
    if before is None and after is not None and is_request:
        yield f"{where}: only some values are taken now"
    if before is not None and after is None and not is_request:
        yield f"{where}: its values are not enumerated any more"
    for value in before or ():
        if after is not None and value not in after:
            yield f"{where}: the value {value!r} is gone"


def _bounds(where: str, old: Schema, new: Schema) -> Iterator[str]:
    for name in LOWER_BOUNDS:
        if name in new and (name not in old or new[name] > old[name]):
            yield f"{where}: {name} is {new[name]}, and was {old.get(name, 'none')}"
    for name in UPPER_BOUNDS:
        if name in new and (name not in old or new[name] < old[name]):
            yield f"{where}: {name} is {new[name]}, and was {old.get(name, 'none')}"
    for name in EXACT:
        if name in new and new[name] != old.get(name):
            yield f"{where}: {name} is {new[name]}, and was {old.get(name, 'none')}"
    if old.get("additionalProperties", True) and new.get("additionalProperties", True) is False:
        yield f"{where}: no further fields are taken any more"
