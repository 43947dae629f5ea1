"""Chance that anybody can redo: a stream of numbers from a seed, and the shuffle built on it.

The stream is SHA-256 in counter mode: block *i* (from 0) is `SHA-256(seed || i as 8 bytes, big-endian)`, cut into eight
32-bit big-endian words, read in order. `below(n)` takes words until one is less than the largest multiple of n up to
2**32, and returns it modulo n: every result is equally likely. A shuffle is Fisher–Yates from the last place down: for
i = len-1 … 1, swap places i and `below(i + 1)`. This is part of the saved games and never changes.

>>> Chance(b"hidalgo").shuffled("abcdefgh")
('g', 'e', 'd', 'b', 'c', 'f', 'a', 'h')
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")

WORD = 1 << 32


class Chance:
    """Numbers that follow from a seed."""

    def __init__(self, seed: bytes) -> None:
        self._words = _words(seed)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        if not 0 < limit <= WORD:
            raise ValueError(f"no number lies below {limit}")
        fair = WORD - WORD % limit
        while (word := next(self._words)) >= fair:
            pass
        return word % limit

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """The items in random order."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(seed + block.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1
