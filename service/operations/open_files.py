"""Open files: every connection is one, and a process may have only so many."""

from __future__ import annotations

import resource
from contextlib import suppress

IDLE_CONNECTIONS = 4096
"""Beside those that a thread answers."""
FILES_BESIDE = 256
"""For the store, the log and the code; besides, each thread may have a connection to the store."""


def most_connections(threads: int) -> int:
    """The connections that a worker takes at once, as far as files may be open."""
    files = allow_files(2 * threads + IDLE_CONNECTIONS + FILES_BESIDE)
    return max(threads, min(threads + IDLE_CONNECTIONS, files - threads - FILES_BESIDE))


def allow_files(count: int) -> int:
    """Let this process and its children have so many open files, if the system allows it. Gives the number allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return count
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
