"""`hidalgo admin`: who may administrate."""

from __future__ import annotations

from pathlib import Path

import click

from events.errors import StoreTrouble
from events.store import open_store
from service.accounts import Accounts
from service.accounts.errors import Declined


@click.command()
@click.argument("handle")
@click.option("--remove", is_flag=True, help="Make the account that of a player again.")
@click.option("--url", envvar="REDIS_URL", help="Address of the store, if it is not embedded.")
@click.option(
    "--data",
    envvar="HIDALGO_DATA",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory of the embedded store.",
)
def admin(handle: str, remove: bool, url: str | None, data: Path | None) -> None:
    """Make the account HANDLE an administrator's.

    Its sessions may administrate at once, its old tokens still may not: make a new one.
    """
    try:
        store, close = open_store(url, data, report=lambda line: click.echo(line, err=True))
        try:
            account = Accounts(store).set_role(handle, "player" if remove else "admin")
        finally:
            close()
    except (Declined, StoreTrouble, ValueError) as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(f"{account.handle} is now {account.role}")
