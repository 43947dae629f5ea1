"""`hidalgo archive`: finished games leave the store for files or S3; and all that is there, counted and read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import click
from msgspec import Struct

from events.archive import Place
from events.audit.backup import Progress
from events.audit.verify import NotGenuine, verify_chain
from events.errors import ArchiveError, Damaged
from events.log.redis import RedisLog
from events.log.redis_archive import Archived
from events.repository import now_ms
from events.workers.archiver import GAMES_OF_A_VOLUME, Archiver, Outcome, When
from service.cli.counting import counted
from service.cli.pack import rewrite_file
from service.cli.stored import kept, progress_line, with_store
from service.settings import Settings

ALL = 10_000_000


@click.command()
@click.option("--dry-run", is_flag=True, help="Say how many games would be archived, and change nothing.")
@click.option("--now", "at_once", is_flag=True, help="Archive all packed games, however young they are.")
@click.option("--status", is_flag=True, help="Say what the archive holds.")
@click.option("--check", is_flag=True, help="Read every archived game back, and verify its chain.")
@click.option("--recall", "recalled", metavar="GAME", multiple=True, help="Bring a game back into the store.")
@with_store
@click.pass_context
def archive(
    ctx: click.Context,
    dry_run: bool,
    at_once: bool,
    status: bool,
    check: bool,
    recalled: tuple[str, ...],
    settings: Settings,
) -> None:
    """Move packed games into the archive that HIDALGO_ARCHIVE names, while the service runs or not.

    A scheduler does so by itself, when they are old enough or too many. An archived game is listed, replayed, exported,
    verified and backed up as before.
    """
    with kept(settings) as store, progress_line() as progress:
        log = RedisLog(store)
        if not log.place.name:
            raise click.ClickException("HIDALGO_ARCHIVE names no place for the archive; a directory will do")
        if status:
            tell_status(log)
        elif check:
            ctx.exit(check_all(log, progress))
        elif recalled:
            ctx.exit(bring_back(log, recalled))
        else:
            when = When(0) if at_once else When(round(1000 * settings.archive_after), settings.archive_keep)
            outcome = archive_all(log, when, progress, dry_run=dry_run)
            if outcome.archived:
                rewrite_file(store)
            ctx.exit(tell_outcome(log.place, outcome, dry_run=dry_run))


def archive_all(log: RedisLog, when: When, progress: Progress, *, dry_run: bool = False) -> Outcome:
    """Volume by volume, until no game is left that should go."""
    archiver, all_of_them = Archiver(log, now_ms, verify_chain, when), Outcome()
    for bucket in log.buckets.all:
        if dry_run:
            waiting = archiver.waiting([bucket], ALL)
            all_of_them.archived += sum(log.is_packed(each.game) for each in waiting)
            continue
        while waiting := archiver.waiting([bucket], GAMES_OF_A_VOLUME):
            _add(all_of_them, archiver.archive(iter(waiting)))
            progress("archiving", all_of_them.archived)
    return all_of_them


def _add(total: Outcome, more: Outcome) -> None:
    total.archived += more.archived
    total.bytes += more.bytes
    total.volumes += more.volumes
    total.changed += more.changed
    total.bad |= more.bad


def tell_outcome(place: Place, outcome: Outcome, *, dry_run: bool) -> bool:
    if dry_run:
        click.echo(f"{counted(outcome.archived, 'games')} would go to {place.name}")
    else:
        click.echo(f"{counted(outcome.archived, 'games')} with {outcome.bytes:,} bytes went to {place.name}")
    for game, why in outcome.bad.items():
        click.echo(f"game {game} stays in the store: {why}", err=True)
    return bool(outcome.bad)


# What is there


class Held(Struct):
    games: int = 0
    bytes: int = 0
    volumes: Mapping[str, int] = {}
    """The bytes of living games in each."""


def held(log: RedisLog) -> Held:
    """All archived games, as the store knows them."""
    found, volumes = Held(), dict[str, int]()
    for _, about in archived_games(log):
        found.games += 1
        found.bytes += about.at.length
        volumes[about.at.volume] = volumes.get(about.at.volume, 0) + about.at.length
    found.volumes = volumes
    return found


def archived_games(log: RedisLog) -> Iterator[tuple[str, Archived]]:
    return (each for bucket in log.buckets.all for each in log.archived_games(bucket).items())


def tell_status(log: RedisLog) -> None:
    known, there = held(log), dict(log.place.volumes())
    games, volumes = counted(known.games, "games"), counted(len(known.volumes), "volumes")
    click.echo(f"{games}, {known.bytes:,} bytes in {volumes} of {log.place.name}")
    unused = {volume: size for volume, size in there.items() if volume not in known.volumes}
    if unused:
        click.echo(f"{counted(len(unused), 'volumes')} without a game, {sum(unused.values()):,} bytes")
    if missing := [volume for volume in known.volumes if volume not in there]:
        click.echo(f"missing: {counted(len(missing), 'volumes')}: {', '.join(islice(missing, 5))}", err=True)


def check_all(log: RedisLog, progress: Progress) -> bool:
    """Whether something is wrong."""
    bad = 0
    for number, (game, _) in enumerate(archived_games(log), start=1):
        progress("reading", number)
        try:
            verify_chain(game, log.read(game), log.secret(game))
        except (ArchiveError, Damaged, NotGenuine) as problem:
            bad += 1
            click.echo(f"game {game}: {problem}", err=True)
    known = held(log)
    click.echo(f"{known.games - bad:,} of {counted(known.games, 'archived games')} verified")
    return bool(bad)


def bring_back(log: RedisLog, games: tuple[str, ...]) -> bool:
    missing = [game for game in games if not log.recall(game)]
    for game in missing:
        click.echo(f"game {game} is not in the archive", err=True)
    click.echo(f"back in the store: {counted(len(games) - len(missing), 'games')}")
    return bool(missing)
