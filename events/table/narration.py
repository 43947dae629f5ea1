"""What happened, in words: at the table as told here, on the board as the rules tell it.

>>> from events.table.facts import GameDecided, SeatForfeited, TimeRanOut
>>> tell("el_grande", [TimeRanOut("red", "7-red"), SeatForfeited("red", "time"), GameDecided()])
["red's time has run out", 'red was late too often and is out of the game', 'nobody is left to play: the game is over']
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
    followed, told = rules_named(rules), []
    for fact in facts:
        if not isinstance(fact, TableFact):
            told += narration.tell(followed, [fact], catalogue)
        elif fact.sentence and not _is_told_later(fact, facts):
            told.append(fact.sentence.rendered(catalogue, followed.names.get))
    return told


def _is_told_later(fact: Fact, facts: Iterable[Fact]) -> bool:
    """A time-out on a secret answer is told when the answers are opened: it would tell what lies there."""
    if not isinstance(fact, TimeRanOut):
        return False
    return any(isinstance(sealed, AnswerSealed) and sealed.player == fact.player for sealed in facts)
