"""A study in a list, as the account that asks may know it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct
from msgspec.structs import replace

from replay.study.study import OWNER
from service.studies.access import CLOSED, HIDDEN, OPEN
from service.studies.indexed_study import AboutChapter, Indexed
from service.studies.presence import Visitor
from service.studies.words import words

Access = Callable[[str], str]
"""Whether a game is open, closed or hidden to the account."""


class ListedChapter(Struct, frozen=True):
    """Of a closed chapter, the title, the comments and the tried moves are empty."""

    id: str
    title: str
    game: str
    comments: int = 0
    tried: int = 0
    is_closed: bool = False


class ListedStudy(Struct, frozen=True):
    """Accounts are named by their ids."""

    id: str
    entry: str
    title: str
    owner: str
    visibility: str
    role: str
    created_at: int
    updated_at: int
    chapters: tuple[ListedChapter, ...]
    """Those that there are for the account."""
    members: tuple[str, ...] = ()
    """Beside the owner."""
    writing_now: tuple[str, ...] = ()

    @property
    def comments(self) -> int:
        return sum(chapter.comments for chapter in self.chapters)

    @property
    def tried(self) -> int:
        return sum(chapter.tried for chapter in self.chapters)

    def is_found(self, terms: Collection[str], matched: Collection[str]) -> bool:
        """Whether the account may know that these chapters have these words."""
        is_open = any(chapter.id in matched and not chapter.is_closed for chapter in self.chapters)
        return is_open or words(self.title).issuperset(terms)

    def with_writers(self, visitors: Iterable[Visitor]) -> ListedStudy:
        """With those who write where the account may read."""
        known = {chapter.id for chapter in self.chapters if not chapter.is_closed}
        writing = tuple(each.account for each in visitors if each.is_writing and each.chapter in known)
        return replace(self, writing_now=writing)


def listed(about: Indexed, account: str | None, access: Access) -> ListedStudy:
    study = about.study
    games = {chapter.game: OPEN for chapter in about.chapters} | {game: access(game) for game in study.guarded}
    chapters = (_chapter(chapter, games[chapter.game]) for chapter in about.chapters if games[chapter.game] != HIDDEN)
    return ListedStudy(
        about.id,
        about.entry,
        study.title,
        study.owner,
        study.visibility,
        OWNER if account == study.owner else study.members.get(account or "", ""),
        study.created_at,
        max([about.at, *(_last_known(*moments, games[game]) for game, moments in study.guarded.items())]),
        tuple(chapters),
        tuple(study.members),
    )


def _chapter(chapter: AboutChapter, access: str) -> ListedChapter:
    if access == CLOSED:
        return ListedChapter(chapter.id, "", chapter.game, is_closed=True)
    return ListedChapter(chapter.id, chapter.title, chapter.game, chapter.comments, chapter.tried)


def _last_known(as_chapter: int, inside: int, access: str) -> int:
    return {OPEN: max(as_chapter, inside), CLOSED: as_chapter, HIDDEN: 0}[access]
