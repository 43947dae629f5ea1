"""`hidalgo account`: what an operator can do about accounts."""

from __future__ import annotations

from pathlib import Path

import click

from events.games import Games
from events.log.redis import RedisLog
from service.accounts import Accounts
from service.accounts.errors import Declined
from service.accounts.guests import MOST_AT_ONCE, clean_guests
from service.cli.stored import opened, with_store
from service.games.game_index import GameIndex


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def account() -> None:
    """Help people who lost their password, and forget guests who are gone."""


@account.command()
@click.argument("handle")
@with_store
def reset(handle: str, url: str | None, data: Path | None) -> None:
    """Print a password with which the owner of HANDLE can sign in once, within a day, to set another.

    The old password, all sessions and all tokens of the account end. Elsewhere they may be believed for some seconds.
    """
    with opened(url, data) as store:
        try:
            click.echo(Accounts(store).reset_password(handle))
        except Declined as problem:
            raise click.ClickException(str(problem)) from None


@account.command("clean-guests")
@click.option("--most", type=click.IntRange(1), default=MOST_AT_ONCE, show_default=True, help="Guests at once.")
@with_store
def clean(most: int, url: str | None, data: Path | None) -> None:
    """Forget guests that sit at no table and were not seen for thirty days."""
    with opened(url, data) as store:
        forgotten = clean_guests(Accounts(store), Games(RedisLog(store)), GameIndex(store), most)
    click.echo(f"{forgotten:,} guests forgotten")
