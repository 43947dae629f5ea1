"""`hidalgo backup` and `hidalgo restore`: all games and studies in one file, and back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import click

from events.audit import backup as backups
from events.audit.backup import BadBackup, Section
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecretSection
from events.store import Store
from service.accounts.audit_log import AuditSection
from service.accounts.backup_section import AccountSection
from service.chat.complaints import ComplaintSection
from service.chat.rooms import ChatSection
from service.cli.counting import counted
from service.cli.stored import kept, opened, progress_line, with_store
from service.games.game_index import GameIndex
from service.games.invitations import InvitationSection
from service.notifications.backup_section import MailboxSection
from service.settings import Settings
from service.studies.study_index import StudyIndex
from service.tournaments.rating_ledger import RatingLedger
from service.tournaments.tournament_index import TournamentIndex


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_store
@click.pass_context
def backup(ctx: click.Context, file: Path, settings: Settings) -> None:
    """Write all games, studies, accounts, inboxes, webhooks and the audit log into FILE, read it back and verify it.

    FILE holds the secrets of running games and of webhooks: only its owner may read it, and it should be kept like a
    password. It appears when it is whole; until then an older file of this name stays as it was.
    """
    if not file.parent.is_dir():
        raise click.ClickException(f"there is no directory {file.parent} for the file")
    with _stored(kept(settings)) as store, progress_line() as progress:
        summary = backups.backup(RedisLog(store), file, time.time_ns() // 1_000_000, progress, sections(store))
    games, commits = counted(summary.games, "games"), counted(summary.commits, "commits")
    click.echo(f"{file} holds {games} with {commits}{_beside(summary.rows)}")
    _tell_of_bad(ctx, summary.bad, "is in the file as it is, but its chain does not hold")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_store
@click.pass_context
def restore(ctx: click.Context, file: Path, settings: Settings) -> None:
    """Put back the games, studies, accounts, inboxes, webhooks and audit entries of FILE that are not there.

    The whole file is verified first. Games that are there already stay as they are; others of the same name are
    refused. After a crash it can be run again.
    """
    with _stored(opened(settings)) as store, _listed_anew(store), progress_line() as progress:
        done = backups.restore(RedisLog(store), file, progress, sections(store))
    there = f"{done.same:,} were there, {done.newer:,} were there and further on"
    click.echo(f"{counted(done.restored, 'games')} restored; {there}{_beside(done.rows)}")
    _tell_of_bad(ctx, done.refused, "was not restored")


def _tell_of_bad(ctx: click.Context, games: dict[str, str], what: str) -> None:
    for game, why in games.items():
        click.echo(f"{game if ' ' in game else f'game {game}'} {what}: {why}", err=True)
    if games:
        ctx.exit(1)


def _beside(rows: dict[str, int]) -> str:
    """The rows beside games."""
    return "".join(f"; {counted(count, name)}" for name, count in rows.items())


def sections(store: Store) -> list[Section]:
    """Beside the games, in the order in which they are put back: a mailbox needs its account."""
    kinds = (
        AccountSection,
        MailboxSection,
        InvitationSection,
        ServiceSecretSection,
        AuditSection,
        ChatSection,
        ComplaintSection,
    )
    return [kind(store) for kind in kinds]


@contextmanager
def _stored(found: AbstractContextManager[Store]) -> Iterator[Store]:
    """The store; trouble with the file becomes a sentence."""
    try:
        with found as store:
            yield store
    except BadBackup as problem:
        raise click.ClickException(str(problem)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the file'}: {error.strerror}") from None


@contextmanager
def _listed_anew(store: Store) -> Iterator[None]:
    """Lists and ratings are made anew afterwards: they lie beside the logs, and were complete without these games.

    Said twice: a list that was read meanwhile is complete without the rest, and a crash may keep the second one away.
    """
    indexes = (GameIndex(store), StudyIndex(store), TournamentIndex(store))
    forget = (*(index.complete.forget for index in indexes), RatingLedger(store).mark_incomplete)
    for each in forget:
        each()
    try:
        yield
    finally:
        for each in forget:
            each()
