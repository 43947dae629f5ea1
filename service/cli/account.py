"""`hidalgo account`: an operator's help with accounts."""

from __future__ import annotations

import click

from service.accounts.audit_log import REMOVE_GUESTS, RESET_PASSWORD
from service.cli.staff import reason, recorded
from service.cli.stored import kept, with_store
from service.operations.guests import MOST_AT_ONCE, clean_guests
from service.services import services
from service.settings import Settings


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def account() -> None:
    """Reset lost passwords, and forget guests that are gone."""


@account.command()
@click.argument("handle")
@reason
@with_store
def reset(handle: str, reason: str, settings: Settings) -> None:
    """Print a password with which the owner of HANDLE can sign in once, within a day, to set another.

    The old password, all sessions and all tokens of the account end. Elsewhere they may be believed for some seconds.
    """
    with kept(settings) as store:
        wired = services(store, settings)
        with recorded(wired, RESET_PASSWORD, handle, reason):
            click.echo(wired.accounts.reset_password(handle))


@account.command("clean-guests")
@click.option("--most", type=click.IntRange(1), default=MOST_AT_ONCE, show_default=True, help="Guests at once.")
@with_store
def clean(most: int, settings: Settings) -> None:
    """Forget guests that sit at no table and were not seen for thirty days."""
    with kept(settings) as store:
        wired = services(store, settings)
        with recorded(wired, REMOVE_GUESTS, f"at most {most:,} guests"):
            forgotten = clean_guests(wired.accounts, wired.index, most)
    click.echo(f"{forgotten:,} guests forgotten")
