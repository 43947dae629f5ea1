"""Commits of a study as an account may know them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from events.log.codec import Commit
from replay.study.decider import study_facts
from replay.study.facts import ChangeRedone, ChangeUndone, ChapterAdded, ChapterMoved, StudyFact
from replay.study.study import Chapter
from service.studies.access import OPEN, StudyAccess

Shown = Callable[[int], int]
"""The number that a version has for the account."""


NOWHERE = 0
"""Where a chapter stands among others is not told if some of those are hidden."""


class KnownCommit(Struct, frozen=True):
    version: int
    by: str
    at: int
    facts: tuple[StudyFact, ...]
    is_undone: bool = False
    """Whether its author has taken it back since."""


def known_commit(access: StudyAccess, commit: Commit, shown: Shown) -> KnownCommit | None:
    """None if the account may not even know that there was one."""
    facts, header = study_facts(commit), commit.header
    if not access.knows(facts):
        return None
    undone = any(change.version == header.version and change.undone for change in access.study.changes)
    known = tuple(_known(access, fact, shown) for fact in facts)
    return KnownCommit(shown(header.version), header.by, header.at, known, undone)


def _known(access: StudyAccess, fact: StudyFact, shown: Shown) -> StudyFact:
    match fact:
        case ChangeUndone() | ChangeRedone():
            return replace(fact, version=shown(fact.version))
        case ChapterAdded() if access.of(fact.chapter.id) != OPEN:
            return ChapterAdded(Chapter(fact.chapter.id, "", fact.chapter.game, fact.chapter.viewer), NOWHERE)
        case ChapterAdded() | ChapterMoved() if access.unknown:
            return replace(fact, index=NOWHERE)
    return fact
