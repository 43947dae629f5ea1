"""Recent commits, in memory that the processes of one machine share.

A process that has not seen the newest commit of a game decides on an older one, is told so by the store, and must
decide again. Here it finds what the others have just written, without a question. Nothing depends on it: an entry that
is missing, overwritten or torn (nothing is locked) is not found, and the store is asked as ever.

>>> with shared_memory() as memory:
...     ours, theirs = RecentCommits(memory), RecentCommits(memory)
...     for version in (7, 8):
...         ours.put("5tGm2WzQ", version, b"commit %d" % version)
...     list(theirs.after("5tGm2WzQ", 6)), list(theirs.after("5tGm2WzQ", 8))
([b'commit 7', b'commit 8'], [])
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from mmap import mmap
from pathlib import Path
from struct import Struct
from zlib import crc32

log = logging.getLogger(__name__)

SLOTS = 4096
SLOT = 4096
"""Bytes. Nearly all commits have less than a thousand; a longer one than this is left to the store."""

HEAD = Struct("IH16s")
"""The number of the name, the length of the entry, and the digest of both."""


@contextmanager
def shared_memory() -> Iterator[Path]:
    """Memory for other processes, by the path at which they open it. It is in no directory, and ends with the last."""
    memory = os.memfd_create("hidalgo-commits")
    try:
        os.truncate(memory, SLOTS * SLOT)
        yield Path(f"/proc/{os.getpid()}/fd/{memory}")
    finally:
        os.close(memory)


def recent_commits(path: Path | None) -> RecentCommits | None:
    """Those at this path; nothing where there is no such memory, and each process asks the store."""
    try:
        return RecentCommits(path) if path else None
    except OSError as problem:
        log.warning("workers do not see the commits of each other: %s", problem)
        return None


class RecentCommits:
    """Each in a slot that follows from its game and version, where the next one that fits there overwrites it."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as memory:
            self._memory = mmap(memory.fileno(), SLOTS * SLOT)

    def put(self, game: str, version: int, entry: bytes) -> None:
        """Show the others an entry that the log has taken."""
        if HEAD.size + len(entry) > SLOT:
            return
        name = _name(game, version)
        number = crc32(name)
        begin = _begin(number)
        row = HEAD.pack(number, len(entry), _digest(name, entry)) + entry
        self._memory[begin : begin + len(row)] = row

    def after(self, game: str, version: int) -> Iterator[bytes]:
        """The entries that follow a version, as far as they are here."""
        while entry := self._found(game, version := version + 1):
            yield entry

    def _found(self, game: str, version: int) -> bytes | None:
        name = _name(game, version)
        number = crc32(name)
        begin = _begin(number)
        found, length, digest = HEAD.unpack_from(self._memory, begin)
        if found != number:
            return None
        entry = self._memory[begin + HEAD.size : begin + HEAD.size + length]
        return entry if digest == _digest(name, entry) else None


def _name(game: str, version: int) -> bytes:
    return f"{game} {version}".encode()


def _begin(number: int) -> int:
    return number % SLOTS * SLOT


def _digest(name: bytes, entry: bytes) -> bytes:
    return sha256(name + b"\0" + entry).digest()[:16]
