"""What an account may know of a study.

A chapter shows a game. Whoever may not see the game does not see the chapter. To a player of that game, until it is
over, the chapter is closed: it is there, and nothing that was written in it is told, not even that it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from cachetools import TTLCache
from msgspec.structs import replace

from events.errors import NoSuchGame, NotNow
from events.games import Games
from events.table.game import PUBLIC
from replay.study.facts import StudyFact
from replay.study.narration import concerns
from replay.study.study import CONTRIBUTOR, OWNER, Change, Chapter, Place, Study
from rules.texts import say
from service.games.access import seat_of
from service.games.game_summary import GameSummary, summary
from service.studies.presence import Visitor

OPEN, CLOSED, HIDDEN = "open", "closed", "hidden"

SUMMARIES_KEPT = 5000
SECONDS_KEPT = 30.0
"""Of games that are over: nothing changes in them, but they may be deleted."""


@dataclass(frozen=True)
class StudyAccess:
    """A study through the eyes of one account."""

    study: Study
    account: str | None
    games: Mapping[str, GameSummary]
    """The games of its chapters, as far as they are there."""

    def of(self, chapter: str) -> str:
        """Whether a chapter, which may be gone already, is open to the account, closed or hidden."""
        return chapter_access(self.games.get(self.study.games[chapter]), self.account)

    @cached_property
    def unknown(self) -> frozenset[Place]:
        """The places of which the account may know nothing."""
        seen = {chapter: self.of(chapter) for chapter in self.study.games}
        inside = {(chapter, "inside") for chapter, how in seen.items() if how != OPEN}
        return frozenset(inside | {(chapter,) for chapter, how in seen.items() if how == HIDDEN})

    @property
    def version(self) -> int:
        """The number of commits that the account may know of."""
        return self.study.version_without(self.unknown)

    @property
    def at(self) -> int:
        """When the last one of them was made."""
        return self.study.at_without(self.unknown)

    def knows(self, facts: Sequence[StudyFact]) -> bool:
        """Whether the account may know of a commit with these facts."""
        return concerns(facts) not in self.unknown

    @property
    def chapters(self) -> list[Chapter]:
        """Those that there are for the account."""
        return [chapter for chapter in self.study.chapters if self.of(chapter.id) != HIDDEN]

    def is_closed(self, chapter: str) -> bool:
        return self.of(chapter) == CLOSED

    @property
    def readable(self) -> Study:
        """The study without what is closed to the account."""
        return replace(
            self.study, chapters=tuple(chapter for chapter in self.study.chapters if self.of(chapter.id) == OPEN)
        )

    @property
    def closed_chapters(self) -> tuple[str, ...]:
        """All in which the account may change nothing, also those that are hidden or gone."""
        return tuple(chapter for chapter in self.study.games if self.of(chapter) != OPEN)

    def true_index(self, chapter: str, index: int) -> int:
        """Where a chapter comes to stand that is to be the one with this index for the account."""
        others = [other.id for other in self.study.chapters if other.id != chapter]
        known = [other for other in others if self.of(other) != HIDDEN]
        return others.index(known[index]) if 0 <= index < len(known) else len(others)

    def seen_visitors(self, visitors: Iterable[Visitor]) -> list[Visitor]:
        """Members who have the study open; where, only if the account may know what is there."""
        known = {chapter.id for chapter in self.chapters if not self.is_closed(chapter.id)}
        members = [visitor for visitor in visitors if self.study.role(visitor.account)]
        return [visitor if visitor.chapter in known else Visitor(visitor.account) for visitor in members]

    def chapter(self, id: str) -> Chapter:
        for chapter in self.chapters:
            if chapter.id == id:
                return chapter
        raise NoSuchGame(say("there is no chapter {chapter} in this study", chapter=id))

    def open_chapter(self, id: str) -> Chapter:
        """A chapter whose notes the account may know."""
        chapter = self.chapter(id)
        if self.is_closed(id):
            raise NotNow(say("you play in the game of this chapter: until it is over, its notes are closed to you"))
        return chapter

    def title(self, chapter: Chapter) -> str:
        """A title is words of an author, too: that of a closed chapter is empty."""
        return "" if self.is_closed(chapter.id) else chapter.title

    def game(self, chapter: Chapter) -> GameSummary:
        return self.games[chapter.game]

    @property
    def role(self) -> str:
        return self.study.role(self.account)

    @property
    def can_edit(self) -> bool:
        return self.role in (OWNER, CONTRIBUTOR)

    def knows_change(self, change: Change) -> bool:
        return self.knows(change.facts)


def chapter_access(game: GameSummary | None, account: str | None) -> str:
    """What a chapter of this game is to an account: open, closed or hidden. Here it is decided, and nowhere else."""
    if not game or (game.visibility != PUBLIC and account not in (game.owner, *game.seats.values())):
        return HIDDEN
    return OPEN if game.has_ended or not seat_of(game, account) else CLOSED


class StudyAccessReader:
    """Reads the games behind studies, many in one round trip, and those that are over now and then only."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._ended: TTLCache[str, GameSummary] = TTLCache(SUMMARIES_KEPT, SECONDS_KEPT)
        self._lock = Lock()

    def of(self, study: Study, account: str | None) -> StudyAccess:
        return StudyAccess(study, account, self.summaries(study.games.values()))

    def of_many(self, studies: Collection[Study], account: str | None) -> list[StudyAccess]:
        games = self.summaries(game for study in studies for game in study.games.values())
        return [StudyAccess(study, account, games) for study in studies]

    def guarded(self, study: Study) -> frozenset[str]:
        """Those of its games that not everybody may know of, now or for ever."""
        found = self.summaries(study.games.values())
        is_open = {game for game, about in found.items() if about.has_ended and about.visibility == PUBLIC}
        return frozenset(study.games.values()) - is_open

    def summaries(self, games: Iterable[str]) -> dict[str, GameSummary]:
        wanted = set(games)
        with self._lock:
            found = {game: kept for game in wanted if (kept := self._ended.get(game))}
        read = self._games.load_newer(dict.fromkeys(wanted - set(found), 0)) if len(found) < len(wanted) else {}
        newer = {id: summary(game) for id, game in read.items() if game}
        with self._lock:
            self._ended.update({id: game for id, game in newer.items() if game.has_ended})
        return found | newer
