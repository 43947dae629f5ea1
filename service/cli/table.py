"""The table in the terminal: a game draws it in blocks of text, and here they get colours, frames and widths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text as Styled

from rules.drawing import ASIDE, DOUBLE, FAINT, HEAVY, STRONG, THIN, Block, Cell, Heading, Line, Rows, Span, Tile, Tiles

COLOURS = {"red": "red", "blue": "dodger_blue1", "yellow": "yellow", "green": "green", "brown": "orange4"}
"""The seats, as a terminal can show them."""

STYLES = {**COLOURS, STRONG: "bold", FAINT: "dim", ASIDE: "italic"}
FRAMES = {THIN: box.ROUNDED, HEAVY: box.HEAVY, DOUBLE: box.DOUBLE}

WIDTH = 20
"""Four tiles beside each other fill a usual terminal."""


def printed(blocks: Iterable[Block]) -> RenderableType:
    """The blocks below each other."""
    return Group(*(_block(block) for block in blocks))


def _block(block: Block) -> RenderableType:
    match block:
        case Heading(text):
            return Rule(Styled(str(text), style="bold"), style="dim")
        case Line(text, style):
            return Styled(str(text), style=STYLES.get(style, ""))
        case Tiles():
            return _tiles(block)
        case Rows():
            return _rows(block)


def _text(span: Span) -> Styled:
    return Styled(str(span.text), style=STYLES.get(span.style, ""))


# Tiles


def _tiles(tiles: Tiles) -> Table:
    grid = Table.grid()
    for row in tiles.rows:
        contents = [_packed(tile.entries, WIDTH - 4) if tile else [] for tile in row]
        height = max(2, *map(len, contents))
        grid.add_row(*(_tile(tile, lines, height) if tile else "" for tile, lines in zip(row, contents, strict=True)))
    return grid


def _tile(tile: Tile, lines: Sequence[Styled], height: int) -> Panel:
    is_plain = tile.frame == THIN
    return Panel(
        Group(*lines),
        title=Styled(str(tile.title), style="" if is_plain else "bold"),
        subtitle=_text(tile.footer),
        box=FRAMES[tile.frame],
        border_style="dim" if is_plain else "",
        width=WIDTH,
        height=height + 2,
        padding=(0, 1),
    )


def _packed(entries: Iterable[Span], width: int) -> list[Styled]:
    """As many entries in a line as it holds."""
    lines: list[Styled] = []
    for entry in map(_text, entries):
        if lines and len(lines[-1]) + 1 + len(entry) <= width:
            lines[-1] = Styled(" ").join((lines[-1], entry))
        else:
            lines.append(entry)
    return lines


# Rows


def _rows(rows: Rows) -> Table:
    table = _framed(str(rows.title)) if rows.title else _plain(has_titles=any(column.title for column in rows.columns))
    for column in rows.columns:
        style = STYLES.get(column.style, "")
        table.add_column(str(column.title), justify="right" if column.to_the_right else "left", style=style)
    for cells in rows.cells:
        table.add_row(*map(_cell, cells))
    return table


def _cell(cell: Cell) -> RenderableType:
    return _text(cell) if isinstance(cell, Span) else Group(*map(_text, cell))


def _framed(title: str) -> Table:
    return Table(title=title, box=box.SIMPLE_HEAVY, title_style="bold")


def _plain(*, has_titles: bool) -> Table:
    """Figures without titles stand closer together."""
    gap = 2 if has_titles else 1
    return Table(box=None, padding=(0, gap, 0, 0), header_style="dim", show_header=has_titles)
