"""`hidalgo serve`: the whole service on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from events.log.recent import shared_memory
from events.store import Store
from events.store.durability import durability_warnings
from service.cli.stored import option, settings_with, supervised, tell
from service.operations.metrics_directory import metrics_directory
from service.operations.readiness import announce, when_it_answers
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
    run_service(settings_with(**options), scheduler=scheduler)


Guide = Callable[[str], Iterable[str]]
"""Gives lines about the service at an address."""


def no_guide(here: str) -> Iterable[str]:
    return ()


def nothing_to_prepare(store: Store, settings: Settings) -> Guide:
    return no_guide


def run_service(
    settings: Settings,
    *,
    scheduler: bool = True,
    is_kept: bool = True,
    prepare: Callable[[Store, Settings], Guide] = nothing_to_prepare,
) -> None:
    """Serve until a signal ends it. `prepare` is called first; its lines are printed when it answers.

    If the store is not kept, it need not be told that moves could get lost.
    """
    address, port = listening_address(settings.host, settings.port)
    with supervised(settings) as store, metrics_directory() as metrics, commits_shared_by(settings.workers) as commits:
        for warning in durability_warnings(store) if is_kept else ():
            tell(f"warning: {warning}")
        settings = replace(settings, store_url=store.url, shared_metrics=metrics, shared_commits=commits)
        # Workers are started anew, and read their settings as this process did.
        export(settings)
        guide = prepare(store, settings)
        with scheduling_beside(store, settings) if scheduler else nullcontext():
            here = url(address, port)
            lines = [f"Hidalgo is at {here} (Ctrl-C stops it)", *guide(here)]
            when_it_answers(here, partial(announce, "\n".join(lines), settings.notify_socket))
            run_server(address, port, settings)
    click.echo("Hidalgo has stopped")


def commits_shared_by(workers: int) -> AbstractContextManager[Path | None]:
    """A single worker knows its own; some systems cannot do it."""
    return shared_memory() if workers > 1 and hasattr(os, "memfd_create") else nullcontext()


def scheduling_beside(store: Store, settings: Settings) -> AbstractContextManager[object]:
    """A scheduler in this process. It is imported late, so that it counts where the workers count."""
    from service.operations.scheduler import scheduling

    return scheduling(store, settings)
