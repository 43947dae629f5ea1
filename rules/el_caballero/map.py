"""The map: sector tiles on a grid, and what follows from them: regions, and what every cell beside them borders.

Regions are derived from the tiles and not stored. A map that grows by a tile passes them on and merges those that
the tile touches: measured, a tenth of the time of finding all of them anew.

>>> islands = Map().laid("0,0", Sector(4, 1)).laid("1,0", Sector(8, 3))
>>> region = islands.chart.regions["0,0", 1]
>>> region.kind, region.value, region.is_closed, region.anchor
('land', 3, True, (0, 0, 1))
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from rules.el_caballero.geometry import OPPOSITE, coordinates, neighbours
from rules.el_caballero.tiles import LAND_SIDES, SECTIONS, Section

Side = tuple[str, int]
"""A side of a tile: its cell and a direction."""


class Sector(Struct, frozen=True):
    """A sector tile as it lies on the map."""

    tile: int
    rotation: int = 0


class Region(Struct, frozen=True, gc=False):
    """Sections of one kind that hang together."""

    kind: str
    anchor: tuple[int, int, int]
    """The smallest row, column and direction of its sides: its name."""
    cells: frozenset[str]
    sides: frozenset[Side]
    symbols: int
    gaps: int
    """How many of its sides meet no tile."""

    @property
    def value(self) -> int:
        """One for every tile, one for every piece of gold or fish."""
        return len(self.cells) + self.symbols

    @property
    def is_closed(self) -> bool:
        """Whether every side meets a tile: nothing can ever be added."""
        return not self.gaps

    @property
    def site(self) -> Side:
        """The side after which it is named."""
        row, column, direction = self.anchor
        return f"{column},{row}", direction


class Contacts(Struct, frozen=True, gc=False):
    """The directions in which a cell meets tiles, and those in which it meets land, as bits."""

    tiles: int = 0
    land: int = 0

    @property
    def sea(self) -> int:
        return self.tiles & ~self.land


NOTHING = Contacts()


class Chart(Struct, frozen=True):
    """What follows from the tiles on a map."""

    regions: Mapping[Side, Region] = {}
    """The region of every side of every tile."""
    contacts: Mapping[str, Contacts] = {}
    """What every cell without a tile borders, if it borders a tile at all."""


class Map(Struct, frozen=True, dict=True):
    """The sector tiles that were laid, by cell."""

    tiles: Mapping[str, Sector] = {}

    @cached_property
    def chart(self) -> Chart:
        chart = Chart()
        known: dict[str, Sector] = {}
        for cell, sector in self.tiles.items():
            chart = _extended(chart, known, cell, sector)
            known[cell] = sector
        return chart

    def laid(self, cell: str, sector: Sector) -> Map:
        """The map with one more tile."""
        following = Map({**self.tiles, cell: sector})
        if known := self.__dict__.get("chart"):
            following.__dict__["chart"] = _extended(known, self.tiles, cell, sector)
        return following

    def distinct_regions(self) -> dict[tuple[int, int, int], Region]:
        """Every region once, by its anchor, in reading order."""
        found = {region.anchor: region for region in self.chart.regions.values()}
        return {anchor: found[anchor] for anchor in sorted(found)}


def _extended(chart: Chart, tiles: Mapping[str, Sector], cell: str, sector: Sector) -> Chart:
    """The chart after one more tile."""
    placed = (sector.tile, sector.rotation)
    around = neighbours(cell)
    regions = dict(chart.regions)
    for section in SECTIONS[placed]:
        region = _merged(regions, cell, section)
        regions.update(dict.fromkeys(region.sides, region))
    contacts = dict(chart.contacts)
    contacts.pop(cell, None)
    land = LAND_SIDES[placed]
    for direction, other in enumerate(around):
        if other not in tiles:
            known, bit = contacts.get(other, NOTHING), 1 << OPPOSITE[direction]
            contacts[other] = Contacts(known.tiles | bit, known.land | bit * (land >> direction & 1))
    return Chart(regions, contacts)


def _merged(regions: Mapping[Side, Region], cell: str, section: Section) -> Region:
    """The region that a new section makes of those that it touches."""
    x, y = coordinates(cell)
    around = neighbours(cell)
    touched: dict[tuple[int, int, int], Region] = {}
    met = 0
    for direction in section.sides:
        other = regions.get((around[direction], OPPOSITE[direction]))
        if other is not None and other.kind == section.kind:
            touched[other.anchor] = other
            met += 1
    sides = {(cell, direction) for direction in section.sides}
    cells = {cell}
    symbols, gaps, anchor = section.symbols, len(section.sides) - 2 * met, (y, x, section.sides[0])
    for other in touched.values():
        sides |= other.sides
        cells |= other.cells
        symbols += other.symbols
        gaps += other.gaps
        anchor = min(anchor, other.anchor)
    return Region(section.kind, anchor, frozenset(cells), frozenset(sides), symbols, gaps)
