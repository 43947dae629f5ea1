"""`hidalgo admin`: accounts of administrators."""

from __future__ import annotations

import click

from events.errors import Declined
from service.cli.stored import opened, with_store
from service.services import services
from service.settings import Settings


@click.command()
@click.argument("handle")
@click.option("--remove", is_flag=True, help="Make the account that of a player again.")
@with_store
def admin(handle: str, remove: bool, settings: Settings) -> None:
    """Make the account HANDLE an administrator's.

    Its sessions may administrate at once, its old tokens still may not: make a new one.
    """
    with opened(settings) as store:
        try:
            account = services(store, settings).accounts.set_role(handle, "player" if remove else "admin")
        except Declined as problem:
            raise click.ClickException(str(problem)) from None
    click.echo(f"{account.handle} is now {account.role}")
