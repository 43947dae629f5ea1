"""The archive: packed games outside the store, in volumes, which never change once they are written.

A volume is a few hundred packed games, one after the other, each with its secret. Its name is a digest of its bytes, so
that the same games written twice are one volume. The store remembers of every archived game where it is
(`events.log.redis_archive`). Volumes lie in a `Place`: a directory, or a bucket of an S3-compatible service.

>>> game = ArchivedGame("friday", 2, 1_700_000_000, b"secret", b"packed")
>>> volume = Volume.of([game])
>>> [location] = volume.locations
>>> read(volume.bytes[location.offset :][: location.length], location) == game
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec
from msgspec import Struct

from events.errors import ArchiveDamaged, ArchiveUnavailable
from rules.texts import say

HEAD = b"hidalgo-archive 1\n"
DIGITS = 24
"""So many hexadecimal digits of the digest are the name of a volume."""
DIGEST = 32
"""Bytes before each record."""


class ArchivedGame(Struct, frozen=True, array_like=True):
    """All that the log keeps of a game that is packed."""

    game: str
    version: int
    created: int
    """In seconds, as the list of all games has it."""
    secret: bytes
    value: bytes
    """Its packed form (`events.log.packing`)."""


class Location(Struct, frozen=True):
    """Where the record of a game is."""

    volume: str
    offset: int
    length: int


class Place(Protocol):
    """Where volumes are kept, by name. Every method may raise `ArchiveError`."""

    name: str
    """As it may be shown."""

    def write(self, volume: str, content: bytes) -> None:
        """Keep a volume; when this returns it is there to stay, and before that there is nothing of this name."""

    def read(self, volume: str, offset: int = 0, length: int | None = None) -> bytes:
        """A part of a volume; fewer bytes if it ends before."""

    def volumes(self) -> Iterator[tuple[str, int]]:
        """The names and sizes of all volumes."""

    def remove(self, volume: str) -> None:
        """Remove a volume, if it is there."""


class Nowhere:
    """No archive is set up."""

    name = ""

    def write(self, volume: str, content: bytes) -> None:
        raise ArchiveUnavailable(say("no archive is set up here"))

    def read(self, volume: str, offset: int = 0, length: int | None = None) -> bytes:
        raise ArchiveUnavailable(say("this game is in the archive, and none is set up here"))

    def volumes(self) -> Iterator[tuple[str, int]]:
        return iter(())

    def remove(self, volume: str) -> None:
        raise ArchiveUnavailable(say("no archive is set up here"))


class Volume(Struct, frozen=True):
    """Some games, ready to be written."""

    name: str
    bytes: bytes
    locations: list[Location]

    @classmethod
    def of(cls, games: Sequence[ArchivedGame]) -> Volume:
        content, places = bytearray(HEAD), list[tuple[int, int]]()
        for game in games:
            record = written(game)
            places.append((len(content), len(record)))
            content += record
        name = name_of(bytes(content))
        return cls(name, bytes(content), [Location(name, *place) for place in places])


def written(game: ArchivedGame) -> bytes:
    record = msgspec.msgpack.encode(game)
    return sha256(record).digest() + record


def read(record: bytes, at: Location) -> ArchivedGame:
    """A record as it was written; `ArchiveDamaged` if it is another."""
    if len(record) != at.length or sha256(record[DIGEST:]).digest() != record[:DIGEST]:
        raise ArchiveDamaged(say("volume {volume} of the archive is damaged", volume=at.volume))
    return msgspec.msgpack.decode(record[DIGEST:], type=ArchivedGame)


def read_at(place: Place, at: Location) -> ArchivedGame:
    return read(place.read(at.volume, at.offset, at.length), at)


def name_of(content: bytes) -> str:
    return sha256(content).hexdigest()[:DIGITS]


def check(place: Place, volume: str) -> None:
    """`ArchiveDamaged` if a volume is not as it was written."""
    if name_of(place.read(volume)) != volume:
        raise ArchiveDamaged(say("volume {volume} of the archive is damaged", volume=volume))
