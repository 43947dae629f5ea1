"""How a person at the terminal and the rules of a game understand each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rules.catalogue import game_named
from rules.codec import codec_for
from rules.kernel import Command
from rules.texts import Text
from service.language import catalogue


class Phrasebook:
    """The words of one game: what people call things, and which things they mean.

    >>> phrasebook = Phrasebook("el_grande")
    >>> phrasebook.with_names("move a caballero from castilla_la_nueva"), phrasebook.shown("allow_rest")
    ('move a caballero from New Castile', 'allow rest')
    >>> phrasebook.with_keys("place Old Castile 2, Sevilla 1")
    'place castilla_la_vieja 2, sevilla 1'
    """

    def __init__(self, rules_name: str) -> None:
        self._codec = codec_for(rules_name)
        self._notation = game_named(rules_name).notation
        self.rules = self._codec.rules
        self._keys = dict(_spellings(self._notation.names))
        longest_first = sorted(self._keys, key=len, reverse=True)
        self._spelling = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b")

    # Things

    def shown(self, value: str | int | bool) -> str:
        """A value as people call it."""
        text = str(value)
        called = self._notation.called(text)
        return catalogue().gettext(called) if called else text.replace("_", " ")

    def with_names(self, text: str) -> str:
        """A text in which things are called as people call them."""
        return re.sub(r"[\w+:]+", lambda word: self._notation.called(word[0]) or word[0], text)

    def with_keys(self, text: str) -> str:
        """A text in which things are called as the rules call them."""
        return self._spelling.sub(lambda found: self._keys[found[0].lower()], text.strip().lower())

    def name(self, key: str) -> Text | None:
        """What people call the thing that a key stands for."""
        return self.rules.names.get(key)

    # Moves

    def command(self, payload: Mapping[str, Any]) -> Command:
        """A form that was filled in, or `Unreadable`."""
        return self._codec.command(payload)

    def parse_move(self, text: str) -> Command:
        """A move in words, or `Unreadable`."""
        return self._notation.parse_move(self.with_keys(text), self.rules)

    def move(self, command: Command) -> str:
        return self._notation.move(command)


def _spellings(names: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for key, translated in names.items():
        for spelling in translated:
            yield spelling.lower(), key
            yield spelling.lower().replace(" ", "_"), key
