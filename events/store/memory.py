"""The memory of this machine, or of the container that we are in."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# Of control groups, version 2 and 1; a container sees its own limit here.
LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def default_memory() -> int:
    """In bytes, for the embedded server: a half, so that there is as much for the processes beside it, and for the
    pages that change while it writes its file anew."""
    return min(limits()) // 2


def limits() -> Iterator[int]:
    yield os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for file in LIMITS:
        # No number is no limit: the file then says `max`.
        with suppress(OSError, ValueError):
            yield int(file.read_text())
