"""Following a game over connections that break: every commit once, in order, until the game is over."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from .answers import Commit, Game
from .connection import Connection
from .problems import RateLimited, Unavailable
from .reading import reader

SILENCE = 45.0
"""A stream that sends not even a heartbeat for so many seconds is dead."""

CHUNK = 65536


@dataclass(frozen=True)
class Source:
    """The ways to learn of a game."""

    listen: Callable[[int], Iterator[Commit]]
    """What happens after a version, as long as a connection holds."""
    ask: Callable[[int], Iterator[Commit]]
    """What has happened after a version."""
    look: Callable[[], Game]


def follow(
    source: Source, after: int, pause: float, sleep: Callable[[float], None] = time.sleep
) -> Generator[Commit, None, None]:
    """Listen; when that fails or ends, ask for what was missed, and listen again."""
    listen_again = 0.0
    while True:
        heard = after
        if time.monotonic() >= listen_again:
            try:
                for commit in source.listen(after):
                    if commit.version > after:
                        after = commit.version
                        yield commit
            except (Unavailable, RateLimited) as trouble:
                listen_again = time.monotonic() + (trouble.retry_after or 0)
        game = source.look()
        if game.version > after:
            for commit in source.ask(after):
                after = commit.version
                yield commit
        elif game.is_over:
            return
        if heard == after:
            sleep(pause)


def listen(connection: Connection, path: str, after: int) -> Iterator[Commit]:
    """The commits of one stream, until it ends or breaks."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    with connection.opened(path, {"after": after}, headers, SILENCE) as response:
        events = reader(response.headers.get("Content-Type", ""))
        while chunk := response.read1(CHUNK):
            for event in events.feed(chunk):
                if event.name == "commit":
                    yield Commit.read(json.loads(event.data))
