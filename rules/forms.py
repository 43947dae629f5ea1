"""What an answer may look like now: fields narrowed to the position.

A `Form` describes one way to answer a decision. The same description becomes a JSON Schema for programs,
an example for people, a random legal command for simulations, and the number of commands it allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any, Literal, NotRequired, TypedDict

from msgspec import Struct

from rules.texts import ENGLISH, Catalogue, Names, Text

Pick = Callable[[int], int]
"""A source of chance: `pick(n)` is one of 0 … n-1."""

MANY = 1_000_000
"""`size` stops counting here."""


# The schemas of answers, described in turn by `rules.schemas`; `docs/decisions.md` explains what begins with `x-`.


class TotalSchema(TypedDict):
    """The numbers in these fields, added up, lie between these bounds. Maps of numbers count, too."""

    fields: list[str]
    minimum: int
    maximum: int


FieldSchema = TypedDict(
    "FieldSchema",
    {
        "const": str,
        "enum": list[str | int | bool],
        "x-labels": list[str],
        "x-of": str,
        "x-confirm": dict[str, str],
        "type": Literal["integer", "object", "array"],
        "minimum": int,
        "maximum": int,
        "properties": dict[str, Any],
        "additionalProperties": bool,
        "x-most": dict[str, int],
        "items": dict[str, Any],
        "uniqueItems": bool,
        "minItems": int,
        "maxItems": int,
    },
    total=False,
)
FieldSchema.__doc__ = """One of some values, with a sentence for each (`x-labels`); a number; a map of numbers; or a set
of some values, each of them once.
`x-of` is the kind of thing that its values are: the ground of the game tells how such things are shown. `x-confirm` has
a sentence for every value that is worth a second thought. `x-most` says how many of all keys of a map that begin alike
may be named together."""

FormSchema = TypedDict(
    "FormSchema",
    {
        "title": str,
        "type": Literal["object"],
        "properties": dict[str, FieldSchema],
        "required": list[str],
        "additionalProperties": bool,
        "x-total": NotRequired[TotalSchema],
        "x-name": NotRequired[str],
        "x-button": NotRequired[str],
        "x-note": NotRequired[str],
        "x-confirm": NotRequired[str],
    },
)
FormSchema.__doc__ = """One way to answer, for people in `title`. `x-total` limits a sum, which JSON Schema cannot.

`x-button` has the words for a button that gives this answer, with names of fields in braces and `{count}` for the sum
of its numbers; `x-name` the answer in a word or two, `x-note` a remark, `x-confirm` a question before it is sent."""


class Choice(Struct, frozen=True):
    """One of these values. Labels say what they stand for, one for each: `x-labels`."""

    values: tuple[str | int | bool, ...]
    labels: tuple[Text, ...] = ()
    of: str = ""
    """The kind of thing that the values are, in the game's own words: `x-of`."""
    confirm: tuple[tuple[str, Text], ...] = ()
    """A question before a value is sent that is seldom meant: `x-confirm`."""

    def schema(self, catalogue: Catalogue) -> FieldSchema:
        schema: FieldSchema = {"enum": list(self.values)}
        if self.labels:
            schema["x-labels"] = [label.rendered(catalogue) for label in self.labels]
        if self.of:
            schema["x-of"] = self.of
        if self.confirm:
            schema["x-confirm"] = {value: text.rendered(catalogue) for value, text in self.confirm}
        return schema

    def example(self) -> str | int | bool:
        return self.values[0]


class Number(Struct, frozen=True):
    """A whole number from `low` to `high`."""

    low: int
    high: int
    of: str = ""

    def schema(self, catalogue: Catalogue) -> FieldSchema:
        schema: FieldSchema = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.of:
            schema["x-of"] = self.of
        return schema


class Counts(Struct, frozen=True):
    """How many of each key: at least one of every key that is named, at most its limit."""

    limits: Mapping[str, int]
    of: str = ""
    most: Mapping[str, int] = {}
    """At most so many of all keys together that begin like one of these words; such maps are in no total: `x-most`."""

    def schema(self, catalogue: Catalogue) -> FieldSchema:
        schema: FieldSchema = {
            "type": "object",
            "properties": {
                key: {"type": "integer", "minimum": 1, "maximum": limit} for key, limit in self.limits.items()
            },
            "additionalProperties": False,
        }
        if self.of:
            schema["x-of"] = self.of
        if self.most:
            schema["x-most"] = dict(self.most)
        return schema

    def limits_like(self, beginnings: str) -> dict[str, int]:
        """The limits of the keys that begin like one of these words."""
        return {key: limit for key, limit in self.limits.items() if key.startswith(tuple(beginnings.split()))}


class Some(Struct, frozen=True):
    """A set of these values, from `low` to `high` of them, each once and in any order."""

    values: tuple[str | int, ...]
    low: int
    high: int
    labels: tuple[Text, ...] = ()
    of: str = ""

    def schema(self, catalogue: Catalogue) -> FieldSchema:
        items = Choice(self.values, self.labels).schema(catalogue)
        schema: FieldSchema = {
            "type": "array",
            "items": dict(items),
            "uniqueItems": True,
            "minItems": self.low,
            "maxItems": self.high,
        }
        if self.of:
            schema["x-of"] = self.of
        return schema

    def sample(self, pick: Pick) -> list[str | int]:
        left = list(self.values)
        drawn = {left.pop(pick(len(left))) for _ in range(self.low + pick(self.high - self.low + 1))}
        return [value for value in self.values if value in drawn]

    def size(self) -> int:
        return sum(comb(len(self.values), number) for number in range(self.low, self.high + 1))


class Total(Struct, frozen=True):
    """The numbers in `fields`, added up, lie between `low` and `high`. Plain JSON Schema cannot say this: `x-total`."""

    fields: tuple[str, ...]
    low: int
    high: int

    def schema(self) -> TotalSchema:
        return {"fields": list(self.fields), "minimum": self.low, "maximum": self.high}


Field = Choice | Number | Counts | Some
Slot = tuple[str, str | None, int]


class Words(Struct, frozen=True):
    """What people read of a way to answer, beside its text. Names of fields in braces are filled in later."""

    name: Text | None = None
    """The answer in a word or two, to choose it by."""
    button: Text | None = None
    """The words for giving it: what will happen. `{count}` is the sum of its numbers, or the number of steps."""
    note: Text | None = None
    """A remark that is worth knowing before it is given."""
    confirm: Text | None = None
    """A question before it is sent, if it is seldom meant."""

    def schema(self, catalogue: Catalogue) -> dict[str, str]:
        texts = {"x-name": self.name, "x-button": self.button, "x-note": self.note, "x-confirm": self.confirm}
        return {keyword: text.rendered(catalogue) for keyword, text in texts.items() if text}


SILENT = Words()


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
    words: Words = SILENT

    def schema(self, decision: str, catalogue: Catalogue = ENGLISH, names: Names = lambda _: None) -> FormSchema:
        """JSON Schema (2020-12) of the whole answer, the decision it names included."""
        properties: dict[str, FieldSchema] = {"decision": {"const": decision}, "kind": {"const": self.kind}}
        properties.update((name, field.schema(catalogue)) for name, field in self.fields.items())
        schema: FormSchema = {
            "title": self.text.rendered(catalogue, names),
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        if self.total:
            schema["x-total"] = self.total.schema()
        if self.words is not SILENT:
            schema.update(self.words.schema(catalogue))  # type: ignore[typeddict-item]
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
            elif isinstance(field, Some):
                size *= field.size()
            elif isinstance(field, Counts):
                for beginnings, most in field.most.items():
                    size *= _ways(list(field.limits_like(beginnings).values()), 0, most)
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
            elif isinstance(field, Some):
                answer[name] = field.sample(pick)
            else:
                answer[name] = {}
        free, summed = self._slots()
        low, high = self._bounds(summed)
        more = [(name, key) for name, key, limit in free for _ in range(pick(limit + 1))]
        for name, field in self.fields.items():
            if isinstance(field, Counts):
                for beginnings, most in field.most.items():
                    slots = [(name, key, limit) for key, limit in field.limits_like(beginnings).items()]
                    more += _draw(slots, pick(min(most, sum(limit for _, _, limit in slots)) + 1), pick)
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
            elif isinstance(field, Counts) and not field.most:
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
