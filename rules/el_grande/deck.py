"""What an action card is. The table of all cards is `cards.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from rules.el_grande.steps.special import CardStep
from rules.texts import Text, say

if TYPE_CHECKING:
    from rules.el_grande.board import Board


class ActionCard(Struct, frozen=True):
    """An action card: its stack (also the number of caballeros it places), its special action, and what it says."""

    stack: int
    """0 if it lies in none."""
    special: CardStep | None
    title: Text
    text: Text
    """What the special action does, in a sentence."""
    copies: int = 1
    returns: bool = False
    """Comes back every round, taken or not."""
    number: int | None = None
    """How many caballeros it places, if that is not the number of its stack."""

    compulsory: bool = False
    """Whether its special action must be performed."""

    @property
    def places(self) -> int:
        return self.stack if self.number is None else self.number

    @property
    def label(self) -> Text:
        """The card as players are offered it."""
        return say("“{title}”: {text}", title=self.title, text=self.text)


def design(board: Board, card: str) -> ActionCard:
    """The row of the table this card belongs to: copies differ by a suffix."""
    return board.rules.cards[card.partition("-")[0]]


def copies(name: str, card: ActionCard) -> tuple[str, ...]:
    """The names of all copies of a card.

    >>> from rules.catalogue import rules
    >>> copies("s2_veto", rules("el_grande").cards["s2_veto"])
    ('s2_veto-1', 's2_veto-2')
    """
    if card.copies == 1:
        return (name,)
    return tuple(f"{name}-{number}" for number in range(1, card.copies + 1))
