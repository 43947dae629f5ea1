"""Clients of streams for tests: what a program or a browser would see."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from events.games import Games
from events.table.commands import Join, Leave
from service.client.stream_parsers import Event, parser
from tests.service.schemas import check_event, events_of

SECONDS = 20


def path(game: str) -> str:
    return f"/api/v1/games/{game}/stream"


class Stream:
    """An open stream over a real connection."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse, schema: str = "GameStreamData") -> None:
        self.connection = connection
        self.schema = schema
        events_of(schema)  # Here, because threads that read sources at once disturb each other in Python 3.11.
        self.response = response
        self.events = self._events()

    def _events(self) -> Iterator[Event]:
        reading = parser(self.response.headers["Content-Type"])
        while chunk := self.response.read1(65536):
            for event in reading.feed(chunk):
                check_event(self.schema, event.name, event.data)
                yield event

    def commits(self, until: int) -> list[int]:
        """The versions that arrive, up to one."""
        versions: list[int] = []
        while not versions or versions[-1] < until:
            event = next(self.events)
            assert event.name == "commit", f"{event.name} after {versions}"
            versions.append(int(event.id))
        return versions

    def cut(self) -> None:
        """Vanish without a word."""
        sock = self.connection.sock
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close()

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def listen(
    url: str, game: str, after: int | None = None, query: str = "", source: str = "127.0.0.1", **headers: str
) -> Stream:
    """Open a stream as a client that comes back after a version; any answer but 200 is returned as it is."""
    address = urlsplit(url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=SECONDS, source_address=(source, 0))
    back = {} if after is None else {"Last-Event-ID": str(after)}
    connection.request("GET", path(game) + query, headers=back | headers)
    return Stream(connection, connection.getresponse())


@contextmanager
def listening(
    url: str, game: str, after: int | None = None, query: str = "", source: str = "127.0.0.1", **headers: str
) -> Iterator[Stream]:
    stream = listen(url, game, after, query, source, **headers)
    try:
        assert stream.response.status == 200, stream.response.read()
        yield stream
    finally:
        stream.close()


def commit(games: Games, game: str, count: int = 1, who: str = "a_passerby") -> None:
    """So many commits: a player sits down and stands up again."""
    for _ in range(count):
        if who in games.load(game).seats.values():
            games.submit(game, Leave(who))
        else:
            games.submit(game, Join(who))


def payloads(events: list[Event]) -> list[dict[str, Any]]:
    return [json.loads(event.data) for event in events if event.name == "commit"]
