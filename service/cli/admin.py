"""`hidalgo admin`: accounts of administrators, and the audit log of staff."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import click
import msgspec

from rules.errors import Refused
from service.accounts import Role
from service.accounts.audit_log import GRANT_ADMIN, LIFT_SILENCE, REVOKE_ADMIN, SILENCE, AuditEntry
from service.accounts.silences import LONGEST
from service.chat.complaints import ALL, OPEN
from service.chat.moderation import DISMISS, REMOVE, Act, Staff
from service.cli.staff import operator, reason, recorded
from service.cli.stored import kept, with_store
from service.services import services
from service.settings import Settings


class HandleOrCommand(click.Group):
    """`hidalgo admin HANDLE` grants, as it always did; a handle that is the name of a command needs `grant`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = [word for word in args if not word.startswith("-")]
        if words and words[0] not in self.commands:
            args = ["grant", *args]
        return super().parse_args(ctx, args)


@click.group(cls=HandleOrCommand, context_settings={"help_option_names": ["-h", "--help"]})
def admin() -> None:
    """Make an account an administrator's, and read what staff have done.

    `hidalgo admin HANDLE` is short for `hidalgo admin grant HANDLE`.
    """


@admin.command()
@click.argument("handle")
@click.option("--remove", is_flag=True, help="Make the account that of a player again.")
@reason
@with_store
def grant(handle: str, remove: bool, reason: str, settings: Settings) -> None:
    """Make the account HANDLE an administrator's.

    Its sessions may administrate at once, its old tokens still may not: make a new one.
    """
    role: Role = "player" if remove else "admin"
    with kept(settings) as store:
        wired = services(store, settings)
        with recorded(wired, REVOKE_ADMIN if remove else GRANT_ADMIN, handle, reason):
            account = wired.accounts.set_role(handle, role)
    click.echo(f"{account.handle} is now {account.role}")


@admin.command()
@click.option("--last", type=click.IntRange(1), default=50, show_default=True, help="So many entries at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for every entry, a line each.")
@with_store
def audit(last: int, as_json: bool, settings: Settings) -> None:
    """Print what staff have done: when, by whom, to what, and why. The newest comes last."""
    with kept(settings) as store:
        entries = services(store, settings).audit_log.page(last).entries
    for entry in reversed(entries):
        click.echo(json.dumps(msgspec.to_builtins(entry)) if as_json else as_text(entry))


@admin.command()
@click.option("--all", "every", is_flag=True, help="Also those that were decided.")
@click.option("--last", type=click.IntRange(1), default=50, show_default=True, help="So many complaints at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for every complaint, a line each.")
@with_store
def complaints(every: bool, last: int, as_json: bool, settings: Settings) -> None:
    """Print what people complain of in chats. The newest comes last."""
    with kept(settings) as store:
        moderation = services(store, settings).moderation
        found = moderation.complaints.page(last, state=ALL if every else OPEN).complaints
        shown = moderation.shown(found)
    for each in reversed(shown):
        click.echo(json.dumps(each) if as_json else complaint_as_text(each))


@admin.command("decide")
@click.argument("complaint")
@click.option("--remove", is_flag=True, help="Remove the message.")
@click.option("--silence", is_flag=True, help="Its author writes in no chat any more: for good, or for --days.")
@click.option("--days", type=click.IntRange(1, LONGEST), default=None, help="For how long its author is silenced.")
@click.option("--lift", is_flag=True, help="Lift a silence.")
@reason
@with_store
def decide(
    complaint: str, remove: bool, silence: bool, days: int | None, lift: bool, reason: str, settings: Settings
) -> None:
    """Decide about COMPLAINT, an id of `hidalgo admin complaints`. Without an option it is dismissed."""
    asked = {REMOVE: remove, SILENCE: silence, LIFT_SILENCE: lift}
    acts = [act for act, is_asked in asked.items() if is_asked] or [DISMISS]
    if days is not None and not silence:
        raise click.UsageError("--days is for --silence")
    with kept(settings) as store:
        moderation = services(store, settings).moderation
        try:
            moderation.act(complaint, Act(acts, reason, days), Staff(operator()))
        except Refused as problem:
            raise click.ClickException(str(problem)) from None
    click.echo(f"done: {', '.join(acts)}")


def complaint_as_text(shown: Mapping[str, Any]) -> str:
    """One line, whatever was written."""
    at = datetime.fromtimestamp(shown["at"] / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    author, outcome = shown["author_handle"] or shown["author"], shown["outcome"]
    why = f" ({shown['reason']})" if shown["reason"] else ""
    place = f"{shown['game']}/{shown['room']}/{shown['message']}"
    return f"{at}  {shown['id']}  {outcome or 'open'}  {place}  {author}: {shown['text']}{why}"


def as_text(entry: AuditEntry) -> str:
    at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    why = f": {entry.reason}" if entry.reason else ""
    refused = f" (refused: {entry.refused})" if entry.refused else ""
    return f"{at}  {entry.handle or entry.by}  {entry.action}  {entry.about_handle or entry.about}{why}{refused}"
