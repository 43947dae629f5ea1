"""How the players would stand if the game ended now: all that this looks at lies open on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rules.el_grande.board import Board
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.el_grande.scoring import score
from rules.kernel import Player


def outlook(board: Board) -> Mapping[Player, int]:
    """The points of each player if every region were scored at once; the castillo, too, where its contents are open."""
    spaces = (*board.rules.regions, CASTILLO) if board.castillo_display == "open" else tuple(board.rules.regions)
    points = Counter(dict(board.scores))
    for space in spaces:
        for award in score(board, space).awards:
            points[award.player] += award.points
    return points


POINT, ON_THE_MAP, IN_COURT = 4, 2, 1
"""What they are worth beside each other."""


def standing(board: Board) -> Mapping[Player, int]:
    """Points as they would be now, and caballeros that may bring more of them later.

    Caballeros in the castillo count as well: those of a colour that are nowhere else must be there.
    """
    worth = Counter({player: POINT * points for player, points in outlook(board).items()})
    for space, counts in board.cubes.items():
        if space != PROVINCE:
            for player, count in counts.items():
                worth[player] += count * (IN_COURT if space == COURT else ON_THE_MAP)
    if board.rules.slots:
        worth.update(_on_special_places(board))
    return Counter({player: worth[player] for player in board.players})


def _on_special_places(board: Board) -> Counter[Player]:
    """Those that are drawn apart stand on the map as well."""
    return Counter({owner: ON_THE_MAP * number for owner, number in Counter(p.owner for p in board.marked).items()})
