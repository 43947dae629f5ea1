"""What may be assumed in El Grande: the order of the action cards that are not yet turned up."""

from __future__ import annotations

from typing import Any

from rules.assumptions import AS_IT_IS, Agreed, Alternative, Assumption, Assumptions, order, shuffled_orders
from rules.el_grande.board import Board, Fact, State
from rules.el_grande.facts import StacksShuffled
from rules.fairness import Chance
from rules.texts import Text, say

ORDER = "order_of_cards"


def offered(state: State) -> tuple[Assumption, ...]:
    if state.is_over or not any(len(stack) > 1 for stack in state.board.stacks):
        return ()
    as_dealt = Alternative(AS_IT_IS, say("as dealt"))
    text = say("cards to come")
    return (shuffled_orders(ORDER, text, as_dealt),)


def facts(state: State, id: str, value: Any, agreed: Agreed) -> tuple[Fact, ...]:
    """Every stack is drawn anew from the cards that may lie in it as far as all know; how they lay does not matter."""
    chance, board = order(value), state.board
    return (StacksShuffled(tuple(_drawn(chance, board, stack, agreed) for stack in board.stacks)),)


def _drawn(chance: Chance, board: Board, stack: tuple[str, ...], agreed: Agreed) -> tuple[str, ...]:
    return chance.shuffled(sorted(board.rules.possible(board, stack, agreed)))[: len(stack)]


def sentence(id: str, value: Any) -> Text | None:
    return say("assumed: the cards to come lie in order {number}", number=value)


ASSUMPTIONS = Assumptions(offered, facts, sentence)
