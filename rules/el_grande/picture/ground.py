"""The map of Spain: sea, land, borders, and the outlines of the spaces as symbols."""

# ruff: noqa: E501 - outlines are long

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from rules.el_grande.extension import Rules
from rules.el_grande.picture import pieces
from rules.el_grande.picture.controls import CONTROLS
from rules.el_grande.picture.geography import (
    COMPASS,
    FAR_LANDS,
    FAR_NAMES,
    ISLES,
    LINES,
    MOUNTAINS,
    SEAS,
    SITES,
    TOWER,
    VIEW,
    Overseas,
    Site,
)
from rules.el_grande.regions import CASTILLO
from rules.el_grande.regions import REGIONS as RULES_OF_REGIONS
from rules.picture import SHAPES, Ground, Place

LAYERS = ("state", "names", "tables", "lords", "pieces", "marks")
WATERLINES = (46, 32, 20, 10)
STATES = ("legal", "barred", "scored", "focus", "noted")
"""What can be said of a whole space by drawing on it: it may be chosen, or not, it is scored, looked at, remarked on."""


def ground(rules: Rules) -> Ground:
    """The map, and the pieces that expansions bring."""
    if rules.name not in _WORLDS:
        _WORLDS[rules.name] = _world(rules.overseas)
    world = _WORLDS[rules.name]
    return replace(world, symbols={**world.symbols, **rules.symbols}, controls={**CONTROLS, **rules.controls})


_WORLDS: dict[str, Ground] = {}
"""The grounds that were drawn, by the name of their rules."""


def _world(overseas: tuple[Overseas, ...]) -> Ground:
    """Spain, and what lies beyond it."""
    sites = {**SITES, **{name: site for further in overseas for name, site in further.sites.items()}}
    covered = {name for further in overseas for name in (*further.covers, *further.sites)}
    view = next((further.view for further in overseas if further.view), VIEW)
    drawn = "".join(further.markup for further in overseas)
    return Ground(
        view=view,
        markup=_defs(sites) + _sea(view) + _land(sites) + _ornaments(covered) + drawn,
        symbols={**pieces.symbols(), **dict(_areas(sites))},
        layers=LAYERS,
        spaces={name: site.centre for name, site in sites.items()},
        places=tuple(_places(sites)),
        tokens={seat: f"stack-{seat}-1" for seat in SHAPES},
    )


def _places(sites: Mapping[str, Site]) -> Iterator[Place]:
    """Regions by number in the order of the rules; the castillo is 0. Special places and further regions follow."""
    first = (*RULES_OF_REGIONS, CASTILLO)
    for number, name in enumerate((*first, *(name for name in sites if name not in first)), start=1):
        site = sites[name]
        yield Place(name, site.short, site.centre, site.stacks, str(number % 10) if number <= len(first) else "")
    for name, site in sites.items():
        for slot, point in site.slots.items():
            yield Place(f"{name}:{slot}", slot[:3].upper(), point, dict.fromkeys(site.stacks, (point,) * 5), shape=SLOT)


UNSEEN = "unseen"
"""The style of a space that is drawn by a sprite, if it is there at all."""

SLOT = "slot"
"""Special places within a space are drawn as circles around their centre."""


def _use(name: str, style: str, more: str = "") -> str:
    return f'<use href="#~{name}" class="{style}"{more}/>'


def _defs(sites: Mapping[str, Site]) -> str:
    outlines = {**{name: site.outline for name, site in sites.items()}, **_far(sites), "isles": "".join(ISLES)}
    paths = "".join(f'<path id="~{name}" d="{path}"/>' for name, path in outlines.items())
    clips = "".join(f'<clipPath id="~in-{name}">{_use(name, "")}</clipPath>' for name in sites)
    land = "".join(_use(name, "") for name in outlines if name not in sites or sites[name].style != UNSEEN)
    return f'<defs>{paths}<g id="~land">{land}</g>{clips}{TABOO}{SEA}</defs>'


def _far(sites: Mapping[str, Site]) -> dict[str, str]:
    """Far lands that are no spaces."""
    return {name: outline for name, outline in FAR_LANDS.items() if name not in sites}


TABOO = (
    '<pattern id="~taboo" width="11" height="11" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M5.5 0V11" class="taboo-line"/></pattern>'
)
SEA = (
    '<radialGradient id="~sea" cx="50%" cy="44%" r="72%">'
    '<stop offset="0" class="sea-a"/><stop offset="1" class="sea-b"/></radialGradient>'
)


def _sea(view: tuple[float, float, float, float]) -> str:
    left, top, width, height = view
    water = "".join(_use("land", f"water w{depth}", f' stroke-width="{wide}"') for depth, wide in enumerate(WATERLINES))
    return f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="url(#~sea)"/>{water}'


def _land(sites: Mapping[str, Site]) -> str:
    far = "".join(_use(name, "far") for name in _far(sites))
    abroad = "".join(_use(name, site.style) for name, site in sites.items() if site.style)
    isles = _use(CASTILLO, "isle") + _use("isles", "isle")
    spain = [name for name, site in sites.items() if name != CASTILLO and not site.style]
    tints = "".join(_use(name, f"land t{sites[name].tint}") for name in spain)
    edges = "".join(_clipped(name, _use(name, f"edge t{sites[name].tint}")) for name in spain)
    lines = "".join(f'<path class="arc {line.kind}" d="{line.path}"/>' for line in LINES)
    return far + abroad + isles + tints + edges + lines + "".join(_use(name, "far-line") for name in _far(sites))


def _clipped(name: str, markup: str) -> str:
    return f'<g clip-path="url(#~in-{name})">{markup}</g>'


# Ornaments


def _ornaments(covered: Collection[str]) -> str:
    compass = "" if "compass" in covered else _compass()
    return "".join((*_hills(), *_names(covered), compass, _tower()))


def _hills() -> Iterator[str]:
    for x, y, scale in MOUNTAINS:
        yield (
            f'<g class="hill" transform="translate({x} {y}) scale({scale})"><path class="body" d="M-13 8L-2-9Q0-12 2-9L13 8Z"/>'
            '<path d="M-13 8L-2-9Q0-12 2-9L13 8M0-10L3-3L1 1L5 7"/></g>'
        )


def _names(covered: Collection[str]) -> Iterator[str]:
    for style, names in (("far-name", FAR_NAMES), ("sea-name", SEAS)):
        for name, (x, y, turn) in names.items():
            if name.lower() in covered or name in covered:
                continue
            yield f'<text class="{style}" transform="translate({x} {y}) rotate({turn})">{name}</text>'


def _compass() -> str:
    x, y, scale = COMPASS
    return (
        f'<g class="compass" transform="translate({x} {y}) scale({scale})"><circle r="34"/><circle r="29"/>'
        '<path d="M0-44L6-6L0 0L-6-6ZM0 44L-6 6L0 0L6 6ZM44 0L6 6L0 0L6-6ZM-44 0L-6-6L0 0L-6 6Z"/>'
        '<path class="half" d="M0-44L0 0L-6-6ZM0 44L0 0L6 6ZM44 0L0 0L6 6ZM-44 0L0 0L-6-6Z"/>'
        '<path class="thin" d="M0 0L19-19M0 0L19 19M0 0L-19 19M0 0L-19-19"/></g>'
    )


def _tower() -> str:
    """The castillo."""
    x, y, scale = TOWER
    return (
        f'<g class="tower" transform="translate({x} {y}) scale({scale})">'
        '<path class="cast" d="M-52 6Q0 22 66 4L60-4H-50Z"/>'
        '<path class="wall" d="M-46 0L-42-92H42L46 0Q0 12-46 0Z"/>'
        '<path class="wall-shade" d="M14 4.8L12-92H42L46 0Q32 3.6 14 4.8Z"/>'
        '<path class="wall" d="M-54-92L-50-106V-130H-32V-117H-18V-130H18V-117H32V-130H50V-106L54-92Q0-82-54-92Z"/>'
        '<path class="wall-shade" d="M14-86L13-117H18V-130V-117H32V-130H50V-106L54-92Q36-88 14-86Z"/>'
        '<path class="line" d="M-54-92Q0-82 54-92M-43-70Q0-61 43-70M-45-28Q0-18 45-28"/>'
        '<path class="line faint" d="M-30-60v9M-8-56v9M20-58v9M32-44v8M-36-42v8M-14-36v8M8-40v8M-26-20v9M30-18v9"/>'
        '<path class="door" d="M-13 7V-22Q-13-36 0-36Q13-36 13-22V7Q0 8.5-13 7Z"/>'
        '<path class="slit" d="M-26-82V-70M26-82V-70M0-78V-66"/><path class="pole" d="M0-122V-158"/>'
        '<path class="pennon" d="M0-158Q12-162 20-156Q28-152 38-156L32-148L38-140Q28-136 20-141Q12-146 0-142Z"/></g>'
    )


# Spaces as symbols


def _areas(sites: Mapping[str, Site]) -> Iterator[tuple[str, str]]:
    """What can be drawn on a whole space: that the king is there, and what a page says of it."""
    for name in sites:
        if name != CASTILLO:
            edge = _clipped(name, _use(name, "taboo-edge"))
            yield f"taboo-{name}", _use(name, "taboo", ' fill="url(#~taboo)"') + edge
    for name in sites:
        yield f"legal-{name}", _clipped(name, _use(name, "glow") + _use(name, "glow-line"))
        yield f"barred-{name}", _use(name, "shade")
        yield f"scored-{name}", _clipped(name, _use(name, "sweep"))
        yield f"focus-{name}", _use(name, "space-focus")
        yield f"noted-{name}", _use(name, "space-noted")
        yield f"area-{name}", _use(name, "space-area")
    if any(site.slots for site in sites.values()):
        styles = {"legal": "glow-line", "barred": "shade", "scored": "sweep", "focus": "space-focus",
                  "noted": "space-noted", "area": "space-area"}  # fmt: skip
        for state, style in styles.items():
            yield f"{state}-{SLOT}", f'<circle r="29" class="{style}"/>'
