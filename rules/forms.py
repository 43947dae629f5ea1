"""What an answer may look like now: fields narrowed to the position.

A `Form` describes one way to answer a decision. The same description becomes a JSON Schema for programs,
an example for people, a random legal command for simulations, and the number of commands it allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rules.texts import ENGLISH, Catalogue, Text

Pick = Callable[[int], int]
"""A source of chance: `pick(n)` is one of 0 … n-1."""

MANY = 1_000_000
"""`size` stops counting here."""


class Choice(Struct, frozen=True):
    """One of these values. Labels say what they stand for, one for each: `x-labels`."""

    values: tuple[str | int | bool, ...]
    labels: tuple[Text, ...] = ()

    def schema(self, catalogue: Catalogue) -> dict[str, Any]:
        schema: dict[str, Any] = {"enum": list(self.values)}
        if self.labels:
            schema["x-labels"] = [label.rendered(catalogue) for label in self.labels]
        return schema

    def example(self) -> str | int | bool:
        return self.values[0]


class Number(Struct, frozen=True):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def schema(self, catalogue: Catalogue) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Counts(Struct, frozen=True):
    """How many of each key: at least one of every key that is named, at most its limit."""

    limits: Mapping[str, int]

    def schema(self, catalogue: Catalogue) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {
                key: {"type": "integer", "minimum": 1, "maximum": limit} for key, limit in self.limits.items()
            },
            "additionalProperties": False,
        }


class Total(Struct, frozen=True):
    """The numbers in `fields`, added up, lie between `low` and `high`. Plain JSON Schema cannot say this: `x-total`."""

    fields: tuple[str, ...]
    low: int
    high: int

    def schema(self) -> dict[str, Any]:
        return {"fields": list(self.fields), "minimum": self.low, "maximum": self.high}


Field = Choice | Number | Counts
Slot = tuple[str, str | None, int]


class Form(Struct, frozen=True):
    """One way to answer: a kind of command with these fields.

    >>> from rules.texts import say
    >>> spaces = Counts({"granada": 2, "castillo": 2})
    >>> form = Form("place", say("place caballeros"), {"to": spaces}, Total(("to",), 1, 2))
    >>> form.example()
    {'kind': 'place', 'to': {'granada': 1}}
    >>> form.size()
    5
    """

    kind: str
    text: Text
    fields: Mapping[str, Field] = {}
    total: Total | None = None

    def schema(self, decision: str, catalogue: Catalogue = ENGLISH) -> dict[str, Any]:
        """JSON Schema (2020-12) of the whole answer, the decision it names included."""
        properties: dict[str, Any] = {"decision": {"const": decision}, "kind": {"const": self.kind}}
        properties.update((name, field.schema(catalogue)) for name, field in self.fields.items())
        schema: dict[str, Any] = {
            "title": self.text.rendered(catalogue),
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        if self.total:
            schema["x-total"] = self.total.schema()
        return schema

    def example(self) -> dict[str, Any]:
        """The first answer that fits: first choices, smallest numbers, the first keys."""
        return self._fill(lambda _: 0)

    def sample(self, pick: Pick) -> dict[str, Any]:
        """Some answer that fits; every one can come up."""
        return self._fill(pick)

    def size(self) -> int:
        """How many different answers fit, counted up to `MANY`."""
        size = 1
        for field in self.fields.values():
            if isinstance(field, Choice):
                size *= len(field.values)
        free, summed = self._slots()
        for _, _, limit in free:
            size *= limit + 1
        return min(MANY, size * _ways([limit for _, _, limit in summed], *self._bounds(summed)))

    def _fill(self, pick: Pick) -> dict[str, Any]:
        answer: dict[str, Any] = {"kind": self.kind}
        for name, field in self.fields.items():
            if isinstance(field, Choice):
                answer[name] = field.values[pick(len(field.values))]
            elif isinstance(field, Number):
                answer[name] = field.low
            else:
                answer[name] = {}
        free, summed = self._slots()
        low, high = self._bounds(summed)
        more = [(name, key) for name, key, limit in free for _ in range(pick(limit + 1))]
        for name, key in (*more, *_draw(summed, low + pick(high - low + 1), pick)):
            if key is None:
                answer[name] += 1
            else:
                answer[name][key] = answer[name].get(key, 0) + 1
        return answer

    def _slots(self) -> tuple[list[Slot], list[Slot]]:
        """What can be counted up, and how far above its least value: outside the total, and inside it."""
        free: list[Slot] = []
        summed: list[Slot] = []
        for name, field in self.fields.items():
            slots = summed if self.total and name in self.total.fields else free
            if isinstance(field, Number):
                slots.append((name, None, field.high - field.low))
            elif isinstance(field, Counts):
                slots.extend((name, key, limit) for key, limit in field.limits.items())
        return free, summed

    def _bounds(self, summed: Sequence[Slot]) -> tuple[int, int]:
        if not self.total:
            return 0, 0
        least = (self.fields[name] for name in self.total.fields)
        base = sum(field.low for field in least if isinstance(field, Number))
        return max(0, self.total.low - base), min(sum(limit for _, _, limit in summed), self.total.high - base)


def _draw(slots: Sequence[tuple[str, str | None, int]], count: int, pick: Pick) -> Iterator[tuple[str, str | None]]:
    """`count` single pieces out of the slots, each slot at most its limit."""
    left = [limit for _, _, limit in slots]
    for _ in range(count):
        open_slots = [index for index, limit in enumerate(left) if limit]
        index = open_slots[pick(len(open_slots))]
        left[index] -= 1
        yield slots[index][0], slots[index][1]


def _ways(limits: Sequence[int], low: int, high: int) -> int:
    """In how many ways counts up to these limits add up to `low` … `high`."""
    ways = {0: 1}
    for limit in limits:
        sums: dict[int, int] = {}
        for total, count in ways.items():
            for more in range(min(limit, high - total) + 1):
                sums[total + more] = min(MANY, sums.get(total + more, 0) + count)
        ways = sums
    return sum(count for total, count in ways.items() if low <= total <= high)
