"""A seating of players at tables, and the swaps that better it: repair with a growing window, then polish. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.pairing.costs import Costs

NEIGHBOURS = 3
"""So many tables up and down, swaps are tried in fields of any size."""


class Seating:
    """Players at tables, by their indices; changes by swaps alone."""

    def __init__(self, costs: Costs, tables: Iterable[Iterable[int]]) -> None:
        self.costs = costs
        self.tables = [list(table) for table in tables]
        self._sums = [sum(costs.scores[player] for player in table) for table in self.tables]
        self._troubles = [0] * len(costs.scores)
        """What a player costs at the own table together with the others there, but for scores."""
        for number in range(len(self.tables)):
            self._weigh(number)

    def is_troubled(self, table: int) -> bool:
        return any(self._troubles[player] for player in self.tables[table])

    def is_free(self, table: int) -> bool:
        """Whether a table costs nothing."""
        return not self.cost(table)

    def cost(self, table: int) -> int:
        costs, players = self.costs, self.tables[table]
        squares = sum(costs.scores[player] ** 2 for player in players)
        spread = costs.level * (len(players) * squares - self._sums[table] ** 2)
        odd = sum(costs.odd[player] for player in players) if costs.is_odd[table] else 0
        return spread + odd + sum(self._troubles[player] for player in players) // 2

    @property
    def total(self) -> int:
        return sum(self.cost(table) for table in range(len(self.tables)))

    def best_swap(self, one: int, others: Iterable[int], *, troubled: bool) -> tuple[int, int, int, int] | None:
        """The swap with another table that saves most: what it saves, the two players, and the table. With `troubled`
        only players are moved who should not sit where they sit."""
        best, found = 0, None
        here = self.tables[one]
        movable = [player for player in here if self._troubles[player]] if troubled else here
        for other in others:
            there = self.tables[other]
            for player in movable:
                for partner in there:
                    change = self._change(player, partner, one, other)
                    if change < best:
                        best, found = change, (change, player, partner, other)
        return found

    def swap(self, player: int, partner: int, one: int, other: int) -> None:
        here, there = self.tables[one], self.tables[other]
        here[here.index(player)], there[there.index(partner)] = partner, player
        more = self.costs.scores[partner] - self.costs.scores[player]
        self._sums[one] += more
        self._sums[other] -= more
        self._weigh(one)
        self._weigh(other)

    def _change(self, player: int, partner: int, one: int, other: int) -> int:
        """What a swap of two players would cost; less than nothing, if it is a good one."""
        costs = self.costs
        here, there = self.tables[one], self.tables[other]
        of_player, of_partner = costs.pairs[player], costs.pairs[partner]
        change = -self._troubles[player] - self._troubles[partner]
        for stays in here:
            if stays in of_partner and stays != player:
                change += of_partner[stays]
        for stays in there:
            if stays in of_player and stays != partner:
                change += of_player[stays]
        mine, theirs = costs.scores[player], costs.scores[partner]
        if mine != theirs:
            rest = self._sums[one] - mine - self._sums[other] + theirs
            change += costs.level * (theirs - mine) * ((len(here) - len(there)) * (theirs + mine) - 2 * rest)
        if costs.is_odd[one] != costs.is_odd[other]:
            more = costs.odd[partner] - costs.odd[player]
            change += more if costs.is_odd[one] else -more
        return change

    def _weigh(self, table: int) -> None:
        players, pairs = self.tables[table], self.costs.pairs
        for player in players:
            row = pairs[player]
            self._troubles[player] = sum([row[other] for other in players if other in row])


def cut(sizes: Sequence[int]) -> list[range]:
    """Tables in pairing order: the first players at the first, and so on."""
    tables, first = [], 0
    for size in sizes:
        tables.append(range(first, first + size))
        first += size
    return tables


def repair(seating: Seating) -> None:
    """Players who should not sit together are swapped with players near by, then farther and farther away."""
    count, window = len(seating.tables), 1
    while troubled := [table for table in range(count) if seating.is_troubled(table)]:
        for table in troubled:
            near = [other for other in range(max(0, table - window), min(count, table + window + 1)) if other != table]
            while swap := seating.best_swap(table, near, troubled=True):
                _, player, partner, other = swap
                seating.swap(player, partner, table, other)
        if window >= count:
            return
        window *= 2


def polish(seating: Seating, window: int) -> None:
    """Swaps within so many tables, until none betters the round any more."""
    count = len(seating.tables)
    changed = [True] * count
    while any(changed):
        before, changed = changed, [False] * count
        for one in range(count):
            for other in range(one + 1, min(count, one + window + 1)):
                if not (before[one] or before[other] or changed[one] or changed[other]):
                    continue
                if seating.is_free(one) and seating.is_free(other):
                    continue
                while swap := seating.best_swap(one, (other,), troubled=False):
                    seating.swap(swap[1], swap[2], one, other)
                    changed[one] = changed[other] = True
