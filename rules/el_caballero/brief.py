"""The story in few words, for the list beside the map: what belongs together is one line, and what the map, the cards
or the next line show is not said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rules.el_caballero.extension import Rules
from rules.el_caballero.names import tile_name
from rules.el_caballero.story import eliminated, region_name
from rules.kernel import Fact
from rules.landmarks import UNSAID, Brief
from rules.texts import Text, all_of, clauses, say


def brief(fact: Any, facts: Sequence[Fact[Any]]) -> Brief | None:
    """A fact among those of its commit in few words; nothing if its sentence is short enough."""
    told = BRIEFS.get(str(fact.__struct_config__.tag))
    return told(fact) if told else None


def title(rules: Rules, key: str) -> Text | None:
    """Tiles go by what they show."""
    return tile_name(int(key)) if key.isdecimal() else None


def _played(fact: Any) -> Brief:
    first = say("{player} plays {value}", player=fact.player, value=fact.value)
    return Brief(first, say("{player} {value}", player=fact.player, value=fact.value), "plays", fact.player)


def _in_turn(text: Callable[[Any], Text]) -> Callable[[Any], Brief]:
    """What a player does in a turn."""
    return lambda fact: Brief(text(fact), seat=fact.player)


def _supply(fact: Any) -> Text:
    return say("{player} brings {count} to court", player=fact.player, count=fact.count)


def _tile(fact: Any) -> Text:
    placed = say("{player} lays {tile}", player=fact.player, tile=tile_name(fact.tile))
    return clauses([placed, *map(eliminated, fact.eliminated)])


def _card(fact: Any) -> Text:
    if fact.grande:
        return say("{player} lays a card with the Grande for {cost}", player=fact.player, cost=fact.cost)
    return say("{player} lays a card for {cost}", player=fact.player, cost=fact.cost)


def _increased(fact: Any) -> Text:
    return say("{player} increases a card to {value}", player=fact.player, value=fact.value)


def _scored(fact: Any) -> Brief:
    if not fact.points:
        return UNSAID
    points = (say("{player} {points}", player=player, points=points) for player, points in fact.points.items())
    return Brief(say("{region}: {points}", region=region_name(fact), points=all_of(points)))


BRIEFS: dict[str, Callable[[Any], Brief]] = {
    "first_player_drawn": lambda fact: Brief(say("{player} plays first", player=fact.player), seat=fact.player),
    "round_began": lambda fact: UNSAID,
    "power_card_played": _played,
    "turn_order_set": lambda fact: UNSAID,
    "turn_began": lambda fact: UNSAID,
    "round_ended": lambda fact: UNSAID,
    "supply_taken": _in_turn(_supply),
    "tile_placed": _in_turn(_tile),
    "caballero_placed": _in_turn(_card),
    "caballero_increased": _in_turn(_increased),
    "caballero_returned": _in_turn(lambda fact: say("{player} takes a card off the map", player=fact.player)),
    "ship_bought": _in_turn(lambda fact: say("{player} buys a ship", player=fact.player)),
    "ship_deployed": _in_turn(lambda fact: say("{player} puts a ship to sea", player=fact.player)),
    "ship_moved": _in_turn(lambda fact: say("{player} moves a ship", player=fact.player)),
    "ship_returned": _in_turn(lambda fact: say("{player} takes a ship back", player=fact.player)),
    "castle_built": _in_turn(lambda fact: say("{player} builds a castle", player=fact.player)),
    "castle_moved": _in_turn(lambda fact: say("{player} moves a castle", player=fact.player)),
    "region_scored": _scored,
}
"""Facts in few words, under their stored names. The others are told by their sentences."""
