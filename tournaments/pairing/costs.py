"""What a good round is: one number that puts the wishes into an order of which none can be traded for another.

From the worst to the mildest: pairs that are kept apart, team-mates at one table, repeated meetings (each by the square
of how often the two have met), players at odd tables once more, squared differences of scores, and players of one
stratum at one table. With level tables first, differences of scores come before meetings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import comb, gcd

from msgspec import Struct

from tournaments.pairing.entrants import Entrant, Field
from tournaments.wishes import LEVEL_FIRST, RANDOM, RATING

STRATA_UP_TO = 128
"""In larger fields the order of the cut alone keeps strata apart."""

KEPT_APART, TEAM_MATES = 64, 8
"""Of softened costs: repeated meetings that weigh as much."""


class Costs(Struct, frozen=True):
    """Of players by their index in pairing order, and of tables by theirs."""

    scores: list[int]
    sizes: tuple[int, ...]
    is_odd: list[bool]
    level: int
    """The weight of a squared difference of scores."""
    pairs: list[dict[int, int]]
    """What it costs that two sit at one table, but for their scores."""
    odd: list[int]
    """What it costs that a player sits at an odd table."""
    soft: list[dict[int, int]]
    """Costs of pairs as multiples of a first repeated meeting, for a search that may climb."""
    soft_odd: list[int]


def costs(field: Field, sizes: Sequence[int], preferred: int) -> Costs:
    """The costs of a round with these tables."""
    entrants = field.entrants
    lowest = min((entrant.score for entrant in entrants), default=0)
    unit = reduce(gcd, (entrant.score - lowest for entrant in entrants), 0) or 1
    scores = [(entrant.score - lowest) // unit for entrant in entrants]
    odd = [field.encounters.odd.get(entrant.id, 0) ** 2 for entrant in entrants]
    meetings, mates, apart = _meetings(field), _team_mates(field), _kept_apart(field)
    strata = _strata(field, preferred)
    pairs_in_all = sum(comb(size, 2) for size in sizes)
    most = {
        "strata": pairs_in_all,
        "level": pairs_in_all * max(scores, default=0) ** 2,
        "odd": sum(odd),
        "meetings": sum(sum(row.values()) for row in meetings),
        "mates": pairs_in_all,
        "apart": pairs_in_all,
    }
    order = ["strata", "level", "odd", "meetings", "mates", "apart"]
    if field.wishes.rematch == LEVEL_FIRST:
        order = ["strata", "odd", "meetings", "level", "mates", "apart"]
    weights, weight = {}, 1
    for name in order:
        weights[name], weight = weight, weight * (most[name] + 1)
    layers = [(strata, "strata"), (meetings, "meetings"), (mates, "mates"), (apart, "apart")]
    return Costs(
        scores,
        tuple(sizes),
        [size != preferred for size in sizes],
        weights["level"],
        _added([(rows, weights[name]) for rows, name in layers], len(entrants)),
        [weights["odd"] * count for count in odd],
        _added([(meetings, 1), (mates, TEAM_MATES), (apart, KEPT_APART)], len(entrants)),
        odd,
    )


Rows = list[dict[int, int]]


def _meetings(field: Field) -> Rows:
    index = {entrant.id: number for number, entrant in enumerate(field.entrants)}
    met = field.encounters.met
    return [
        {index[other]: count * count for other, count in met.get(entrant.id, {}).items() if other in index}
        for entrant in field.entrants
    ]


def _team_mates(field: Field) -> Rows:
    rows: Rows = [{} for _ in field.entrants]
    teams: dict[str, list[int]] = {}
    for number, entrant in enumerate(field.entrants):
        if field.wishes.teams_apart and entrant.team:
            teams.setdefault(entrant.team, []).append(number)
    for mates in teams.values():
        for one in mates:
            rows[one] = {other: 1 for other in mates if other != one}
    return rows


def _kept_apart(field: Field) -> Rows:
    index = {entrant.id: number for number, entrant in enumerate(field.entrants)}
    rows: Rows = [{} for _ in field.entrants]
    for pair in field.wishes.forbidden:
        if all(player in index for player in pair):
            one, other = (index[player] for player in pair)
            rows[one][other] = rows[other][one] = 1
    return rows


def _strata(field: Field, size: int) -> Rows:
    """Players with equal scores who should not sit together, because they are of the same strength."""
    rows: Rows = [{} for _ in field.entrants]
    if field.wishes.seeding == RANDOM or len(field.entrants) > STRATA_UP_TO:
        return rows
    groups: dict[int, list[int]] = {}
    for number, entrant in enumerate(field.entrants):
        groups.setdefault(entrant.score, []).append(number)
    for group in groups.values():
        strongest = sorted(group, key=lambda number: _strength(field.entrants[number], field.wishes.seeding))
        tables = -(-len(group) // size)
        for start in range(0, len(strongest), tables):
            stratum = strongest[start : start + tables]
            for one in stratum:
                rows[one] = {other: 1 for other in stratum if other != one}
    return rows


def _strength(entrant: Entrant, seeding: str) -> tuple[int, str]:
    return (-entrant.rating if seeding == RATING else entrant.number, entrant.id)


def _added(layers: list[tuple[Rows, int]], players: int) -> Rows:
    """Rows of costs, each with its weight, as one."""
    rows: Rows = [{} for _ in range(players)]
    for layer, weight in layers:
        for row, more in zip(rows, layer, strict=True):
            for other, cost in more.items():
                row[other] = row.get(other, 0) + weight * cost
    return rows
