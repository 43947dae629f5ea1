"""`hidalgo demo`: a service with a tournament under way and one that is over, to look at."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.store import Store, connect
from service.cli.serve import Guide, run_service
from service.cli.stored import settings_with, tell
from service.settings import Settings

if TYPE_CHECKING:
    from service.services import Services
    from tournaments.tournament import Tournament

FOLDER = click.Path(file_okay=False, path_type=Path)
SHORT = {"game_length": "short"}
TOURNAMENTS = "tournaments"


@click.command(
    epilog="""\b
Examples:
  hidalgo demo
  hidalgo demo --port 8000 --pace 0.5 --players 24"""
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on.  [default: a free one]")
@click.option("--data", type=FOLDER, help="Keep everything in this directory.  [default: one that is thrown away]")
@click.option("--pace", type=click.FloatRange(0.05, 60), default=1.5, show_default=True, help="Seconds for an answer.")
@click.option(
    "--players", type=click.IntRange(4, 100), default=16, show_default=True, help="Of the tournament under way."
)
def demo(host: str, port: int, data: Path | None, pace: float, players: int) -> None:
    """Start a service on this machine with tournaments of bots, until Ctrl-C.

    One tournament is over: its standings can be seen, and its games replayed. Another one is under way: its tables can
    be watched. Nothing else on this machine is touched: there is a store for the demo alone.
    """
    with kept_in(data) as folder:
        settings = settings_with(host=host, port=port, data=folder, store_url=None, bot_pace=pace, self_play_pace=pace)
        if not data:
            # What is thrown away need not be on the disk before the next answer.
            settings = replace(settings, fsync="everysec")
        run_service(settings, is_kept=bool(data), prepare=lambda store, settings: prepared(store, settings, players))


@contextmanager
def kept_in(data: Path | None) -> Iterator[Path]:
    if data:
        yield data
        return
    with tempfile.TemporaryDirectory(prefix="hidalgo-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "data"


def prepared(store: Store, settings: Settings, players: int) -> Guide:
    """Both tournaments, and the lines that lead to them. What counts is imported late, as in `hidalgo serve`."""
    from service.cli.tournaments.reports import standings_text

    tell("bots play a tournament ...")
    with working(store, replace(settings, bot_pace=0, self_play_pace=0)) as wired:
        over = begun(wired, "Yesterday's evening", players=8, rounds=2)
        while over.status == "running":
            over = worked_on(wired, over)
    with working(store, settings) as wired:
        under_way = begun(wired, "Tonight's evening", players, rounds=5)
        while not (under_way.current and len(under_way.current.games) == len(under_way.current.round.tables)):
            under_way = worked_on(wired, under_way)

    def guide(here: str) -> Iterable[str]:
        assert under_way.current
        yield f"A tournament under way:    {here}{TOURNAMENTS}/{under_way.id}"
        yield f"  a table of it, live:     {here}games/{under_way.current.games[0]}/replay"
        yield f"A tournament that is over: {here}{TOURNAMENTS}/{over.id}/standings"
        yield f"  a game of it, to replay: {here}games/{over.round(1).games[0]}/replay"
        yield ""
        yield "Standings of the tournament that is over:"
        yield from standings_text(over)

    return guide


@contextmanager
def working(store: Store, settings: Settings) -> Iterator[Services]:
    """A scheduler without threads; in the end its work is left to the one of the service."""
    from service.services import services

    wired = services(connect(store.url, settings.archive_place(), settings.buckets), settings, serving=True)
    try:
        yield wired
    finally:
        wired.leases.end()
        wired.close()


def begun(wired: Services, title: str, players: int, rounds: int) -> Tournament:
    """A tournament of bots that has started."""
    from events.submission import Submission
    from rules.catalogue import DEFAULT
    from service.cli.tournaments.simulation import bots
    from tournaments.commands import Register, StartTournament
    from tournaments.options import Options, Stage

    service, owner = wired.tournament_service, wired.accounts.make_guest().id
    options = Options(title, DEFAULT, SHORT, sizes=(3, 5), stages=(Stage(rounds=rounds),))
    id = service.create(owner, options, Submission()).id
    for bot in bots(("greedy", "random"), players):
        service.submit(id, Register(owner, bot), Submission())
    return service.submit(id, StartTournament(owner), Submission()).after


def worked_on(wired: Services, tournament: Tournament) -> Tournament:
    """The tournament after everything that is due now."""
    from service.cli.tournaments.simulation import answer, works

    for work in works(wired):
        work()
    answer(wired)
    return wired.tournaments.load(tournament.id)
