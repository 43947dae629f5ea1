"""The language of responses: whatever leaves the service in words is rendered here.

A request has one language, for all that is rendered while it is answered; where no request is answered it is English.
`service.http.accept_language` chooses it, `docs/texts.md` tells how to add one.

>>> with speaking(Language("fr", ENGLISH)):
...     current().tag
'fr'
>>> current().tag
'en'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import NamedTuple, TypeVar

from rules.texts import ENGLISH, Catalogue, Names, Value, shown

Item = TypeVar("Item")


class Language(NamedTuple):
    tag: str
    """As in `Accept-Language` and in the `lang` of a page: `fr`, `pt-BR`."""
    catalogue: Catalogue


IN_ENGLISH = Language("en", ENGLISH)
_current = ContextVar("language", default=IN_ENGLISH)


def current() -> Language:
    return _current.get()


def catalogue() -> Catalogue:
    """The catalogue of the client's language."""
    return current().catalogue


def rendered(text: Value, names: Names = lambda _: None) -> str:
    """The text for the client, with ids called by their names where they have one."""
    return shown(text, catalogue(), names)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Within this context, texts are rendered in the language."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def in_this_language(items: Iterator[Item]) -> Iterator[Item]:
    """The items, each made in the language of now. A response that is sent in pieces outlives its request."""
    return _made_in(current(), items)


def _made_in(language: Language, items: Iterator[Item]) -> Iterator[Item]:
    while True:
        with speaking(language):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


# Catalogues


DOMAIN = "hidalgo"


def installed(directory: Path) -> dict[str, Language]:
    """English, and the language of every catalogue in the directory, by its tag in lower case."""
    files = sorted(directory.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
    languages = [IN_ENGLISH, *(Language(_tag(file), Translations(file)) for file in files)]
    return {language.tag.lower(): language for language in languages}


def _tag(file: Path) -> str:
    return file.parents[1].name.replace("_", "-")


class Translations:
    """A catalogue as gettext reads it. Sentences without a translation are English."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._found = GNUTranslations(opened)

    def gettext(self, message: str, /) -> str:
        return _fitting(self._found.gettext(message), message)

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        return _fitting(self._found.ngettext(one, many, count), ENGLISH.ngettext(one, many, count))


@lru_cache(maxsize=8192)
def _fitting(translation: str, template: str) -> str:
    """The translation, unless it asks for values that the template has not: then the template.

    >>> _fitting("{spieler} passt", "{player} passes"), _fitting("{player passt", "{player} passes")
    ('{player} passes', '{player} passes')
    """
    try:
        return translation if set(_fields(translation)) <= set(_fields(template)) else template
    except ValueError:
        return template


def _fields(template: str) -> Iterator[tuple[str, str | None, str | None]]:
    return ((name, form, how) for _, name, form, how in Formatter().parse(template) if name is not None)
