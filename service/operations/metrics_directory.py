"""The directory in which the processes of one service count together.

Its lock is held by the service while it lives. A service that was killed with all its workers leaves its directory
behind: the next one removes it. Prometheus' library may not enter: it must not be imported before the directory is
named in the environment.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "hidalgo-metrics-"
LOCK = "lock"
SECONDS_TO_BEGIN = 60.0
"""A younger directory may be one whose service is about to take the lock."""


@contextmanager
def metrics_directory() -> Iterator[Path]:
    sweep()
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name,
        Path(name, LOCK).open("wb") as lock,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def sweep() -> None:
    """Remove the directories of services that are gone; those of other users stay."""
    for directory in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - directory.stat().st_mtime > SECONDS_TO_BEGIN and not is_in_use(directory):
                shutil.rmtree(directory)


def is_in_use(directory: Path) -> bool:
    with suppress(FileNotFoundError), (directory / LOCK).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
