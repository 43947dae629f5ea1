"""What may be assumed in El Caballero: the order of the tiles that are not yet turned up."""

from __future__ import annotations

from typing import Any

from rules.assumptions import AS_IT_IS, Agreed, Alternative, Assumption, Assumptions, order, shuffled_orders
from rules.el_caballero.board import Fact, State
from rules.el_caballero.facts import StackShuffled
from rules.texts import Text, say

ORDER = "order_of_tiles"


def offered(state: State) -> tuple[Assumption, ...]:
    if state.is_over or len(state.board.stack) < 2:
        return ()
    as_dealt = Alternative(AS_IT_IS, say("as it was dealt"))
    text = say("the order of the tiles that are not yet turned up")
    return (shuffled_orders(ORDER, text, as_dealt),)


def facts(state: State, id: str, value: Any, agreed: Agreed) -> tuple[Fact, ...]:
    """The stack is shuffled anew. Which tiles it holds is known to all, how they lay does not matter."""
    return (StackShuffled(order(value).shuffled(sorted(state.board.stack))),)


def sentence(id: str, value: Any) -> Text | None:
    return say("assumed: the tiles that are not yet turned up lie otherwise, order {number}", number=value)


ASSUMPTIONS = Assumptions(offered, facts, sentence)
