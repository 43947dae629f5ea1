"""Keeps the index of studies as the log has it, beside requests.

A request writes the index after its edit. The feed of studies tells every edit as well: what the index has not got when
the feed is read, because the process died in between, is written then. If the index is lost, all studies are read
again, a few at a time; until that is done, lists say that they are not complete. Removals that were begun are finished,
and the studies of accounts that are gone looked after.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from time import monotonic

from events.errors import NoSuchGame, NotPermitted, StoreError
from events.log import Span
from events.repository import now_ms
from events.workers.rebuilding import Rebuilding
from replay.studies import Studies
from replay.study.commands import LeaveStudy
from replay.study.study import PRIVATE, Study
from service.studies.access import StudyAccessReader
from service.studies.indexed_study import member_key, owner_key
from service.studies.study_index import StudyIndex

logger = logging.getLogger(__name__)

CONSUMER = "study index"
ENTRIES_AT_ONCE = 100
STUDIES_AT_ONCE = 20
LONGEST_LEAVING = 3_600_000
"""Milliseconds after which an account that is still there has not been deleted after all."""
SECONDS_AT_A_TIME = 0.5
"""So long a run takes: other work of the process is more urgent."""


class IndexWorker:
    """`put` and `remove` can be called by any thread, the rest by that of a job."""

    def __init__(
        self,
        studies: Studies,
        index: StudyIndex,
        accesses: StudyAccessReader,
        is_gone: Callable[[str], bool] = lambda account: False,
    ) -> None:
        """`is_gone`: whether an account was deleted."""
        self._studies, self._index, self._accesses, self._is_gone = studies, index, accesses, is_gone
        self._rebuilding = Rebuilding(studies.log, index.complete, self._look_after_some, at_once=STUDIES_AT_ONCE)

    def put(self, study: Study) -> None:
        self._index.put(study, self._accesses.guarded(study))

    # The feed

    def attend(self, buckets: Collection[int], seconds: float = SECONDS_AT_A_TIME) -> int:
        """Write what the index has missed of these buckets; says how many studies that were."""
        end, missed, is_more = monotonic() + seconds, 0, True
        while is_more and monotonic() < end:
            found, is_more = self._read_feeds(buckets)
            missed += found
        return missed

    def _read_feeds(self, buckets: Collection[int]) -> tuple[int, bool]:
        """Of the next entries, how many studies were missed, and whether there are more."""
        log = self._studies.log
        entries = log.feeds(log.checkpoints_of(CONSUMER, buckets), ENTRIES_AT_ONCE)
        missed = self._missed({entry.game: entry.version for some in entries.values() for entry in some})
        for study in missed:
            self._look_after(study)
        read = {bucket: some[-1].position for bucket, some in entries.items() if some}
        log.set_checkpoints(CONSUMER, read)
        for bucket in read:
            log.trim_feed(bucket)
        return len(missed), any(len(some) == ENTRIES_AT_ONCE for some in entries.values())

    def _missed(self, newest: dict[str, int]) -> list[str]:
        """Studies of which the index has an older version, or has something although they are gone."""
        if not newest:
            return []
        known = self._index.versions(newest)
        read = self._studies.log.read_many([Span(study, version, version) for study, version in newest.items()])
        gone = {study for study, entries in zip(newest, read, strict=True) if entries is None}
        return [study for study, version in newest.items() if known[study] < version or study in gone]

    def _look_after(self, study: str) -> None:
        try:
            self.put(self._studies.load(study))
        except NoSuchGame:
            self._index.remove(study)
        except StoreError:
            raise
        except Exception:
            logger.exception("study %s cannot be indexed; it is not listed", study)

    # All of it

    def rebuild(self, seconds: float = SECONDS_AT_A_TIME) -> bool:
        """Go on to make the index anew, if it is not complete; says whether it is."""
        return self._rebuilding.attend(seconds)

    def _look_after_some(self, studies: Sequence[str]) -> None:
        for study in studies:
            self._look_after(study)

    # Removals

    def remove(self, study: str) -> None:
        """Take a study out. If it is interrupted, `finish` does the rest."""
        self._index.begin_removing(study)
        self._finish_removing(study)

    def finish(self) -> None:
        """Finish removals that were begun, and look after the studies of accounts that are gone."""
        for study in self._index.removing():
            self._finish_removing(study)
        if self._index.complete:
            for account, since in self._index.leaving().items():
                self._look_after_leaving(account, since)

    def _finish_removing(self, study: str) -> None:
        self._studies.remove(study)
        self._index.remove(study)

    def _look_after_leaving(self, account: str, since: int) -> None:
        if not self._is_gone(account):
            if now_ms() - since > LONGEST_LEAVING:
                self._index.has_left(account)
            return
        for study in self._index.studies_of(owner_key(account)):
            self._leave_own(study)
        for study in self._index.studies_of(member_key(account)):
            self._leave_joined(study, account)
        self._index.has_left(account)

    def _leave_own(self, study: str) -> None:
        """What nobody else could open goes; what others can open stays, without a name."""
        with suppress(NoSuchGame):
            if self._studies.load(study).visibility == PRIVATE:
                self.remove(study)

    def _leave_joined(self, study: str, account: str) -> None:
        with suppress(NoSuchGame, NotPermitted):
            self.put(self._studies.submit(study, LeaveStudy(account)).after)
