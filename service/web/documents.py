"""The pages of `docs/`, as the service shows them: each by its name, and all of them by reader."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from service.web.markdown import Rendered, rendered

HERE = Path(__file__).parent
CONTENTS = "README"
ADDRESS = "/docs/"
FILES = {".json": "application/json", ".mjs": "text/javascript; charset=utf-8"}
"""What lies beside the pages, and is linked from them."""


class Group(NamedTuple):
    """The pages for one kind of reader."""

    title: str
    pages: tuple[tuple[str, str], ...]
    """Name and question."""


@cache
def folder() -> Path:
    """Installed, the pages lie inside of the package; in a checkout, beside it."""
    return next(place for place in (HERE / "documents", HERE.parents[1] / "docs") if place.is_dir())


@cache
def names() -> frozenset[str]:
    return frozenset(file.stem for file in folder().glob("*.md"))


@cache
def files() -> dict[str, Path]:
    return {file.name: file for file in folder().iterdir() if file.suffix in FILES}


@cache
def document(name: str) -> Rendered:
    return rendered((folder() / f"{name}.md").read_text(encoding="utf-8"), address)


def address(link: str) -> str | None:
    """Where a link between the pages leads on the service.

    >>> address("clients.md#chance"), address("verify.mjs"), address("/docs"), address("../rules/kernel.py")
    ('/docs/clients#chance', '/docs/verify.mjs', '/docs', None)
    """
    if re.match(r"https?:|#|/", link):
        return link
    path, hash_sign, fragment = link.partition("#")
    if path in files():
        return ADDRESS + path
    name = path.removesuffix(".md")
    return f"{ADDRESS}{place(name)}{hash_sign}{fragment}" if path.endswith(".md") and name in names() else None


def place(name: str) -> str:
    return "contents" if name == CONTENTS else name


@cache
def contents() -> tuple[Group, ...]:
    """The groups of the first page: its headings, and the rows of their tables."""
    text = (folder() / f"{CONTENTS}.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    row = re.compile(r"^\| \[[^]]+\]\(([\w-]+)\.md\) \| (.+?) \|$", re.MULTILINE)
    return tuple(Group(title, tuple(row.findall(part))) for title, part in zip(parts[::2], parts[1::2], strict=True))
