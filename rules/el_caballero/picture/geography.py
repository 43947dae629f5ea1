"""Coasts: every one leaves a corner of its tile along the diagonal, so that it goes on over all borders.

A tile is 150 units wide. A coast runs from corner to corner along one, two or three sides of sea: a bay, a slope or a
cape. It wavers a little, always in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi, sin

from rules.el_caballero.geometry import coordinates
from rules.picture import Point

SIZE = 150
HALF = SIZE / 2
CORNERS: tuple[Point, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where the sides north, east, south and west begin, clockwise."""
INWARD: tuple[Point, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""The diagonal into the tile at that corner."""
OUT: tuple[Point, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""From the middle of a cell to its sides."""


def centre(cell: str) -> Point:
    """The middle of a cell on the ground."""
    x, y = coordinates(cell)
    return x * SIZE, y * SIZE


def towards(cell: str, direction: int, distance: float) -> Point:
    """A point between the middle of a cell and one of its sides."""
    (x, y), (dx, dy) = centre(cell), OUT[direction]
    return x + dx * distance, y + dy * distance


def shore(edges: str, variant: int) -> tuple[str, tuple[str, ...]]:
    """The outline of the land of a tile, and its coasts, one for each run of sea sides, clockwise from land."""
    if "S" not in edges:
        return f"M0 0H{SIZE}V{SIZE}H0Z", ()
    if "L" not in edges:
        return "", ()
    start = next(side for side in range(4) if edges[side] == "L" and edges[side - 1] == "S")
    outline, coasts, side = [f"M{_point(_corner(start))}"], [], 0
    while side < 4:
        at = (start + side) % 4
        if edges[at] == "L":
            outline.append(f"L{_point(_corner(at + 1))}")
            side += 1
            continue
        run = next(n for n in range(1, 5) if side + n == 4 or edges[(at + n) % 4] == "L")
        points = list(_coast(at, (at + run) % 4, run, variant * 7 + at))
        outline.append(_smooth(points))
        coasts.append(f"M{_point(points[0])}{_smooth(points)}")
        side += run
    return "".join(outline) + "Z", tuple(coasts)


def _corner(number: int) -> Point:
    x, y = CORNERS[number % 4]
    return x * SIZE, y * SIZE


def _coast(start: int, end: int, run: int, seed: int) -> Iterator[Point]:
    """Points from corner to corner."""
    waver = _noise(seed)
    at = _slope(start, end, waver) if run == 2 else _bay(start, end, run, waver)
    count = 18 if run == 3 else 14
    for step in range(count + 1):
        x, y = at(step / count)
        much = 4.2 * sin(pi * step / count) ** 0.6 if 0 < step < count else 0
        yield (x + next(waver) * much, y + next(waver) * much) if much else (x, y)


def _slope(start: int, end: int, waver: Iterator[float]) -> Callable[[float], Point]:
    a, b = _corner(start), _corner(end)
    sway = 13 if next(waver) > 0 else -13
    dx, dy = INWARD[(start + 1) % 4]

    def at(t: float) -> Point:
        x, y = _cubic(a, _into(a, start, SIZE * 0.3), _into(b, end, SIZE * 0.3), b, t)
        much = sin(2 * pi * t) * sin(pi * t) * sway
        return x + dx * much, y + dy * much

    return at


def _bay(start: int, end: int, run: int, waver: Iterator[float]) -> Callable[[float], Point]:
    """A bay has one side of sea, a cape three."""
    a, b = _corner(start), _corner(end)
    depth, k, h = (0.27, 0.16, 0.2) if run == 1 else (0.47, 0.26, 0.2)
    along = (b[0] - a[0]) / SIZE, (b[1] - a[1]) / SIZE
    inward = tuple((one + other) / 2 for one, other in zip(INWARD[start], INWARD[end], strict=True))
    off = next(waver) * 9
    middle: Point = (
        (a[0] + b[0]) / 2 + inward[0] * depth * SIZE + along[0] * off,
        (a[1] + b[1]) / 2 + inward[1] * depth * SIZE + along[1] * off,
    )
    before = middle[0] - along[0] * h * SIZE, middle[1] - along[1] * h * SIZE
    after = middle[0] + along[0] * h * SIZE, middle[1] + along[1] * h * SIZE

    def at(t: float) -> Point:
        if t < 0.5:
            return _cubic(a, _into(a, start, k * SIZE), before, middle, 2 * t)
        return _cubic(middle, after, _into(b, end, k * SIZE), b, 2 * t - 1)

    return at


def _into(point: Point, corner: int, distance: float) -> Point:
    dx, dy = INWARD[corner]
    return point[0] + dx * distance, point[1] + dy * distance


def _cubic(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    shares = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3
    x, y = (sum(share * point[axis] for share, point in zip(shares, (a, b, c, d), strict=True)) for axis in (0, 1))
    return x, y


def _noise(seed: int) -> Iterator[float]:
    """Numbers between -1 and 1, always the same for a seed."""
    state = (seed * 7919 + 13) & 0xFFFFFFFF
    while True:
        state = ((state ^ (state >> 15)) * 0x2C1B3C6D + 0x9E3779B9) & 0xFFFFFFFF
        yield state / 2**31 - 1


def _smooth(points: list[Point]) -> str:
    """A curve through the points between the first and the last."""
    path = []
    for number in range(1, len(points) - 1):
        (x, y), (next_x, next_y) = points[number], points[number + 1]
        end = ((x + next_x) / 2, (y + next_y) / 2) if number < len(points) - 2 else (next_x, next_y)
        path.append(f"Q{_point((x, y))} {_point(end)}")
    return "".join(path)


def _point(point: Point) -> str:
    return " ".join(f"{round(value, 1):g}" for value in point)
