"""`hidalgo account`: an operator's help with accounts."""

from __future__ import annotations

import click

from events.errors import Declined
from service.cli.stored import opened, with_store
from service.operations.guests import MOST_AT_ONCE, clean_guests
from service.services import services
from service.settings import Settings


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def account() -> None:
    """Reset lost passwords, and forget guests that are gone."""


@account.command()
@click.argument("handle")
@with_store
def reset(handle: str, settings: Settings) -> None:
    """Print a password with which the owner of HANDLE can sign in once, within a day, to set another.

    The old password, all sessions and all tokens of the account end. Elsewhere they may be believed for some seconds.
    """
    with opened(settings) as store:
        try:
            click.echo(services(store, settings).accounts.reset_password(handle))
        except Declined as problem:
            raise click.ClickException(str(problem)) from None


@account.command("clean-guests")
@click.option("--most", type=click.IntRange(1), default=MOST_AT_ONCE, show_default=True, help="Guests at once.")
@with_store
def clean(most: int, settings: Settings) -> None:
    """Forget guests that sit at no table and were not seen for thirty days."""
    with opened(settings) as store:
        wired = services(store, settings)
        forgotten = clean_guests(wired.accounts, wired.games, wired.index, most)
    click.echo(f"{forgotten:,} guests forgotten")
