"""Lists of studies, page by page, and the search: what an account may know of each, and nothing else.

The index leads to the studies. One that has gone on since is read itself, so that nothing is shown that is private now;
of the games behind chapters, those that not everybody may know of are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice

from replay.studies import Studies
from replay.study.study import OWNER, PUBLIC, Study
from service.games.game_lists import cursor_of, entry_of
from service.studies.access import StudyAccessReader, chapter_access
from service.studies.indexed_study import (
    Indexed,
    game_key,
    indexed,
    member_key,
    owner_key,
    public_key,
    words_of,
)
from service.studies.listed_study import ListedStudy, listed
from service.studies.presence import Presence
from service.studies.study_index import StudyIndex
from service.studies.study_search import StudySearch
from service.studies.words import words_of_query

LOOKED_AT_ONCE = 50
MOST_LOOKED_AT = 1200
"""So many studies are looked at for a page: more than an account can have and have joined."""

Candidates = Iterator[tuple[str, frozenset[str]]]
"""The entries of studies, and the chapters of each that have all words that are searched."""


@dataclass(frozen=True)
class StudyFilter:
    """The studies of a list, and its page. Owner and member are accounts; empty: any."""

    query: str = ""
    owner: str = ""
    member: str = ""
    game: str = ""
    limit: int = 20
    cursor: str = ""


@dataclass(frozen=True)
class StudyPage:
    studies: list[ListedStudy]
    next: str | None
    is_complete: bool
    """Whether all studies can be found; not while the index is made anew."""


@dataclass(frozen=True)
class _Current:
    """A study as the index has it; if it has gone on since, as the index should have it, and the study itself."""

    about: Indexed
    newer: Study | None = None

    def is_visible_to(self, account: str | None) -> bool:
        study = self.about.study
        return study.visibility == PUBLIC or account in (study.owner, *study.members)

    def matched(self, terms: Collection[str], matched: Collection[str]) -> Collection[str]:
        if not self.newer:
            return matched
        return [chapter for chapter, texts in words_of(self.newer).items() if {*terms} <= {*texts}]


@dataclass(frozen=True)
class StudyList:
    studies: Studies
    index: StudyIndex
    search: StudySearch
    accesses: StudyAccessReader
    presence: Presence

    def page(self, wanted: StudyFilter, account: str | None) -> StudyPage:
        """Newest first. It is as full as it can be, so that what is left out leaves no trace."""
        terms, found = words_of_query(wanted.query), list[ListedStudy]()
        candidates = islice(self._candidates(wanted, terms, account), MOST_LOOKED_AT)
        while len(found) <= wanted.limit and (some := dict(islice(candidates, LOOKED_AT_ONCE))):
            found += self._shown(some, terms, wanted, account)
        shown = found[: wanted.limit]
        more = cursor_of(shown[-1].entry) if len(found) > wanted.limit else None
        return StudyPage(self._with_writers(shown), more, bool(self.index.complete))

    def _candidates(self, wanted: StudyFilter, terms: Sequence[str], account: str | None) -> Candidates:
        after, keys = entry_of(wanted.cursor), _lists(wanted, account)
        if terms:
            return self.search.found(terms, keys, after)
        if wanted.query.strip():
            return iter(())  # There are no words in it.
        entries = merge(*(self._entries(key, after) for key in keys), reverse=True)
        return ((entry, frozenset()) for entry, _ in groupby(entries))

    def _entries(self, key: str, after: str) -> Iterator[str]:
        while some := self.index.page(key, after, LOOKED_AT_ONCE):
            yield from some
            after = some[-1]

    def _shown(
        self, some: Mapping[str, frozenset[str]], terms: Sequence[str], wanted: StudyFilter, account: str | None
    ) -> list[ListedStudy]:
        """Those of some candidates that belong on the page."""
        current = self._current([entry.partition("/")[2] for entry in some])
        games = self.accesses.summaries(game for each in current.values() for game in each.about.study.guarded)
        shown = list[ListedStudy]()
        for each in current.values():
            study = listed(each.about, account, lambda game: chapter_access(games.get(game), account))
            if not each.is_visible_to(account) or not _is_wanted(study, wanted):
                continue
            if not terms or study.is_found(terms, each.matched(terms, some[study.entry])):
                shown.append(study)
        return shown

    def _current(self, ids: Sequence[str]) -> dict[str, _Current]:
        """These studies in this order, without those that are gone."""
        about = self.index.about(ids)
        newer = self.studies.load_newer({id: found.version for id, found in about.items()})
        return {
            id: _Current(indexed(study, self.accesses.guarded(study)), study) if study else _Current(about[id])
            for id, study in newer.items()
        }

    def _with_writers(self, shown: Sequence[ListedStudy]) -> list[ListedStudy]:
        present = self.presence.present_in([study.id for study in shown]) if shown else {}
        return [study.with_writers(present[study.id].visitors) for study in shown]


def _lists(wanted: StudyFilter, account: str | None) -> list[str]:
    """The lists in which there may be what is wanted."""
    own, joined = ([owner_key(account)], [member_key(account)]) if account else ([], [])
    if wanted.member:
        return joined if wanted.member == account else []
    if wanted.owner:
        return own if wanted.owner == account else [public_key(wanted.owner), *joined]
    return [game_key(wanted.game) if wanted.game else public_key(), *own, *joined]


def _is_wanted(study: ListedStudy, wanted: StudyFilter) -> bool:
    has_game = not wanted.game or any(chapter.game == wanted.game for chapter in study.chapters)
    return has_game and wanted.owner in ("", study.owner) and (not wanted.member or study.role not in ("", OWNER))
