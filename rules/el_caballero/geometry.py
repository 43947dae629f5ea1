"""The grid: cells, directions, and the numbers on the sides of Caballero cards.

A cell is written `x,y`; x grows to the east, y to the south. Directions are 0 north, 1 east, 2 south, 3 west. A
rotation is a number of quarter turns clockwise.

>>> neighbours("1,-2")
('1,-3', '2,-2', '1,-1', '0,-2')
>>> turned_to(6, SOUTH), number("high", 1, SOUTH)
(('high', 1), 6)
"""

from __future__ import annotations

import re
from functools import lru_cache

NORTH, EAST, SOUTH, WEST = DIRECTIONS = (0, 1, 2, 3)
DX, DY = (0, 1, 0, -1), (-1, 0, 1, 0)
OPPOSITE = (SOUTH, WEST, NORTH, EAST)

LOW, HIGH = FACES = ("low", "high")
LEAST = {LOW: 1, HIGH: 5}
"""The smallest number on each face of a Caballero card; the others follow clockwise."""
MOST = 8

ORIGIN = "0,0"
CELL = re.compile(r"(0|-?[1-9][0-9]{0,2}),(0|-?[1-9][0-9]{0,2})")
"""As cells are written: no map is larger than this."""

DIRECTIONS_OF = tuple(tuple(d for d in DIRECTIONS if bits >> d & 1) for bits in range(16))
"""The directions in a set of them that is written as bits."""


def is_cell(text: str) -> bool:
    """
    >>> is_cell("1,-2"), is_cell("01,2"), is_cell("1000,0"), is_cell("-0,1")
    (True, False, False, False)
    """
    return CELL.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def coordinates(cell: str) -> tuple[int, int]:
    x, _, y = cell.partition(",")
    return int(x), int(y)


def in_reading_order(cell: str) -> tuple[int, int]:
    """To sort cells by: row by row, from the north-west."""
    x, y = coordinates(cell)
    return y, x


@lru_cache(maxsize=8192)
def neighbours(cell: str) -> tuple[str, str, str, str]:
    """The cells to the north, east, south and west."""
    x, y = coordinates(cell)
    return f"{x},{y - 1}", f"{x + 1},{y}", f"{x},{y + 1}", f"{x - 1},{y}"


def number(face: str, rotation: int, direction: int) -> int:
    """The number that a Caballero card shows in a direction."""
    return LEAST[face] + (direction - rotation) % 4


def turned_to(value: int, direction: int) -> tuple[str, int]:
    """The only face and rotation that show a number in a direction."""
    face = LOW if value < LEAST[HIGH] else HIGH
    return face, (direction - (value - LEAST[face])) % 4
