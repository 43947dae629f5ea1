"""`hidalgo serve`: the whole service on this machine."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import click

from events.store import Store
from events.store.durability import durability_warnings
from service.cli.stored import option, settings_with, supervised, tell
from service.operations.metrics_directory import metrics_directory
from service.operations.serving import listening_address, run_server, url
from service.settings import Settings, export


@click.command()
@option("--host", "host")
@option("--port", "port")
@option("--workers", "workers")
@option("--threads", "threads")
@option("--proxies", "proxies")
@option("--data", "data")
@click.option(
    "--scheduler/--no-scheduler",
    default=True,
    help="Also look after deadlines, notices and webhooks; without it, run 'hidalgo scheduler' somewhere.",
)
def serve(scheduler: bool, **options: Any) -> None:
    """Start the service on this machine, until Ctrl-C.

    Games are kept in a store of its own that is started and stopped with it, or in the one at REDIS_URL.
    """
    settings = settings_with(**options)
    address, port = listening_address(settings.host, settings.port)
    with supervised(settings) as store, metrics_directory() as metrics:
        for warning in durability_warnings(store):
            tell(f"warning: {warning}")
        settings = replace(settings, store_url=store.url, shared_metrics=metrics)
        # Workers are started anew, and read their settings as this process did.
        export(settings)
        click.echo(f"Hidalgo is at {url(address, port)} (Ctrl-C stops it)")
        with scheduling_beside(store, settings) if scheduler else nullcontext():
            run_server(address, port, settings)
    click.echo("Hidalgo has stopped")


def scheduling_beside(store: Store, settings: Settings) -> AbstractContextManager[object]:
    """A scheduler in this process. It is imported late, so that it counts where the workers count."""
    from service.operations.scheduler import scheduling

    return scheduling(store, settings)
