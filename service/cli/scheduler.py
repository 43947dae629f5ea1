"""`hidalgo scheduler`: the periodic jobs, in a process of their own."""

from __future__ import annotations

import signal
from dataclasses import replace
from threading import Event

import click

from service.cli.stored import option, supervised, with_store
from service.operations.health import health_endpoints
from service.operations.readiness import announce
from service.operations.scheduler import scheduling
from service.settings import Settings


@click.command()
@option("--health-host", "health_host")
@option("--health-port", "health_port")
@with_store
def scheduler(settings: Settings, health_host: str, health_port: int | None) -> None:
    """Look after deadlines, notices and webhooks until Ctrl-C. Run as many as you like: they share the work.

    `hidalgo serve` does this itself. It is for services of several machines, where web servers run without it.
    """
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings = replace(settings, health_host=health_host, health_port=health_port)
    with (
        supervised(settings) as store,
        scheduling(store, settings) as wired,
        health_endpoints(wired, settings) as here,
    ):
        announce(f"The scheduler runs{f' at {here}' if here else ''} (Ctrl-C stops it)", settings.notify_socket)
        stopping.wait()
    click.echo("The scheduler has stopped")
