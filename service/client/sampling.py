"""Any answer that a JSON Schema allows, for programs that know no rules.

It knows the part of JSON Schema that decisions are written in, and the keywords `x-total` and `x-most`
(see docs/decisions.md).
Every answer that fits can come up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Schema = Mapping[str, Any]


def sample(schema: Schema, chance: Random) -> Any:
    """
    >>> sample({"anyOf": [{"const": 3}, {"type": "integer", "minimum": 3, "maximum": 3}]}, Random())
    3
    >>> counts = {"type": "object", "properties": {"granada": {"type": "integer", "minimum": 1, "maximum": 2}}}
    >>> total = {"fields": ["to"], "minimum": 2, "maximum": 3}
    >>> sample({"type": "object", "properties": {"to": counts}, "required": ["to"], "x-total": total}, Random())
    {'to': {'granada': 2}}
    >>> kept = {"type": "array", "items": {"enum": [10, 20]}, "uniqueItems": True, "minItems": 2, "maxItems": 2}
    >>> sorted(sample(kept, Random()))
    [10, 20]
    """
    match schema:
        case {"const": value}:
            return value
        case {"enum": values}:
            return chance.choice(values)
        case {"anyOf": schemas} | {"oneOf": schemas}:
            return sample(chance.choice(schemas), chance)
        case {"type": "integer", "minimum": low, "maximum": high}:
            return chance.randint(low, high)
        case {"type": "boolean"}:
            return chance.random() < 0.5
        case {"type": "array", "items": {"enum": values}, "uniqueItems": True}:
            return chance.sample(values, chance.randint(schema.get("minItems", 0), schema["maxItems"]))
        case {"type": "array", "items": items}:
            count = chance.randint(schema.get("minItems", 0), schema["maxItems"])
            return [sample(items, chance) for _ in range(count)]
        case {"type": "object"}:
            return _object(schema, chance)
    raise ValueError(f"no sample for the schema {dict(schema)}")


def _object(schema: Schema, chance: Random) -> dict[str, Any]:
    total = schema.get("x-total")
    summed = total["fields"] if total else ()
    answer = {
        name: sample(field, chance)
        for name, field in schema.get("properties", {}).items()
        if name not in summed and (name in schema.get("required", ()) or chance.random() < 0.5)
    }
    for beginnings, most in schema.get("x-most", {}).items():
        _lessen(answer, [key for key in answer if key.startswith(tuple(beginnings.split()))], most, chance)
    return answer | _summed(schema["properties"], total, chance) if total else answer


def _lessen(answer: dict[str, Any], keys: list[str], most: int, chance: Random) -> None:
    """One less here and there, until there are no more than so many together."""
    while sum(answer[key] for key in keys if key in answer) > most:
        key = chance.choice([key for key in keys if key in answer])
        answer[key] -= 1
        if not answer[key]:
            del answer[key]


# Numbers that add up


@dataclass
class Slot:
    """A number that can be counted up: a field, or a key of a field."""

    field: str
    key: str | None
    number: int
    most: int


def _summed(properties: Mapping[str, Schema], total: Schema, chance: Random) -> dict[str, Any]:
    """Some values for the fields of a total: least ones first, then one more here and there."""
    slots = [slot for name in total["fields"] for slot in _slots(name, properties[name])]
    least = sum(slot.number for slot in slots)
    most = min(total["maximum"], sum(slot.most for slot in slots))
    for _ in range(chance.randint(max(least, total["minimum"]), most) - least):
        chance.choice([slot for slot in slots if slot.number < slot.most]).number += 1
    return _values(total["fields"], slots)


def _slots(name: str, schema: Schema) -> list[Slot]:
    if schema.get("type") == "integer":
        return [Slot(name, None, schema["minimum"], schema["maximum"])]
    required = schema.get("required", ())
    slots = []
    for key, number in schema["properties"].items():
        least = number["minimum"] if key in required else 0
        if key not in required and number["minimum"] > 1:
            raise ValueError(f"no sample for {name}: {key} is nothing, or at least {number['minimum']}")
        slots.append(Slot(name, key, least, number["maximum"]))
    return slots


def _values(fields: Sequence[str], slots: Sequence[Slot]) -> dict[str, Any]:
    values: dict[str, Any] = {name: {} for name in fields}
    for slot in slots:
        if slot.key is None:
            values[slot.field] = slot.number
        elif slot.number:
            values[slot.field][slot.key] = slot.number
    return values
