"""Parsers of event streams: server-sent events, or one JSON object a line. Bytes may be cut anywhere."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    name: str
    data: str
    id: str


def _text() -> io.IncrementalNewlineDecoder:
    """Bytes to text with one kind of line end, even where a character or a CR LF is cut in two."""
    return io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")("replace"), translate=True)


@dataclass
class Lines:
    """
    >>> lines = Lines()
    >>> [*lines.feed(b"one\\r\\ntw")], [*lines.feed(b"o\\n\\nthr")]
    (['one'], ['two', ''])
    """

    _decoder: io.IncrementalNewlineDecoder = field(default_factory=_text)
    _rest: str = ""

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The lines that this chunk completes."""
        *lines, self._rest = (self._rest + self._decoder.decode(chunk)).split("\n")
        yield from lines


@dataclass
class ServerSentEvents:
    """The event stream format of the HTML standard.

    >>> events = ServerSentEvents()
    >>> [*events.feed(b": a comment\\nid: 7\\nevent: commit\\ndata: {\\n")]
    []
    >>> [*events.feed(b"data: }\\n\\n")]
    [Event(name='commit', data='{\\n}', id='7')]
    """

    lines: Lines = field(default_factory=Lines)
    id: str = ""
    name: str = ""
    data: list[str] = field(default_factory=list)
    retry: float | None = None
    """Seconds to wait before coming back, if the service has named them."""

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that this chunk completes."""
        for line in self.lines.feed(chunk):
            if line:
                self._parse(line)
                continue
            if self.data:
                yield Event(self.name or "message", "\n".join(self.data), self.id)
            self.name, self.data = "", []

    def _parse(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self.data.append(value)
            case "event":
                self.name = value
            case "id" if "\0" not in value:
                self.id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry = int(value) / 1000


@dataclass
class JsonLines:
    """One JSON object a line; empty lines are heartbeats."""

    lines: Lines = field(default_factory=Lines)
    retry: float | None = None

    def feed(self, chunk: bytes) -> Iterator[Event]:
        for line in self.lines.feed(chunk):
            if line.strip():
                yield Event("commit", line, _version(json.loads(line)))


def _version(payload: Any) -> str:
    return str(payload.get("version", "")) if isinstance(payload, dict) else ""


def parser(content_type: str) -> ServerSentEvents | JsonLines:
    return JsonLines() if "ndjson" in content_type else ServerSentEvents()
