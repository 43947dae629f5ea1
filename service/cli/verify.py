"""`hidalgo verify`: exported games checked offline, down to the last shuffle; and the chains in a backup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from events.audit.backup import BadBackup, inspect
from events.audit.verify import NotGenuine, Verified
from events.audit.verify import verify as check
from events.log import STUDIES
from service.cli.counting import counted

NOT_GENUINE, UNREADABLE = 1, 2
GZIP = b"\x1f\x8b"
STANDARD_INPUT = "-"


@click.command(
    epilog="""\b
Examples:
  hidalgo verify game.json
  hidalgo verify --json *.json
Exit code: 0 all genuine, 1 not genuine, 2 a file cannot be read."""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for every file, a line each.")
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check exported games without any server: chain, secret, shuffles, points.

    Names the first bad commit and says what is wrong with it. `-` reads from standard input. A backup is checked, too:
    that it is whole, and that the chain of every game and study in it holds.
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
    if data.startswith(GZIP) and file != STANDARD_INPUT:
        return _report_of_backup(file)
    try:
        verified = check(data)
    except NotGenuine as problem:
        return NOT_GENUINE, {"file": file, "genuine": False, "commit": problem.commit, "problem": problem.reason}
    return 0, {"file": file, "genuine": True, **msgspec.to_builtins(verified)}


def _report_of_backup(file: str) -> tuple[int, dict[str, Any]]:
    try:
        found = inspect(Path(file))
    except BadBackup as problem:
        return NOT_GENUINE, {"file": file, "genuine": False, "problem": str(problem)}
    about = {"file": file, "genuine": not found.bad, "games": found.games, "studies": found.rows.get(STUDIES, 0)}
    return (NOT_GENUINE if found.bad else 0), {**about, "bad": found.bad}


def _as_text(report: dict[str, Any]) -> Iterator[str]:
    file = report.pop("file")
    match report:
        case {"games": int(games), "studies": int(studies), "bad": dict(bad)}:
            yield f"{file}: {'NOT GENUINE' if bad else 'genuine'}"
            yield f"  a backup of {counted(games, 'games')} and {counted(studies, 'studies')}"
            yield from (f"  {name if ' ' in name else f'game {name}'}: {reason}" for name, reason in bad.items())
        case {"genuine": True}:
            yield f"{file}: genuine"
            yield from (f"  {line}" for line in _story(msgspec.convert(report, Verified)))
        case {"genuine": False, "commit": int(commit), "problem": problem}:
            where = f"commit {commit}: " if commit else ""
            yield f"{file}: NOT GENUINE"
            yield f"  {where}{problem}"
        case {"genuine": False, "problem": problem}:
            yield f"{file}: NOT GENUINE"
            yield f"  {problem}"
        case {"problem": problem}:
            yield f"{file}: {problem}"


def _story(verified: Verified) -> Iterator[str]:
    yield f"game {verified.game}, {verified.rules}, {verified.commits} commits, {verified.facts} facts"
    yield from (f"checked {what}" for what in verified.checked)
    yield f"added to the chance: {', '.join(verified.nonces) or 'none, so the operator could choose the shuffles'}"
    if verified.finished:
        yield f"final scores: {', '.join(_places(verified))}"
    else:
        yield f"as seen by {verified.viewer}: {verified.hidden} facts are still hidden"
        yield "not finished: secret, shuffles and points can be checked when it is over"
    yield f"head {verified.head}"


def _places(verified: Verified) -> list[str]:
    ranked = sorted(verified.places, key=lambda player: verified.places[player])
    return [f"{verified.places[player]}. {player} {verified.scores[player]}" for player in ranked]
