"""Shapes: JSON Schemas (2020-12) of structs and typed dictionaries, made of the classes themselves.

A class is described once, under a name, and referred to by it. Descriptions are the docstrings of classes and fields. A
field is required if it is always sent: if it has no default, or its struct writes defaults, too.

>>> from msgspec import Struct
>>> class Seat(Struct, tag="seat", tag_field="kind"):
...     '''A place at the table.'''
...     colour: str
...     number: int | None = None
>>> shapes = Shapes(name=lambda kind: kind.__name__, stand_ins={})
>>> shapes.of(tuple[Seat, ...])
{'type': 'array', 'items': {'$ref': '#/components/schemas/Seat'}}
>>> shapes.definitions["Seat"]["properties"]["number"]
{'type': ['integer', 'null']}
>>> shapes.definitions["Seat"]["required"]
['kind', 'colour', 'number']
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import cleandoc, getsource
from itertools import pairwise
from typing import Any, NamedTuple, is_typeddict

from msgspec import NODEFAULT, inspect

Schema = dict[str, Any]

REFERENCE = "#/components/schemas/"

SIMPLE = {
    inspect.AnyType: {},
    inspect.NoneType: {"type": "null"},
    inspect.BoolType: {"type": "boolean"},
    inspect.IntType: {"type": "integer"},
    inspect.FloatType: {"type": "number"},
    inspect.StrType: {"type": "string"},
}
ARRAYS = (inspect.ListType, inspect.VarTupleType, inspect.CollectionType, inspect.SetType, inspect.FrozenSetType)


class Details(NamedTuple):
    """The fields of `kind` are sent beside those of any member of a union that is `among` these."""

    kind: type
    among: type
    suffix: str
    """Of the names of what is described so."""


def details(kind: type, among: type, suffix: str) -> dict[str, Details]:
    """For an annotation: `Annotated[AnyStep, Meta(extra=details(Words, CardStep, "UnderWay"))]`."""
    return {"details": Details(kind, among, suffix)}


class Shapes:
    """Makes schemas. `stand_ins` are classes that stand for any of several others, to be read back by their tags."""

    def __init__(self, name: Callable[[Any], str], stand_ins: Mapping[type, tuple[str, Iterable[type]]]) -> None:
        self.definitions: dict[str, Schema] = {}
        self._name = name
        self._stand_ins = stand_ins

    def of(self, kind: Any) -> Schema:
        """The schema of a type; classes in it are defined, and referred to."""
        return self._translated(inspect.type_info(kind))

    def object(self, kind: Any) -> Schema:
        """The schema of a class itself."""
        found = inspect.type_info(kind)
        assert isinstance(found, (inspect.StructType, inspect.TypedDictType)), f"{kind} has no fields"
        return self._object(found)

    def define(self, kind: Any) -> Schema:
        """A reference to a class, which is defined."""
        name = self._name(kind)
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self.object(kind)
        return reference(name)

    def _translated(self, found: inspect.Type) -> Schema:
        if type(found) in SIMPLE:
            return dict(SIMPLE[type(found)])
        match found:
            case inspect.Metadata(inner, more, extra):
                described = self._with_details(inner, extra["details"]) if extra else self._translated(inner)
                return described | (more or {})
            case inspect.LiteralType(values):
                return {"enum": list(values)}
            case inspect.UnionType(types):
                return self._union(types)
            case inspect.DictType(_, value_type):
                return {"type": "object", "additionalProperties": self._translated(value_type)}
            case inspect.StructType(cls) | inspect.TypedDictType(cls):
                return self.define(cls)
            case inspect.CustomType(cls):
                return reference(self._stand_ins[cls][0])
        assert isinstance(found, ARRAYS), f"{found} has no schema"
        return {"type": "array", "items": self._translated(found.item_type)}

    def _union(self, types: Iterable[inspect.Type]) -> Schema:
        schemas = [self._translated(each) for each in types]
        if all(set(schema) == {"type"} for schema in schemas):
            return {"type": [schema["type"] for schema in schemas]}
        return {"anyOf": schemas}

    def _object(self, found: inspect.StructType | inspect.TypedDictType) -> Schema:
        cls: Any = found.cls
        schema = {**_description(cls.__dict__.get("__doc__")), "type": "object", "properties": {}, "required": []}
        if isinstance(found, inspect.StructType) and found.tag_field:
            schema["properties"][found.tag_field] = {"const": found.tag}
            schema["required"].append(found.tag_field)
        for field in found.fields:
            texts = _field_texts(cls)
            schema["properties"][field.encode_name] = self._translated(field.type) | _description(texts.get(field.name))
            if field.required or _writes_defaults(cls, field):
                schema["required"].append(field.encode_name)
        return schema

    def _with_details(self, found: inspect.Type, details: Details) -> Schema:
        """A union like that of a stand-in, with more fields in each of its members."""
        assert isinstance(found, inspect.CustomType), f"{found} is no stand-in"
        more = self.object(details.kind)
        field, kinds = "", [kind for kind in self._stand_ins[found.cls][1] if issubclass(kind, details.among)]
        schemas = []
        for kind in kinds:
            name, plain = self._name(kind) + details.suffix, self.object(kind)
            self.definitions[name] = merged(plain, more)
            schemas.append((tag_of(kind), reference(name)))
            field = tag_field_of(kind)
        return union(field, schemas)


def reference(name: str) -> Schema:
    return {"$ref": REFERENCE + name}


def tag_of(kind: Any) -> str:
    """The name that data of this class carries."""
    return str(kind.__struct_config__.tag)


def tag_field_of(kind: Any) -> str:
    return str(kind.__struct_config__.tag_field)


def union(field: str, schemas: Iterable[tuple[str, Schema]]) -> Schema:
    """One of several schemas, each with the tags in a field by which it is known."""
    mapping: dict[str, str] = {}
    members: list[Schema] = []
    for tag, schema in schemas:
        assert mapping.setdefault(tag, schema["$ref"]) == schema["$ref"], f"two schemas are known by {tag}"
        if schema not in members:
            members.append(schema)
    return {"oneOf": members, "discriminator": {"propertyName": field, "mapping": mapping}}


def union_of_games(name: str, field: str, schemas: Iterable[tuple[str, Schema]]) -> dict[str, Schema]:
    """The definition of a union over several games. What two of them tag alike has a definition, too, so that every tag
    still leads to one schema.

    >>> found = union_of_games("Move", "kind", [("draw", reference("Hound")), ("draw", reference("Hare"))])
    >>> found["DrawMove"]
    {'anyOf': [{'$ref': '#/components/schemas/Hound'}, {'$ref': '#/components/schemas/Hare'}]}
    >>> found["Move"]["discriminator"]["mapping"]
    {'draw': '#/components/schemas/DrawMove'}
    """
    by_tag: dict[str, list[Schema]] = {}
    for tag, schema in schemas:
        alike = by_tag.setdefault(tag, [])
        if schema not in alike:  # Two expansions of a game may call a step alike.
            alike.append(schema)
    shared = {tag: camel(tag) + name for tag, alike in by_tag.items() if len(alike) > 1}
    members = [(tag, reference(shared[tag]) if tag in shared else alike[0]) for tag, alike in by_tag.items()]
    return {shared[tag]: {"anyOf": by_tag[tag]} for tag in shared} | {name: union(field, members)}


def members(name: str, definitions: Mapping[str, Schema]) -> list[Schema]:
    """The definitions of all objects that a union consists of."""
    schema = definitions[name]
    parts = schema.get("oneOf") or schema.get("anyOf")
    if not parts:
        return [schema]
    return [each for part in parts for each in members(part["$ref"].removeprefix(REFERENCE), definitions)]


def merged(schema: Schema, more: Schema) -> Schema:
    """An object with the fields of both; where both have one, the second counts."""
    required = dict.fromkeys([*schema["required"], *more["required"]])
    return {**schema, "properties": {**schema["properties"], **more["properties"]}, "required": list(required)}


def camel(name: str) -> str:
    """
    >>> camel("play_power_card"), camel("el_grande+anniversary")
    ('PlayPowerCard', 'ElGrandeAnniversary')
    """
    return "".join(word.capitalize() for word in name.replace("+", "_").split("_"))


# Docstrings


def _description(text: str | None) -> Schema:
    return {"description": cleandoc(text)} if text else {}


def _writes_defaults(cls: Any, field: inspect.Field) -> bool:
    """Whether a field with a default is sent anyway."""
    if is_typeddict(cls):
        return False
    return not cls.__struct_config__.omit_defaults and not _may_be_unset(field)


def _may_be_unset(field: inspect.Field) -> bool:
    """A default that is not sent is described as none."""
    return not field.required and field.default is field.default_factory is NODEFAULT


@cache
def _field_texts(cls: type) -> dict[str, str]:
    """The sentences below the fields of a class, and of those that it extends."""
    texts: dict[str, str] = {}
    for each in reversed(_bases(cls)):
        texts |= _own_field_texts(each)
    return texts


def _bases(cls: Any) -> list[type]:
    """The class and those that it extends. A typed dictionary has forgotten these, but its source has not."""
    if not is_typeddict(cls):
        return [base for base in cls.__mro__ if base.__module__.partition(".")[0] not in ("builtins", "msgspec")]
    module, definition = sys.modules[cls.__module__], _definition(cls)
    named = [base.id for base in definition.bases if isinstance(base, ast.Name)] if definition else []
    bases = [getattr(module, name) for name in named if is_typeddict(getattr(module, name, None))]
    return [cls, *(inner for base in bases for inner in _bases(base))]


@cache
def _own_field_texts(cls: type) -> dict[str, str]:
    definition = _definition(cls)
    statements = definition.body if definition else []
    return {
        field.target.id: text.value.value
        for field, text in pairwise(statements)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


def _definition(cls: type) -> ast.ClassDef | None:
    """The statement that has made a class; none if it was made without one, or inside a function."""
    return _statements(cls.__module__).get(cls.__name__)


@cache
def _statements(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module, by name."""
    try:
        tree = ast.parse(getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}  # There is no source to read.
    return {statement.name: statement for statement in tree.body if isinstance(statement, ast.ClassDef)}
