"""`hidalgo settings`: every setting, as `docs/settings.md` tells it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from service.settings import Variable, described

HEAD = """# What can be set?

Every setting is a variable of the environment, read once when a process starts and checked then: a value that makes no
sense, or a limit that does not exist, ends the process with a sentence; another variable that begins with `HIDALGO_`
but is no setting is reported, for it may be misspelt. An empty variable counts as not set. Options of a command, where
there are any (`hidalgo serve --help`), count more.

A limit is written as `5/60`, five in sixty seconds, or `off`; [api.md](api.md) tells what the limits are for.
[store.md](store.md) has the forms of addresses; [deployment.md](deployment.md) and [operating.md](operating.md) say
which settings suit which installation.

This page is made by `./hidalgo settings > docs/settings.md`.

| variable | meaning | value | default | read by |
|---|---|---|---|---|"""


@click.command()
def settings() -> None:
    """Print every setting: variable, meaning, value, default, readers."""
    click.echo("\n".join(page()))


def page() -> Iterator[str]:
    yield HEAD
    for variable in described():
        name = f"`{variable.name}`" + (f" (formerly `{variable.former}`)" if variable.former else "")
        cells = (name, variable.about, variable.kind.what, shown(variable), variable.read_by)
        yield f"| {' | '.join(cells)} |"


def shown(variable: Variable) -> str:
    """The default: a value that could be given, or a description of what happens without one."""
    return variable.shown if " " in variable.shown or variable.shown == "none" else f"`{variable.shown}`"
