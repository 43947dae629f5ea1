"""The position, and the questions one can ask about it.

Everything lies open but the order of the stack. What follows from the tiles is asked of the map (`map.py`); what
follows from tiles and cards together is asked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from rules import kernel
from rules.el_caballero.extension import RULES, Mode, Rules
from rules.el_caballero.geometry import DIRECTIONS, DIRECTIONS_OF, LEAST, OPPOSITE, neighbours, number
from rules.el_caballero.map import NOTHING, Contacts, Map, Region
from rules.el_caballero.tiles import LAND_SIDES, SEA
from rules.kernel import Player

COLOURS = ("red", "blue", "yellow", "green")
"""The players' names at the table, clockwise by seat."""

BASIC, ADVANCED = "basic", "advanced"
HEADS_ON_A_CARD = 8
"""A card that shows the court shows so many Caballeros at most."""
IN_COURT = ""
"""Where a Grande is that stands on no card."""

Anchor = tuple[int, int, int]


class Card(Struct, frozen=True, omit_defaults=True):
    """A Caballero card on the map."""

    owner: Player
    face: str
    rotation: int
    ships: tuple[int, ...] = ()
    """The directions in which ships lie at it."""
    castle: bool = False
    grande: bool = False

    def shows(self, direction: int) -> int:
        """The number on the side that faces this direction."""
        return LEAST[self.face] + (direction - self.rotation) % 4


class Governor(Struct, frozen=True, omit_defaults=True):
    """A governor of a closed region, and whether a ship lies there."""

    owner: Player
    ship: bool = False


class Board(Struct, frozen=True, dict=True):
    """Everything on the table, in the hands and in the stack."""

    variant: str
    players: tuple[Player, ...]
    mode: str = BASIC

    round: int = 0
    map: Map = Map()
    cards: Mapping[str, Card] = {}
    """The Caballero cards on the map, by cell."""
    governors: Mapping[str, Governor] = {}
    """By the side after which their region is named: `x,y:direction`."""

    courts: Mapping[Player, int] = {}
    fleets: Mapping[Player, int] = {}
    """The ships in each court."""
    governors_left: Mapping[Player, int] = {}
    grandes: Mapping[Player, str] = {}
    """The cell of each Grande; nothing while it is in court."""
    ships: int = 0
    castles: int = 0
    """What is left in the general supply."""

    visible: tuple[int, ...] = ()
    stack: tuple[int, ...] = ()
    hands: Mapping[Player, tuple[int, ...]] = {}
    power: Mapping[Player, int] = {}
    history: Mapping[Player, tuple[int, ...]] = {}

    scores: Mapping[Player, int] = {}
    first: Player = ""
    turn: Player = ""
    queue: tuple[Player, ...] = ()
    places: Mapping[Player, int] = {}

    @property
    def rules(self) -> Rules:
        return RULES[self.variant]

    def consequences(self, state: State) -> tuple[Step, ...]:
        """Nothing interrupts a turn of this game."""
        return ()

    @cached_property
    def cards_by_owner(self) -> Mapping[Player, Mapping[str, Card]]:
        owned: dict[Player, dict[str, Card]] = {}
        for cell, card in self.cards.items():
            owned.setdefault(card.owner, {})[cell] = card
        return owned

    @cached_property
    def fitting(self) -> Mapping[int, list[str]]:
        """The empty cells beside tiles that take a visible tile, by the directions in which it shows land, as bits."""
        shapes = {LAND_SIDES[tile, rotation] for tile in self.visible for rotation in DIRECTIONS}
        fitting: dict[int, list[str]] = {}
        for cell, around in open_cells(self):
            known, land = around.tiles, around.land
            for shape in shapes:
                if shape & known == land:
                    fitting.setdefault(shape, []).append(cell)
        return fitting

    @cached_property
    def counts(self) -> Mapping[Anchor, Mapping[Player, int]]:
        """How many Caballeros each player has in every land region that a card borders."""
        counts: dict[Anchor, dict[Player, int]] = {}
        for cell, card in self.cards.items():
            for direction, region in bordered_land(self, cell):
                there = counts.setdefault(region.anchor, {})
                there[card.owner] = there.get(card.owner, 0) + card.shows(direction)
        return counts


# The kernel's notions, on this board.
Fact = kernel.Fact[Board]
State = kernel.State[Board]
Step = kernel.Step[Board]


def mode_of(board: Board) -> Mode:
    return board.rules.modes[board.mode]


# Cells


def contacts(board: Board, cell: str) -> Contacts:
    """What a cell without a tile borders."""
    return board.map.chart.contacts.get(cell, NOTHING)


def is_empty(board: Board, cell: str) -> bool:
    return cell not in board.cards and cell not in board.map.tiles


def open_cells(board: Board) -> Iterator[tuple[str, Contacts]]:
    """The empty cells beside a tile."""
    for cell, around in board.map.chart.contacts.items():
        if cell not in board.cards:
            yield cell, around


def region_beyond(board: Board, cell: str, direction: int) -> Region:
    """The region that a cell borders in this direction."""
    return board.map.chart.regions[neighbours(cell)[direction], OPPOSITE[direction]]


def bordered_land(board: Board, cell: str) -> Iterator[tuple[int, Region]]:
    """Every direction in which a cell borders land, and the region there."""
    for direction in DIRECTIONS_OF[contacts(board, cell).land]:
        yield direction, region_beyond(board, cell, direction)


# Courts and cards


def cards_of(board: Board, player: Player) -> Mapping[str, Card]:
    """The player's cards on the map."""
    return board.cards_by_owner.get(player, {})


def cards_in_court(court: int) -> int:
    """How many cards show a court of this size: always the fewest.

    >>> [cards_in_court(court) for court in (5, 3, 13, 16, 17, 0)]
    [1, 1, 2, 2, 3, 0]
    """
    return -(-court // HEADS_ON_A_CARD)


def reserve(board: Board, player: Player) -> int:
    """The player's cards that are neither on the map nor in court."""
    return mode_of(board).cards - len(cards_of(board, player)) - cards_in_court(board.courts[player])


def room(board: Board, player: Player) -> int:
    """How many more Caballeros the court can take."""
    return HEADS_ON_A_CARD * (mode_of(board).cards - len(cards_of(board, player))) - board.courts[player]


def shown_to_land(board: Board, cell: str, face: str, rotation: int) -> tuple[int, ...]:
    """The numbers that a card would show to land in a cell."""
    return tuple(number(face, rotation, direction) for direction in DIRECTIONS_OF[contacts(board, cell).land])


def protected_value(board: Board, cell: str) -> int:
    """The Caballeros that a castle saves when its card leaves: the highest number that faces land, or one at sea."""
    card = board.cards[cell]
    return max(shown_to_land(board, cell, card.face, card.rotation), default=1)


# Ships


def slot(cell: str, direction: int) -> str:
    """A place for a ship or a governor, in one word."""
    return f"{cell}:{direction}"


def parse_slot(key: str) -> tuple[str, int]:
    cell, _, direction = key.partition(":")
    return cell, int(direction)


def region_of_slot(board: Board, key: str) -> Region:
    """The region of a governor."""
    return board.map.chart.regions[parse_slot(key)]


def ships_of(board: Board, player: Player) -> list[tuple[str, int]]:
    """Where the player's ships lie: at cards, then at governors."""
    at_cards = [(cell, direction) for cell, card in cards_of(board, player).items() for direction in card.ships]
    at_governors = [
        parse_slot(key) for key, governor in board.governors.items() if governor.owner == player and governor.ship
    ]
    return at_cards + at_governors


def free_slots(board: Board, player: Player) -> list[tuple[str, int]]:
    """Where the player may put a ship: sea sides of own cards, and own governors of seas, one ship each."""
    at_cards = [
        (cell, direction)
        for cell, card in cards_of(board, player).items()
        for direction in DIRECTIONS_OF[contacts(board, cell).sea]
        if direction not in card.ships
    ]
    return at_cards + [
        parse_slot(key)
        for key, governor in board.governors.items()
        if governor.owner == player and not governor.ship and region_of_slot(board, key).kind == SEA
    ]


# Regions


def closed_regions(board: Board) -> list[Region]:
    """The closed regions without a governor, each once."""
    taken = {region_of_slot(board, key).anchor for key in board.governors}
    return [
        region for anchor, region in board.map.distinct_regions().items() if region.is_closed and anchor not in taken
    ]
