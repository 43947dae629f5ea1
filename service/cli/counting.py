"""Counts in the reports of commands: `1 game`, `2,000 games`."""

from __future__ import annotations

SINGULARS = {"ies": "y", "xes": "x", "s": ""}
"""Endings, and what one of these has instead."""


def counted(count: int, things: str) -> str:
    """The number with its noun, which is given in the plural.

    >>> counted(1, "audit entries"), counted(1, "mailboxes"), counted(2_000, "games")
    ('1 audit entry', '1 mailbox', '2,000 games')
    """
    return f"{count:,} {singular(things) if count == 1 else things}"


def singular(things: str) -> str:
    plural = next(ending for ending in SINGULARS if things.endswith(ending))
    return things.removesuffix(plural) + SINGULARS[plural]
