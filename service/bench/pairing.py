"""`hidalgo bench pairing`: how long it takes to draw a round and to rank players, in small and in large events."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from statistics import median

import click
from msgspec.structs import replace

from service.bench.figures import Figure, report
from tournaments.certificate import FAST, TABLES
from tournaments.history import History, Player
from tournaments.pairing.draw import Request, draw
from tournaments.results import Result, Table
from tournaments.standings import drawn_lots, standings
from tournaments.tally import tally, tally_after
from tournaments.tiebreaks import TIEBREAKS

ROUNDS = 7
STANDINGS_ROUNDS = 9
FLAT_PLAYERS = 1000
RUNS = 3
"""Of which the fastest counts."""
SHORTEST = 1e-6
"""Seconds that a clock can tell from none."""


@click.command("pairing")
@click.option("--most", type=click.IntRange(16), default=4096, show_default=True, help="Players of the largest event.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_pairing(ctx: click.Context, most: int, no_limits: bool, as_json: bool) -> None:
    """Measure pairings and standings of simulated events.

    The seventh round counts, with its certificate; time is the processor's.
    """
    ctx.exit(report(list(measure(most)), as_json=as_json, limits=not no_limits))


def measure(most: int) -> Iterator[Figure]:
    """All figures; events of more players than `most` are made smaller."""
    for players, limit in ((256, 0.05), (1024, 0.3), (4096, 3.0)):
        event = Simulated(min(players, most), 2, FAST)
        yield Figure(f"two players, {event.count:,} in all", event.played(ROUNDS)[-1], "s", at_most=limit)
    for players, limit in ((128, 1.0), (1024, 0.3), (4096, 1.0)):
        event = Simulated(min(players, most), 4, TABLES)
        yield Figure(f"tables of 4, {event.count:,} in all", event.played(ROUNDS)[-1], "s", at_most=limit)
    event.played(STANDINGS_ROUNDS - ROUNDS)
    yield Figure(f"standings by all tie-breaks, {event.count:,}", event.ranked(), "s", at_most=1.0)
    flat = Simulated(min(FLAT_PLAYERS, most), 4, TABLES).played(STANDINGS_ROUNDS)
    yield Figure(f"a round of {min(FLAT_PLAYERS, most):,}: the last to the first", _ratio(flat), "×", at_most=2.0)


def _ratio(seconds: list[float]) -> float:
    """Of the last rounds to those after the first, in which nobody has met anybody."""
    return median(seconds[-3:]) / median(seconds[1:4])


class Simulated:
    """An event whose results follow from its seed."""

    def __init__(self, count: int, size: int, method: str) -> None:
        self.count, self.size, self.method = count, size, method
        self.history = History(tuple(Player(f"p{number:04}", number) for number in range(1, count + 1)))
        self.tally = tally(self.history)

    def played(self, rounds: int) -> list[float]:
        """Seconds of each of these rounds: the draw, and the tally after it."""
        return [self._round() for _ in range(rounds)]

    def _round(self) -> float:
        seed = f"round {len(self.history.rounds)}".encode()
        present = tuple(player.id for player in self.history.players)
        began = time.process_time()
        request = Request(self.history, present, self.size, seed, (3,), method=self.method, tally=self.tally)
        drawn = draw(request).round
        lasted = time.process_time() - began
        done = replace(drawn, tables=tuple(replace(table, result=self._result(table, seed)) for table in drawn.tables))
        began = time.process_time()
        self.history = replace(self.history, rounds=(*self.history.rounds, done))
        self.tally = tally_after(self.tally, self.history, done)
        return max(lasted + time.process_time() - began, SHORTEST)

    def _result(self, table: Table, seed: bytes) -> Result:
        luck = [sha256(seed + player.encode()).digest() for player in table.players]
        places = tuple(1 + sum(other < mine for other in luck) for mine in luck)
        return Result(places, tuple(100 - 10 * place for place in places))

    def ranked(self) -> float:
        """Seconds; neighbours on the machine make some runs slower, and none faster."""
        lots = drawn_lots((player.id for player in self.history.players), b"lots")
        names = ("TP", *(name for name in TIEBREAKS if name not in ("TP", "PTS")))
        return min(self._ranked_once(names, lots) for _ in range(RUNS))

    def _ranked_once(self, names: Sequence[str], lots: Mapping[str, int]) -> float:
        began = time.process_time()
        standings(self.history, names, lots)
        return max(time.process_time() - began, SHORTEST)
