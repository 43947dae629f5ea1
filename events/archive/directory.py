"""Volumes as files of a directory."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from pathlib import Path

from events.archive import DIGITS
from events.errors import ArchiveDamaged, ArchiveFull, ArchiveUnavailable
from rules.texts import say

NAMED = re.compile(rf"[0-9a-f]{{{DIGITS}}}\.games")
FULL = (ENOSPC, EDQUOT)


class Directory:
    """See `events.archive.Place`. Only its owner can read it: the files hold the secrets of games."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.name = str(directory)

    def write(self, volume: str, content: bytes) -> None:
        file = self._file(volume)
        with _trouble(self.name):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as young:
                try:
                    young.write(content)
                    young.flush()
                    os.fsync(young.fileno())
                    os.replace(young.name, file)
                except BaseException:
                    os.unlink(young.name)
                    raise
            for directory in (file.parent, self._directory, self._directory.parent):
                _sync(directory)

    def read(self, volume: str, offset: int = 0, length: int | None = None) -> bytes:
        try:
            with _trouble(self.name), self._file(volume).open("rb") as file:
                file.seek(offset)
                return file.read(-1 if length is None else length)
        except FileNotFoundError:
            if not self._directory.is_dir():
                raise ArchiveUnavailable(say("the archive is not there")) from None
            raise ArchiveDamaged(say("volume {volume} of the archive is missing", volume=volume)) from None

    def volumes(self) -> Iterator[tuple[str, int]]:
        with _trouble(self.name):
            for file in sorted(self._directory.glob("??/*.games")):
                if NAMED.fullmatch(file.name):
                    yield file.stem, file.stat().st_size

    def remove(self, volume: str) -> None:
        with _trouble(self.name):
            self._file(volume).unlink(missing_ok=True)

    def _file(self, volume: str) -> Path:
        return self._directory / volume[:2] / f"{volume}.games"


@contextmanager
def _trouble(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno in FULL:
            raise ArchiveFull(say("there is no room left in the archive"), f"{name}: {error.strerror}") from None
        raise ArchiveUnavailable(say("the archive cannot be reached"), f"{name}: {error.strerror}") from None


def _sync(directory: Path) -> None:
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
