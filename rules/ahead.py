"""Answers that a player may give ahead, so that a slow game goes on while the player is away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rules.errors import Unreadable
from rules.texts import Text, say


class Offer(Struct, frozen=True):
    """A question that can be answered ahead: always alike, or once with a value of the player's choice."""

    decision: str
    """The kind of the decision."""
    answer: Mapping[str, Any]
    """The answer, as a move without its decision; `field` is left to the player."""
    text: Text
    """The choice in a menu."""
    short: Text
    """The same beside the question."""
    about: Text
    """What happens then."""
    icon: str = "check"
    every: bool = True
    """Whether it holds until the player says otherwise; else for the next question only."""
    field: str = ""
    number: bool = False
    """Whether the value of the field is a number."""

    def check(self, answer: Mapping[str, Any], *, every: bool) -> None:
        """Whether a player may want this: `Unreadable` if it is no answer to the question, or wanted too often."""
        fixed = {name: value for name, value in answer.items() if name != self.field}
        if fixed != dict(self.answer) or (self.field and self.field not in answer):
            raise Unreadable(say("a question of the kind {kind} cannot be answered so ahead", kind=self.decision))
        if every != self.every:
            raise Unreadable(say("{kind} is answered ahead either once or always", kind=self.decision))


def offer_for(offers: tuple[Offer, ...], decision: str) -> Offer:
    for offer in offers:
        if offer.decision == decision:
            return offer
    raise Unreadable(say("a question of the kind {kind} cannot be answered ahead", kind=decision))
