"""The pieces as symbols: one silhouette for each seat, so that colour is never alone.

All silhouettes have about the same area, stand on 0,0 and are 46 units wide.
"""

# ruff: noqa: E501 - outlines are long

from __future__ import annotations

from collections.abc import Iterator

from rules.picture import SHAPES

DIGITS = {"green": 8.5}
"""Where the digits stand, if not at 10: a shield has its weight above."""

CROWN = "M-15 9.5L-18.5-8.5L-8.5-1.5L0-14.5L8.5-1.5L18.5-8.5L15 9.5Z"
HAT = (
    '<path d="M-10.5 5.5C-11-4-8-9.5 0-9.5C8-9.5 11-4 10.5 5.5Q0 9-10.5 5.5Z"/>'
    '<path d="M-19 5.5C-14 3-11 6 0 6C11 6 14 3 19 5.5C17 12 8 14 0 14C-8 14-17 12-19 5.5Z"/>'
    '<path class="plume" d="M6-1C13-5 20-14 12-19.5C4-24-7-19-13-10.5C-5-13.5 2-12 6-1Z"/>'
)
"""A Grande keeps his hat on before the king."""

LAYERS = 3
"""A pile is one, two or three layers high: one piece, up to four, more."""


def height(count: int) -> int:
    """How many layers a pile of so many pieces has."""
    return 1 if count < 2 else 2 if count < 5 else LAYERS


def symbols() -> dict[str, str]:
    """Every piece and tile of the base game."""
    return {
        **dict(_of_seats()),
        "king": _king(),
        "table": _table(),
        "scoreboard": _scoreboard(),
        "label": _label(""),
        "small-label": _label(" small"),
        "ribbon": _ribbon(),
        "closed": _closed(),
    }


def _of_seats() -> Iterator[tuple[str, str]]:
    for seat in SHAPES:
        for layers in range(1, LAYERS + 1):
            yield f"stack-{seat}-{layers}", stack(seat, layers, SHAPES[seat])
        yield f"grande-{seat}", _grande(seat)


def stack(seat: str, layers: int, shape: str) -> str:
    """A pile of pieces with this silhouette."""
    below = layers - 1
    sides = "".join(
        f'<path class="side" d="{shape}" transform="translate(0 {4 * down})"/>' for down in range(below, 0, -1)
    )
    return (
        f'<g class="stack {seat}" transform="scale(1.07)"><g transform="translate(0 {-2 * below})">'
        f'<path class="cast" d="{shape}" transform="translate(0 {4 * layers})"/>{sides}'
        f'<path class="face" d="{shape}"/><text class="count" y="{DIGITS.get(seat, 10)}" data-text="0"></text></g></g>'
    )


def _grande(seat: str) -> str:
    shape, down = SHAPES[seat], 0 if seat == "green" else 2.5
    return (
        f'<g class="grande {seat}" transform="scale(.97)"><path class="cast" d="{shape}" transform="translate(0 6)"/>'
        f'<path class="face" d="{shape}"/><path class="ring" d="{shape}"/>'
        f'<g class="hat" transform="translate(0 {down}) scale(.92)">{HAT}</g></g>'
    )


def _label(size: str) -> str:
    """A name, and a short one where the map is narrow."""
    return (
        f'<text class="label{size}" text-anchor="middle" data-text="0"></text>'
        '<text class="short label" text-anchor="middle" data-text="1"></text>'
    )


def _king() -> str:
    orbs = "".join(f'<circle class="orb" cx="{x}" cy="{y}" r="2.7"/>' for x, y in ((0, -14), (-18.5, -8), (18.5, -8)))
    return (
        '<g class="king"><circle class="cast" r="27" cy="5"/><circle class="robe" r="27"/><circle class="trim" r="23"/>'
        f'<path class="crown" d="{CROWN}" transform="translate(0 2.5)"/>{orbs}</g>'
    )


def _table() -> str:
    """The printed points of a space: first, second, third."""
    return (
        '<g class="plaque"><rect class="plate" x="-48" y="-17" width="96" height="34" rx="7"/>'
        '<path class="first" d="M-41-17H-14V17H-41Q-48 17-48 10V-10Q-48-17-41-17Z"/><path class="rule" d="M17-10V10"/>'
        '<text class="v1" x="-31" y="9.5" data-text="0"></text><text class="v2" x="1.5" y="9" data-text="1"></text>'
        '<text class="v3" x="32.5" y="9" data-text="2"></text></g>'
    )


def _scoreboard() -> str:
    return (
        '<g class="tile" transform="rotate(-3)"><rect class="cast" x="-54" y="-20" width="108" height="42" rx="6"/>'
        '<rect class="plate" x="-54" y="-22" width="108" height="42" rx="6"/>'
        '<rect class="inner" x="-49.5" y="-17.5" width="99" height="33" rx="3.5"/><path class="rule" d="M-16-13V11M17-13V11"/>'
        '<text class="v1" x="-32.5" y="9.5" data-text="0"></text><text class="v2" x="1" y="9" data-text="1"></text>'
        '<text class="v3" x="33" y="9" data-text="2"></text></g>'
    )


def _ribbon() -> str:
    return (
        '<g class="ribbon"><path class="tail" d="M-66-20H-44V10H-66L-58-5ZM66-20H44V10H66L58-5Z"/>'
        '<path class="band" d="M-54-24Q0-16 54-24V6Q0 14-54 6Z"/><text y="4.5" data-text="0"></text></g>'
    )


def _closed() -> str:
    """A lock: what is inside is nobody's business."""
    return (
        '<g class="closed"><rect x="-13" y="-4" width="26" height="20" rx="4"/><path d="M-8-4V-10A8 8 0 0 1 8-10V-4"/>'
        '<text y="44" data-text="0"></text></g>'
    )
