"""Facts told to people: every fact as a sentence, cards and scoreboards by the names people use.

>>> from rules.catalogue import rules
>>> from rules.el_grande.facts import ActionCardTaken, PowerCardRecovered
>>> tell(rules("el_grande"), [ActionCardTaken("red", "s4_recover_power-1"), PowerCardRecovered("red", None)])
['red takes “A power card comes back”', 'red takes a power card back into the hand']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.kernel import ONLY_OPTION, AnsweredForPlayer, Fact, RuleSet
from rules.texts import ENGLISH, Catalogue, Text


def tell(rules: RuleSet, facts: Iterable[Fact[Any]], catalogue: Catalogue = ENGLISH) -> list[str]:
    """What happened, in words. Tells no more than the facts do: give it those that the listener may know."""
    return [text.rendered(catalogue, rules.names.get) for fact in facts if (text := told(rules, fact))]


def told(rules: RuleSet, fact: Fact[Any]) -> Text | None:
    """One fact in words; nothing if the position shows it well enough."""
    return sentence(rules, fact) if _is_told(rules, fact) else None


def sentence(rules: RuleSet, fact: Fact[Any]) -> Text:
    """One fact in words. Things go by their ids; what they are called, `rules.names` knows."""
    return rules.sentences[_name(fact)](fact)


def _is_told(rules: RuleSet, fact: Fact[Any]) -> bool:
    if isinstance(fact, AnsweredForPlayer) and fact.because == ONLY_OPTION:
        return False
    name = _name(fact)
    return name in rules.sentences and name not in rules.untold


def _name(fact: Fact[Any]) -> str:
    return str(fact.__struct_config__.tag)
