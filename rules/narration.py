"""Facts told to people: every fact as a sentence, cards and scoreboards by the names people use.

>>> from rules.catalogue import rules
>>> from rules.el_grande.facts import ActionCardTaken, PowerCardRecovered
>>> tell(rules("el_grande"), [ActionCardTaken("red", "s4_recover_power-1"), PowerCardRecovered("red", None)])
['red takes “A power card comes back”', 'red takes a power card back into the hand']
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rules.el_grande.extension import Rules
from rules.kernel import ONLY_OPTION, AnsweredForPlayer, Fact

UNTOLD = ("power_card_piled", "power_cards_dealt", "stacks_shuffled", "turn_ended", "seal_dropped")
"""Facts that the position shows well enough."""

NAMED = re.compile(r"[a-z]+\d*_\w+(-\d)?")
"""What may be the name of a card or a scoreboard."""


def tell(rules: Rules, facts: Iterable[Fact]) -> list[str]:
    """What happened, in words. Tells no more than the facts do: give it those that the listener may know."""
    return [sentence(rules, fact) for fact in facts if _is_told(rules, fact)]


def sentence(rules: Rules, fact: Fact) -> str:
    """One fact in words."""
    return _with_titles(rules, rules.sentences[_name(fact)](fact))


def _is_told(rules: Rules, fact: Fact) -> bool:
    if isinstance(fact, AnsweredForPlayer) and fact.because == ONLY_OPTION:
        return False
    name = _name(fact)
    return name in rules.sentences and name not in UNTOLD


def _name(fact: Fact) -> str:
    return str(fact.__struct_config__.tag)


def _with_titles(rules: Rules, text: str) -> str:
    """Cards and scoreboards as people call them."""

    def title(found: re.Match[str]) -> str:
        name = found[0].partition("-")[0]
        if name in rules.scoreboards:
            return f"scoreboard {'/'.join(map(str, rules.scoreboards[name]))}"
        return f"“{rules.cards[name].title}”" if name in rules.cards else found[0]

    return NAMED.sub(title, text) if "_" in text else text
