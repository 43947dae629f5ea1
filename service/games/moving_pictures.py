"""Rounds as pictures that move: the ground is drawn once, and what stands on it for every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from threading import Lock

from cachetools import LRUCache
from PIL import Image

from events.errors import Declined
from replay.timeline import Frame
from rules.texts import say
from service.games import pictures

WIDTH = 480
MOST_FRAMES = 60
"""More than an ordinary round has. A frame costs some 25 milliseconds of the processor."""
MILLISECONDS = 900
"""For which a step is seen; the last one thrice as long."""
COLOURS = 128
BYTES_KEPT = 8 * 1024 * 1024
"""Of the pictures that were asked for last."""

_kept: LRUCache[str, bytes] = LRUCache(BYTES_KEPT, getsizeof=len)
_keeping = Lock()


class TooLong(Declined):
    """More steps than one picture may have."""

    code = "picture_too_long"

    def __init__(self, steps: int) -> None:
        super().__init__(
            say("{steps} steps are too many for one picture: at most {most}", steps=steps, most=MOST_FRAMES)
        )


def kept(key: str, make: Callable[[], bytes]) -> bytes:
    """The picture of this name; made where it is not kept."""
    with _keeping:
        found = _kept.get(key)
    if found is None:
        found = make()
        with _keeping:
            if len(found) <= _kept.maxsize:
                _kept[key] = found
    return found


def gif(frames: Sequence[Frame], theme: str = "light") -> bytes:
    """One picture of all frames."""
    shown = [pictures.composed(*pictures.parts(frame), theme, WIDTH) for frame in frames]
    palette = shown[-1].quantize(COLOURS)
    indexed = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in shown]
    written = BytesIO()
    durations = [MILLISECONDS] * (len(indexed) - 1) + [3 * MILLISECONDS]
    indexed[0].save(
        written, "GIF", save_all=True, append_images=indexed[1:], duration=durations, loop=0, optimize=False
    )
    return written.getvalue()
