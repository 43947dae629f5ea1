"""Ranks: the order of the cards played in a round, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping

from rules.el_grande.board import Board
from rules.kernel import Player

KING, INTRIGUE = "ki_king", "ki_intrigue"

CABALLERO_CARDS: Mapping[int, tuple[int, ...]] = {2: (5, 1), 3: (5, 3, 1), 4: (5, 4, 2, 1), 5: (5, 4, 3, 2, 1)}
"""Number of players to the caballero cards in use, the best first. Only the last row is printed (ruling 60)."""

CHOOSING = (2, 3)
"""With so many players the first and the last may choose their own action in place of the shared card."""


def ranked(power: Mapping[Player, int]) -> tuple[Player, ...]:
    """The players by their cards of this round, highest first."""
    return tuple(sorted(power, key=power.__getitem__, reverse=True))


def caballero_cards(power: Mapping[Player, int]) -> dict[Player, int]:
    """How many caballeros each player may place.

    >>> caballero_cards({"red": 180, "blue": 20, "yellow": 90})
    {'red': 5, 'yellow': 3, 'blue': 1}
    """
    return dict(zip(ranked(power), CABALLERO_CARDS[len(power)], strict=True))


def shared_card(board: Board, player: Player) -> str:
    """The card that goes with the player's rank: the king's for the first, the intrigue for the last."""
    order = ranked(board.power)
    return KING if player == order[0] else INTRIGUE if player == order[-1] else ""


def may_choose(board: Board) -> bool:
    """Whether the first and the last may use their own action."""
    return len(board.players) in CHOOSING
