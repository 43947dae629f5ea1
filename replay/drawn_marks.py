"""Arrows and highlights that people draw on a board, as SVG. A page draws the same (`static/studio/marks.js`)."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, hypot, sin
from typing import Protocol

from rules.picture import Ground, Point

BEND, HEAD = 40, 24
"""How far an arrow is bent at most, and how long its head is."""


class Drawn(Protocol):
    """A mark between spaces of the ground; only an arrow has a target."""

    @property
    def source(self) -> str: ...

    @property
    def target(self) -> str: ...


def marks(ground: Ground, drawn: Iterable[Drawn]) -> str:
    """Those that the ground knows the spaces of."""
    return "".join(_mark(ground, each) for each in drawn)


def _mark(ground: Ground, mark: Drawn) -> str:
    if mark.target:
        ends = ground.spaces.get(mark.source), ground.spaces.get(mark.target)
        return arrow(*ends) if ends[0] and ends[1] else ""  # type: ignore[arg-type]
    symbol = ground.symbols.get(f"noted-{mark.source}")
    return f'<g class="region-note">{symbol}</g>' if symbol else ""


def arrow(start: Point, end: Point) -> str:
    """Slightly bent, with a pale case around it.

    >>> arrow((0, 0), (100, 0)).count("<path")
    4
    """
    (x1, y1), (x2, y2) = start, end
    far = hypot(x2 - x1, y2 - y1) or 1
    bend = min(BEND, far / 4)
    cx, cy = (x1 + x2) / 2 + (y2 - y1) / far * bend, (y1 + y2) / 2 - (x2 - x1) / far * bend
    angle = atan2(y2 - cy, x2 - cx)

    def at(away: float, turn: float) -> str:
        return f"{x2 - away * cos(angle + turn):.1f},{y2 - away * sin(angle + turn):.1f}"

    shaft = f"M{x1:g},{y1:g}Q{cx:.1f},{cy:.1f},{at(14, 0)}"
    head = f"M{x2:g},{y2:g}L{at(HEAD, 0.5)}L{at(HEAD * 0.7, 0)}L{at(HEAD, -0.5)}Z"
    parts = (("case", shaft), ("case-head", head), ("shaft", shaft), ("head", head))
    paths = "".join(f'<path class="{style}" d="{path}"/>' for style, path in parts)
    return f'<g class="mark-arrow mark-note">{paths}</g>'
