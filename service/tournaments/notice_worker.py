"""Writes the notices of tournaments into inboxes: some at a time, so that a round of thousands delays nobody else.

The feed only notes in an outbox which commits are to be told. A run takes one batch of each tournament in turn, and
remembers after each batch how far it has come: a worker that is killed is followed by another, and nobody gets a notice
twice, because mailboxes know the names of notices.

| key | what |
|---|---|
| `hidalgo:{07}:tellings` | the outbox: hash; `<tournament> <version>` of commits to be told, to the last account told |
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from time import monotonic
from typing import Any

from msgspec import Struct

from events.buckets import bucket_key
from events.errors import NoSuchGame, StoreError, TryLater
from events.games import Games
from events.log.codec import Commit
from events.store import Store, store_errors
from service.notifications.postings import Posting, Postings
from service.notifications.tournament_texts import Value
from service.tournaments.tournament_notices import groups, staff_notice, staff_of, tells
from tournaments.repository import Tournaments
from tournaments.tournament import Tournament

logger = logging.getLogger(__name__)

OUTBOX = "tellings"
BATCH = 100
SECONDS_AT_A_TIME = 0.5

# Not if another worker has finished it meanwhile.
REMEMBER = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
"""


class Announcement(Struct, frozen=True, order=True):
    """A commit whose notices are being written."""

    tournament: str
    version: int
    after: str = ""
    """The last group and account that was told."""

    @property
    def field(self) -> str:
        return f"{self.tournament} {self.version}"


class Outbox:
    """Commits to be told. Safe between threads and processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands

    def put(self, tournament: str, version: int) -> None:
        announcement = Announcement(tournament, version)
        with store_errors():
            self._redis.hsetnx(self._key(tournament), announcement.field, "")

    def waiting(self, buckets: Collection[int]) -> list[Announcement]:
        """In one round trip; commits of a tournament in order."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for bucket in buckets:
                pipe.hgetall(bucket_key(bucket, OUTBOX))
            found = [each for some in pipe.execute() for each in some.items()]
        return sorted(_announcement(field.decode(), after.decode()) for field, after in found)

    def remember(self, announcement: Announcement, after: str) -> None:
        with store_errors():
            self._redis.eval(REMEMBER, 1, self._key(announcement.tournament), announcement.field, after)

    def forget(self, announcement: Announcement) -> None:
        with store_errors():
            self._redis.hdel(self._key(announcement.tournament), announcement.field)

    def _key(self, tournament: str) -> str:
        return self._store.buckets.key_of(tournament, OUTBOX)


class NoticeWorker:
    """`attend` is for one thread."""

    def __init__(
        self, store: Store, tournaments: Tournaments, games: Games, postings: Postings, now: Callable[[], int]
    ) -> None:
        self._outbox = Outbox(store)
        self._tournaments, self._games, self._postings, self._now = tournaments, games, postings, now

    def follow(self, tournament: Tournament, commit: Commit) -> None:
        """A commit is told soon."""
        if tells(commit):
            self._outbox.put(tournament.id, commit.header.version)

    def attend(self, buckets: Collection[int]) -> int:
        """Write some notices of these buckets; says how many were new."""
        end, written = monotonic() + SECONDS_AT_A_TIME, 0
        while buckets and monotonic() < end:
            waiting = self._outbox.waiting(buckets)
            if not waiting:
                break
            # The first of each tournament: one that has much to tell does not hold back the others.
            for announcement in {each.tournament: each for each in reversed(waiting)}.values():
                written += self._announce(announcement)
                if monotonic() > end:
                    break
        return written

    def _announce(self, announcement: Announcement) -> int:
        """One batch of a commit."""
        try:
            return self._announce_some(announcement)
        except (StoreError, TryLater):
            raise
        except NoSuchGame:
            self._outbox.forget(announcement)
        except Exception:
            about = {"fields": {"tournament": announcement.tournament, "version": announcement.version}}
            logger.exception("nobody is told of a commit of a tournament", extra=about)
            self._outbox.forget(announcement)
        return 0

    def _announce_some(self, announcement: Announcement) -> int:
        tournament = self._tournaments.load(announcement.tournament)
        [commit] = self._tournaments.commits(announcement.tournament, announcement.version - 1, announcement.version)
        for group, batch, last in self._batches(tournament, commit, announcement.after):
            once = f"{announcement.field} {group}"
            written = self._postings.post_all({account: Posting(notice, once) for account, notice in batch.items()})
            self._outbox.remember(announcement, last)
            return written
        self._outbox.forget(announcement)
        return 0

    def _batches(self, tournament: Tournament, commit: Commit, after: str) -> Iterator[tuple[str, dict[str, Any], str]]:
        """The name of a group, some notices of it, and where they end; those that were not told yet."""
        for group in groups(tournament, commit, self._games.load):
            left = sorted(account for account in group.notices if f"{group.name} {account}" > after)
            if left:
                batch = left[:BATCH]
                yield group.name, {account: group.notices[account] for account in batch}, f"{group.name} {batch[-1]}"

    def alert(self, tournament: Tournament, about: str, once: str, **values: Value) -> None:
        """Something needs the staff of a tournament now; told once under this name."""
        notice, name = staff_notice(tournament, self._now(), about, **values), f"{tournament.id} {about} {once}"
        self._postings.post_all({account: Posting(notice, name) for account in staff_of(tournament)})


def _announcement(field: str, after: str) -> Announcement:
    tournament, _, version = field.rpartition(" ")
    return Announcement(tournament, int(version), after)
