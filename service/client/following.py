"""Following something over connections that break: everything once, in order, for as long as there is more to come."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .connection import Connection
from .problems import RateLimited, Unavailable
from .reading import Event, reader

SILENCE = 45.0
"""A stream that sends not even a keep-alive for so many seconds is dead."""

CHUNK = 65536

Item = TypeVar("Item")


@dataclass(frozen=True)
class Source(Generic[Item]):
    """The ways to learn of things that are numbered, such as the commits of a game."""

    listen: Callable[[int], Iterator[Item]]
    """What comes after a number, as long as a connection holds."""
    ask: Callable[[int], Iterator[Item] | None]
    """What has come after a number; nothing if there is none, and none will follow."""
    number: Callable[[Item], int]


def follow(
    source: Source[Item], after: int, pause: float, sleep: Callable[[float], None] = time.sleep
) -> Generator[Item, None, None]:
    """Listen; when that fails or ends, ask for what was missed, and listen again."""
    listen_again = 0.0
    while True:
        heard = after
        if time.monotonic() >= listen_again:
            try:
                for item in source.listen(after):
                    if source.number(item) > after:
                        after = source.number(item)
                        yield item
            except (Unavailable, RateLimited) as trouble:
                listen_again = time.monotonic() + (trouble.retry_after or 0)
        missed = source.ask(after)
        if missed is None:
            return
        for item in missed:
            after = source.number(item)
            yield item
        if heard == after:
            sleep(pause)


def listen(connection: Connection, path: str, after: int) -> Iterator[Event]:
    """The events of one stream, until it ends or breaks."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    with connection.opened(path, {"after": after}, headers, SILENCE) as response:
        events = reader(response.headers.get("Content-Type", ""))
        while chunk := response.read1(CHUNK):
            yield from events.feed(chunk)
