"""`hidalgo simulate`: random legal games, with every rule's promise checked after every fact."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rules.catalogue import GAMES, rules
from service.cli.coverage import Coverage
from service.cli.game_options import LENGTH, LENGTHS, agreements, game_option, option_option, rules_for
from service.cli.games import Broken, Plan, Tally, exported, play_all

BOTH = "both"


class NumberOfPlayers(click.ParamType):
    """`3`, `2-4`, or `all`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        assert ctx, "players belong to a game"
        allowed = GAMES[ctx.params["game"]].players
        if value == "all":
            return allowed
        if found := re.fullmatch(r"(\d)(?:-(\d))?", value):
            chosen = tuple(range(int(found[1]), int(found[2] or found[1]) + 1))
            if chosen and set(chosen) <= set(allowed):
                return chosen
        low, high = allowed[0], allowed[-1]
        self.fail(
            f"{value} is neither a number from {low} to {high}, nor a range like {low}-{high}, nor all", param, ctx
        )


@click.command(
    epilog="""\b
Examples:
  hidalgo simulate --games 100
  hidalgo simulate --players 3 --length short --expansion anniversary --games 20 --seed 7
  hidalgo simulate --game el_caballero --option mode=all --games 100 --cover
  hidalgo simulate --players 4 --games 1 --export game.json && hidalgo verify game.json
The big one, every variant in turn and every card seen from all sides:
  hidalgo simulate --players 2-5 --length both --expansion-mix --games 10000 --cover"""
)
@game_option
@click.option("--expansion", "expansions", multiple=True, metavar="NAME", help="With this expansion; may be repeated.")
@click.option(
    "--expansion-mix",
    is_flag=True,
    help="With and without: every combination of the expansions named, or of all, in turn.",
)
@click.option(
    "--players", type=NumberOfPlayers(), default="all", show_default=True, help="3, a range, or all; in turn."
)
@click.option(
    "--length", type=click.Choice([*LENGTHS, BOTH]), default=LENGTHS[0], show_default=True, help="9 or 6 rounds."
)
@option_option
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first game.")
@click.option("--jobs", type=click.IntRange(1), help="Processes that play. [default: as many as cores]")
@click.option("--no-invariants", is_flag=True, help="Only play: check nothing.")
@click.option("--cover", is_flag=True, help="Show what came up, and fail if a card or a decision did not.")
@click.option(
    "--export",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the last game to this file, for `hidalgo verify`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def simulate(
    ctx: click.Context,
    game: str,
    expansions: tuple[str, ...],
    expansion_mix: bool,
    players: tuple[int, ...],
    length: str,
    chosen: tuple[str, ...],
    games: int,
    seed: int,
    first: int,
    jobs: int | None,
    no_invariants: bool,
    cover: bool,
    export: Path | None,
    as_json: bool,
) -> None:
    """Let programs play whole games at random, and check the rules.

    Every legal answer can come up. After every fact all invariants are checked, and at every decision that there is
    a choice and that running out of time is possible. The first violation ends the run with exit code 1 and tells how
    to repeat the game.
    """
    lengths = GAMES[game].options.get(LENGTH, LENGTHS[:1]) if length == BOTH else (length,)
    options = agreements(GAMES[game], lengths, chosen, () if expansion_mix else expansions)
    plan = Plan(game, _combinations(game, expansions, expansion_mix), players, options, seed)
    numbers = range(first, first + games)
    run = _run(plan, numbers, checked=not no_invariants, jobs=jobs or cores(), quiet=as_json)
    missing = _missing(plan, run.tally.coverage) if cover else []
    if as_json:
        click.echo(json.dumps(_as_json(run, missing), indent=2))
    else:
        click.echo("\n".join(_as_text(run, missing, cover)))
    if run.tally.broken or missing:
        ctx.exit(1)
    if export:
        export.write_bytes(exported(plan.setup(numbers[-1])))


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _combinations(game: str, named: tuple[str, ...], mix: bool) -> tuple[tuple[str, ...], ...]:
    """The sets of expansions that are played in turn."""
    chosen = tuple(dict.fromkeys(named))
    for together in [(name,) for name in chosen] if mix else [chosen]:
        rules_for(game, together)  # Refuses what cannot be played.
    return tuple(GAMES[game].combinations(chosen or tuple(GAMES[game].expansions))) if mix else (chosen,)


# Running


@dataclass(frozen=True)
class Run:
    plan: Plan
    tally: Tally
    seconds: float
    jobs: int
    checked: bool


def _run(plan: Plan, numbers: range, *, checked: bool, jobs: int, quiet: bool) -> Run:
    began = time.perf_counter()
    total = Tally()
    for tally in _with_progress(play_all(plan, numbers, checked=checked, jobs=jobs), len(numbers), quiet):
        total.add(tally)
    return Run(plan, total, time.perf_counter() - began, jobs, checked)


def _with_progress(tallies: Iterator[Tally], games: int, quiet: bool) -> Iterable[Tally]:
    """The same, with a line on the terminal that tells how far it is."""
    if quiet or not sys.stderr.isatty():
        yield from tallies
        return
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        for tally in tallies:
            progress.advance(task, tally.games)
            yield tally


def _missing(plan: Plan, coverage: Coverage) -> list[str]:
    played = [rules(plan.game, names) for names in plan.expansions]
    return coverage.missing(GAMES[plan.game], played)


# Reports


def _as_json(run: Run, missing: list[str]) -> dict[str, Any]:
    """All but `speed` is the same for the same seed."""
    tally = run.tally
    return {
        "games": tally.games,
        "commands": tally.commands,
        "facts": tally.facts,
        "bytes": tally.size,
        "checked": run.checked,
        "digest": tally.digest,
        "variants": dict(sorted(tally.variants.items())),
        "coverage": tally.coverage.as_json(GAMES[run.plan.game]),
        "missing": missing,
        "violation": _violation(run.plan, tally.broken) if tally.broken else None,
        "speed": {
            "seconds": round(run.seconds, 3),
            "jobs": run.jobs,
            "games_per_second": round(tally.games / run.seconds, 1),
            "commands_per_second": round(tally.commands / run.seconds, 1),
        },
    }


def _violation(plan: Plan, broken: Broken) -> dict[str, Any]:
    return {
        "game": broken.setup.number,
        "variant": broken.setup.variant,
        "seed": broken.setup.seed.hex(),
        "fact": broken.facts,
        "last": broken.last,
        "wrong": broken.wrong,
        "repeat": _repeat(plan, broken),
    }


def _as_text(run: Run, missing: list[str], cover: bool) -> Iterator[str]:
    tally = run.tally
    if tally.games:
        yield from _figures(run)
    if cover:
        yield from tally.coverage.table(GAMES[run.plan.game])
        yield from (f"missing: {what}" for what in missing)
    if tally.broken:
        yield from _broken(run.plan, tally.broken)
    elif run.checked:
        yield "no violation"


def _figures(run: Run) -> Iterator[str]:
    tally, seconds = run.tally, run.seconds
    yield f"{tally.games:,} games in {len(tally.variants)} variants, {seconds:.1f} s, {run.jobs} processes"
    yield f"{tally.games / seconds:.1f} games/s, {tally.commands / seconds:,.0f} moves/s"
    each = [tally.commands / tally.games, tally.facts / tally.games, tally.size / tally.games]
    yield f"{each[0]:.1f} moves, {each[1]:.1f} facts and {each[2]:,.0f} bytes a game"
    yield f"digest {tally.digest}"


def _broken(plan: Plan, broken: Broken) -> Iterator[str]:
    yield f"VIOLATION in game {broken.setup.number} ({broken.setup.variant}), fact {broken.facts}"
    yield f"  wrong:  {broken.wrong}"
    yield f"  seed:   {broken.setup.seed.hex()}"
    yield f"  repeat: {_repeat(plan, broken)}"
    if broken.last:
        yield f"  last:   {broken.last}"


def _repeat(plan: Plan, broken: Broken) -> str:
    """The command that plays this one game again: its seed follows from the plan's seed and its number alone."""
    setup = broken.setup
    named = "".join(f" --expansion {name}" for name in setup.expansions)
    length = f" --length {setup.agreed[LENGTH]}" if LENGTH in setup.agreed else ""
    more = "".join(f" --option {name}={value}" for name, value in setup.agreed.items() if name != LENGTH)
    variant = f"--game {setup.game}{named} --players {setup.players}{length}{more}"
    return f"hidalgo simulate {variant} --seed {plan.seed} --first {setup.number} --games 1"
