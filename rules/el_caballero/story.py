"""Every fact as a sentence. Each is a table entry under the fact's stored name. Ids get their names when it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rules.el_caballero.facts import Departure
from rules.el_caballero.names import tile_name
from rules.el_caballero.steps.actions import COMPASS
from rules.el_caballero.tiles import LAND
from rules.kernel import ONLY_OPTION
from rules.texts import Text, all_of, clauses, say, say_many


def _table_laid(fact: Any) -> Text:
    return say("every player begins with a court of {count}", count=fact.court)


def _round_began(fact: Any) -> Text:
    if not fact.tiles:
        return say("round {round} begins", round=fact.round)
    return say("round {round}: {tiles} are turned up", round=fact.round, tiles=all_of(map(tile_name, fact.tiles)))


def _game_ended(fact: Any) -> Text:
    winners = [player for player, place in fact.places.items() if place == 1]
    return say_many(
        "the game is over: {winners} wins",
        "the game is over: {winners} share the win",
        len(winners),
        winners=all_of(winners),
    )


def _supply_taken(fact: Any) -> Text:
    return say_many(
        "{player} brings {count} Caballero to court",
        "{player} brings {count} Caballeros to court",
        fact.count,
        player=fact.player,
    )


def _tile_placed(fact: Any) -> Text:
    placed = say("{player} lays {tile} at {cell}", player=fact.player, tile=tile_name(fact.tile), cell=fact.at)
    return clauses([placed, *map(eliminated, fact.eliminated)])


def eliminated(card: Departure) -> Text:
    """A card that must leave, and what becomes of what was on it."""
    lost = say("{player}'s card at {cell} is eliminated", player=card.owner, cell=card.at)
    return say("{card}, its castle saves {saved}", card=lost, saved=card.caballeros) if card.castle else lost


def _placed(fact: Any) -> Text:
    if not fact.grande:
        return say("{player} lays a card at {cell} for {cost}", player=fact.player, cell=fact.at, cost=fact.cost)
    placed = say(
        "{player} lays a card with the Grande at {cell} for {cost}", player=fact.player, cell=fact.at, cost=fact.cost
    )
    return clauses([placed, *map(eliminated, filter(None, [fact.left]))])


def _increased(fact: Any) -> Text:
    return say(
        "{player} increases the card at {cell} to {value} for {cost}",
        player=fact.player,
        cell=fact.at,
        value=fact.value,
        cost=fact.cost,
    )


def _returned(fact: Any) -> Text:
    card = fact.card
    taken = say("{player} takes the card at {cell} off the map", player=fact.player, cell=card.at)
    return clauses([taken, *_brought(card)])


def _brought(card: Departure) -> Iterator[Text]:
    if card.castle:
        yield say("its castle saves {saved}", saved=card.caballeros)
    if card.fleet:
        yield say_many("{count} ship goes to court", "{count} ships go to court", card.fleet)
    if card.grande:
        yield say("the Grande goes to court")


def _ship_bought(fact: Any) -> Text:
    return say("{player} buys a ship at {place}", player=fact.player, place=place(fact.at, fact.direction))


def _ship_deployed(fact: Any) -> Text:
    return say(
        "{player} puts a ship of the court to sea at {place}", player=fact.player, place=place(fact.at, fact.direction)
    )


def _ship_moved(fact: Any) -> Text:
    return say(
        "{player} moves a ship from {source} to {target}",
        player=fact.player,
        source=place(fact.source, fact.source_direction),
        target=place(fact.at, fact.direction),
    )


def _ship_returned(fact: Any) -> Text:
    return say(
        "{player} takes the ship at {place} back to court", player=fact.player, place=place(fact.at, fact.direction)
    )


def place(at: str, direction: int) -> Text:
    """A side of a cell."""
    return say("{cell} ({direction})", cell=at, direction=COMPASS[direction])


def _castle_moved(fact: Any) -> Text:
    return say(
        "{player} moves the castle from {source} to {target}", player=fact.player, source=fact.source, target=fact.at
    )


def _governor_placed(fact: Any) -> Text:
    if fact.kind == LAND:
        return say("{player} sends a governor to the land at {cell}", player=fact.player, cell=fact.at)
    return say("{player} sends a governor to the sea at {cell}", player=fact.player, cell=fact.at)


def _grande_moved(fact: Any) -> Text:
    moved = say("{player} moves the Grande to the card at {cell}", player=fact.player, cell=fact.at)
    return clauses([moved, *map(eliminated, filter(None, [fact.left]))])


def _scored(fact: Any) -> Text:
    region = region_name(fact)
    if not fact.points:
        return say("{region}, worth {value}, is scored: no player gets points", region=region, value=fact.value)
    points = (say("{player} {points}", player=player, points=points) for player, points in fact.points.items())
    return say("{region}, worth {value}, is scored: {points}", region=region, value=fact.value, points=all_of(points))


def region_name(fact: Any) -> Text:
    """A region by the side after which it is named."""
    at = place(fact.at, fact.direction)
    return say("the land at {place}", place=at) if fact.kind == LAND else say("the sea at {place}", place=at)


def _answered_for(fact: Any) -> Text:
    if fact.because == ONLY_OPTION:
        return say(
            "{player} does not answer ({decision}): only one way to go", player=fact.player, decision=fact.decision
        )
    return say("{player} does not answer in time", player=fact.player)


SENTENCES: dict[str, Callable[[Any], Text]] = {
    "table_laid": _table_laid,
    "start_tile_drawn": lambda fact: say("the map begins with {tile}", tile=tile_name(fact.tile)),
    "stack_shuffled": lambda fact: say("the tiles are shuffled"),
    "first_player_drawn": lambda fact: say("{player} plays first", player=fact.player),
    "round_began": _round_began,
    "power_card_played": lambda fact: say("{player} plays power card {value}", player=fact.player, value=fact.value),
    "turn_order_set": lambda fact: say("turns go {players}", players=all_of(fact.order)),
    "turn_began": lambda fact: say("it is {player}'s turn", player=fact.player),
    "turn_ended": lambda fact: say("{player}'s turn ends", player=fact.player),
    "round_ended": lambda fact: say("round {round} ends; {first} will play first", round=fact.round, first=fact.first),
    "scoring_began": lambda fact: say("scoring after round {round}", round=fact.round),
    "region_scored": _scored,
    "game_ended": _game_ended,
    "supply_taken": _supply_taken,
    "tile_placed": _tile_placed,
    "caballero_placed": _placed,
    "caballero_increased": _increased,
    "caballero_returned": _returned,
    "ship_bought": _ship_bought,
    "ship_deployed": _ship_deployed,
    "ship_moved": _ship_moved,
    "ship_returned": _ship_returned,
    "castle_built": lambda fact: say("{player} builds a castle at {cell}", player=fact.player, cell=fact.at),
    "castle_moved": _castle_moved,
    "governor_placed": _governor_placed,
    "grande_placed": lambda fact: say(
        "{player} places the Grande on the card at {cell}", player=fact.player, cell=fact.at
    ),
    "grande_moved": _grande_moved,
    "answered_for_player": _answered_for,
}
