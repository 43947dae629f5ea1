"""Reads the feeds of the log, one for each bucket, and notifies the accounts that each commit concerns.

A look takes the next commits of many buckets and games together, so that its round trips are shared by all of them. A
commit that is read twice, by two notifiers or after one was killed, gives one notice: the mailbox of an account holds
the position up to which each feed was read, and is written together with the notices.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set

from events.errors import Busy, NoSuchGame, StoreError
from events.log import ANYTHING, Feed, FeedEntry, GameLog, Hints
from events.store import Store
from events.table.game import Game
from service.notifications.backlog import Backlog, fair_choice, order
from service.notifications.delivery_records import DeliveryRecords
from service.notifications.due import DueAccounts
from service.notifications.mailbox_update import MailboxUpdate, Reported
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes
from service.notifications.notices import concerned
from service.notifications.transitions import TransitionReader
from service.operations import metrics

logger = logging.getLogger(__name__)

CONSUMER = "herald"
"""The name under which checkpoints are stored, older than the word notifier. Under another name the feeds would be read
anew, and never be trimmed again: that waits for every consumer that was ever remembered."""
COMMITS_A_LOOK = 400
ENTRIES_AT_ONCE = 100
"""So many entries of each feed are read in one look."""
HINTS_AT_ONCE = 1000

# How long to listen in one turn, and after which time all feeds are read, with or without a hint.
SECONDS_A_TURN = 0.25
SECONDS_BETWEEN_SWEEPS = 5.0

SECONDS_BETWEEN_LOOKS = 0.05
"""While commits come one after the other: a look at one of them costs half as much as a look at fifty."""


Changed = Callable[[Mapping[str, Game]], None]
Told = Callable[[Mapping[str, Set[str]]], None]


class Notifier:
    """For one thread."""

    def __init__(
        self,
        log: GameLog,
        store: Store,
        *,
        wake: Callable[[str], None] = lambda account: None,
        changed: Changed = lambda games: None,
        told: Told = lambda kinds: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`wake` is called with every account that has new deliveries, `changed` with the games that have changed,
        `told` with the kinds of notices that accounts have got, perhaps not for the first time."""
        self._log = log
        self._told = told
        self._changed_games = changed
        self._transitions = TransitionReader(log)
        self._mailboxes = Mailboxes(store)
        self._deliveries = DeliveryRecords(self._mailboxes.redis)
        self._due_accounts = DueAccounts(store)
        self._wake = wake
        self._clock = clock
        self._listener = ChangedBuckets(log)
        self._changed: set[int] = set()
        """Buckets in whose feeds there may be entries that were not read."""
        self._backlogs: dict[int, Backlog] = {}
        self._looked_at = 0.0

    def attend_changed(self, leased: Collection[int]) -> None:
        """Attend to the leased buckets in which something was committed; wait a moment for that."""
        self._backlogs = {bucket: backlog for bucket, backlog in self._backlogs.items() if bucket in leased}
        try:
            if not self._unfinished(leased):
                time.sleep(max(0.0, self._looked_at + SECONDS_BETWEEN_LOOKS - time.monotonic()))
            self._changed |= self._listener.next(0 if self._unfinished(leased) else SECONDS_A_TURN)
            if unfinished := self._unfinished(leased):
                self.attend(unfinished)
                self._looked_at = time.monotonic()
        except Exception:
            self._listener.close()
            raise

    def attend(self, buckets: Collection[int]) -> int:
        """Read some entries of these buckets' feeds; gives how many."""
        try:
            self._read_feeds(buckets)
            return self._look([self._backlogs[bucket] for bucket in buckets])
        except Exception:
            # Nothing is known of commits that were being dealt with: all are read again from their checkpoints.
            self._backlogs.clear()
            raise

    def _unfinished(self, leased: Collection[int]) -> set[int]:
        """The leased buckets in which entries wait, in the backlog or perhaps in the feed."""
        waiting = {bucket for bucket, backlog in self._backlogs.items() if not backlog.is_empty}
        return self._changed.union(waiting).intersection(leased)

    def _read_feeds(self, buckets: Collection[int]) -> None:
        if missing := [bucket for bucket in buckets if bucket not in self._backlogs]:
            checkpoints = self._log.checkpoints_of(CONSUMER, missing)
            self._backlogs |= {bucket: Backlog(checkpoint) for bucket, checkpoint in checkpoints.items()}
        positions = {bucket: self._backlogs[bucket].end for bucket in buckets if not self._backlogs[bucket].is_full}
        for bucket, entries in self._log.feeds(positions, ENTRIES_AT_ONCE).items():
            self._backlogs[bucket].add(entries)
            if len(entries) < ENTRIES_AT_ONCE:
                self._changed.discard(bucket)

    def _look(self, backlogs: Sequence[Backlog]) -> int:
        """Deal with some of the entries that wait in these backlogs, in the order of each game."""
        chosen = fair_choice((backlog.waiting for backlog in backlogs), COMMITS_A_LOOK)
        if not chosen:
            return 0
        checkpoints = self._settle(chosen)
        self._transitions.fetch(chosen)
        commits = [reported for entry in chosen if (reported := self._reported(entry))]
        self._notify(commits)
        self._changed_games({reported.game: reported.transition.after for reported in commits})
        # If the process ends before this, the entries are read again, and give one notice all the same.
        self._log.set_checkpoints(CONSUMER, checkpoints)
        for reported in commits:
            metrics.NOTIFIER_LAG.observe(max(0.0, self._clock() - reported.transition.commit.header.at / 1000))
        return len(chosen)

    def _settle(self, chosen: Sequence[FeedEntry]) -> dict[int, str]:
        """The new checkpoints of the buckets in which they have changed when these entries are dealt with."""
        by_bucket: dict[int, list[FeedEntry]] = defaultdict(list)
        for entry in chosen:
            by_bucket[self._log.buckets.of(entry.game)].append(entry)
        checkpoints: dict[int, str] = {}
        for bucket, entries in by_bucket.items():
            backlog = self._backlogs[bucket]
            before = backlog.checkpoint
            backlog.settle(entries)
            if backlog.checkpoint != before:
                checkpoints[bucket] = backlog.checkpoint
        return checkpoints

    def _reported(self, entry: FeedEntry) -> Reported | None:
        """The commit that an entry reports; none if it cannot be read."""
        bucket = self._log.buckets.of(entry.game)
        try:
            transition = self._transitions.read(entry.game, entry.version)
        except NoSuchGame:
            return None  # archived since
        except (StoreError, Busy):
            raise
        except Exception as error:
            # A game that cannot be read must not hold back the others of its bucket.
            _skip(entry.game, entry.version, error)
            return None
        is_ahead = order(entry.position) > order(self._backlogs[bucket].checkpoint)
        return Reported(bucket, entry.position, is_ahead, transition)

    def _notify(self, commits: Iterable[Reported]) -> None:
        by_account: dict[str, list[Reported]] = defaultdict(list)
        for reported in commits:
            for account in concerned(reported.transition):
                by_account[account].append(reported)
        updates = self._mailboxes.change_all(by_account, lambda mailboxes: self._decide(mailboxes, by_account))
        kinds = Counter(notice.kind for update in updates.values() for notice in update.notices)
        for kind, count in kinds.items():
            metrics.NOTICES.labels(kind).inc(count)
        self._told({account: update.kinds for account, update in updates.items() if update.kinds})
        if accounts := [account for account, update in updates.items() if update.has_deliveries]:
            self._due_accounts.schedule(accounts, self._now())
            for account in accounts:
                self._wake(account)

    def _decide(
        self, mailboxes: Sequence[Mailbox], by_account: Mapping[str, Sequence[Reported]]
    ) -> list[Decision[MailboxUpdate]]:
        waiting = self._deliveries.count_waiting(
            [(mailbox.account, hook.id) for mailbox in mailboxes for hook in mailbox.hooks if not hook.disabled]
        )
        decisions: list[Decision[MailboxUpdate]] = []
        for mailbox in mailboxes:
            update = MailboxUpdate(mailbox, waiting, self._now())
            for reported in by_account[mailbox.account]:
                try:
                    update.add(reported)
                except Exception as error:
                    _skip(reported.game, reported.transition.commit.header.version, error)
            decisions.append((update.commands(), update))
        return decisions

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _skip(game: str, version: int, error: Exception) -> None:
    about = {"fields": {"game": game, "version": version}}
    logger.error("the notifier skips a commit", extra=about, exc_info=error)


class ChangedBuckets:
    """The buckets in which something was committed: those with a hint, and from time to time all of them."""

    def __init__(self, log: Feed) -> None:
        self._log = log
        self._hints: Hints | None = None
        self._swept_at = 0.0

    def next(self, seconds: float) -> set[int]:
        """The buckets to read, after so many seconds at most."""
        if self._hints is None:
            self._hints = self._log.hints()
        buckets: set[int] = set()
        for _ in range(HINTS_AT_ONCE):
            hint = self._hints.next(seconds)
            if hint is None:
                break
            buckets |= self._all() if hint == ANYTHING else {self._log.buckets.of(hint.game)}
            seconds = 0
        return self._all() if time.monotonic() - self._swept_at > SECONDS_BETWEEN_SWEEPS else buckets

    def _all(self) -> set[int]:
        self._swept_at = time.monotonic()
        return set(self._log.buckets.all)

    def close(self) -> None:
        """Listen anew the next time."""
        if self._hints:
            self._hints.close()
            self._hints = None
