"""The store of a command that works on it directly: the options that name it, and how its troubles are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from events.errors import StoreError
from events.store import Store, open_store


def with_store(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say where the games are."""
    command = click.option("--url", envvar="REDIS_URL", help="Address of the store, if it is not embedded.")(command)
    return click.option(
        "--data",
        envvar="HIDALGO_DATA",
        type=click.Path(file_okay=False, path_type=Path),
        help="Directory of the embedded store.",
    )(command)


@contextmanager
def opened(url: str | None, data: Path | None) -> Iterator[Store]:
    """The store, until the command is done. What it says while it starts is not the command's answer."""
    try:
        store, close = open_store(url, data, report=lambda line: click.echo(line, err=True))
        try:
            yield store
        finally:
            close()
    except (StoreError, ValueError) as problem:
        raise click.ClickException(str(problem)) from None
