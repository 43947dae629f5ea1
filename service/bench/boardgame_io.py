"""boardgame.io's own server from npm, played on by as many clients as ours.

It is the peer that many would choose for a game of turns. Mind the differences: its game is one counter where ours is
El Grande, it answers before it writes, and nothing of it is synced to a disk. On the other hand it tells all four
players of every move, which ours does only to those who listen.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import click

from service.bench.clients import PLAYERS, Sample
from service.bench.servers import Server, started

PACKAGES = ("boardgame.io@0.50.2", "koa-compose@4.1.0", "node-persist@3.1.0")
"""A later koa-compose hides its lobby; node-persist is what its storage in files needs, and its own tests use."""
STORAGES = ("memory", "files")
SCRIPT = Path(__file__).with_suffix(".mjs")
SECONDS_TO_INSTALL = 300


def boardgame_io(folder: Path, tables: int, until_the_end: ExitStack) -> dict[str, Players]:
    """Players at a server with each storage; none, and a line that says why, where it cannot be had."""
    folder.mkdir(exist_ok=True)
    if reason := trouble_installing(folder):
        click.echo(f"boardgame.io is left out: {reason}", err=True)
        return {}
    return {storage: until_the_end.enter_context(playing(folder, storage, tables)) for storage in STORAGES}


def trouble_installing(folder: Path) -> str:
    """Install the packages; why not, if that is not possible."""
    if missing := [program for program in ("node", "npm") if not which(program)]:
        return f"{' and '.join(missing)} must be on the PATH"
    command = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
    try:
        installed = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_TO_INSTALL, check=False)
    except subprocess.TimeoutExpired:
        return f"npm took more than {SECONDS_TO_INSTALL} seconds"
    return "" if installed.returncode == 0 else f"npm says {' '.join(installed.stderr.split()) or 'nothing'}"


@contextmanager
def playing(folder: Path, storage: str, tables: int) -> Iterator[Players]:
    # In development it writes a line for every move.
    serve, play = (["env", "NODE_ENV=production", "node", os.fspath(SCRIPT), role] for role in ("serve", "play"))
    with (
        started([*serve, storage, os.fspath(folder / "games")], folder / f"log-{storage}", cwd=folder) as server,
        subprocess.Popen(
            [*play, server.url, str(tables), str(PLAYERS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        ) as process,
    ):
        yield Players(server, process)


class Players:
    """Clients of boardgame.io, all in one process that is asked in lines."""

    def __init__(self, server: Server, process: subprocess.Popen[str]) -> None:
        self.server, self.process = server, process
        self.samples: list[Sample] = []

    def sample(self, seconds: float) -> Sample:
        self.ask("prepare")
        before = self.server.processor_seconds()
        answer = self.ask(f"play {seconds}")
        after = self.server.processor_seconds()
        used = None if before is None or after is None else after - before
        self.samples.append(Sample(len(answer["waits"]), answer["seconds"], answer["waits"], used))
        return self.samples[-1]

    def ask(self, line: str) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        assert answer, "the clients of boardgame.io have ended"
        read: dict[str, Any] = json.loads(answer)
        return read
