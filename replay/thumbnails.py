"""Small drawings, many on a page: they share one drawing of the ground, and one of every symbol, by reference.

>>> ground = Ground((0, 0, 10, 10), '<path id="~land" d=""/>', {"king": "<circle/>"}, ("lords",))
>>> sheet = Sheet()
>>> sheet.add(ground, drawing(ground, [Sprite("king", "king", "lords", 3, 4)]), "a <b>")
'<svg class="board thumb" viewBox="0 0 10 10" role="img" aria-label="a &lt;b&gt;"><use href="#t0-ground"/><use href="#t0-s-king" x="3" y="4"/></svg>'
>>> sheet.shared()
'<svg class="sr" width="0" height="0" aria-hidden="true"><defs><g id="t0-ground" class="board thumb"><path id="t0-land" d=""/></g><g id="t0-s-king" class="board thumb"><circle/></g></defs></svg>'
"""  # noqa: E501 - markup is long

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from msgspec import Struct

from replay.svg import named, number
from rules.picture import Ground, Sprite


class Drawing(Struct, frozen=True):
    """The pieces of a position, by reference to the symbols of its ground."""

    markup: str
    symbols: tuple[str, ...]
    view: tuple[float, float, float, float]
    """The part of the ground that is looked at."""


def drawing(ground: Ground, sprites: Iterable[Sprite]) -> Drawing:
    """From the bottom up."""
    ordered = sorted(sprites, key=lambda sprite: ground.layers.index(sprite.layer))
    return Drawing("".join(map(_use, ordered)), tuple(dict.fromkeys(sprite.symbol for sprite in ordered)), ground.view)


def _use(sprite: Sprite) -> str:
    place = "".join(f' {axis}="{number(value)}"' for axis, value in (("x", sprite.x), ("y", sprite.y)) if value)
    return f'<use href="#~s-{sprite.symbol}"{place}/>'


class Sheet:
    """Drawings of one page, and what they share. Sheets with other names do not disturb each other."""

    def __init__(self, name: str = "t") -> None:
        self._name = name
        self._names: dict[str, str] = {}
        self._symbols: dict[str, str] = {}

    def add(self, ground: Ground, drawn: Drawing, label: str) -> str:
        """The drawing as it stands in the page; without a label it is an ornament."""
        name = self._named(ground)
        for symbol in drawn.symbols:
            self._symbols.setdefault(f"{name}-s-{symbol}", named(ground.symbols[symbol], name))
        view = " ".join(map(number, drawn.view))
        meaning = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
        pieces = named(drawn.markup, name)
        return f'<svg class="board thumb" viewBox="{view}" {meaning}><use href="#{name}-ground"/>{pieces}</svg>'

    def _named(self, ground: Ground) -> str:
        """Games with other expansions may have the same ground."""
        if ground.markup not in self._names:
            name = self._names[ground.markup] = f"{self._name}{len(self._names)}"
            self._symbols[f"{name}-ground"] = named(ground.markup, name)
        return self._names[ground.markup]

    def shared(self) -> str:
        # A rule of the style sheet that begins with `.board` must find that class inside of what is referred to.
        parts = (f'<g id="{id}" class="board thumb">{markup}</g>' for id, markup in self._symbols.items())
        return f'<svg class="sr" width="0" height="0" aria-hidden="true"><defs>{"".join(parts)}</defs></svg>'
