"""Two players a table, fast: a maximum-weight matching of thousands.

From the worst to the mildest: pairs that are kept apart, team-mates, rematches, colours that neither can have, the sum
of differences of scores and of their squares, colours, and the distance in pairing order. A player who sits out is
matched with nobody: never one who has had a win without a game while another has not, and of the lowest scores.
Few neighbours in pairing order are enough for most; more are looked at until everybody has an opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import gcd

import rustworkx

from tournaments.pairing.colours import Preference, denied, is_first_white, preference
from tournaments.pairing.entrants import Field

WINDOW, WIDER = 16, 4
WHOLE = 64
"""In fields of so many everybody is looked at."""

NOBODY = -1
Edge = tuple[int, int, tuple[int, ...]]
"""Two players, or one and nobody, and what the pair costs, the worst first."""


def matched(field: Field) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Pairs by colour, white first, and the player who sits out, if there is one; of a field in pairing order."""
    problem, count = Problem(field), len(field.entrants)
    window = count if count <= WHOLE else WINDOW
    while True:
        found = best_matching(count, problem.edges(min(window, count), strict=True))
        if 2 * len(found) >= count:
            break
        if window >= count:
            found = best_matching(count, problem.edges(count, strict=False))
            break
        window *= WIDER
    return problem.named(found)


class Problem:
    """Players by their index in pairing order."""

    def __init__(self, field: Field) -> None:
        self.field = field
        entrants = field.entrants
        lowest = min((entrant.score for entrant in entrants), default=0)
        unit = reduce(gcd, (entrant.score - lowest for entrant in entrants), 0) or 1
        self.scores = [(entrant.score - lowest) // unit for entrant in entrants]
        self.had = [field.encounters.seats.get(entrant.id, ()) for entrant in entrants]
        self.preferences: list[Preference] = [preference(had) for had in self.had]
        self.byes = [field.encounters.byes.get(entrant.id, 0) for entrant in entrants]
        self.met = [field.encounters.met.get(entrant.id, {}) for entrant in entrants]
        self._forbidden = set(field.wishes.forbidden)

    def edges(self, window: int, *, strict: bool) -> Iterator[Edge]:
        """Pairs that may play: with `strict` only those that are neither kept apart nor a rematch, and whose colours
        are possible."""
        count = len(self.scores)
        for one in range(count):
            for other in range(one + 1, min(count, one + window + 1)):
                bad = self._bad(one, other)
                if not strict or not any(bad):
                    yield one, other, (*bad, *self._quality(one, other))
        if count % 2:
            yield from self._byes(window, strict=strict)

    def _bad(self, one: int, other: int) -> tuple[int, int, int, int]:
        mine, theirs = self.field.entrants[one], self.field.entrants[other]
        return (
            int(bool(self._forbidden) and self.field.are_kept_apart(mine, theirs)),
            int(self.field.are_team_mates(mine, theirs)),
            self.met[one].get(theirs.id, 0) ** 2,
            int(self.preferences[one].clashes_with(self.preferences[other])),
        )

    def _quality(self, one: int, other: int) -> tuple[int, int, int, int]:
        difference = abs(self.scores[one] - self.scores[other])
        colours = denied(self.preferences[one], self.preferences[other])
        return difference, difference * difference, colours, other - one

    def _byes(self, window: int, *, strict: bool) -> Iterator[Edge]:
        fewest, count = min(self.byes), len(self.scores)
        eligible = [player for player in reversed(range(count)) if self.byes[player] == fewest or not strict]
        for player in eligible[: max(window, 2)]:
            score = self.scores[player]
            yield player, NOBODY, (0, 0, self.byes[player] ** 2, 0, score, score * score, 0, count - player)

    def named(self, pairs: Sequence[tuple[int, int]]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
        """Tables from the highest score down, and who sits out."""
        entrants = self.field.entrants
        out = tuple(entrants[one].id for one, other in pairs if other == NOBODY)
        ordered = sorted((pair for pair in pairs if pair[1] != NOBODY), key=lambda pair: min(pair))
        tables = []
        for number, pair in enumerate(ordered):
            one, other = sorted(pair)
            is_white = is_first_white(self.had[one], self.had[other], is_odd=number % 2 == 0)
            first, second = (one, other) if is_white else (other, one)
            tables.append((entrants[first].id, entrants[second].id))
        return tuple(tables), out


def best_matching(count: int, edges: Iterator[Edge]) -> list[tuple[int, int]]:
    """As many pairs as possible, and of these the best: no cost is traded for a milder one."""
    listed = list(edges)
    if not listed:
        return []
    most = [max(costs) for costs in zip(*(costs for _, _, costs in listed), strict=True)]
    weights, weight = [0] * len(most), 1
    for level in reversed(range(len(most))):
        weights[level] = weight
        weight *= most[level] * (count // 2 + 1) + 1
    highest = sum(a * b for a, b in zip(weights, most, strict=True)) + 1
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count + count % 2))
    used = [level for level in range(len(most)) if most[level]]
    graph.add_edges_from(
        [
            (one, count if other == NOBODY else other, highest - sum([weights[level] * costs[level] for level in used]))
            for one, other, costs in listed
        ]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(pair), NOBODY if max(pair) == count else max(pair)) for pair in found]
