"""Plans: how so many players are split into tables, and how many rounds they can play without meeting twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.language import rendered
from tournaments.bounds import recommended_rounds, repeat_free_rounds, repeats_of_plan, warnings
from tournaments.pairing.sizes import explained, plan


def planned(players: int, size: int, sizes: Iterable[int], rounds: int) -> dict[str, Any]:
    """A plan in words and figures; without rounds, with as many as are usual.

    >>> planned(22, 4, (3,), 0)["text"]
    '4 tables of 4 and 2 tables of 3'
    """
    usual = recommended_rounds(players, size)
    found, wanted = plan(players, size, sizes), rounds or usual
    return {
        "sizes": list(found.sizes),
        "byes": found.byes,
        "text": rendered(explained(found)),
        "rounds": wanted,
        "recommended_rounds": usual,
        "repeat_free_rounds": repeat_free_rounds(players, size),
        "repeats": repeats_of_plan(players, size, wanted),
        "warnings": [rendered(warning) for warning in warnings(players, size, wanted)],
    }
