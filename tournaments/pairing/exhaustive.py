"""The best tables of a very small field: every way to fill them is looked at, but for those that cannot be better.

The first player who has no table yet gets one, with all possible companions in turn; a branch ends where what it costs
so far, and what the players who are left cost at least, is no better than the best tables that are known. After so many
steps the search ends in any case, on every machine at the same place.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing.costs import Costs

UP_TO = 20
"""Players: in larger fields there are too many ways."""

STEPS = 150_000
"""A step gives one player a seat."""


def best_of_all(costs: Costs, tables: list[list[int]]) -> list[list[int]]:
    """Better tables than these, if there are any; else the same."""
    search = _Search(costs, tables)
    search.fill(0, [], list(range(len(costs.scores))), [len(table) for table in tables])
    return search.best


class _Search:
    def __init__(self, costs: Costs, tables: list[list[int]]) -> None:
        players = range(len(costs.scores))
        self._together = [
            [
                costs.pairs[one].get(two, 0) + costs.level * (costs.scores[one] - costs.scores[two]) ** 2
                for two in players
            ]
            for one in players
        ]
        self._odd, self._is_odd = costs.odd, dict(zip(costs.sizes, costs.is_odd, strict=True))
        self.best, self._steps = tables, STEPS
        self._least = sum(self._cost(table) for table in tables)

    def _cost(self, table: Sequence[int]) -> int:
        pairs = sum(self._together[one][two] for index, one in enumerate(table) for two in table[:index])
        return pairs + (sum(self._odd[player] for player in table) if self._is_odd[len(table)] else 0)

    def fill(self, spent: int, filled: list[list[int]], left: list[int], sizes: list[int]) -> None:
        """Tables of these sizes with the players who are left."""
        if not left:
            found = list(filled)
            self.best, self._least = [found.pop(_first(found, len(table))) for table in self.best], spent
            return
        if spent + self._at_least(left, min(sizes)) >= self._least:
            return
        for size in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(size)
            alone = self._odd[left[0]] if self._is_odd[size] else 0
            self._seat(spent + alone, filled, [left[0]], left[1:], size, others, 0)

    def _seat(
        self,
        spent: int,
        filled: list[list[int]],
        table: list[int],
        left: list[int],
        size: int,
        sizes: list[int],
        at: int,
    ) -> None:
        """Companions for the players of a table, from this one of those who are left on."""
        if len(table) == size:
            self.fill(spent, [*filled, table], left, sizes)
            return
        for index in range(at, len(left) - (size - len(table)) + 1):
            if not self._steps:
                return
            self._steps -= 1
            player, row = left[index], self._together[left[index]]
            more = sum([row[other] for other in table]) + (self._odd[player] if self._is_odd[size] else 0)
            if spent + more < self._least:
                rest = left[:index] + left[index + 1 :]
                self._seat(spent + more, filled, [*table, player], rest, size, sizes, index)

    def _at_least(self, left: list[int], size: int) -> int:
        """Everybody has the cheapest companions that there are."""
        cheapest = 0
        for player in left:
            row = self._together[player]
            cheapest += sum(sorted([row[other] for other in left if other != player])[: size - 1])
        return -(-cheapest // 2)


def _first(tables: list[list[int]], size: int) -> int:
    return next(index for index, table in enumerate(tables) if len(table) == size)
