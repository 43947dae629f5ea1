"""What things are called: the ids that texts carry, as people say them."""

from __future__ import annotations

from rules.el_caballero.tiles import FISH, GOLD, LAND, SEA, TILES, Tile
from rules.seats import SEATS
from rules.texts import Text, Value, say, say_many

SHAPES = {
    "SSSS": say("open sea"),
    "LSSS": say("a cape"),
    "LLSS": say("a coast"),
    "LSLS": say("an isthmus"),
    "LLLS": say("a bay"),
    "LLLL": say("inland"),
}
"""What the shapes of tiles look like, by their sides before they are turned."""

NAMES: dict[str, Text] = {
    "el_caballero": say("El Caballero"),
    **SEATS,
    LAND: say("land"),
    SEA: say("sea"),
    GOLD: say("gold"),
    FISH: say("fish"),
    "low": say("low"),
    "high": say("high"),
}


def tile_name(number: int) -> Text:
    """A tile in a few words.

    >>> str(tile_name(8)), str(tile_name(4))
    ('a cape with gold', 'a cape')
    """
    return _described(TILES[number])


def _described(tile: Tile) -> Text:
    shape = SHAPES[tile.edges]
    if tile.symbol == GOLD:
        return say("{tile} with gold", tile=shape)
    if tile.symbol == FISH:
        return say("{tile} with fish", tile=shape)
    return shape


def region_title(kind: str, at: Value) -> Text:
    """A region, by the cell or the side after which it is called."""
    return say("Land at {place}", place=at) if kind == LAND else say("Sea at {place}", place=at)


def power_card(heads: int, tiles: int) -> Text:
    """What a power card does, beside the order of turns."""
    if tiles > 1:
        return say_many(
            "Bring up to {count} Caballero to court; place {tiles} sector tiles.",
            "Bring up to {count} Caballeros to court; place {tiles} sector tiles.",
            heads,
            tiles=tiles,
        )
    if not heads:
        return say("Bring no Caballeros to court.")
    return say_many("Bring {count} Caballero to court, or none.", "Bring up to {count} Caballeros to court.", heads)
