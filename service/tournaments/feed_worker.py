"""Reads what tournaments have decided, in order, and lets it be seen: in lists, in games and in inboxes.

A tournament decides alone; its log is the truth. Everything elsewhere follows from it here, at least once: a commit
that is read again, after a worker was killed or by two of them, changes nothing any more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from time import monotonic

from events.errors import NoSuchGame, StoreError, TryLater
from events.log import FeedEntry
from events.log.codec import Commit
from events.workers.rebuilding import Rebuilding
from service.tournaments.tournament_index import TournamentIndex
from tournaments.repository import Tournaments
from tournaments.tournament import Tournament

logger = logging.getLogger(__name__)

CONSUMER = "tournaments"
ENTRIES_AT_ONCE = 100
TOURNAMENTS_AT_ONCE = 10
SECONDS_AT_A_TIME = 1.0

Follow = Callable[[Tournament, Commit], None]
"""Called with a tournament as it is now, and a commit of it."""


class FeedWorker:
    """For one thread."""

    def __init__(self, tournaments: Tournaments, index: TournamentIndex, follow: Iterable[Follow]) -> None:
        self._tournaments, self._index, self._follow = tournaments, index, tuple(follow)
        self._rebuilding = Rebuilding(tournaments.log, index.complete, self._index_some, at_once=TOURNAMENTS_AT_ONCE)

    def attend(self, buckets: Collection[int]) -> int:
        """Follow the next commits of these buckets; says how many."""
        log, end, followed = self._tournaments.log, monotonic() + SECONDS_AT_A_TIME, 0
        if not buckets:
            return 0
        for bucket, entries in log.feeds(log.checkpoints_of(CONSUMER, buckets), ENTRIES_AT_ONCE).items():
            for entry in entries:
                self._follow_entry(entry)
                log.set_checkpoint(bucket, CONSUMER, entry.position)
                followed += 1
                if monotonic() > end:
                    return followed
            if entries:
                log.trim_feed(bucket)
        return followed

    def _follow_entry(self, entry: FeedEntry) -> None:
        try:
            tournament = self._tournaments.load(entry.game)
            [commit] = self._tournaments.commits(entry.game, entry.version - 1, entry.version)
        except NoSuchGame:
            return
        self._index.put(tournament)
        for follow in self._follow:
            try:
                follow(tournament, commit)
            except (StoreError, TryLater):
                raise
            except Exception:
                # One tournament must not hold back the others.
                about = {"fields": {"tournament": entry.game, "version": entry.version}}
                logger.exception("a commit of a tournament cannot be followed", extra=about)

    def rebuild(self) -> bool:
        """Go on to make the index anew, if it is not complete; says whether it is."""
        return self._rebuilding.attend()

    def _index_some(self, ids: Sequence[str]) -> None:
        for id in ids:
            try:
                self._index.put(self._tournaments.load(id))
            except NoSuchGame:
                continue
