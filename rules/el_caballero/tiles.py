"""The 48 sector tiles, as data: no source lists them, so that they are corrected here and nowhere else.

Every side of a tile is land or sea. Each of the 16 ways to give land or sea to four sides comes three times; a third of
the mixed tiles is plain, a third shows gold, a third a fish; tiles that are all land or all sea always show something.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rules.el_caballero.geometry import DIRECTIONS

LAND, SEA = "land", "sea"
GOLD, FISH = "gold", "fish"


class Tile(Struct, frozen=True):
    """A sector tile: its sides N, E, S, W when it is not turned, and what it shows."""

    edges: str
    symbol: str = ""
    symbol_edge: int = 0
    """Any side of the section that shows the symbol."""


class Section(Struct, frozen=True):
    """One land or sea area of a tile: the directions of its sides, and how many symbols it shows."""

    kind: str
    sides: tuple[int, ...]
    symbols: int


class Shape(Struct, frozen=True):
    """So many tiles with these sides are plain, show gold, show a fish."""

    edges: str
    plain: int
    gold: int
    fish: int
    fish_edge: int = 0


SHAPES = (
    Shape("SSSS", 0, 0, 3),
    Shape("LSSS", 4, 4, 4, fish_edge=2),
    Shape("LLSS", 4, 4, 4, fish_edge=2),
    Shape("LSLS", 2, 2, 2, fish_edge=1),
    Shape("LLLS", 4, 4, 4, fish_edge=3),
    Shape("LLLL", 0, 3, 0),
)


def _tiles() -> Iterator[Tile]:
    for shape in SHAPES:
        yield from (Tile(shape.edges) for _ in range(shape.plain))
        yield from (Tile(shape.edges, GOLD) for _ in range(shape.gold))
        yield from (Tile(shape.edges, FISH, shape.fish_edge) for _ in range(shape.fish))


TILES = dict(enumerate(_tiles(), start=1))
"""All tiles by their numbers."""


def edges(tile: int, rotation: int) -> str:
    """The sides that face N, E, S, W after so many quarter turns clockwise.

    >>> edges(16, 1)
    'SLLS'
    """
    printed = TILES[tile].edges
    return printed[-rotation:] + printed[:-rotation] if rotation else printed


def _land_sides(tile: int, rotation: int) -> int:
    return sum(1 << direction for direction, kind in enumerate(edges(tile, rotation)) if kind == "L")


def _sections(tile: int, rotation: int) -> Iterator[Section]:
    """All land is one section; so is all sea, unless land runs through the middle."""
    row, sides = TILES[tile], edges(tile, rotation)
    shown = (row.symbol_edge + rotation) % 4
    land = tuple(direction for direction in DIRECTIONS if sides[direction] == "L")
    sea = tuple(direction for direction in DIRECTIONS if sides[direction] == "S")
    is_parted = len(sea) == 2 and sea[1] - sea[0] == 2
    seas = tuple((side,) for side in sea) if is_parted else (sea,)
    if land:
        yield Section(LAND, land, int(row.symbol == GOLD))
    yield from (Section(SEA, part, int(row.symbol == FISH and shown in part)) for part in seas if part)


LAND_SIDES = {(tile, rotation): _land_sides(tile, rotation) for tile in TILES for rotation in DIRECTIONS}
"""A tile and its rotation to the directions in which it shows land, as bits."""

SECTIONS = {(tile, rotation): tuple(_sections(tile, rotation)) for tile in TILES for rotation in DIRECTIONS}
