"""Scoring one space: who ranks where, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from rules.el_grande.board import Board, king_region, points_of
from rules.el_grande.facts import Award, SpaceScored
from rules.kernel import Player

RANKS = ("first", "second", "third")
BONUS = 2


class Unit(Struct, frozen=True):
    """A space that is scored in a general scoring, and how often its points count."""

    space: str
    factor: int = 1

    def scored(self, board: Board) -> SpaceScored:
        return score(board, self.space)


def every_region(board: Board) -> tuple[Unit, ...]:
    return tuple(map(Unit, board.rules.regions))


def score_unit(board: Board, unit: Unit) -> SpaceScored:
    """All points of the space, bonuses too, as often as they count."""
    scored = unit.scored(board)
    if unit.factor == 1:
        return scored
    awards = (replace(award, points=award.points * unit.factor) for award in scored.awards)
    return replace(scored, awards=tuple(awards))


def score(board: Board, space: str, *, ranks: int = len(RANKS)) -> SpaceScored:
    """Points by rank, and the bonuses of a sole leader. `ranks` cuts the table short (first places only: 1)."""
    counts = counted(board, space)
    tied_groups = ranking(board, space, counts)
    points = points_of(board, space)[: min(ranks, board.rules.ranks[len(board.players)])]
    awards = rank_awards(tied_groups, points)
    if tied_groups and len(tied_groups[0]) == 1:
        [leader] = tied_groups[0]
        awards += [award for bonus in board.rules.bonuses if (award := bonus(board, space, leader))]
    for extra in board.rules.extras:
        awards += extra(board, space)
    return SpaceScored(space, counts, tuple(awards))


def counted(board: Board, space: str) -> dict[Player, int]:
    """How many caballeros count for each player in a space; players without any are left out."""
    number_of = board.rules.counted
    return {player: number for player in board.players if (number := number_of(board, space, player))}


def ranking(board: Board, space: str, counts: Mapping[Player, int]) -> list[list[Player]]:
    """Players with caballeros there, strongest first; those who are equal stand together."""

    def strength(player: Player) -> tuple[int, ...]:
        return counts[player], *(breaks_tie(board, space, player) for breaks_tie in board.rules.strength)

    ranked = sorted(counts, key=strength, reverse=True)
    return [list(tied) for _, tied in groupby(ranked, key=strength)]


def rank_awards(tied_groups: list[list[Player]], points: tuple[int, ...]) -> list[Award]:
    """Tied players take the next lower rank, however many they are; the group after them stands one further down."""
    awards: list[Award] = []
    rank = 0
    for tied in tied_groups:
        place = rank + (len(tied) > 1)
        if place < len(points) and points[place]:
            awards += [Award(player, points[place], RANKS[place]) for player in tied]
        rank = place + 1
    return awards


def king_bonus(board: Board, space: str, leader: Player) -> Award | None:
    """The sole leader of the king's region earns 2 more."""
    return Award(leader, BONUS, "king") if space == king_region(board) else None


def grande_bonus(board: Board, space: str, leader: Player) -> Award | None:
    """The sole leader earns 2 more in the region of the own Grande."""
    return Award(leader, BONUS, "grande") if board.grandes.get(leader) == space else None


def regions_worth(board: Board, *first_values: int) -> tuple[str, ...]:
    """The regions whose first rank is now worth one of these values. The castillo is none of them."""
    return tuple(region for region in board.rules.regions if points_of(board, region)[0] in first_values)


def most_crowded(board: Board) -> tuple[str, ...]:
    """The regions with the most caballeros of all players; all that tie."""
    return _regions_with(board, max)


def least_crowded(board: Board) -> tuple[str, ...]:
    """The regions with the fewest caballeros, but at least one; all that tie."""
    return _regions_with(board, min)


def _regions_with(board: Board, extreme: Callable[[Iterable[int]], int]) -> tuple[str, ...]:
    crowds = {region: crowd for region in board.rules.regions if (crowd := sum(counted(board, region).values()))}
    wanted = extreme(crowds.values()) if crowds else 0
    return tuple(region for region, crowd in crowds.items() if crowd == wanted)
