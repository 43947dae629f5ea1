"""What El Caballero is made of: its tiles, its power cards, prices and limits, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from rules.el_caballero.extension import Rules
from rules.el_caballero.geometry import FACES, LEAST
from rules.el_caballero.names import power_card, tile_name
from rules.texts import ENGLISH, Catalogue


class SectorTile(TypedDict):
    """A sector tile."""

    id: int
    name: str
    """What it shows, in a few words."""
    edges: str
    """Land (`L`) or sea (`S`) to the north, east, south and west before it is turned."""
    symbol: str
    """`gold`, `fish` or nothing."""
    symbol_edge: int
    """A side of the section that shows the symbol."""


class HeadsCard(TypedDict):
    """A power card."""

    value: int
    heads: int
    """How many Caballeros come to court."""
    tiles: int
    """How many sector tiles must be placed."""
    text: str
    """What it does, in a sentence."""


class ModeOfPlay(TypedDict):
    """The basic or the advanced game."""

    rounds: int
    scoring_rounds: tuple[int, ...]
    cards: int
    """Caballero cards of each player."""
    ships: int
    """In the general supply."""
    castles: int
    """In the general supply."""
    governors: int
    """Of each player."""
    grandes: int
    """Of each player."""


class RuleBook(TypedDict):
    """The material of the game."""

    tiles: list[SectorTile]
    power_cards: list[HeadsCard]
    modes: dict[str, ModeOfPlay]
    faces: dict[str, tuple[int, ...]]
    """The numbers on both faces of a Caballero card, clockwise from the north when it is not turned."""
    costs: Mapping[str, int]
    """What an action costs, if that does not depend on a number."""
    limits: Mapping[str, int]
    """How often the actions that share a counter can be taken in a turn."""


def rulebook(rules: Rules, catalogue: Catalogue = ENGLISH) -> RuleBook:
    """Everything that does not change while a game is played.

    >>> from rules.el_caballero.base import BASE
    >>> rulebook(BASE)["power_cards"][8]["text"]
    'Bring up to 3 Caballeros to court; place 2 sector tiles.'
    """
    return {
        "tiles": [
            {
                "id": number,
                "name": tile_name(number).rendered(catalogue),
                "edges": tile.edges,
                "symbol": tile.symbol,
                "symbol_edge": tile.symbol_edge,
            }
            for number, tile in rules.tiles.items()
        ],
        "power_cards": [
            {
                "value": value,
                "heads": card.heads,
                "tiles": card.tiles,
                "text": power_card(card.heads, card.tiles).rendered(catalogue),
            }
            for value, card in rules.power_cards.items()
        ],
        "modes": {
            name: {
                "rounds": mode.rounds,
                "scoring_rounds": mode.scoring_rounds,
                "cards": mode.cards,
                "ships": mode.ships,
                "castles": mode.castles,
                "governors": mode.governors,
                "grandes": mode.grandes,
            }
            for name, mode in rules.modes.items()
        },
        "faces": {face: tuple(range(LEAST[face], LEAST[face] + 4)) for face in FACES},
        "costs": rules.costs,
        "limits": rules.limits,
    }
