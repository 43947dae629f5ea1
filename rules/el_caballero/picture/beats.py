"""What is seen to happen: tiles and cards come to the map and leave it, ships sail, regions are scored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.drawing import View
from rules.el_caballero.facts import (
    CaballeroPlaced,
    CaballeroReturned,
    CastleBuilt,
    CastleMoved,
    Departure,
    GovernorPlaced,
    GrandeMoved,
    GrandePlaced,
    RegionScored,
    ShipBought,
    ShipDeployed,
    ShipMoved,
    ShipReturned,
    TilePlaced,
)
from rules.el_caballero.picture.geography import centre, towards
from rules.el_caballero.picture.scene import GOVERNOR, grande_point, ship_point
from rules.picture import MOVE, SCORE, Beat


def beats(fact: Any, before: View, after: View) -> Iterator[Beat]:
    match fact:
        case TilePlaced(player, tile, at, rotation, eliminated):
            yield Beat(MOVE, f"tile-{tile}-{rotation}", player, centre(at))
            yield from map(_leaves, eliminated)
        case CaballeroPlaced(player, at):
            yield Beat(MOVE, f"card-{player}", player, centre(at))
            yield from map(_leaves, filter(None, [fact.left]))
        case CaballeroReturned(player, card):
            yield _leaves(card)
        case ShipBought(player, at, direction) | ShipDeployed(player, at, direction):
            yield Beat(MOVE, f"ship-{player}", player, ship_point(after, at, direction))
        case ShipReturned(player, at, direction):
            yield Beat(MOVE, f"ship-{player}", ship_point(before, at, direction), player)
        case ShipMoved(player, source, source_direction, at, direction):
            start, end = ship_point(before, source, source_direction), ship_point(after, at, direction)
            yield Beat(MOVE, f"ship-{player}", start, end)
        case CastleBuilt(player, at):
            yield Beat(MOVE, f"castle-{player}", player, centre(at))
        case CastleMoved(player, source, at):
            yield Beat(MOVE, f"castle-{player}", centre(source), centre(at))
        case GovernorPlaced(player, at, direction):
            yield Beat(MOVE, f"governor-{player}", player, towards(at, direction, GOVERNOR))
        case GrandePlaced(player, at):
            yield Beat(MOVE, f"grande-{player}", player, grande_point(at))
        case GrandeMoved(player, source, at):
            yield Beat(MOVE, f"grande-{player}", grande_point(source), grande_point(at))
            yield from map(_leaves, filter(None, [fact.left]))
        case RegionScored():
            if fact.points:
                yield Beat(SCORE, "scored-cell", spots=_spots(fact, after), points=fact.points)


def _leaves(card: Departure) -> Beat:
    return Beat(MOVE, f"card-{card.owner}", centre(card.at), card.owner, together=True)


def _spots(fact: RegionScored, seen: View) -> tuple[tuple[float, float], ...]:
    """The middle of every tile of a region."""
    [region] = [one for one in seen["regions"] if f"{fact.at}:{fact.direction}" in one["sides"]]
    return tuple(centre(cell) for cell in dict.fromkeys(side.partition(":")[0] for side in region["sides"]))
