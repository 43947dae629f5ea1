"""Scenes as SVG. Whatever is drawn, it knows no game: a sprite is a symbol of the game's ground at a point.

`service/web/static/replay/board.js` does the same in a browser, where sprites move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from replay import drawn_marks
from replay.drawn_marks import Drawn
from rules.picture import Ground, Sprite

FILLED = re.compile(r'data-text="(\d+)"></text>')


def board(
    ground: Ground, sprites: Iterable[Sprite], *, id: str = "b", label: str = "", marks: Iterable[Drawn] = ()
) -> str:
    """The drawing, to stand in a page; its texts must be rendered."""
    drawn = f"<g>{ground.markup}</g>{layers(ground, sprites)}{drawn_marks.marks(ground, marks)}"
    return _svg(ground, drawn, id, _image(label))


def layered(ground: Ground, sprites: Iterable[Sprite], *, id: str = "b", label: str = "") -> str:
    """The same in two drawings, one above the other: what moves is painted again without the ground."""
    below = _svg(ground, ground.markup, id, ' aria-hidden="true"', style="board ground")
    return below + _svg(ground, layers(ground, sprites), id, f'{_image(label)} data-board="{id}"')


def _svg(ground: Ground, markup: str, id: str, attributes: str, style: str = "board") -> str:
    left, top, width, height = ground.view
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{style}" viewBox="{left} {top} {width} {height}"{attributes}>'
        f"{named(markup, id)}</svg>"
    )


def _image(label: str) -> str:
    return f' role="img" aria-label="{escape(label)}"'.replace("~", "&#126;")


def layers(ground: Ground, sprites: Iterable[Sprite]) -> str:
    """All that stands on the ground."""
    drawn: dict[str, list[str]] = {layer: [] for layer in ground.layers}
    for sprite in sprites:
        drawn[sprite.layer].append(_sprite(ground, sprite))
    return "".join(f'<g data-layer="{layer}">{"".join(parts)}</g>' for layer, parts in drawn.items())


def named(markup: str, id: str) -> str:
    """The markup with its ids in the name of one drawing."""
    return markup.replace("~", f"{id}-")


def _sprite(ground: Ground, sprite: Sprite) -> str:
    place = f' transform="translate({number(sprite.x)} {number(sprite.y)})"' if sprite.x or sprite.y else ""
    style = f"sprite {sprite.style}".strip()
    symbol = FILLED.sub(lambda found: _text(sprite, int(found[1])), ground.symbols[sprite.symbol])
    return f'<g class="{style}" data-key="{escape(sprite.key)}"{place}>{symbol}</g>'


def _text(sprite: Sprite, number: int) -> str:
    text = escape(str(sprite.texts[number])) if number < len(sprite.texts) else ""
    return f'data-text="{number}">{text}</text>'.replace("~", "&#126;")


def number(value: float) -> str:
    """
    >>> number(5.0), number(5.25)
    ('5', '5.25')
    """
    return f"{value:g}"
