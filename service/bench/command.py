"""`hidalgo bench`: how fast it is on this machine, against what we promise."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import click

from rules.catalogue import GAMES
from rules.codec import codec_for, encode
from rules.game import Promises
from rules.kernel import Fact, Move, State, fold, play
from rules.simulation import moves, random_answer, random_decision
from service.bench.api import bench_api
from service.bench.bots import bench_bots
from service.bench.capacity import bench_capacity
from service.bench.cluster import bench_cluster
from service.bench.figures import Figure, report
from service.bench.idle import bench_idle
from service.bench.log import bench_log
from service.bench.notices import bench_notices
from service.bench.pairing import bench_pairing
from service.bench.scale import bench_scale
from service.bench.servers import percentile
from service.bench.streams import bench_streams
from service.bench.studies import bench_studies
from service.bench.table import bench_table
from service.bench.time import bench_time
from service.bench.viewer import bench_viewer
from service.cli.game_options import game_option, rules_for
from service.cli.games import Plan, Setup

MILLISECOND = 1_000_000


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  hidalgo bench rules\n  hidalgo bench api\n  hidalgo bench streams --no-limits --json",
)
def bench() -> None:
    """Measure how fast it is on this machine, against what we promise."""
    # As after Ctrl-C: servers and stores that were started end, too.
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    click.get_current_context().call_on_close(lambda: signal.signal(signal.SIGTERM, before))


bench.add_command(bench_api)
bench.add_command(bench_bots)
bench.add_command(bench_capacity)
bench.add_command(bench_cluster)
bench.add_command(bench_idle)
bench.add_command(bench_log)
bench.add_command(bench_notices)
bench.add_command(bench_pairing)
bench.add_command(bench_scale)
bench.add_command(bench_streams)
bench.add_command(bench_studies)
bench.add_command(bench_time)
bench.add_command(bench_viewer)
bench.add_command(bench_table)


@bench.command("rules")
@game_option
@click.option("--games", type=click.IntRange(1), default=12, show_default=True, help="Games that are recorded.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="How often all is measured.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--expansion", "expansions", multiple=True, metavar="NAME", help="With this expansion; may be repeated.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_rules(
    ctx: click.Context,
    game: str,
    games: int,
    rounds: int,
    seed: int,
    expansions: tuple[str, ...],
    no_limits: bool,
    as_json: bool,
) -> None:
    """Measure the rules core on random full games of four.

    Fails with exit code 1 if a figure misses its limit. Rounds of all measurements are interleaved, of every single
    measurement the best round counts, and time is the processor's: other work on the machine disturbs little.
    """
    rules_for(game, expansions)  # Refuses what cannot be played.
    promised = GAMES[game].expanded if expansions else GAMES[game].promises
    plan = Plan(game, (expansions,), (4,), (dict(promised.agreed),), seed)
    figures = list(measure(plan, games, rounds, promised))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


# Measuring


@dataclass(frozen=True)
class Recorded:
    """A finished game: its moves, and its facts as they are stored."""

    setup: Setup
    moves: list[Move]
    facts: list[Fact]
    stored: bytes


def measure(plan: Plan, games: int, rounds: int, promised: Promises) -> Iterator[Figure]:
    """All figures of the rules core."""
    recorded = [record(plan.setup(number)) for number in range(games)]
    every_move = [move for game in recorded for move in game.moves]
    viewing = [partial(GAMES[plan.game].view, move.before, move.decision.player) for move in every_move]
    folding = [partial(_load, game.setup.table(), game) for game in recorded]
    simulating = [partial(_simulate, game.setup) for game in recorded]
    timed = [Best(work) for work in (viewing, folding, simulating)]
    live = Live([game.setup for game in recorded])
    for _ in range(rounds):
        live.run()
        for best in timed:
            best.run()
    seen, folded, simulated = (best.milliseconds() for best in timed)
    yield Figure("a move, decided and applied: median", median(live.played), "ms", at_most=promised.move)
    slow = percentile(live.played, 99)
    yield Figure("a move, decided and applied: 99th percentile", slow, "ms", at_most=promised.slow_move)
    yield Figure("a stored game, decoded and folded: median", median(folded), "ms", at_most=promised.fold)
    yield Figure("random games, unchecked", 1000 * games / sum(simulated), "games/s", at_least=promised.games)
    yield Figure("options of a decision: median", median(live.asked), "ms")
    yield Figure("options of the largest decision", max(live.asked), "ms", at_most=promised.options)
    yield Figure("view of a position: median", median(seen), "ms")
    yield Figure("moves a game", len(every_move) / games, "moves")
    yield Figure("facts a game", sum(len(game.facts) for game in recorded) / games, "facts")
    yield Figure("a stored game", sum(len(game.stored) for game in recorded) / games, "bytes")


def record(setup: Setup) -> Recorded:
    facts_of_the_start, state = setup.start()
    played = list(moves(state, setup.pick()))
    facts = [*facts_of_the_start, *(fact for move in played for fact in move.facts)]
    return Recorded(setup, played, facts, encode(facts))


def _load(table: State, game: Recorded) -> State:
    return fold(table, codec_for(table.board.variant).facts(game.stored))


def _simulate(setup: Setup) -> None:
    _, state = setup.start()
    for _ in moves(state, setup.pick()):
        pass


class Live:
    """Whole games, with every question and every answer measured as in play: nothing is known of a position before."""

    def __init__(self, setups: Sequence[Setup]) -> None:
        self.setups = setups
        self.asked: list[float] = []
        self.played: list[float] = []

    def run(self) -> None:
        asked, played = [], []
        for setup in self.setups:
            _, state = setup.start()
            pick = setup.pick()
            while not state.is_over:
                took, decision = _timed(partial(random_decision, state, pick))
                asked.append(took)
                answer = random_answer(state, decision, pick)
                took, (_, state) = _timed(partial(play, state, answer))
                played.append(took)
        self.asked = [min(pair) for pair in zip(asked, self.asked or asked, strict=True)]
        self.played = [min(pair) for pair in zip(played, self.played or played, strict=True)]


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time_ns()
    result = work()
    return (time.process_time_ns() - began) / MILLISECOND, result


class Best:
    """The shortest time of every piece of work, over all runs; time that other processes take does not count."""

    def __init__(self, works: Sequence[Callable[[], object]]) -> None:
        self.works = works
        self.shortest = [float("inf")] * len(works)

    def run(self) -> None:
        clock = time.process_time_ns
        for number, work in enumerate(self.works):
            began = clock()
            work()
            self.shortest[number] = min(self.shortest[number], clock() - began)

    def milliseconds(self) -> list[float]:
        return [nanoseconds / MILLISECOND for nanoseconds in self.shortest]
