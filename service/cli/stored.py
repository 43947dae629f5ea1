"""Commands that need settings or the store: their options, and their error messages."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console

from events.audit.backup import Progress
from events.errors import OtherBuckets, StoreError, StoreUnavailable
from events.store import Store, open_store
from events.store.directory import MARK, data_directory
from events.store.supervisor import Supervision
from service.settings import VARIABLES, BadSetting, Settings, Variable, unknown_settings

EVERY = 0.2
"""Seconds between two looks at the progress."""


class SettingRefused(click.ClickException):
    """A setting makes no sense: a supervisor of processes need not try again before the operator has mended it."""

    exit_code = 2


class Value(click.ParamType):
    """Read as the environment is."""

    def __init__(self, variable: Variable) -> None:
        self.variable, self.kind, self.name = variable, variable.kind, variable.kind.word

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.kind.read(value) if isinstance(value, str) else value
        except ValueError:
            shown = self.kind.shown(value)
        if ctx and param and ctx.get_parameter_source(str(param.name)) is ParameterSource.ENVIRONMENT:
            raise SettingRefused(f"{self.variable.name} is {self.kind.what}, not {shown}")
        self.fail(f"{shown} is not {self.kind.what}", param, ctx)


def option(flag: str, setting: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option instead of a setting of the environment."""
    variable = VARIABLES[setting]
    return click.option(
        flag,
        setting,
        default=getattr(Settings(), setting),
        envvar=variable.name,
        type=Value(variable),
        show_default=variable.shown or True,
        help=variable.about,
    )


def with_store(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that is given the settings, with options that say where the store is."""

    @option("--url", "store_url")
    @option("--data", "data")
    @wraps(command)
    def with_settings(*args: Any, store_url: str | None, data: Any, **more: Any) -> Any:
        return command(*args, settings=settings_with(store_url=store_url, data=data), **more)

    return with_settings


def settings_with(**options: Any) -> Settings:
    """The settings of the environment, and the options instead of some of them."""
    try:
        settings = replace(Settings.from_env(), **options)
    except BadSetting as problem:
        raise SettingRefused(str(problem)) from None
    for sentence in unknown_settings():
        tell(f"warning: {sentence}")
    return settings


@contextmanager
def supervised(settings: Settings) -> Iterator[Store]:
    """The store of a command that serves until SIGTERM: if it dies it is brought back. If that cannot be done, the
    command ends, and says why."""
    problems: list[Exception] = []

    def end(problem: Exception) -> None:
        problems.append(problem)
        os.kill(os.getpid(), signal.SIGTERM)

    with opened(settings, Supervision(count_restart, end)) as store:
        yield store
    for problem in problems:
        raise click.ClickException(f"the store has died and cannot be brought back: {problem}")


def count_restart() -> None:
    """Imported late, so that it counts where the workers count."""
    from service.operations import metrics

    metrics.STORE_RESTARTS.inc()


@contextmanager
def opened(settings: Settings, supervision: Supervision | None = None) -> Iterator[Store]:
    """The store, until the command is done. Its reports while it starts are not the command's answer."""
    try:
        store, close = open_store(
            settings.store_url,
            settings.data,
            settings.fsync,
            tell,
            memory=settings.store_memory and settings.store_memory << 20,
            supervision=supervision,
            archive=settings.archive_place(),
            buckets=settings.buckets,
        )
        try:
            check_buckets(store)
            yield store
        finally:
            close()
    except OtherBuckets as problem:
        raise SettingRefused(f"{VARIABLES['buckets'].name} makes no sense here: {problem.cause}") from None
    except (StoreError, ValueError) as problem:
        raise click.ClickException(str(problem)) from None


def check_buckets(store: Store) -> None:
    """A scheduler waits for a store that is away; other commands are told so at their first question."""
    with suppress(StoreUnavailable):
        assert store.buckets, "now it has some"


@contextmanager
def kept(settings: Settings) -> Iterator[Store]:
    """A store that is there already. A mistyped directory is none, whose nothing would be copied every night."""
    place = data_directory(settings.data)
    if not settings.store_url and not (place / MARK).exists():
        raise click.ClickException(f"{place} holds no games; name their directory with --data, or a store with --url")
    with opened(settings) as store:
        yield store


def tell(line: str) -> None:
    click.echo(line, err=True)


@contextmanager
def progress_line() -> Iterator[Progress]:
    """A line on the terminal that shows how far it is."""
    if not sys.stderr.isatty():
        yield lambda what, games: None
        return
    with Console(stderr=True).status("beginning") as status:
        updated_at = 0.0

        def progress(what: str, games: int) -> None:
            nonlocal updated_at
            if time.monotonic() - updated_at > EVERY:
                status.update(f"{what}: {games:,} games")
                updated_at = time.monotonic()

        yield progress
