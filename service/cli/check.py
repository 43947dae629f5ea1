"""`hidalgo check`: the whole store, replayed by the rules that are installed here."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import click
import msgspec

from events.audit.backup import Refusal
from events.audit.store_check import Checked, Place, check_store
from events.log import STUDIES
from events.log.redis import RedisLog
from events.store import Store
from replay.study_check import rules_in, wrong_with_study
from service.accounts.audit_log import AuditLog
from service.cli.counting import counted
from service.cli.stored import SettingRefused, kept, progress_line, with_store
from service.notifications.backup_section import MailboxSection, put_back_arguments
from service.settings import Settings

SHOWN = 20
INTERRUPTED = 130


@click.command(
    epilog="""\b
Examples:
  hidalgo check
  hidalgo check --state /var/tmp/check.json        # goes on where an earlier run has stopped
Exit code: 0 all games are as these rules would have them, and the rest can be read, 1 not so, 2 the settings make no
sense."""
)
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=lambda: os.cpu_count() or 1,
    show_default="as there are processors",
    help="Processes that replay games.",
)
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File in which it is kept how far it has come; it is removed in the end.",
)
@with_store
@click.pass_context
def check(ctx: click.Context, processes: int, state: Path | None, settings: Settings) -> None:
    """Replay every game of the store, packed ones too, by the rules of this program; read studies and all the rest.

    For use before an upgrade, by the new program, while the old one serves: it only reads. It names the first commit of
    every game that these rules would have made otherwise.
    """
    with kept(settings) as store:
        place = begun(store, state)
        try:
            checked = replayed(store, place, processes, state)
        except KeyboardInterrupt:
            click.echo(stopped(place, state), err=True)
            ctx.exit(INTERRUPTED)
        studies, wrong = check_studies(RedisLog(store))
        unreadable = [*wrong, *unreadable_rows(store)]
    tell(checked, unreadable)
    if studies:
        click.echo(f"{counted(studies, 'studies')} read: {len(wrong):,} cannot be used")
    if state:
        state.unlink(missing_ok=True)
    ctx.exit(bool(checked.different or unreadable))


def begun(store: Store, state: Path | None) -> Place:
    """The place where an earlier check has stopped, or the beginning."""
    place = Place(f"hidalgo {version('hidalgo')}, {code_age()}", store.address)
    if not state or not state.exists():
        return place
    try:
        earlier = msgspec.json.decode(state.read_bytes(), type=Place)
    except msgspec.MsgspecError:
        raise SettingRefused(f"{state} is not the state of a check; remove it, or name another file") from None
    if (earlier.program, earlier.store) != (place.program, place.store):
        raise SettingRefused(f"{state} is of another program or another store; remove it, or name another file")
    click.echo(f"going on after {counted(earlier.checked.games, 'games')}", err=True)
    return earlier


def code_age() -> int:
    """Another number when the rules have changed under the same version, as in a checkout."""
    root = Path(__file__).parents[2]
    return max(int(file.stat().st_mtime) for part in ("rules", "events") for file in (root / part).rglob("*.py"))


def replayed(store: Store, place: Place, processes: int, state: Path | None) -> Checked:
    with progress_line() as progress:

        def step(now: Place) -> None:
            progress("replaying", now.checked.games)
            if state:
                now.save(state)

        return check_store(RedisLog(store), store, place, processes, step)


def check_studies(log: RedisLog) -> tuple[int, list[str]]:
    """How many there are, and a sentence about each that is not what was written."""
    studies, rules_of, count, wrong = log.space(STUDIES), cache(rules_in(log)), 0, list[str]()
    for bucket in log.buckets.all:
        for study in studies.games(bucket):
            stored = studies.stored(study)
            count += 1
            if reason := wrong_with_study(study, stored, rules_of):
                wrong.append(f"study {study}: {reason}")
    return count, wrong


def unreadable_rows(store: Store) -> list[str]:
    """Mailboxes and the audit log, which are not games but must be readable, too."""
    wrong = []
    for account, fields in MailboxSection(store).rows():
        try:
            put_back_arguments(fields)
        except Refusal as refusal:
            wrong.append(f"the mailbox of {account}: {refusal}")
    try:
        for _ in AuditLog(store).all():
            pass
    except msgspec.MsgspecError as problem:
        wrong.append(f"the audit log: {problem}")
    return wrong


def tell(checked: Checked, unreadable: list[str]) -> None:
    older = (
        f"; {checked.older:,} have commits of older rules, which were applied and not judged" if checked.older else ""
    )
    games, commits = counted(checked.games, "games"), counted(checked.commits, "commits")
    click.echo(
        f"{games} with {commits} replayed, {checked.packed:,} of them packed: "
        f"{checked.different:,} are different{older}"
    )
    for difference in checked.differences[:SHOWN]:
        where = f"commit {difference.commit}: " if difference.commit else ""
        click.echo(f"game {difference.game}: {where}{difference.reason}", err=True)
    if checked.different > SHOWN:
        click.echo(f"and {checked.different - SHOWN:,} more", err=True)
    for sentence in unreadable:
        click.echo(sentence, err=True)
    sys.stderr.flush()


def stopped(place: Place, state: Path | None) -> str:
    again = f"the same command goes on from {state}" if state else "with --state FILE it could go on from there"
    return f"stopped after {counted(place.checked.games, 'games')}; {again}"
