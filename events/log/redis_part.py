"""What all parts of the log in Redis share: the store, and the keys of a name space there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from events.buckets import Buckets
from events.log.keys import Keys
from events.store import Store


class RedisPart:
    def __init__(self, store: Store, space: str = "") -> None:
        self._store, self._space = store, space
        self._redis: Any = store.commands

    @property
    def buckets(self) -> Buckets:
        return self._store.buckets

    @cached_property
    def _keys(self) -> Keys:
        """Made at first use: the store, which knows its buckets, may be away before."""
        return Keys(self.buckets, self._space)
