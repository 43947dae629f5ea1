"""`hidalgo backup` and `hidalgo restore`: all games in one file, and back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from events.audit import backup as backups
from events.audit.backup import BadBackup, Section
from events.log import GameLog
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecretSection
from service.accounts.section import AccountSection
from service.cli.stored import opened, progress_line, with_store
from service.games.invitations import InvitationSection
from service.settings import Settings


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_store
@click.pass_context
def backup(ctx: click.Context, file: Path, settings: Settings) -> None:
    """Write all games, accounts and invitations into FILE, read it back and verify every game.

    FILE holds the secrets of running games: only its owner may read it, and it should be kept like a password. It
    appears when it is whole; until then an older file of this name stays as it was.
    """
    with _stored(settings) as (log, sections), progress_line() as progress:
        summary = backups.backup(log, file, time.time_ns() // 1_000_000, progress, sections)
    click.echo(f"{summary.games:,} games with {summary.commits:,} commits are in {file}{_beside(summary.rows)}")
    _tell_of_bad(ctx, summary.bad, "is in the file as it is, but its chain does not hold")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_store
@click.pass_context
def restore(ctx: click.Context, file: Path, settings: Settings) -> None:
    """Put back the games, accounts and invitations of FILE that are not there.

    The whole file is verified first. Games that are there already stay as they are; others of the same name are
    refused. After a crash it can be run again.
    """
    with _stored(settings) as (log, sections), progress_line() as progress:
        done = backups.restore(log, file, progress, sections)
    there = f"{done.same:,} were there, {done.newer:,} were there and further on"
    click.echo(f"{done.restored:,} games restored; {there}{_beside(done.rows)}")
    _tell_of_bad(ctx, done.refused, "was not restored")


def _tell_of_bad(ctx: click.Context, games: dict[str, str], what: str) -> None:
    for game, why in games.items():
        click.echo(f"{game if ' ' in game else f'game {game}'} {what}: {why}", err=True)
    if games:
        ctx.exit(1)


def _beside(rows: dict[str, int]) -> str:
    """The rows beside games."""
    return "".join(f"; {count:,} {name}" for name, count in rows.items())


@contextmanager
def _stored(settings: Settings) -> Iterator[tuple[GameLog, list[Section]]]:
    """The log of the store, and the sections beside it; trouble with the file becomes a sentence."""
    try:
        with opened(settings) as store:
            yield RedisLog(store), [AccountSection(store), InvitationSection(store), ServiceSecretSection(store)]
    except BadBackup as problem:
        raise click.ClickException(str(problem)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the file'}: {error.strerror}") from None
