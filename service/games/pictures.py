"""Positions as images: SVG that stands alone, in the colours of our pages, and the same as PNG.

The style sheets are those of the pages. A file has no page around it, so its colours are looked up when it is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

from PIL import Image

from replay import svg
from replay.changes import EMPTY, change
from replay.drawn_marks import Drawn
from replay.timeline import Frame
from rules.catalogue import game_named, rules_named
from rules.picture import Ground, Sprite
from service.games import rasters
from service.language import catalogue

CARD = (1200, 630)
"""The size of the image that other sites show beside a link."""

NAMED = re.compile(r"(--[\w-]+):\s*([^;}]+)")
DEFINED = re.compile(r"<defs>.*?</defs>", re.S)
USED = re.compile(r"var\((--[\w-]+)\)")


def parts(seen: Frame) -> tuple[Ground, Sequence[Sprite]]:
    """The ground, and all that stands on it, as a viewer sees it, in the language of the request."""
    rules = rules_named(seen.moment.game.rules)
    sprites = change(EMPTY, seen.scene).rendered(catalogue(), rules.names.get).put
    return seen.scene.framed(game_named(rules.name).picture.ground(rules)), sprites


def image(ground: Ground, sprites: Iterable[Sprite], theme: str, label: str, marks: Iterable[Drawn] = ()) -> str:
    """The drawing as a file of its own."""
    return _styled(svg.board(ground, sprites, label=label, marks=marks), style(theme))


def raster(ground: Ground, sprites: Iterable[Sprite], theme: str, width: int) -> bytes:
    """The same as PNG."""
    return _written(composed(ground, sprites, theme, width))


def composed(ground: Ground, sprites: Iterable[Sprite], theme: str, width: int) -> Image.Image:
    """What stands on the ground, above the ground: which is the same for all positions, and kept."""
    below = _drawn(ground, f"<g>{ground.markup}</g>", theme, width)
    defined = "".join(DEFINED.findall(ground.markup))
    above = _drawn(ground, f"{defined}{svg.layers(ground, sprites)}", theme, width)
    below.paste(above, (0, 0), above)
    return below.convert("RGB")


def _drawn(ground: Ground, markup: str, theme: str, width: int) -> Image.Image:
    left, top, wide, high = ground.view
    drawn = rasters.png(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{left} {top} {wide} {high}">'
        f"<style>{rasters.written_out(style(theme))}</style>{svg.named(markup, 'b')}</svg>",
        width,
    )
    return Image.open(BytesIO(drawn)).convert("RGBA")


def _written(image: Image.Image) -> bytes:
    written = BytesIO()
    image.save(written, "PNG", compress_level=5)
    return written.getvalue()


class Player(NamedTuple):
    seat: str
    name: str
    score: int | None = None
    """Nothing before the game begins."""
    is_free: bool = False
    """Whether the seat waits for somebody."""


def card(
    ground: Ground, sprites: Iterable[Sprite], theme: str, title: str, caption: str, players: Sequence[Player]
) -> bytes:
    """The image that other sites show beside a link: the map, and who stands how."""
    colours, (width, height) = palette(theme), CARD
    _, _, wide, high = ground.view
    board = composed(ground, sprites, theme, round(height * wide / high))
    x = board.width + 40
    rows = "".join(_row(player, x, 250 + 62 * number, colours) for number, player in enumerate(players))
    words = rasters.png(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{colours["--paper"]}"/>'
        f"{_words('Hidalgo', 40, 34, x, 74, colours['--royal'])}{_words(title, 40, 52, x, 144, colours['--ink'])}"
        f"{_words(caption, 40, 26, x, 190, colours['--quiet'], SANS)}{rows}</svg>",
        width,
    )
    whole = Image.open(BytesIO(words)).convert("RGB")
    whole.paste(board, (0, 0))
    return _written(whole)


SERIF = 'font-family="Ibarra Real Nova" font-weight="600"'
SANS = 'font-family="\'Source Sans 3\'" font-weight="400"'
LONGEST = 18
"""So many characters of a name have room."""


def _row(player: Player, x: float, y: float, colours: dict[str, str]) -> str:
    points = "" if player.score is None else str(player.score)
    score = _words(points, 38, 38, CARD[0] - 48, y, colours["--ink"], f'{SERIF} text-anchor="end"')
    ink = colours["--quiet" if player.is_free else "--ink"]
    return _chip(player, x + 18, y - 11, colours) + _words(player.name, LONGEST, 32, x + 52, y, ink, SANS) + score


def _chip(player: Player, x: float, y: float, colours: dict[str, str]) -> str:
    """The shape of a player's pieces; a dashed ring on a free seat."""
    if player.is_free:
        ring = f'fill="none" stroke="{colours["--line-strong"]}" stroke-width="3" stroke-dasharray="7 5"'
        return f'<circle cx="{x:g}" cy="{y:g}" r="16" {ring}/>'
    shape, fill = _shapes().get(player.seat, ""), colours.get(f"--{player.seat}", "#888888")
    return f'<g transform="translate({x:g} {y}) scale(.72)" fill="{fill}">{shape}</g>'


def _words(text: str, longest: int, size: int, x: float, y: float, colour: str, font: str = SERIF) -> str:
    short = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" {font}>{escape(short)}</text>'


@cache
def _shapes() -> dict[str, str]:
    """The shape of every seat, as all pages draw it."""
    return dict(re.findall(r'<symbol id="seat-(\w+)"[^>]*>(.*?)</symbol>', _sheet("icons.svg")))


def _styled(drawn: str, sheet: str) -> str:
    head, _, rest = drawn.partition(">")
    return f"{head}><style>{sheet}</style>{rest}"


@cache
def style(theme: str) -> str:
    """The style sheet of the board, with the colours of this theme in it."""
    return resolved(_sheet("board.css"), palette(theme))


def palette(theme: str) -> dict[str, str]:
    """Every colour and size by its name."""
    sheet = _sheet("palette.css")
    light, _, dark = sheet.partition("prefers-color-scheme: dark")
    dark = dark.partition("@media")[0]
    return dict(NAMED.findall(light)) | (dict(NAMED.findall(dark)) if theme == "dark" else {})


def resolved(sheet: str, colours: dict[str, str]) -> str:
    """The sheet with values in place of names. Those that a piece sets for its parts stay names.

    >>> resolved(".a{fill:var(--ink)}.red{--fill:var(--red)}", {"--ink": "#222", "--red": "#c33"})
    '.a{fill:#222}.red{--fill:#c33}'
    """
    return USED.sub(lambda found: colours.get(found[1], found[0]), sheet)


def _sheet(name: str) -> str:
    text = (files("service") / "web" / "static" / name).read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)
