"""`hidalgo tournament new`, `open`, `status` and `export`: an operator's hands on the tournaments of a store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from events.submission import Submission
from events.table.facts import BOT_PREFIX
from rules.bots import BOTS
from rules.catalogue import DEFAULT
from rules.errors import Refused
from service.cli.stored import kept, with_store
from service.cli.tournaments.reports import figures, standings_text, summary
from service.language import rendered
from service.services import Services, services
from service.settings import Settings
from service.tournaments.presets import PRESETS, agreed
from service.tournaments.tournament_files import as_handles, report_file
from service.tournaments.tournament_service import STATUSES, TournamentFilter
from tournaments.audit import export as exported
from tournaments.commands import SERVICE, Register, StartTournament
from tournaments.points import LARGEST, SMALLEST
from tournaments.tournament import Tournament

FILE = click.Path(dir_okay=False, path_type=Path)
SHOWN = 20
STANDARD_OUTPUT = Path("-")


@click.command(
    epilog="""\b
Examples:
  hidalgo tournament new --owner ana --title "Club evening" --preset casual-evening
  hidalgo tournament new --owner ana --options event.json
The fields of FILE are those of POST /api/v1/tournaments."""
)
@click.option("--owner", required=True, metavar="HANDLE", help="The account of its organiser.")
@click.option("--title", help="As people see it.")
@click.option("--preset", type=click.Choice(list(PRESETS)), default=None, help="What is agreed, but for what is given.")
@click.option("--options", "file", type=click.File("rb"), help="JSON with its options; - is standard input.")
@click.option("--game", help=f"The rules, with their expansions.  [default: {DEFAULT}]")
@click.option("--table", "size", type=click.IntRange(SMALLEST, LARGEST), help="Players of a table.")
@click.option("--rounds", type=click.IntRange(1), help="Of a single stage.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@with_store
def new(
    owner: str,
    title: str | None,
    preset: str | None,
    file: Any,
    game: str | None,
    size: int | None,
    rounds: int | None,
    as_json: bool,
    settings: Settings,
) -> None:
    """Create a tournament that is open for players, and print its id."""
    given = read_options(file) if file else {}
    stages = [{"rounds": rounds}] if rounds else None
    named = {"title": title, "game": game, "size": size, "stages": stages}
    given |= {name: value for name, value in named.items() if value is not None}
    given.setdefault("game", DEFAULT)
    with serving(settings) as wired:
        service = wired.tournament_service
        created = service.create(service.account_of(owner), agreed(given, preset or ""), Submission())
    click.echo(json.dumps(summary(created)) if as_json else created.id)


def read_options(file: Any) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(file.read())
    except msgspec.MsgspecError as problem:
        raise click.BadParameter(f"{file.name} is not JSON: {problem}", param_hint="--options") from None
    if not isinstance(found, dict):
        raise click.BadParameter(f"{file.name} holds no options of a tournament", param_hint="--options")
    return found


@click.command(
    "open",
    epilog="""\b
Examples:
  hidalgo tournament open ID --player ben --player cid
  hidalgo tournament open ID --bots 8 --bot greedy --start""",
)
@click.argument("tournament")
@click.option("--player", "handles", multiple=True, metavar="HANDLE", help="Enter this account; may be repeated.")
@click.option("--bots", "count", type=click.IntRange(0, 1000), default=0, help="Enter so many bots of the service.")
@click.option("--bot", "named", type=click.Choice(list(BOTS)), default="greedy", show_default=True, help="Which one.")
@click.option("--start", is_flag=True, help="Close the registration: the first round is drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@with_store
def open_(
    tournament: str, handles: tuple[str, ...], count: int, named: str, start: bool, as_json: bool, settings: Settings
) -> None:
    """Register players and bots for TOURNAMENT, and start it; the log tells that the service did.

    A scheduler must run, as in `hidalgo serve`: it draws rounds, has games created and notes results.
    """
    with serving(settings) as wired:
        service = wired.tournament_service
        players = [service.account_of(handle) for handle in handles]
        for player in (*players, *new_bots(wired.tournaments.load(tournament), named, count)):
            service.submit(tournament, Register(SERVICE, player), Submission())
        if start:
            service.submit(tournament, StartTournament(SERVICE), Submission())
        now = wired.tournaments.load(tournament)
    click.echo(json.dumps(summary(now)) if as_json else "\n".join(figures(now)))


def new_bots(tournament: Tournament, name: str, count: int) -> list[str]:
    """So many bots that do not take part yet: each has a number."""
    taken, found, number = set(tournament.participants), list[str](), 0
    while len(found) < count:
        number += 1
        if (bot := f"{BOT_PREFIX}{name}:{number}") not in taken:
            found.append(bot)
    return found


@click.command()
@click.argument("tournament", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, or a line for every tournament.")
@with_store
def status(tournament: str | None, as_json: bool, settings: Settings) -> None:
    """Show how far TOURNAMENT is, and its standings; without one, list the newest tournaments."""
    with serving(settings) as wired:
        if tournament:
            found = wired.tournaments.load(tournament)
            lines = [*figures(found), *(standings_text(found) if found.rounds else ())]
            click.echo(json.dumps(summary(found), indent=2) if as_json else "\n".join(lines))
            return
        known = newest(wired)
        for each in known:
            click.echo(json.dumps(summary(each)) if as_json else next(figures(each)))
        if not known and not as_json:
            click.echo("no tournaments yet: `hidalgo tournament new` creates one")


def newest(wired: Services) -> tuple[Tournament, ...]:
    """Public ones, the newest first."""
    return wired.tournament_service.find(TournamentFilter(STATUSES, limit=SHOWN), None).tournaments


@click.command()
@click.argument("tournament")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True))
@click.option("--trf", "as_report", is_flag=True, help="A tournament report file (TRF-2026): two players at a table.")
@click.option("--public", is_flag=True, help="As everybody may see it: a round that is not published yet is hidden.")
@with_store
def export(tournament: str, file: Path, as_report: bool, public: bool, settings: Settings) -> None:
    """Write TOURNAMENT to FILE, for `hidalgo tournament verify`; `-` is standard output.

    The file holds the secret of the draws only when the tournament is over.
    """
    with serving(settings) as wired:
        found, log = wired.tournaments.load(tournament), wired.tournaments.log
        if as_report:
            called = as_handles(found, wired.accounts.profiles)
            written = report_file(found, called, for_staff=not public).encode()
        else:
            written = exported(log.read(tournament), log.secret(tournament), for_staff=not public)
    if file == STANDARD_OUTPUT:
        click.echo(written, nl=False)
    else:
        file.write_bytes(written)


@contextmanager
def serving(settings: Settings) -> Iterator[Services]:
    """The services on the store; refusals become sentences."""
    with kept(settings) as store:
        try:
            yield services(store, settings)
        except Refused as refusal:
            raise click.ClickException(rendered(refusal.text)) from None
