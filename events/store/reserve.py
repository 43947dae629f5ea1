"""The reserve: nothing new begins before the store is full, so that there is room for the games under way."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from time import monotonic

from redis.exceptions import ResponseError

from events.errors import StoreFull
from events.store import Store, store_errors
from rules.texts import say

SHARE_OF_MEMORY = 0.9
"""From here on the rest of the memory is kept for what there is."""

DISK = 32 << 20
"""So many bytes of the disk of the embedded server are kept as well."""

SECONDS_BETWEEN_LOOKS = 1.0


class Reserve:
    """Of one process. It asks the store once in a while."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looked_at = float("-inf")
        self._is_touched = False

    def check(self) -> None:
        """Raises `StoreFull` if something new would take the room of games under way."""
        if monotonic() - self._looked_at > SECONDS_BETWEEN_LOOKS:
            self._is_touched = self._memory_is_short() or self._disk_is_short()
            self._looked_at = monotonic()
        if self._is_touched:
            raise StoreFull(say("the store is nearly full: games go on, and nothing new can begin"))

    def _memory_is_short(self) -> bool:
        return any(memory.limit and memory.used > SHARE_OF_MEMORY * memory.limit for memory in self._store.memory())

    def _disk_is_short(self) -> bool:
        if not self._directory:
            return False
        space = os.statvfs(self._directory)
        return space.f_bavail * space.f_frsize < DISK

    @cached_property
    def _directory(self) -> str:
        """Of a server on this machine; empty where it is not told."""
        if not self._store.url.startswith("unix://"):
            return ""
        with store_errors(), suppress(ResponseError):
            directory = os.fsdecode(self._store.commands.config_get("dir").get("dir") or "")
            return directory if os.path.isdir(directory) else ""
        return ""
