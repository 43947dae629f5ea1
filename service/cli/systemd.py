"""`hidalgo systemd`: the unit with which systemd runs the service."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from service.operations.systemd_units import UnfitUnit, Unit, check

PARTS = {
    "service": ("Hidalgo: web server, scheduler and store", ("serve", "--workers", "2"), True),
    "web": ("Hidalgo: web server", ("serve", "--no-scheduler", "--workers", "2"), False),
    "scheduler": ("Hidalgo: scheduler", ("scheduler", "--health-port", "8001"), False),
}
"""By name: description, command, whether it has the embedded store."""
NAMES = {"service": "hidalgo.service", "web": "hidalgo-web.service", "scheduler": "hidalgo-scheduler.service"}


@click.command(
    epilog="""\b
Examples:
  hidalgo systemd | sudo tee /etc/systemd/system/hidalgo.service
  hidalgo systemd scheduler | sudo tee /etc/systemd/system/hidalgo-scheduler.service"""
)
@click.argument("part", type=click.Choice(list(PARTS)), default="service")
@click.option("--user", default="hidalgo", show_default=True, help="User that it runs as; it must be there.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path("/var/lib/hidalgo"),
    show_default=True,
    help="Directory of the embedded store, for the whole service.",
)
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    show_default="this one",
    help="The program that it starts.",
)
def systemd(part: str, user: str, data: Path, program: Path | None) -> None:
    """Print a unit for systemd: the whole service on this machine; or a web server or a scheduler by itself.

    These have their store elsewhere (REDIS_URL).

    docs/deployment.md says how it is put in place.
    """
    description, words, has_store = PARTS[part]
    here = program or Path(sys.argv[0]).absolute()
    unit = Unit(NAMES[part], description, here, words, user, data if has_store else None)
    try:
        check(unit, None if program else Path(sys.base_prefix))
    except UnfitUnit as problem:
        raise click.UsageError(str(problem)) from None
    click.echo(str(unit), nl=False)
