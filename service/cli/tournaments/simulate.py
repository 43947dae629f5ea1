"""`hidalgo tournament simulate`: whole tournaments of bots, through the real service."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from rules.bots import BOTS
from rules.catalogue import GAMES
from rules.errors import Refused
from service.cli.game_options import LENGTHS, agreed, game_option, rules_for
from service.cli.stored import settings_with, tell
from service.cli.tournaments.reports import standings_text, summary
from service.cli.tournaments.simulation import Simulation, bots, simulated
from service.language import rendered
from service.tournaments.tournament_files import as_accounts, report_file
from tournaments.audit import export as exported
from tournaments.bounds import warnings
from tournaments.certificate import DUTCH, FAST
from tournaments.options import MOST_PLAYERS, MOST_ROUNDS, Options, Stage
from tournaments.points import CHESS, LARGEST, SMALLEST, PointScheme
from tournaments.tournament import Tournament

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    epilog="""\b
Examples:
  hidalgo tournament simulate --players 64 --table 4 --rounds 7 --seed 1
  hidalgo tournament simulate --players 16 --table 2 --rounds 5 --length short --trf event.trf
  hidalgo tournament simulate --players 22 --export event.json && hidalgo tournament verify event.json"""
)
@game_option
@click.option("--expansion", "expansions", multiple=True, metavar="NAME", help="With this expansion; may be repeated.")
@click.option("--length", type=click.Choice(LENGTHS), default=LENGTHS[0], show_default=True, help="9 or 6 rounds.")
@click.option("--players", type=click.IntRange(SMALLEST, MOST_PLAYERS), default=16, show_default=True, help="Bots.")
@click.option(
    "--table", "size", type=click.IntRange(SMALLEST, LARGEST), default=4, show_default=True, help="Players of a table."
)
@click.option(
    "--other-size",
    "sizes",
    type=click.IntRange(SMALLEST, LARGEST),
    multiple=True,
    help="Also tables of this size where numbers do not fit; may be repeated. Without any, players sit out.",
)
@click.option("--rounds", type=click.IntRange(1, MOST_ROUNDS), default=5, show_default=True, help="Of the tournament.")
@click.option("--method", type=click.Choice([FAST, DUTCH]), default=FAST, show_default=True, help="For two at a table.")
@click.option(
    "--bot",
    "named",
    type=click.Choice(list(BOTS)),
    multiple=True,
    default=("greedy", "random"),
    show_default=True,
    help="Who plays; several take turns.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same cards, pairings, standings.")
@click.option("--export", "file", type=FILE, help="Write the tournament to this file, for `hidalgo tournament verify`.")
@click.option("--trf", "report", type=FILE, help="Write a tournament report file (TRF-2026): two players at a table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: rounds, results, standings.")
def simulate(
    game: str,
    expansions: tuple[str, ...],
    length: str,
    players: int,
    size: int,
    sizes: tuple[int, ...],
    rounds: int,
    method: str,
    named: tuple[str, ...],
    seed: str,
    file: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Let bots play a whole tournament, through the service itself.

    Rounds are drawn, games are played and results are noted by the workers of the service, on a store of its own that
    is thrown away; only time does not pass: it jumps to the next moment at which something is due. Progress goes to the
    standard error output, standings to the standard output.
    """
    if report and size != 2:
        raise click.BadParameter("report files are for two players at a table: use --table 2", param_hint="--trf")
    options = Options(
        title=f"Simulation {seed}",
        game=rules_for(game, expansions).name,
        game_options=agreed(GAMES[game], length),
        size=size,
        sizes=tuple(dict.fromkeys(sizes)),
        method=method if size == 2 else "",
        stages=(Stage(rounds=rounds),),
        points=PointScheme(CHESS) if size == 2 else PointScheme(),
    )
    for warning in warnings(players, size, rounds):
        tell(f"warning: {rendered(warning)}")
    with simulated(seed, settings_with()) as simulation:
        ended = played(simulation, options, bots(named, players))
        if file:
            file.write_bytes(export_of(simulation, ended))
        if report:
            report.write_text(report_file(ended, as_accounts(ended)))
    click.echo(json.dumps(summary(ended), indent=2) if as_json else "\n".join(standings_text(ended)))


def played(simulation: Simulation, options: Options, players: list[str]) -> Tournament:
    """The tournament after its last round, with a line for each round while it is played."""
    began, told = time.monotonic(), 0

    def progress(tournament: Tournament) -> None:
        nonlocal told
        closed = sum(bool(paired.closed_at) for paired in tournament.rounds)
        if closed > told:
            told = closed
            tell(f"round {closed} is over after {time.monotonic() - began:.1f} s")

    try:
        ended = simulation.play(simulation.create(options, players), progress)
    except Refused as refusal:
        raise click.ClickException(rendered(refusal.text)) from None
    games = [simulation.wired.games.load(game) for paired in ended.rounds for game in paired.games.values()]
    commits, seconds = sum(game.version for game in games), time.monotonic() - began
    tell(f"{len(games):,} games with {commits:,} commits in {seconds:.1f} s")
    return ended


def export_of(simulation: Simulation, ended: Tournament) -> bytes:
    log = simulation.wired.tournaments.log
    return exported(log.read(ended.id), log.secret(ended.id))
