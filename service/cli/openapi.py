"""`hidalgo openapi`: the description of the interface, as `docs/openapi.json` keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from service.cli.breaking_changes import breaking_changes, is_new_interface
from service.settings import Settings


@click.command()
@click.option("--write", "file", type=click.Path(path_type=Path, dir_okay=False), help="Keep it in this file.")
def openapi(file: Path | None) -> None:
    """Print the description of the REST interface (OpenAPI 3.1), sorted.

    With --write it is compared with what was released (docs/released) and with the description in the file first: a
    change that would break clients is refused, unless the interface has a new version (VERSION in
    service/api/openapi.py).
    """
    document = described()
    if not file:
        click.echo(written(document), nl=False)
        return
    if changes := refused(file, document):
        raise click.ClickException("\n".join(["this would break clients of the interface:", *changes, *REMEDY]))
    try:
        file.write_text(written(document), encoding="utf-8")
    except OSError as problem:
        raise click.ClickException(f"{file} cannot be written: {problem.strerror}") from None


REMEDY = (
    "",
    "Keep what there was, or raise VERSION in service/api/openapi.py and tell why in docs/changelog.md.",
)


def described() -> dict[str, Any]:
    """The description that the service gives of itself; it needs no store."""
    from service.app import create_app

    client = create_app(Settings(access_log=False)).test_client()
    document: dict[str, Any] = client.get("/api/v1/openapi.json").get_json()
    return document


def written(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def refused(file: Path, document: dict[str, Any]) -> list[str]:
    """The breaking changes since the last release, and since the description in the file, if there is one."""
    kept = [json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []
    baselines = [before for before in (*released(), *kept) if not is_newer(before, document)]
    found = (change for before in baselines for change in breaking_changes(before, document))
    return [f"- {change}" for change in dict.fromkeys(found)]


def is_newer(before: dict[str, Any], document: dict[str, Any]) -> bool:
    return is_new_interface(before["info"]["version"], document["info"]["version"])


def released() -> Iterator[dict[str, Any]]:
    """The descriptions that clients were made for. One that is gone or was changed is no way out."""
    from service.api.openapi import RELEASED

    for version, digest in RELEASED.items():
        file = released_file(version)
        body = file.read_bytes() if file.exists() else b""
        if sha256(body).hexdigest() != digest:
            raise click.ClickException(f"{file} is not the description that was released as {version}: restore it")
        yield json.loads(body)


def released_file(version: str) -> Path:
    from service.web.documents import folder

    return folder() / f"released/openapi-{version}.json"
