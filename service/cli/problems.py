"""`hidalgo problems`: every problem code, as `docs/problems.md` tells it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from service.http.problem_codes import PROBLEM_CODES

HEAD = """# What does this problem mean?

Every refusal is a problem (RFC 9457, [api.md](api.md#problems)) with a `code` that never changes. Each code has a
section here: the `type` of a problem leads to it.

This page is made by `./hidalgo problems > docs/problems.md`."""


@click.command()
def problems() -> None:
    """Print every problem code: its status, its meaning, and how to go on."""
    click.echo("\n".join(page()))


def page() -> Iterator[str]:
    yield HEAD
    for code, about in PROBLEM_CODES.items():
        yield f"\n## {code}\n"
        yield f"Status {about.status}. {about.meaning}\n"
        yield about.remedy
