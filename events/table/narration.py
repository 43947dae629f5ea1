"""Narration: facts of the table in the words of this module, facts of the board in those of the rules.

>>> from events.table.facts import GameDecided, SeatForfeited, TimeRanOut
>>> tell("el_grande", [TimeRanOut("red", "7-red"), SeatForfeited("red", "time"), GameDecided()])
["red's time has run out", 'red was late too often and is out of the game', 'no opponent is left: the game is over']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from events.table.facts import TableFact, TimeRanOut
from rules import narration
from rules.catalogue import rules_named
from rules.kernel import AnswerSealed, Fact
from rules.texts import ENGLISH, Catalogue, Text

SENTENCES_KEPT = 8192
"""The same things happen in many games, and to put one of them into words costs more than to decide it."""


def tell(rules: str, facts: Sequence[Fact], catalogue: Catalogue = ENGLISH) -> list[str]:
    """One sentence after the other. Tells no more than the facts do: give it those that the listener may know."""
    sentences = (_sentence(rules, fact, catalogue) for fact in facts if not _is_told_later(fact, facts))
    return [sentence for sentence in sentences if sentence]


def told(rules: str, facts: Sequence[Fact]) -> Iterator[tuple[Fact, Text]]:
    """The facts that are told, each with its sentence."""
    for fact in facts:
        if not _is_told_later(fact, facts) and (text := _text(rules, fact)):
            yield fact, text


def _text(rules: str, fact: Fact) -> Text | None:
    return fact.sentence if isinstance(fact, TableFact) else narration.told(rules_named(rules), fact)


def _sentence(rules: str, fact: Fact, catalogue: Catalogue) -> str:
    """A fact in words; nothing if it is not told."""
    try:
        return str(_kept_sentence(rules, fact, catalogue))
    except TypeError:  # A fact that holds a mapping has no hash.
        return _new_sentence(rules, fact, catalogue)


def _new_sentence(rules: str, fact: Fact, catalogue: Catalogue) -> str:
    text = _text(rules, fact)
    return text.rendered(catalogue, rules_named(rules).names.get) if text else ""


_kept_sentence: Any = lru_cache(SENTENCES_KEPT)(_new_sentence)


def _is_told_later(fact: Fact, facts: Iterable[Fact]) -> bool:
    """A time-out on a secret answer is narrated when the answers are opened: before, it would give the answer away."""
    if not isinstance(fact, TimeRanOut):
        return False
    return any(isinstance(sealed, AnswerSealed) and sealed.player == fact.player for sealed in facts)
