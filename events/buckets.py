"""Buckets: the parts over which the games of a store are spread, so that a cluster can spread them over its nodes.

Whatever belongs to a game is under keys with the hash tag of its bucket, so that one script can write all of it.

>>> USUAL.of("g1"), USUAL.key_of("g1", "reminders"), Buckets(256).key_of("g1", "reminders")
(37, 'hidalgo:{37}:reminders', 'hidalgo:{165}:reminders')
"""

from __future__ import annotations

from zlib import crc32

from msgspec import Struct


class Buckets(Struct, frozen=True):
    """So many of them. Their number is a property of a store (`events.store.recorded_buckets`)."""

    count: int

    def of(self, game: str) -> int:
        """The bucket of a game, or of an account whose work is shared as that of games is."""
        return crc32(game.encode()) % self.count

    @property
    def all(self) -> range:
        return range(self.count)

    def key_of(self, game: str, what: str) -> str:
        """A key in the bucket of a game."""
        return bucket_key(self.of(game), what)


def bucket_key(bucket: int, what: str) -> str:
    return f"hidalgo:{{{bucket:02}}}:{what}"


USUAL = Buckets(64)
"""Those of a store for which no other number is chosen."""
