"""Narration: facts of the table in the words of this module, facts of the board in those of the rules.

>>> from events.table.facts import GameDecided, SeatForfeited, TimeRanOut
>>> tell("el_grande", [TimeRanOut("red", "7-red"), SeatForfeited("red", "time"), GameDecided()])
["red's time has run out", 'red was late too often and is out of the game', 'no opponent is left: the game is over']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.table.facts import TableFact, TimeRanOut
from rules import narration
from rules.catalogue import rules_named
from rules.kernel import AnswerSealed, Fact
from rules.texts import ENGLISH, Catalogue


def tell(rules: str, facts: Sequence[Fact], catalogue: Catalogue = ENGLISH) -> list[str]:
    """One sentence after the other. Tells no more than the facts do: give it those that the listener may know."""
    followed, sentences = rules_named(rules), []
    for fact in facts:
        if not isinstance(fact, TableFact):
            sentences += narration.tell(followed, [fact], catalogue)
        elif fact.sentence and not _is_told_later(fact, facts):
            sentences.append(fact.sentence.rendered(catalogue, followed.names.get))
    return sentences


def _is_told_later(fact: Fact, facts: Iterable[Fact]) -> bool:
    """A time-out on a secret answer is narrated when the answers are opened: before, it would give the answer away."""
    if not isinstance(fact, TimeRanOut):
        return False
    return any(isinstance(sealed, AnswerSealed) and sealed.player == fact.player for sealed in facts)
