"""What is seen to happen: pieces fly, spaces are scored, the castillo opens for a moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rules.drawing import View
from rules.el_grande.board import space_of
from rules.el_grande.facts import (
    CaballerosDrawn,
    CaballerosMoved,
    CaballerosPlaced,
    CaballerosReleased,
    CaballerosReturned,
    GrandeMoved,
    KingMoved,
    ScoreboardMoved,
    SpaceScored,
)
from rules.el_grande.picture import pieces
from rules.el_grande.picture.geography import Point
from rules.el_grande.picture.scene import (
    CASTILLO_DOOR,
    grande_point,
    king_point,
    point_of,
    rules_of,
    site_of,
    stack_point,
)
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.kernel import Player
from rules.picture import MOVE, SCORE, TURN_UP, Beat


def beats(fact: Any, before: View, after: View) -> Iterator[Beat]:
    match fact:
        case CaballerosPlaced(player, space, count):
            yield _flight(after, player, COURT, space, count)
        case CaballerosMoved(owner, source, target, count):
            yield _flight(after, owner, source, target, count)
        case CaballerosReleased(player, target, count):
            yield replace(_flight(after, player, CASTILLO, target, count), together=True)
        case CaballerosReturned(owner, source, count) if source != COURT:
            yield replace(_flight(after, owner, source, PROVINCE, count), together=True)
        case CaballerosDrawn(player, source, count) if source != PROVINCE:
            yield _flight(after, player, source, COURT, count)
        case KingMoved(region):
            yield Beat(MOVE, "king", king_point(before, before["king"]), king_point(before, region))
        case GrandeMoved(player, region):
            start, end = grande_point(before, player, before["grandes"][player]), grande_point(after, player, region)
            yield Beat(MOVE, f"grande-{player}", start, end)
        case ScoreboardMoved(scoreboard, space):
            lay = before["scoreboards"].get(scoreboard)
            yield Beat(MOVE, "scoreboard", site_of(before, lay).table if lay else None, site_of(after, space).table)
        case SpaceScored():
            yield from _scored(fact, after)
    for further in rules_of(after).beats:
        yield from further(fact, before, after)


def _flight(seen: View, player: Player, source: str, target: str, count: int) -> Beat:
    symbol = f"stack-{player}-{pieces.height(count)}"
    return Beat(MOVE, symbol, _place(seen, player, source), _place(seen, player, target), str(count))


def _place(seen: View, player: Player, key: str) -> Point | Player:
    """Where a player's caballeros are; court and province lie in front of the player."""
    space = space_of(key)
    if space in (COURT, PROVINCE):
        return player
    return CASTILLO_DOOR if space == CASTILLO and seen["castillo"] is None else point_of(seen, player, key)


def _scored(fact: SpaceScored, seen: View) -> Iterator[Beat]:
    """A closed castillo shows its caballeros while it is scored."""
    if fact.space == CASTILLO and seen["castillo"] is None:
        for player, count in fact.counts.items():
            symbol = f"stack-{player}-{pieces.height(count)}"
            yield Beat(TURN_UP, symbol, end=stack_point(seen, player, CASTILLO), text=str(count), together=True)
    yield Beat(SCORE, space=fact.space, points=fact.points)
