"""`hidalgo tournament verify`: exported tournaments checked offline, down to the draw of every round."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from events.audit.verify.report import NotGenuine
from tournaments.audit import Audited
from tournaments.audit import verify as check

NOT_GENUINE, UNREADABLE = 1, 2


@click.command(
    epilog="""\b
Examples:
  hidalgo tournament verify event.json
  hidalgo tournament verify --json *.json
Exit code: 0 all genuine, 1 not genuine, 2 a file cannot be read."""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for every file, a line each.")
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check exported tournaments without any server: chain, draws, certificates, rulings, final order.

    Once a tournament is over its secret is in the file, and every round is drawn again from it. Names the first bad
    commit and says what is wrong with it. `-` reads from standard input. Whether a result is that of its game,
    `hidalgo verify` tells of the exported game.
    """
    codes = []
    for file in files:
        code, report = _report(file)
        codes.append(code)
        click.echo(json.dumps(report) if as_json else "\n".join(_as_text(report)))
    ctx.exit(max(codes))


def _report(file: str) -> tuple[int, dict[str, Any]]:
    """The exit code for this file, and what there is to tell."""
    try:
        with click.open_file(file, "rb") as opened:
            data = opened.read()
    except OSError as error:
        return UNREADABLE, {"file": file, "genuine": None, "problem": f"cannot be read: {error.strerror}"}
    try:
        audited = check(data)
    except NotGenuine as problem:
        return NOT_GENUINE, {"file": file, "genuine": False, "commit": problem.commit, "problem": problem.reason}
    return 0, {"file": file, "genuine": True, **msgspec.to_builtins(audited)}


def _as_text(report: dict[str, Any]) -> Iterator[str]:
    file = report.pop("file")
    match report:
        case {"genuine": True}:
            yield f"{file}: genuine"
            yield from (f"  {line}" for line in _story(msgspec.convert(report, Audited)))
        case {"genuine": False, "commit": commit, "problem": problem}:
            yield f"{file}: NOT GENUINE"
            yield f"  {f'commit {commit}: ' if commit else ''}{problem}"
        case {"problem": problem}:
            yield f"{file}: {problem}"


def _story(audited: Audited) -> Iterator[str]:
    yield f"tournament {audited.tournament}, {audited.title}: {audited.status}"
    yield f"{audited.players} players, {audited.rounds} rounds, {audited.rulings} rulings, {audited.commits} commits"
    yield from (f"checked {what}" for what in audited.checked)
    if audited.not_drawn:
        made = ", ".join(map(str, audited.not_drawn))
        yield f"made by hand, by a program or by a former version, and not drawn again: round {made}"
    if audited.hidden:
        yield f"{audited.hidden} facts are for its staff alone, until the next round is published"
    if audited.status != "finished":
        yield "not finished: the draws can be checked when it is over"
    yield f"head {audited.head}"
