"""Scoring a region: who ranks where, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from rules.el_caballero.board import Board, region_beyond, region_of_slot
from rules.el_caballero.facts import RegionScored
from rules.el_caballero.map import Region
from rules.el_caballero.tiles import LAND, SEA
from rules.kernel import Player

SECOND_PLACE_NEEDS = 3
"""So many players must be in the game for the second place to score."""


class Standing(Struct, frozen=True):
    """A region, who has how many Caballeros or ships there, and who governs it."""

    region: Region
    counts: Mapping[Player, int]
    governor: Player | None

    def points(self, players: int) -> dict[Player, int]:
        """What it brings in a game of so many players."""
        value = self.region.value
        if self.region.kind == SEA:
            return {player: ships * value for player, ships in self.counts.items()}
        if self.region.is_closed:
            return {self.governor: 2 * value} if self.governor else {}
        return land_points(self.counts, value, players)


def standings(board: Board) -> Iterator[Standing]:
    """Every region, in reading order."""
    governors = {region_of_slot(board, key).anchor: one.owner for key, one in board.governors.items()}
    ships = ships_by_region(board)
    for anchor, region in board.map.distinct_regions().items():
        counts = (board.counts if region.kind == LAND else ships).get(anchor, {})
        yield Standing(region, counts, governors.get(anchor))


def scores(board: Board) -> Iterator[RegionScored]:
    """Every region is scored once."""
    for one in standings(board):
        region, points = one.region, one.points(len(board.players))
        yield RegionScored(region.kind, *region.site, region.value, one.counts, points, region.is_closed)


def land_points(counts: Mapping[Player, int], value: int, players: int) -> dict[Player, int]:
    """The sole leader scores twice the value, the sole second once; players who tie for the lead score as second.

    >>> land_points({"red": 7, "blue": 5}, 6, 3), land_points({"red": 5, "blue": 5, "green": 3}, 4, 3)
    ({'red': 12, 'blue': 6}, {'red': 4, 'blue': 4})
    """
    second = value if players >= SECOND_PLACE_NEEDS else 0
    leaders = _leaders(counts)
    if len(leaders) > 1:
        return dict.fromkeys(leaders, second) if second else {}
    points = dict.fromkeys(leaders, 2 * value)
    followers = _leaders({player: count for player, count in counts.items() if player not in leaders})
    if second and len(followers) == 1:
        points |= dict.fromkeys(followers, second)
    return points


def _leaders(counts: Mapping[Player, int]) -> list[Player]:
    most = max(counts.values(), default=0)
    return [player for player, count in counts.items() if count == most and count]


def ships_by_region(board: Board) -> dict[tuple[int, int, int], dict[Player, int]]:
    """How many ships each player has in every sea region."""
    fleets: dict[tuple[int, int, int], dict[Player, int]] = {}

    def add(region: Region, player: Player) -> None:
        there = fleets.setdefault(region.anchor, {})
        there[player] = there.get(player, 0) + 1

    for cell, card in board.cards.items():
        for direction in card.ships:
            add(region_beyond(board, cell, direction), card.owner)
    for key, governor in board.governors.items():
        if governor.ship:
            add(region_of_slot(board, key), governor.owner)
    return fleets
