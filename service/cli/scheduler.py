"""`hidalgo scheduler`: the periodic jobs, in a process of their own."""

from __future__ import annotations

import signal
from threading import Event

import click

from service.cli.stored import supervised, with_store
from service.operations.scheduler import scheduling
from service.settings import Settings


@click.command()
@with_store
def scheduler(settings: Settings) -> None:
    """Look after deadlines, notices and webhooks until Ctrl-C. Run as many as you like: they share the work.

    `hidalgo serve` does this itself. It is for services of several machines, where web servers run without it.
    """
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    with supervised(settings) as store, scheduling(store, settings):
        click.echo("The scheduler runs (Ctrl-C stops it)")
        stopping.wait()
    click.echo("The scheduler has stopped")
