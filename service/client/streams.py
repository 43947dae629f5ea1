"""Streams that survive broken connections: every item once, in order, for as long as there is more to come."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .connection import Connection
from .problems import RateLimited, Unavailable
from .stream_parsers import Event, parser

SILENCE = 45.0
"""A stream that sends not even a keep-alive for so many seconds is dead."""

CHUNK = 65536

Item = TypeVar("Item")


@dataclass(frozen=True)
class Source(Generic[Item]):
    """Two ways to the items of a numbered sequence, such as the commits of a game."""

    stream: Callable[[int], Iterator[Item]]
    """The items after a number as they come, as long as a connection holds."""
    poll: Callable[[int], Iterator[Item] | None]
    """The items after a number so far; None if no more will follow."""
    number: Callable[[Item], int]


def follow(
    source: Source[Item], after: int, pause: float, sleep: Callable[[float], None] = time.sleep
) -> Generator[Item, None, None]:
    """Stream; when that fails or ends, poll for the items that were missed, and stream again."""
    stream_again = 0.0
    while True:
        before = after
        if time.monotonic() >= stream_again:
            try:
                for item in source.stream(after):
                    if source.number(item) > after:
                        after = source.number(item)
                        yield item
            except (Unavailable, RateLimited) as trouble:
                stream_again = time.monotonic() + (trouble.retry_after or 0)
        missed = source.poll(after)
        if missed is None:
            return
        for item in missed:
            after = source.number(item)
            yield item
        if after == before:
            sleep(pause)


def listen(connection: Connection, path: str, after: int, query: Mapping[str, Any] | None = None) -> Iterator[Event]:
    """The events of one stream, until it ends or breaks."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    with connection.opened(path, {"after": after, **(query or {})}, headers, SILENCE) as response:
        events = parser(response.headers.get("Content-Type", ""))
        while chunk := response.read1(CHUNK):
            yield from events.feed(chunk)
