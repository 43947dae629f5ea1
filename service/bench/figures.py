"""Figures of a benchmark, against the limits that we promise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True)
class Figure:
    """Something measured. With a limit, `ratio` says how well it is kept: 1 is just enough, more is better."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        if self.at_most is not None:
            return self.at_most / self.value
        return None if self.at_least is None else self.value / self.at_least

    @property
    def is_short(self) -> bool:
        return self.ratio is not None and self.ratio < 1


def report(figures: Sequence[Figure], *, as_json: bool, limits: bool) -> int:
    """Print the figures; the exit code says whether all limits are kept, if they count."""
    if as_json:
        click.echo(json.dumps({"figures": [_row(figure) for figure in figures]}, indent=2))
    else:
        click.echo("\n".join(_line(figure) for figure in figures))
    return int(limits and any(figure.is_short for figure in figures))


def _row(figure: Figure) -> dict[str, Any]:
    bounds = {"at_most": figure.at_most, "at_least": figure.at_least}
    limits = {name: limit for name, limit in bounds.items() if limit is not None}
    ratio = {} if figure.ratio is None else {"ratio": round(figure.ratio, 2), "kept": not figure.is_short}
    return {"name": figure.name, "value": round(figure.value, 4), "unit": figure.unit, **limits, **ratio}


def _line(figure: Figure) -> str:
    value = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:,.3f}"
    line = f"{figure.name:48}{value:>12} {figure.unit}"
    if figure.ratio is None:
        return line
    limit = f"at most {figure.at_most:g}" if figure.at_most is not None else f"at least {figure.at_least:g}"
    return f"{line:70}{limit:>14}   {figure.ratio:5.1f}×  {'SHORT' if figure.is_short else 'ok'}"
