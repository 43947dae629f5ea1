"""Versions as a reader counts them: commits that it may know nothing of have no number.

For nearly everybody both are the same. A reader to whom something is closed names the versions that it was shown; what
every commit concerns is then read from the log once, and kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from threading import Lock

from cachetools import LRUCache

from replay.studies import Studies
from replay.study.decider import study_facts
from replay.study.narration import concerns
from replay.study.study import Place, Study

STUDIES_KEPT = 100
COMMITS_AT_ONCE = 1000


class Numbering:
    """Safe between threads."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies
        self._kept: LRUCache[str, list[Place]] = LRUCache(STUDIES_KEPT)
        self._lock = Lock()

    def shown(self, study: Study, unknown: Collection[Place], version: int) -> int:
        """The number that a commit has for a reader who knows nothing of some places."""
        if not unknown or version <= 0:
            return version
        return sum(place not in unknown for place in self._places(study)[:version])

    def true(self, study: Study, unknown: Collection[Place], shown: int) -> int:
        """The last version at which such a reader has seen as much as it says; a number that is none stays one."""
        if not unknown or shown <= 0:
            return shown
        for version, place in enumerate(self._places(study)):
            shown -= place not in unknown
            if shown < 0:
                return version
        return study.version + shown

    def known(self, study: Study, unknown: Collection[Place], after: int, limit: int) -> list[int]:
        """The versions of some commits that such a reader may know of, after a number of its own."""
        if not unknown:
            return list(range(after + 1, min(after + limit, study.version) + 1))
        places = enumerate(self._places(study), start=1)
        return [version for version, place in places if place not in unknown][after : after + limit]

    def _places(self, study: Study) -> Sequence[Place]:
        """What each commit concerns."""
        with self._lock:
            places = self._kept.get(study.id, [])
        while len(places) < study.version:
            until = min(len(places) + COMMITS_AT_ONCE, study.version)
            commits = self._studies.commits(study.id, len(places), until)
            places = [*places, *(concerns(study_facts(commit)) for commit in commits)]
        with self._lock:
            if len(self._kept.get(study.id, ())) < len(places):
                self._kept[study.id] = places
        return places[: study.version]
