"""Placing sector tiles: where they fit, and which cards they eliminate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from rules.el_caballero.board import Board, Fact, contacts, is_empty
from rules.el_caballero.commands import PlaceTile
from rules.el_caballero.facts import Departure, TilePlaced
from rules.el_caballero.geometry import DIRECTIONS, DIRECTIONS_OF, OPPOSITE, coordinates, neighbours
from rules.el_caballero.map import NOTHING
from rules.el_caballero.steps.actions import Action, cells, check_cell, check_rotation, form
from rules.el_caballero.tiles import LAND_SIDES
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player
from rules.texts import say

BESIDE_TILES, BESIDE_OWN_CARDS, BESIDE_OTHERS = TIERS = (1, 2, 3)


class Sites(Struct, frozen=True):
    """Where tiles may be placed now: by the sides that show land, as bits, the cells that take such a tile."""

    tier: int = 0
    cells: Mapping[int, list[str]] = {}


class PlaceSector(Action, frozen=True):
    """The player lays a visible tile: beside tiles that match; failing that, beside own cards, then others'."""

    kind = "place_tile"
    counter = "tiles"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        """One form for the tiles that fit the same cells in the same rotations."""
        sites = sites_of(board, by)
        alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for tile in board.visible:
            rotations: dict[int, list[int]] = {}
            for rotation in DIRECTIONS:
                rotations.setdefault(LAND_SIDES[tile, rotation], []).append(rotation)
            for land, turned in rotations.items():
                if sites.cells.get(land):
                    alike.setdefault((land, tuple(turned)), []).append(tile)
        return tuple(
            form(
                self.kind,
                say("place a sector tile"),
                tile=Choice(tuple(tiles), of="tile"),
                at=cells(sites.cells[land], "tile_cell"),
                rotation=Choice(turned, of="tile_rotation"),
            )
            for (land, turned), tiles in alike.items()
        )

    def facts(self, board: Board, by: Player, command: PlaceTile) -> tuple[Fact, ...]:
        check_placement(board, by, command)
        eliminated = tuple(eliminations(board, command.at, LAND_SIDES[command.tile, command.rotation]))
        return (TilePlaced(by, command.tile, command.at, command.rotation, eliminated),)


# Where tiles fit


def sites_of(board: Board, by: Player) -> Sites:
    """The first tier that has a place for any visible tile, and its places."""
    if board.fitting:
        return Sites(BESIDE_TILES, board.fitting)
    shapes = {LAND_SIDES[tile, rotation] for tile in board.visible for rotation in DIRECTIONS}
    for tier in (BESIDE_OWN_CARDS, BESIDE_OTHERS):
        if shapes and (beside_cards := list(_cells_beside_cards(board, by, tier))):
            return Sites(tier, dict.fromkeys(shapes, beside_cards))
    return Sites()


def _cells_beside_cards(board: Board, by: Player, tier: int) -> Iterator[str]:
    """Empty cells that meet no tile, but an own card, or another player's."""
    wanted = (cell for cell, card in board.cards.items() if (card.owner == by) == (tier == BESIDE_OWN_CARDS))
    beside = dict.fromkeys(other for cell in wanted for other in neighbours(cell))
    return (cell for cell in beside if is_empty(board, cell) and contacts(board, cell) is NOTHING)


def can_place(board: Board, by: Player) -> bool:
    """Whether any visible tile can be placed anywhere."""
    return bool(sites_of(board, by).cells)


def check_placement(board: Board, by: Player, command: PlaceTile) -> None:
    if command.tile not in board.visible:
        raise RuleBroken(say("tile {tile} does not lie face up", tile=command.tile), "tile")
    check_rotation(command.rotation)
    check_cell(command.at)
    if not is_empty(board, command.at):
        raise RuleBroken(say("something lies at {cell} already: choose an empty cell", cell=command.at), "cell")
    sites, shape = sites_of(board, by), LAND_SIDES[command.tile, command.rotation]
    if command.at in sites.cells.get(shape, ()):
        return
    around = contacts(board, command.at)
    if shape & around.tiles != around.land:
        raise RuleBroken(
            say("land meets land, and sea meets sea: the tile does not fit so at {cell}", cell=command.at), "match"
        )
    if sites.tier == BESIDE_TILES:
        raise RuleBroken(say("{cell} is beside no sector tile, and a tile fits beside one", cell=command.at), "tiers")
    if sites.tier == BESIDE_OWN_CARDS:
        raise RuleBroken(say("no tile fits beside another: place one beside a card of your own"), "tiers")
    if sites.tier == BESIDE_OTHERS:
        raise RuleBroken(
            say("no tile fits beside another or your cards: place one beside a card of another player"), "tiers"
        )
    raise RuleBroken(say("no visible tile can be placed now"), "tiers")


# Elimination


def threatened(board: Board, cell: str) -> int:
    """The directions in which land beside this cell would eliminate a card, as bits."""
    bits = 0
    for direction, other in enumerate(neighbours(cell)):
        card = board.cards.get(other)
        if card and not card.grande and contacts(board, other).land:
            bits |= 1 << direction
    return bits


def eliminations(board: Board, at: str, land: int) -> Iterator[Departure]:
    """The cards without a Grande that a tile at this cell gives a second land side."""
    for direction in DIRECTIONS_OF[threatened(board, at) & land]:
        cell = neighbours(at)[direction]
        [former] = DIRECTIONS_OF[contacts(board, cell).land]
        assert former != OPPOSITE[direction], "a tile meets a side that meets one already"
        yield eliminated(board, cell, board.cards[cell].shows(former))


def eliminated(board: Board, at: str, value: int) -> Departure:
    """A castle saves the Caballeros and the ships; without one all of them are lost."""
    card = board.cards[at]
    if card.castle:
        return Departure(card.owner, at, caballeros=value, fleet=len(card.ships), castle=True)
    return Departure(card.owner, at, ships=len(card.ships))


def mildest(board: Board, by: Player) -> PlaceTile:
    """The default: as few eliminated cards as possible, then the lowest tile, row, column and rotation."""
    return min(_placements(board, by), key=lambda placement: placement[0])[1]


def _placements(board: Board, by: Player) -> Iterable[tuple[tuple[int, ...], PlaceTile]]:
    sites = sites_of(board, by).cells
    danger = {cell: threatened(board, cell) for places in sites.values() for cell in places}
    for tile in board.visible:
        for rotation in DIRECTIONS:
            land = LAND_SIDES[tile, rotation]
            for cell in sites.get(land, ()):
                x, y = coordinates(cell)
                harm = (danger[cell] & land).bit_count()
                yield (harm, tile, y, x, rotation), PlaceTile(tile, cell, rotation)
