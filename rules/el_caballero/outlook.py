"""How the players would stand if the game ended now: all that this looks at lies open on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rules.el_caballero.board import Board
from rules.el_caballero.scoring import standings
from rules.kernel import Player


def outlook(board: Board) -> Mapping[Player, int]:
    """The points of each player if every region were scored at once."""
    points = Counter(dict(board.scores))
    for one in standings(board):
        points.update(one.points(len(board.players)))
    return points
