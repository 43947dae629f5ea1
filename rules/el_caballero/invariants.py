"""What must hold after every fact, whatever happens. Each function says what is wrong, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.el_caballero.board import (
    IN_COURT,
    Board,
    Fact,
    cards_in_court,
    cards_of,
    contacts,
    mode_of,
    region_of_slot,
    slot,
)
from rules.el_caballero.facts import GameEnded, PowerCardPlayed, RegionScored, TableLaid, TilePlaced
from rules.el_caballero.geometry import OPPOSITE, neighbours
from rules.el_caballero.map import Map
from rules.el_caballero.scoring import scores
from rules.el_caballero.tiles import LAND, edges
from rules.seats import final_places


def _same(before: Board, after: Board, *parts: str) -> bool:
    """Whether a fact has left these parts of the board alone."""
    return all(getattr(before, part) is getattr(after, part) for part in parts)


def no_tile_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """Every tile is on the map, face up or in the stack."""
    if _same(before, after, "map", "stack", "visible"):
        return None
    if not after.stack and not after.visible:
        return None  # before the stack is shuffled
    everywhere = sorted([*(sector.tile for sector in after.map.tiles.values()), *after.visible, *after.stack])
    return None if everywhere == sorted(after.rules.tiles) else f"tiles lost or doubled: {everywhere}"


def tiles_match(before: Board, fact: Fact, after: Board) -> str | None:
    """Land meets land, and sea meets sea."""
    if not isinstance(fact, TilePlaced):
        return None
    tiles = after.map.tiles
    sides = edges(fact.tile, fact.rotation)
    for direction, other in enumerate(neighbours(fact.at)):
        if (sector := tiles.get(other)) and edges(sector.tile, sector.rotation)[OPPOSITE[direction]] != sides[
            direction
        ]:
            return f"the tile at {fact.at} does not match the one at {other}"
    return None


def regions_follow_from_the_tiles(before: Board, fact: Fact, after: Board) -> str | None:
    """Regions that were passed on are those that are found anew."""
    if not isinstance(fact, TilePlaced):
        return None
    return None if after.map.chart == Map(after.map.tiles).chart else "the regions are not those of the tiles"


def no_ship_or_castle_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """The general supply, the map and the courts add up to the same number."""
    if not after.courts or _same(before, after, "cards", "governors", "ships", "castles", "fleets"):
        return None
    cards, mode = after.cards.values(), mode_of(after)
    ships = after.ships + sum(after.fleets.values()) + sum(len(card.ships) for card in cards)
    ships += sum(governor.ship for governor in after.governors.values())
    if ships != mode.ships or after.ships < 0 or min(after.fleets.values()) < 0:
        return f"{ships} ships, not {mode.ships}"
    castles = after.castles + sum(card.castle for card in cards)
    return None if castles == mode.castles and after.castles >= 0 else f"{castles} castles, not {mode.castles}"


def cards_suffice(before: Board, fact: Fact, after: Board) -> str | None:
    """A player's cards on the map and those that show the court are never more than there are."""
    if _same(before, after, "cards", "courts"):
        return None
    for player, court in after.courts.items():
        needed = cards_in_court(court) + len(cards_of(after, player))
        if court < 0 or needed > mode_of(after).cards:
            return f"{player} has a court of {court} and needs {needed} cards"
    return None


def cards_meet_land_once(before: Board, fact: Fact, after: Board) -> str | None:
    """Without a Grande a card has one land side at most; no card shares a cell with a tile."""
    if _same(before, after, "cards", "map"):
        return None
    for cell, card in after.cards.items():
        if cell in after.map.tiles:
            return f"a card and a tile lie at {cell}"
        if not card.grande and contacts(after, cell).land.bit_count() > 1:
            return f"the card at {cell} meets land on several sides"
    return None


def ships_lie_at_sea(before: Board, fact: Fact, after: Board) -> str | None:
    if _same(before, after, "cards", "governors", "map"):
        return None
    for cell, card in after.cards.items():
        sea = contacts(after, cell).sea
        if not all(sea >> direction & 1 for direction in card.ships) or len(set(card.ships)) < len(card.ships):
            return f"the ships at {cell} do not lie at sea: {card.ships}"
    for key, governor in after.governors.items():
        if governor.ship and region_of_slot(after, key).kind == LAND:
            return f"a ship lies on land with the governor at {key}"
    return None


def lords_stand_where_they_may(before: Board, fact: Fact, after: Board) -> str | None:
    """One Grande a player, on an own card or in court; one governor a region, in closed regions."""
    if _same(before, after, "cards", "governors", "governors_left", "grandes", "map"):
        return None
    for player, cell in after.grandes.items():
        own = [at for at, card in cards_of(after, player).items() if card.grande]
        if own != ([cell] if cell != IN_COURT else []):
            return f"{player}'s Grande is said to be at {cell or 'court'}, and stands at {own}"
    governors = Counter(governor.owner for governor in after.governors.values())
    for player, left in after.governors_left.items():
        if left < 0 or left + governors[player] != mode_of(after).governors:
            return f"{player} has {left} governors left and {governors[player]} on the map"
    for key in after.governors:
        region = region_of_slot(after, key)
        if not region.is_closed or slot(*region.site) != key:
            return f"the governor at {key} is in no closed region of that name"
    return None


def power_cards_are_all_there(before: Board, fact: Fact, after: Board) -> str | None:
    """Hand and played cards make up the whole set; no value is played twice in a round."""
    if len(set(after.power.values())) < len(after.power):
        return f"a power card was played twice: {after.power}"
    if not isinstance(fact, PowerCardPlayed):
        return None
    for player in after.players:
        if sorted((*after.hands[player], *after.history[player])) != sorted(after.rules.power_cards):
            return f"{player}'s power cards are {after.hands[player]} and {after.history[player]}"
    return None


def points_follow_from_the_board(before: Board, fact: Fact, after: Board) -> str | None:
    """A region is scored as it lies, and nothing else brings points."""
    if isinstance(fact, RegionScored):
        return None if fact in scores(before) else f"the region at {fact.at} is not scored as it lies"
    return None if after.scores is before.scores or isinstance(fact, TableLaid) else "points came from nowhere"


def places_follow_from_the_scores(before: Board, fact: Fact, after: Board) -> str | None:
    if not isinstance(fact, GameEnded) or fact.places == final_places(before.scores):
        return None
    return f"the places {fact.places} do not follow from the scores {before.scores}"


INVARIANTS = (
    no_tile_is_lost,
    tiles_match,
    regions_follow_from_the_tiles,
    no_ship_or_castle_is_lost,
    cards_suffice,
    cards_meet_land_once,
    ships_lie_at_sea,
    lords_stand_where_they_may,
    power_cards_are_all_there,
    points_follow_from_the_board,
    places_follow_from_the_scores,
)


# A game as a whole


def every_turn_is_taken_and_everything_scored(board: Board, facts: Iterable[Fact]) -> str | None:
    """Every player has a turn in every round, and everything is scored as often as the mode says."""
    happened = Counter(str(fact.__struct_config__.tag) for fact in facts)
    mode = mode_of(board)
    turns = mode.rounds * len(board.players)
    for name, expected in (("turn_ended", turns), ("scoring_began", len(mode.scoring_rounds)), ("game_ended", 1)):
        if happened[name] != expected:
            return f"{name} happened {happened[name]} times, not {expected}"
    return None
