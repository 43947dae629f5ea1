"""Positions as PNG: the SVG of a picture, drawn by resvg with fonts of our own.

resvg knows no custom properties and no container queries, so the style sheet is written out for every seat first. It
reads no file but our fonts, and fetches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from threading import BoundedSemaphore, Lock

from cachetools import LRUCache
from resvg_py import svg_to_bytes

from events.errors import Busy
from rules.texts import say

FONTS = files("service") / "games" / "fonts"
FILES = [str(font) for font in FONTS.iterdir() if font.name.endswith(".ttf")]

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
NESTED = re.compile(r"@[^{]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
OWN = re.compile(r"(--[\w-]+):\s*([^;}]+)")
USED = re.compile(r"var\((--[\w-]+)\)")
FONT = re.compile(r"font:\s*(italic )?(\d+) ([\d.]+px)/[\d.]+ \"([^\"]+)\"[^;}]*")
"""The short form: style, weight, size, families."""
MODERN = re.compile(r"rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)")


KEPT = 32
"""So many pictures a process keeps: each has some hundred kilobytes."""
WAIT = 10.0
"""Seconds that a picture waits for those before it."""

_pictures: LRUCache[bytes, bytes] = LRUCache(KEPT)
_keeping, _drawing = Lock(), BoundedSemaphore(1)


def png(svg: str, width: int) -> bytes:
    """The picture, so many pixels wide. A process draws one at a time: others are busy with games."""
    key = sha256(f"{width} {svg}".encode()).digest()
    with _keeping:
        if kept := _pictures.get(key):
            return kept
    if not _drawing.acquire(timeout=WAIT):
        raise Busy(say("too many pictures are drawn just now"), retry_after=WAIT)
    try:
        drawn = bytes(svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=FILES))
    finally:
        _drawing.release()
    with _keeping:
        _pictures[key] = drawn
    return drawn


@cache
def written_out(sheet: str) -> str:
    """A style sheet without custom properties: what a class sets for its parts is written out for that class.

    >>> written_out(".red{--fill:#c33}.board .face{fill:var(--fill)}@container x{.a{b:c}}").split("\\n")
    ['.board .red .face, .board .face.red{fill:#c33}']
    """
    rules = [(selector.strip(), body) for selector, body in RULE.findall(NESTED.sub("", sheet))]
    classes = {selector: dict(OWN.findall(body)) for selector, body in rules if OWN.search(body)}
    return "\n".join(
        line for selector, body in rules if selector not in classes for line in _lines(selector, body, classes)
    )


def _lines(selector: str, body: str, classes: dict[str, dict[str, str]]) -> Iterator[str]:
    if not USED.search(body):
        yield f"{selector}{{{_plain(body)}}}"
        return
    for name, values in classes.items():
        filled = _filled(body, values)
        chosen = ", ".join(_of(part.strip(), name) for part in selector.split(","))
        yield f"{chosen}{{{_plain(filled)}}}"


def _filled(body: str, values: dict[str, str]) -> str:
    return USED.sub(lambda found: values.get(found[1], "none"), body)


def _of(selector: str, name: str) -> str:
    """A part of something with this class, or of which a part has it."""
    head, _, rest = selector.partition(" ")
    part, _, more = rest.partition(" ")
    return f"{head} {name} {rest}, {head} {part}{name}{more and ' '}{more}"


def _plain(body: str) -> str:
    """Colours and fonts in the long form.

    >>> _plain('font:italic 500 25px/1 "A B", serif;fill:rgb(0 0 0 / .5)')
    "font-style:italic;font-weight:500;font-size:25px;font-family:'A B';fill:rgba(0, 0, 0, .5)"
    """
    return MODERN.sub(r"rgba(\1, \2, \3, \4)", FONT.sub(_long_form, body))


def _long_form(found: re.Match[str]) -> str:
    style, weight, size, family = found.groups()
    fields = {"font-style": (style or "normal").strip(), "font-weight": weight, "font-size": size}
    return ";".join(f"{name}:{value}" for name, value in (fields | {"font-family": f"'{family}'"}).items())
