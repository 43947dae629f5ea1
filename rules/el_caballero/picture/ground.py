"""The table on which the map grows: nothing lies there but what the scene brings."""

from __future__ import annotations

from functools import cache

from rules.el_caballero.board import COLOURS
from rules.el_caballero.extension import Rules
from rules.el_caballero.picture import pieces
from rules.el_caballero.picture.controls import CONTROLS
from rules.picture import Ground

LAYERS = ("tiles", "state", "cards", "pieces", "marks")
ASPECT = 1000 / 920
"""Every view is so much wider than high: what surrounds the map does not jump when it grows."""
FAR = 100_000
"""The cloth under the map reaches as far as anybody can look."""


def ground(rules: Rules) -> Ground:
    return _ground()


@cache
def _ground() -> Ground:
    cloth = f'<rect class="cloth" x="{-FAR}" y="{-FAR}" width="{2 * FAR}" height="{2 * FAR}"/>'
    return Ground(
        view=(-500, -460, 1000, 920),
        markup=f"<defs>{pieces.definitions()}</defs>{cloth}",
        symbols=pieces.symbols(),
        layers=LAYERS,
        tokens={seat: f"card-{seat}" for seat in COLOURS},
        controls=CONTROLS,
    )
