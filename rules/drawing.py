"""A table drawn for people: blocks of text that stand below each other. No colours, widths or terminals here.

A game turns a view into blocks, so that nothing is drawn which the viewer may not see; `service/cli/table.py` prints
them. Words in them are texts; plain strings are signs and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from rules.kernel import Fact, Player
from rules.texts import Catalogue, Names, Text, Value

View = Mapping[str, Any]
"""What a viewer may see: the game's own `view`."""

STRONG, FAINT, ASIDE = "strong", "faint", "aside"
THIN, HEAVY, DOUBLE = "thin", "heavy", "double"


class Span(Struct, frozen=True):
    """A piece of text. Its style is a seat, whose colour it has, or `STRONG`, `FAINT` or `ASIDE`."""

    text: Value
    style: str = ""


class Heading(Struct, frozen=True):
    """What stands above everything else."""

    text: Value


class Line(Struct, frozen=True):
    """A sentence on lines of its own, or nothing but space."""

    text: Value = ""
    style: str = ""


class Tile(Struct, frozen=True):
    """A framed space: a title, what lies in it, and what it is worth."""

    title: Value
    entries: tuple[Span, ...]
    footer: Span
    frame: str = THIN


class Tiles(Struct, frozen=True):
    """Tiles beside and below each other, with gaps where nothing is."""

    rows: tuple[tuple[Tile | None, ...], ...]


class Column(Struct, frozen=True):
    title: Value = ""
    to_the_right: bool = False
    style: str = ""


Cell = Span | tuple[Span, ...]
"""A text, or several below each other."""


class Rows(Struct, frozen=True):
    """Rows of cells under the titles of their columns, if these have any."""

    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]
    title: Value = ""


Block = Heading | Line | Tiles | Rows
Draw = Callable[[View, Player], tuple[Block, ...]]
"""Draws what this player sees."""


class Drawing(Struct, frozen=True):
    """How a game is drawn while it is played."""

    table: Draw
    """Everything on the table."""
    end: Draw
    """The table and the places at the end of the game."""
    news: tuple[type[Fact[Any]], ...]
    """What changes the table so much that it is drawn again."""
    reminders: Mapping[str, Draw]
    """A kind of decision to the part of the table that is worth another look, unless all of it has just been drawn."""
    remarks: Mapping[str, Draw]
    """A kind of decision to what should be said before the question."""
    interruptions: frozenset[str] = frozenset()
    """Kinds of decisions that interrupt a player whose turn goes on afterwards."""


D = TypeVar("D")


def rendered(drawn: D, catalogue: Catalogue, names: Names) -> D:
    """The same blocks with all words in one language."""
    return _rendered(drawn, catalogue, names)  # type: ignore[no-any-return]


def _rendered(part: Any, catalogue: Catalogue, names: Names) -> Any:
    match part:
        case Text():
            return part.rendered(catalogue, names)
        case Struct():
            fields = asdict(part).items()
            return replace(part, **{name: _rendered(value, catalogue, names) for name, value in fields})
        case tuple():
            return tuple(_rendered(item, catalogue, names) for item in part)
    return part
