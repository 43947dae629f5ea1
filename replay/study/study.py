"""A study after some version: its chapters, and what its members wrote, drew and tried there. Folded from facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotNow
from rules.texts import say

if TYPE_CHECKING:
    from replay.study.facts import StudyFact

OWNER, CONTRIBUTOR, READER = "owner", "contributor", "reader"
ROLES = (CONTRIBUTOR, READER)
PRIVATE, BY_LINK, PUBLIC = "private", "link", "public"
VISIBILITIES = (PRIVATE, BY_LINK, PUBLIC)

ARROW, HIGHLIGHT = "arrow", "highlight"
MARKS = (ARROW, HIGHLIGHT)

GLYPHS = {
    "move": ("!!", "!", "!?", "?!", "?", "??"),
    "position": ("=", "+-", "-+", "∞"),
    "observation": ("□", "⟳", "⊕", "N"),
}
"""Of a move and of a position there is one at most; observations stand beside each other."""
ALONE = ("move", "position")
ALL_GLYPHS = tuple(glyph for kind in GLYPHS.values() for glyph in kind)

CHANGES_KEPT = 500
"""So many of the last changes can be undone, and are known when members write at the same time."""

NUMBERED = re.compile("[a-z]([0-9]{1,9})")
"""An id that was given out here; files may bring others."""

Place = tuple[str, ...]
"""Where a change is: a chapter, a step of its game, the tried moves that lead on from there, something written there. A
place holds all places that begin with it."""


class Comment(Struct, frozen=True):
    id: str
    by: str
    text: str
    """Markdown."""


class Mark(Struct, frozen=True, omit_defaults=True):
    """An arrow between two places of the board, or a highlighted one. The drawing of a game names its places."""

    id: str
    by: str
    kind: str
    source: str
    target: str = ""


class Notes(Struct, frozen=True, omit_defaults=True):
    """What is written and drawn at one step."""

    comments: tuple[Comment, ...] = ()
    glyphs: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()


NO_NOTES = Notes()


class TriedMove(Struct, frozen=True):
    """A step of a variation: a move that the rules allow there, and what followed from it."""

    id: str
    parent: str
    """A step of the game, by its version, or another tried move."""
    by: str
    """The account that tried it."""
    seat: str
    move: Mapping[str, Any]
    """As a player would send it."""
    facts: tuple[Mapping[str, Any], ...]
    schema: int
    """The shape of the facts."""


class Chapter(Struct, frozen=True):
    """A game, seen by one viewer, with notes and variations."""

    id: str
    title: str
    game: str
    viewer: str
    variations: Mapping[str, tuple[TriedMove, ...]] = {}
    """By the step or tried move that they follow, in the order in which they are shown."""
    notes: Mapping[str, Notes] = {}
    """By step of the game or tried move."""
    made: int = 0
    """The highest number that a tried move, a comment or a mark ever had. Chapters count for themselves: an id tells
    nothing about other chapters."""

    @property
    def moves(self) -> dict[str, TriedMove]:
        """All tried moves, by their ids."""
        return {move.id: move for moves in self.variations.values() for move in moves}

    def move(self, node: str) -> TriedMove:
        if move := self.moves.get(node):
            return move
        raise NotNow(say("there is no tried move {node} in this chapter", node=node))

    def line(self, node: str) -> tuple[TriedMove, ...]:
        """The tried moves that lead to a node, first to last; none to a step of the game."""
        moves, line = self.moves, list[TriedMove]()
        while node in moves:
            line.append(moves[node])
            node = moves[node].parent
        return tuple(reversed(line))

    def step(self, node: str) -> str:
        """The step of the game at which the line to a node begins."""
        line = self.line(node)
        return line[0].parent if line else node

    def below(self, node: str) -> tuple[TriedMove, ...]:
        """A tried move and all that follow it, parents first."""
        found = [self.move(node)]
        for move in found:
            found += self.variations.get(move.id, ())
        return tuple(found)

    def new_id(self, kind: str) -> str:
        """An id that never comes again in this chapter."""
        return f"{kind}{self.made + 1}"

    def numbered(self) -> Chapter:
        """The same, which knows the ids that are in it: another may have given them."""
        comments = (comment.id for notes in self.notes.values() for comment in notes.comments)
        marks = (mark.id for notes in self.notes.values() for mark in notes.marks)
        return self.with_made(*self.moves, *comments, *marks)

    def with_made(self, *ids: str) -> Chapter:
        return replace(self, made=max(self.made, *map(number_of, ids))) if ids else self

    def with_variations(self, parent: str, moves: tuple[TriedMove, ...]) -> Chapter:
        others = {node: others for node, others in self.variations.items() if node != parent}
        return replace(self, variations={**others, parent: moves} if moves else others)

    def place(self, node: str) -> Place:
        return ("chapter", self.id, self.step(node), *(move.id for move in self.line(node)))

    def has(self, node: str) -> bool:
        return is_step(node) or node in self.moves

    def notes_at(self, node: str) -> Notes:
        return self.notes.get(node, NO_NOTES)

    def with_notes(self, node: str, notes: Notes) -> Chapter:
        others = {key: value for key, value in self.notes.items() if key != node}
        return replace(self, notes={**others, node: notes} if notes != NO_NOTES else others)


class Change(Struct, frozen=True):
    """A commit that can be undone: what it did, what would undo it, and where."""

    version: int
    by: str
    facts: tuple[StudyFact, ...]
    inverse: tuple[StudyFact, ...]
    places: tuple[Place, ...]
    settled: int
    """The version that made it, or last undid it or made it again."""
    undone: bool = False

    def overlaps(self, place: Place) -> bool:
        return any(_is_within(mine, place) or _is_within(place, mine) for mine in self.places)

    def is_about(self, id: str) -> bool:
        return any(id in place for place in self.places)

    def is_in(self, chapters: Collection[str]) -> bool:
        return any(place[0] == "chapter" and place[1] in chapters for place in self.places)


class Touched(Struct, frozen=True):
    """How often something was changed, and when last."""

    count: int = 0
    at: int = 0

    def again(self, at: int) -> Touched:
        return Touched(self.count + 1, at)


UNTOUCHED = Touched()


class Study(Struct, frozen=True):
    id: str
    version: int
    head: str
    commitment: str
    at: int
    title: str
    owner: str
    visibility: str = PRIVATE
    members: Mapping[str, str] = {}
    """Account to role, without the owner."""
    chapters: tuple[Chapter, ...] = ()
    changes: tuple[Change, ...] = ()
    """The last ones, oldest first."""
    games: Mapping[str, str] = {}
    """The game of every chapter that there is or was."""
    created_at: int = 0
    unlinked: int = 0
    """The version at which it was last made private: links that were given out before open nothing any more."""
    size: int = 0
    """About so many bytes its log has."""
    touched: Mapping[Place, Touched] = {}
    """The commits about the study itself (an empty place), about each chapter as one of many, and about what each holds
    (`inside`)."""

    def role(self, account: str | None) -> str:
        """What an account is in this study; empty: nothing."""
        if account is None:
            return ""
        return OWNER if account == self.owner else self.members.get(account, "")

    def is_visible_to(self, account: str | None, *, has_link: bool = False) -> bool:
        if self.visibility == PUBLIC or (self.visibility == BY_LINK and has_link):
            return True
        return bool(self.role(account))

    def chapter(self, id: str) -> Chapter:
        for chapter in self.chapters:
            if chapter.id == id:
                return chapter
        raise NotNow(say("there is no chapter {chapter} in this study", chapter=id))

    def index(self, chapter: str) -> int:
        return self.chapters.index(self.chapter(chapter))

    def with_chapter(self, chapter: Chapter) -> Study:
        """With this chapter in the place of the one with its id."""
        return replace(self, chapters=tuple(chapter if old.id == chapter.id else old for old in self.chapters))

    def changes_of(self, account: str | None, closed: Collection[str] = ()) -> list[Change]:
        """The changes of an account that can be undone or made again, without those in closed chapters."""
        return [made for made in self.changes if made.by == account and not made.is_in(closed)]

    def changes_by_others(self, place: Place, by: str, since: int) -> list[Change]:
        """What other members have changed at a place, undone or made again after a version."""
        return [made for made in self.changes if made.by != by and made.settled > since and made.overlaps(place)]

    def version_without(self, unknown: Collection[Place]) -> int:
        """The version for a reader who may know nothing of some places: commits there do not count."""
        return self.version - sum(self.touched.get(place, UNTOUCHED).count for place in unknown)

    def at_without(self, unknown: Collection[Place]) -> int:
        """The moment of the last commit that such a reader may know of."""
        return max(touched.at for place, touched in self.touched.items() if place not in unknown)

    def remembers(self, version: int) -> bool:
        """Whether all changes after a version are known."""
        return len(self.changes) < CHANGES_KEPT or version >= self.changes[0].version


def number_of(id: str) -> int:
    """
    >>> number_of("m12"), number_of("imported")
    (12, 0)
    """
    return int(found[1]) if (found := NUMBERED.fullmatch(id)) else 0


def is_step(node: str) -> bool:
    """Whether a node is a step of the game itself: it is named by its version.

    >>> is_step("214"), is_step("m12"), is_step("007")
    (True, False, False)
    """
    return node.isascii() and node.isdigit() and str(int(node)) == node


def _is_within(place: Place, larger: Place) -> bool:
    return place[: len(larger)] == larger
