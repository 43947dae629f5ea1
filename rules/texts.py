"""Sentences for people, as data: an English template, and the values that go into it.

The two stay apart until somebody reads the sentence, so that it can be told in any language and nothing is formatted
that is not read. Templates are plain literals: Babel finds them in the code and writes `locale/hidalgo.pot`.

>>> text = say("{player} cannot reach {region}", player="red", region="granada")
>>> str(text)
'red cannot reach granada'
>>> str(say_many("{count} caballero", "{count} caballeros", 1))
'1 caballero'

A value is a number, another text, or an id (of a seat, a region, a card…). Who renders a text may call ids by names:

>>> text.rendered(ENGLISH, {"granada": say("Granada")}.get)
'red cannot reach Granada'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Protocol

from msgspec import Struct


class Catalogue(Protocol):
    """Where translations are looked up. `gettext.NullTranslations` and its children are such catalogues."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, one: str, many: str, count: int, /) -> str: ...


class English:
    """The catalogue of the language in which the templates are written."""

    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        return one if count == 1 else many


ENGLISH = English()


class Text(Struct, frozen=True, omit_defaults=True):
    """A sentence, or a part of one, that can be translated. Made by `say` and `say_many`."""

    template: str
    values: Mapping[str, Value] = {}
    many: str = ""
    """The template for other numbers than one; the number is the value `count`."""

    def __str__(self) -> str:
        return self.rendered(ENGLISH)

    def rendered(self, catalogue: Catalogue, names: Names = lambda _: None) -> str:
        """The sentence in the catalogue's language, with ids called by their names where they have one."""
        if not self.values:
            return self._template(catalogue)
        values = {name: shown(value, catalogue, names) for name, value in self.values.items()}
        return self._template(catalogue).format_map(values)

    def _template(self, catalogue: Catalogue) -> str:
        if not self.many:
            return catalogue.gettext(self.template)
        count = self.values["count"]
        assert isinstance(count, int), f"{count} is no number"
        return catalogue.ngettext(self.template, self.many, count)


Value = int | str | Text
Names = Callable[[str], Text | None]
"""What an id is called; nothing if it has no name."""


def say(template: str, /, **values: Value) -> Text:
    """A text. The template is a literal, and its placeholders are the values given."""
    return Text(template, values)


def say_many(one: str, many: str, /, count: int, **values: Value) -> Text:
    """A text that depends on a number, which is its value `count`."""
    return Text(one, {"count": count, **values}, many)


def shown(value: Value, catalogue: Catalogue, names: Names) -> str:
    """A value as people read it."""
    if isinstance(value, str):
        value = names(value) or value
    return value.rendered(catalogue, names) if isinstance(value, Text) else str(value)


# Lists


def all_of(items: Iterable[Value]) -> Value:
    """
    >>> str(all_of(["red", "blue", "green"])), str(all_of([]))
    ('red, blue and green', 'none')
    """
    *most, last = _some(items)
    return say("{most} and {last}", most=one_by_one(most), last=last) if most else last


def any_of(items: Iterable[Value]) -> Value:
    """
    >>> str(any_of(["red", "blue", "green"]))
    'red, blue or green'
    """
    *most, last = _some(items)
    return say("{most} or {last}", most=one_by_one(most), last=last) if most else last


def one_by_one(items: Iterable[Value]) -> Value:
    """
    >>> str(one_by_one(["red", "blue", "green"]))
    'red, blue, green'
    """
    return reduce(lambda most, item: say("{most}, {next}", most=most, next=item), _some(items))


def clauses(items: Iterable[Text]) -> Text:
    """
    >>> str(clauses([say("red wins"), say("blue loses")]))
    'red wins; blue loses'
    """
    return reduce(lambda most, item: say("{most}; {next}", most=most, next=item), items)


def _some(items: Iterable[Value]) -> list[Value]:
    return list(items) or [say("none")]
