"""Seeded annealing for small fields: a search that may climb, with integers alone.

Swaps of two players are drawn from SHAKE-256 of the seed, so that everybody can redo them. A swap that makes the round
worse by d is taken if d is at most the temperature times -ln u, with u drawn from 1,024 steps; the temperature falls by
a fixed ratio. Logarithms are those of decimal arithmetic, which are the same on every machine.
"""

from __future__ import annotations

import sys
from array import array
from decimal import Decimal
from functools import cache
from hashlib import shake_256

from tournaments.pairing.costs import Costs
from tournaments.pairing.search import Seating

STEPS = 200
"""Of the temperature, from hot to cold."""

HOT, COLD = 64, 1
"""Times the mean cost of differences at a table, in 64ths."""

SOFT = (4, 16, 8, 8)
"""A repeated meeting costs so many times as much: other weights on other walks find other rounds."""

START = (1, 4, 8, 2)
"""So many times as hot as others walks begin."""

MOVES = 60_000
"""Of a walk."""

GRAINS = 1024


def annealed(seating: Seating, seed: bytes, number: int) -> list[list[int]]:
    """The best tables that were met on a walk, by softened costs."""
    typical = 1 + sum(_spread(seating.costs, table) for table in seating.tables) // len(seating.tables)
    walk = Walk(seating, SOFT[number] * typical + 1)
    words, each = _words(seed + bytes([number]), 2 * MOVES), MOVES // STEPS
    for step in range(STEPS):
        walk.go(words[2 * step * each : 2 * (step + 1) * each], START[number] * typical * heats()[step])
    return walk.best


class Walk:
    """Tables that change by accepted swaps, and the best so far."""

    def __init__(self, seating: Seating, weight: int) -> None:
        self.tables = [list(table) for table in seating.tables]
        self.best = [list(table) for table in seating.tables]
        self._total = self._least = 0
        self._costs = seating.costs
        self._pairs = _softened(seating.costs, weight)
        self._odd = [weight * count // 4 for count in seating.costs.soft_odd]
        self._table_of = [0] * len(seating.costs.scores)
        for number, table in enumerate(self.tables):
            for player in table:
                self._table_of[player] = number

    def go(self, words: array[int], heat: int) -> None:
        """Some swaps at one temperature: this loop is where the time goes."""
        tables, table_of, pairs, odd, is_odd = self.tables, self._table_of, self._pairs, self._odd, self._costs.is_odd
        logarithms, count = minus_logarithms(), len(table_of)
        for draw in range(0, len(words), 2):
            word = words[draw + 1]
            player, partner = words[draw] % count, (word >> 10) % count
            one, other = table_of[player], table_of[partner]
            if one == other:
                continue
            here, there, mine, theirs = tables[one], tables[other], pairs[player], pairs[partner]
            change = -2 * mine[partner]
            for stays in here:
                change += theirs[stays] - mine[stays]
            for stays in there:
                change += mine[stays] - theirs[stays]
            if is_odd[one] != is_odd[other]:
                change += odd[partner] - odd[player] if is_odd[one] else odd[player] - odd[partner]
            if change <= 0 or change * GRAINS * GRAINS * HOT <= heat * logarithms[word & (GRAINS - 1)]:
                here[here.index(player)], there[there.index(partner)] = partner, player
                table_of[player], table_of[partner] = other, one
                self._total += change
                if self._total < self._least:
                    self._least, self.best = self._total, [list(table) for table in tables]


def _softened(costs: Costs, weight: int) -> list[list[int]]:
    """What it costs that two sit at one table, as a matrix: differences of scores and weighted meetings."""
    rows = [[(mine - theirs) ** 2 for theirs in costs.scores] for mine in costs.scores]
    for row, meetings in zip(rows, costs.soft, strict=True):
        for other, count in meetings.items():
            row[other] += weight * count
    return rows


def _spread(costs: Costs, table: list[int]) -> int:
    scores = [costs.scores[player] for player in table]
    return len(scores) * sum(score * score for score in scores) - sum(scores) ** 2


def _words(seed: bytes, count: int) -> array[int]:
    """Little-endian numbers of 32 bits."""
    words = array("I", shake_256(seed).digest(4 * count))
    if sys.byteorder == "big":
        words.byteswap()
    return words


@cache
def heats() -> list[int]:
    """The temperature of each step, in 64ths of a typical cost times 1,024."""
    hot, ratio = Decimal(HOT * GRAINS), (Decimal(COLD) / HOT) ** (Decimal(1) / STEPS)
    return [int(hot * ratio**step) for step in range(STEPS)]


@cache
def minus_logarithms() -> list[int]:
    """-ln u, in 1,024ths."""
    return [int(-(Decimal(2 * grain + 1) / (2 * GRAINS)).ln() * GRAINS) for grain in range(GRAINS)]
