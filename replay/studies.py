"""Studies: create, submit, load. The one way into their log.

>>> from events.log.memory import MemoryLog
>>> from replay.study.commands import AddChapter
>>> studies = Studies(MemoryLog())
>>> study = studies.create("ana", "Vetoes").id
>>> studies.submit(study, AddChapter("ana", "Round 5", game="g1", viewer="everything")).after.chapters[0].id
'k1'
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from events.errors import NoSuchGame
from events.log import GameLog, Span, chain
from events.repository import Repository, now_ms
from events.submission import Naming, Submission, new_id, plain_name
from replay.study.commands import StudyCommand, check_one_of, checked_title
from replay.study.decider import STUDY, VERSION
from replay.study.facts import StudyCreated
from replay.study.study import PRIVATE, VISIBILITIES, Study
from rules.texts import Text, say

BYTES_CACHED, BYTES_KEPT_ASIDE = 32_000_000, 8_000_000
"""So many bytes of the logs of studies a process keeps folded; in memory they are a few times as many."""


def weigh(study: Study) -> int:
    return study.size


class Studies(Repository[Study, StudyCommand]):
    """All studies of a log."""

    def __init__(self, log: GameLog, now: Callable[[], int] = now_ms, naming: Naming = plain_name) -> None:
        super().__init__(log, STUDY, now, naming=naming, cached=(BYTES_CACHED, BYTES_KEPT_ASIDE), weigh=weigh)
        self.log: GameLog = log

    def secret_of(self, study: str) -> bytes:
        return self._known(study)[1]

    def remove(self, study: str) -> None:
        """Take a study out of the log."""
        self.log.remove(study)
        self._cache.forget(study)

    def _catch_up(self, state: Study) -> Study:
        """A study that this process knows may have been removed by another."""
        [entries] = self.log.read_many([Span(state.id, state.version)])
        if entries is None:
            self._cache.forget(state.id)
            raise NoSuchGame(self.not_found(state.id))
        return self._cache.put(self._after(state, entries)) if entries else state

    def not_found(self, id: str) -> Text:
        return say("there is no study {study}", study=id)

    def no_such_version(self, id: str, version: int) -> Text:
        return say("there is no version {version} of study {study}", version=version, study=id)

    def too_fast(self, id: str) -> Text:
        return say("study {study} changes too fast", study=id)

    def create(
        self,
        owner: str,
        title: str,
        visibility: str = PRIVATE,
        *,
        study: str = "",
        submission: Submission | None = None,
    ) -> Study:
        """A new study, without chapters."""
        check_one_of(VISIBILITIES, visibility)
        id, secret = study or new_id(), secrets.token_bytes(chain.SECRET_BYTES)
        fact = StudyCreated(id, owner, checked_title(title), visibility, chain.commitment(secret))
        return self._create(id, fact, owner, VERSION, secret, submission or Submission(key="create")).after
