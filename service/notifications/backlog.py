"""Entries of the feeds that were read and are not dealt with yet, and the choice of the next ones.

The choice is fair between games: first the next commit of every game, then the second of each. So a game that makes
thousands of commits holds back no other, although all games of a bucket share one feed. The checkpoint of a feed stays
before the oldest entry that is not dealt with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from heapq import nsmallest
from itertools import takewhile

from events.log import FeedEntry

MOST_ENTRIES = 300
"""When so many entries are kept, no more of the feed are read."""

Position = tuple[int, int]


class Backlog:
    """The feed of one bucket, from its checkpoint on."""

    def __init__(self, checkpoint: str) -> None:
        self.checkpoint = checkpoint
        """All entries up to here are dealt with."""
        self._entries: list[FeedEntry] = []
        self._settled: set[str] = set()

    @property
    def end(self) -> str:
        """The position of the last entry that was read."""
        return self._entries[-1].position if self._entries else self.checkpoint

    @property
    def waiting(self) -> list[FeedEntry]:
        return [entry for entry in self._entries if entry.position not in self._settled]

    @property
    def is_empty(self) -> bool:
        return not self._entries

    @property
    def is_full(self) -> bool:
        return len(self._entries) >= MOST_ENTRIES

    def add(self, entries: Sequence[FeedEntry]) -> None:
        """The entries that follow."""
        self._entries += entries

    def settle(self, entries: Collection[FeedEntry]) -> None:
        """These entries are dealt with."""
        self._settled.update(entry.position for entry in entries)
        first = list(takewhile(lambda entry: entry.position in self._settled, self._entries))
        if first:
            self.checkpoint = first[-1].position
            self._settled.difference_update(entry.position for entry in first)
            del self._entries[: len(first)]


def fair_choice(waiting: Iterable[Sequence[FeedEntry]], most: int) -> list[FeedEntry]:
    """So many entries of these feeds: the first of every game, then the second of each; in the order of their times."""
    turns: Counter[str] = Counter()
    numbered: list[tuple[int, Position, FeedEntry]] = []
    for entries in waiting:
        for entry in entries:
            turns[entry.game] += 1
            numbered.append((turns[entry.game], order(entry.position), entry))
    if len(numbered) > most:
        numbered = nsmallest(most, numbered, key=lambda one: one[:2])
    return [entry for _, _, entry in sorted(numbered, key=lambda one: one[1])]


def order(position: str) -> Position:
    """
    >>> order("9-0") < order("10-0") < order("10-1")
    True
    """
    first, _, second = position.partition("-")
    return int(first), int(second)
