"""Tiles, cards and what stands on them, as symbols. All of them stand on the middle of their cell."""

# ruff: noqa: E501 - outlines are long

from __future__ import annotations

from collections.abc import Iterator

from rules.el_caballero.board import COLOURS
from rules.el_caballero.geometry import DIRECTIONS
from rules.el_caballero.picture.geography import HALF, OUT, SIZE, shore
from rules.el_caballero.tiles import FISH, GOLD, SHAPES, TILES, Tile
from rules.picture import SHAPES as SEAT_SHAPES
from rules.picture import Point

VARIANTS = 3
"""So many tiles of one shape look different."""

ICONS = {
    FISH: '<path d="M3 12c3-5 9-6.5 14-1.5L21 7v10l-4-3.5C12 18.5 6 17 3 12Z"/><circle class="dot" cx="7.5" cy="11" r=".9"/>',
    GOLD: '<path d="M8 6h8l2.5 5h-13Z"/><path d="M5.5 13.5h6l2 5h-10ZM12.5 13.5h6l2 5h-6"/>',
    "ship": '<path d="M3 15h18l-2.5 5h-13Z"/><path d="M11.5 15V3.5M11.5 5c4 1 6 3.5 6.5 7.5h-6.5M9.5 7c-2.5 1-3.8 3-4 5.5h4"/>',
    "castle": '<path d="M6 21V10M18 21V10M4.5 10V4.5h3v2h2.5v-2h4v2h2.5v-2h3V10ZM4 21h16"/><path d="M9.8 21v-4.5a2.2 2.2 0 0 1 4.4 0V21"/>',
    "governor": '<circle cx="12" cy="6.5" r="3.5"/><path d="M5 20.5c0-6 2.5-9 7-9s7 3 7 9Z"/>',
}
HAT = (
    '<path d="M-10.5 5.5C-11-4-8-9.5 0-9.5C8-9.5 11-4 10.5 5.5Q0 9-10.5 5.5Z"/>'
    '<path d="M-19 5.5C-14 3-11 6 0 6C11 6 14 3 19 5.5C17 12 8 14 0 14C-8 14-17 12-19 5.5Z"/>'
)

POINTS: dict[tuple[str, str], Point] = {
    ("SSSS", FISH): (0, 0),
    ("LSSS", GOLD): (0, -44),
    ("LSSS", FISH): (0, 44),
    ("LLSS", GOLD): (34, -34),
    ("LLSS", FISH): (-34, 34),
    ("LSLS", GOLD): (0, 0),
    ("LSLS", FISH): (54, 0),
    ("LLLS", GOLD): (14, 0),
    ("LLLS", FISH): (-54, 0),
    ("LLLL", GOLD): (0, 0),
}
"""Where gold and fish are shown on a tile before it is turned, seen from its middle."""


def symbols() -> dict[str, str]:
    return {**dict(_tiles()), **dict(_closed()), **dict(_of_seats()), **dict(_cells())}


def variant_of(tile: int) -> int:
    return tile % VARIANTS


# Tiles


def definitions() -> str:
    """The art of every shape of tiles, which all tiles refer to."""
    return f'<clipPath id="~square"><rect width="{SIZE}" height="{SIZE}"/></clipPath>' + "".join(
        _art(shape.edges, variant) for shape in SHAPES for variant in range(VARIANTS)
    )


def _art(edges: str, variant: int) -> str:
    land, coasts = shore(edges, variant)
    coast = "".join(coasts)
    water = "".join(f'<path class="wave v{depth}" d="{coast}"/>' for depth in range(3)) if coast else ""
    ground = f'<path class="soil" d="{land}"/>' if land else ""
    beach = f'<path class="beach" d="{coast}"/>' if coast else ""
    line = f'<path class="shoreline" d="{coast}"/>' if coast else ""
    # What is referred to is styled alone: a rule that begins with `.board` must find that class inside of it.
    inland = _clips(f"{edges}-{variant}", land) if coast else ""
    return (
        f'{inland}<g id="~sector-{edges}-{variant}" class="board"><g clip-path="url(#~square)">'
        f'<rect class="waters" width="{SIZE}" height="{SIZE}"/>{water}{ground}{beach}</g>{line}</g>'
    )


def _clips(name: str, land: str) -> str:
    """The land of a tile, and all that is not."""
    return (
        f'<clipPath id="~inland-{name}"><path d="{land}"/></clipPath><clipPath id="~offshore-{name}">'
        f'<path clip-rule="evenodd" d="M0 0H{SIZE}V{SIZE}H0Z{land}"/></clipPath>'
    )


def _tiles() -> Iterator[tuple[str, str]]:
    for number, tile in TILES.items():
        for rotation in DIRECTIONS:
            yield f"tile-{number}-{rotation}", _tile(number, tile, rotation)
        yield f"tile-{number}", _tile(number, tile, 0)


def _tile(number: int, tile: Tile, rotation: int) -> str:
    art = f"#~sector-{tile.edges}-{variant_of(number)}"
    return (
        f'<g class="tile-on-map"><use href="{art}"{_turned(rotation)}/>{_shown(tile, rotation)}'
        f'<rect class="joint" x="{-HALF:g}" y="{-HALF:g}" width="{SIZE}" height="{SIZE}"/></g>'
    )


def _turned(rotation: int) -> str:
    return f' transform="rotate({90 * rotation}) translate({-HALF:g} {-HALF:g})"'


def _shown(tile: Tile, rotation: int) -> str:
    if not tile.symbol:
        return ""
    x, y = POINTS[tile.edges, tile.symbol]
    for _ in range(rotation):
        x, y = -y, x
    return (
        f'<g class="finding {tile.symbol}" transform="translate({x:g} {y:g})"><circle r="18"/>'
        f'<g transform="translate(-12 -12)">{ICONS[tile.symbol]}</g></g>'
    )


def _closed() -> Iterator[tuple[str, str]]:
    """A second line along the coast: beside the land, or beside one of the seas."""
    for shape in SHAPES:
        for variant in range(VARIANTS):
            _, coasts = shore(shape.edges, variant)
            for rotation in DIRECTIONS:
                name = f"{shape.edges}-{variant}-{rotation}"
                if coasts:
                    yield f"closed-land-{name}", _doubled("inland", shape.edges, variant, rotation, "".join(coasts))
                for number, coast in enumerate(coasts):
                    yield f"closed-sea-{number}-{name}", _doubled("offshore", shape.edges, variant, rotation, coast)


def _doubled(side: str, edges: str, variant: int, rotation: int, coast: str) -> str:
    """A second line along a coast, on one side of it."""
    return (
        f'<g{_turned(rotation)} class="closed-{side}"><g clip-path="url(#~{side}-{edges}-{variant})">'
        f'<path class="outer" d="{coast}"/><path class="inner" d="{coast}"/></g></g>'
    )


# Cards


def _of_seats() -> Iterator[tuple[str, str]]:
    for seat in COLOURS:
        yield f"card-{seat}", _card(seat)
        yield f"ship-{seat}", _badge(seat, "boat", ICONS["ship"])
        yield (
            f"castle-{seat}",
            f'<g class="fort {seat}" transform="scale(1.3) translate(-12 -12.5)">{ICONS["castle"]}</g>',
        )
        yield f"grande-{seat}", f'<g class="lord {seat}"><circle r="21"/><g transform="translate(0 -2)">{HAT}</g></g>'
        yield f"governor-{seat}", _badge(seat, "governor", ICONS["governor"])


def _card(seat: str) -> str:
    numbers = "".join(
        f'<g class="numeral s{direction}" transform="translate({48 * x:g} {48 * y:g})"><circle r="18"/>'
        f'<text y="9" data-text="{direction}"></text></g>'
        for direction, (x, y) in enumerate(OUT)
    )
    return (
        f'<g class="cab-card {seat}"><rect class="cast" x="-69" y="-66" width="138" height="138" rx="13"/>'
        '<rect class="face" x="-69" y="-69" width="138" height="138" rx="13"/>'
        '<path class="rays" d="M-55-55L-23-23M55-55L23-23M55 55L23 23M-55 55L-23 23"/>'
        f'<path class="crest" d="{SEAT_SHAPES[seat]}"/>{numbers}</g>'
    )


def _badge(seat: str, style: str, icon: str) -> str:
    return f'<g class="{style} {seat}"><circle r="18"/><g transform="translate(-12 -12.5)">{icon}</g></g>'


# Cells


def _cells() -> Iterator[tuple[str, str]]:
    """What can be said of a cell by drawing on it."""
    square = 'x="-69" y="-69" width="138" height="138" rx="10"'
    whole = f'x="{-HALF:g}" y="{-HALF:g}" width="{SIZE}" height="{SIZE}"'
    yield "area-cell", f'<rect class="space-area" {whole}/>'
    yield "legal-cell", f'<rect class="cell" {square}/>'
    yield "barred-cell", ""
    yield "focus-cell", f'<rect class="cell-focus" {whole}/>'
    yield "scored-cell", f'<rect class="sweep" {whole}/>'
    yield "noted-cell", f'<rect class="cell-noted" {whole}/>'
