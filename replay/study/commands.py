"""What members may do in a study: frozen values. `permit` refuses an account, `decide` says which facts follow.

A command that changes or removes what others may have changed meanwhile carries the version that its author has `seen`:
if another member has changed something at that place since, it is refused, and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from events.errors import NoSuchGame, NotNow, NotPermitted, VersionChanged
from replay.study.facts import (
    ChangeRedone,
    ChangeUndone,
    ChapterAdded,
    ChapterMoved,
    ChapterRemoved,
    ChapterRenamed,
    CommentRemoved,
    CommentWritten,
    GlyphsChanged,
    MarkDrawn,
    MarkErased,
    MemberSet,
    MovesAdded,
    MovesRemoved,
    StudyFact,
    StudyRenamed,
    VariationMoved,
    VisibilitySet,
)
from replay.study.study import (
    ALL_GLYPHS,
    ALONE,
    ARROW,
    CONTRIBUTOR,
    GLYPHS,
    MARKS,
    OWNER,
    ROLES,
    VISIBILITIES,
    Change,
    Chapter,
    Comment,
    Mark,
    Notes,
    Place,
    Study,
    TriedMove,
)
from rules.errors import Unreadable
from rules.texts import Text, one_by_one, say

LONGEST_TITLE = 120
LONGEST_COMMENT = 8000
MOST_CHAPTERS = 64
MOST_MOVES = 3000
"""Tried moves in one chapter."""
MOST_COMMENTS = 50
MOST_MARKS = 64
"""At one step, each."""
MOST_MEMBERS = 50
MOST_COMMITS = 20_000
MOST_BYTES = 4_000_000
COMMITS_IN_RESERVE = 1000
"""So many more are taken of those that let members in or out."""
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that break or turn lines, and halves of characters."""
BOARD_PLACE = re.compile("[a-z0-9_:-]{1,40}")


class StudyCommand(Struct, frozen=True):
    account: str

    roles: ClassVar[tuple[str, ...]] = (OWNER, CONTRIBUTOR)
    """Those who may give it."""
    refusal: ClassVar[Text] = say("only its owner and contributors may change this study")
    grows: ClassVar[bool] = True
    """Whether it makes the study larger; others are taken also when it is full."""

    def permit(self, study: Study) -> None:
        if not study.is_visible_to(self.account):
            raise NoSuchGame(say("there is no study {study}", study=study.id))
        if study.role(self.account) not in self.roles:
            raise NotPermitted(self.refusal)

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        """The facts that follow from it, or a refusal."""
        raise AssertionError(f"{type(self).__name__} does not say what follows")


class OwnerCommand(StudyCommand, frozen=True):
    grows = False
    roles = (OWNER,)
    refusal = say("only the owner of this study may do that")


# The study itself


class SetVisibility(OwnerCommand, frozen=True):
    visibility: str

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        check_one_of(VISIBILITIES, self.visibility)
        return (VisibilitySet(self.visibility),)


class SetMember(OwnerCommand, frozen=True):
    """Give an account a role, or none."""

    member: str
    role: str

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        check_one_of(("", *ROLES), self.role)
        if self.member == study.owner:
            raise NotNow(say("the owner of a study stays its owner"))
        if self.role and self.member not in study.members and len(study.members) >= MOST_MEMBERS:
            raise NotNow(say("a study has {most} members at most", most=MOST_MEMBERS))
        return (MemberSet(self.member, self.role),)


class LeaveStudy(StudyCommand, frozen=True):
    """A member wants to be none any more."""

    grows = False
    roles = ROLES
    refusal = say("only members other than the owner can leave a study")

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        return (MemberSet(self.account, ""),)


class Rename(StudyCommand, frozen=True):
    title: str
    seen: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        check_unchanged(study, ("title",), self.account, self.seen)
        return (StudyRenamed(checked_title(self.title)),)


# Chapters


class AddChapter(StudyCommand, frozen=True):
    """A game, as the viewer sees it, at the end of the study; or a chapter that comes from a file."""

    title: str
    game: str
    viewer: str
    variations: Mapping[str, tuple[TriedMove, ...]] = {}
    notes: Mapping[str, Notes] = {}

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        if len(study.chapters) >= MOST_CHAPTERS:
            raise NotNow(say("a study has {most} chapters at most", most=MOST_CHAPTERS))
        title, id = checked_title(self.title), f"k{len(study.games) + 1}"
        chapter = Chapter(id, title, self.game, self.viewer, self.variations, self.notes).numbered()
        if len(chapter.moves) > MOST_MOVES:
            raise NotNow(say("a chapter has {most} tried moves at most", most=MOST_MOVES))
        return (ChapterAdded(chapter, len(study.chapters)),)


class RenameChapter(StudyCommand, frozen=True):
    chapter: str
    title: str
    seen: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        fact = ChapterRenamed(study.chapter(self.chapter).id, checked_title(self.title))
        check_unchanged(study, fact.place(study), self.account, self.seen)
        return (fact,)


class MoveChapter(StudyCommand, frozen=True):
    chapter: str
    index: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        return (ChapterMoved(study.chapter(self.chapter).id, within(self.index, len(study.chapters))),)


class RemoveChapter(StudyCommand, frozen=True):
    chapter: str
    seen: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        fact = ChapterRemoved(study.chapter(self.chapter).id)
        check_unchanged(study, fact.place(study), self.account, self.seen)
        return (fact,)


# Variations


class TryMove(StudyCommand, frozen=True):
    """A move after a step of the game or after another tried move, played by the rules (`replay.study.variations`):
    what came before it never changes.
    """

    chapter: str
    parent: str
    seat: str
    move: Mapping[str, Any]
    facts: tuple[Mapping[str, Any], ...]
    schema: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        check_node(chapter, self.parent)
        if len(chapter.moves) >= MOST_MOVES:
            raise NotNow(say("a chapter has {most} tried moves at most", most=MOST_MOVES))
        move = TriedMove(chapter.new_id("m"), self.parent, self.account, self.seat, self.move, self.facts, self.schema)
        return (MovesAdded(chapter.id, (move,), len(chapter.variations.get(self.parent, ()))),)


class MoveVariation(StudyCommand, frozen=True):
    """Show a variation before or after others of the same step; the first one is the best."""

    chapter: str
    node: str
    index: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        beside = chapter.variations[chapter.move(self.node).parent]
        return (VariationMoved(chapter.id, self.node, within(self.index, len(beside))),)


class RemoveMoves(StudyCommand, frozen=True):
    """Remove a tried move and all that follow it."""

    chapter: str
    node: str
    seen: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        fact = MovesRemoved(chapter.id, chapter.move(self.node).id)
        check_unchanged(study, fact.place(study), self.account, self.seen)
        return (fact,)


# What is written and drawn


class WriteComment(StudyCommand, frozen=True):
    """A new comment, or other words for an own one."""

    chapter: str
    node: str
    text: str
    comment: str = ""
    seen: int = 0

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        check_node(chapter, self.node)
        comments, text = chapter.notes_at(self.node).comments, checked_comment(self.text)
        if self.comment:
            index, old = found(comments, self.comment)
            self._check_own(study, old)
            return (CommentWritten(chapter.id, self.node, Comment(old.id, old.by, text), index),)
        if len(comments) >= MOST_COMMENTS:
            raise NotNow(say("a step has {most} comments at most", most=MOST_COMMENTS))
        comment = Comment(chapter.new_id("c"), self.account, text)
        return (CommentWritten(chapter.id, self.node, comment, len(comments)),)

    def _check_own(self, study: Study, old: Comment) -> None:
        if old.by != self.account:
            raise NotPermitted(say("only its author may change a comment"))
        # The author may write in two windows at once.
        last = last_change_of(study, self.chapter, old.id)
        if self.seen < last or not study.remembers(self.seen):
            raise VersionChanged(CHANGED_MEANWHILE)


class RemoveComment(StudyCommand, frozen=True):
    """Remove an own comment, or, as the owner of the study, any."""

    chapter: str
    node: str
    comment: str
    seen: int

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        _, old = found(chapter.notes_at(self.node).comments, self.comment)
        if self.account not in (old.by, study.owner):
            raise NotPermitted(say("only its author and the owner of the study may remove a comment"))
        fact = CommentRemoved(chapter.id, self.node, old.id)
        check_unchanged(study, fact.place(study), self.account, self.seen)
        return (fact,)


class SetGlyph(StudyCommand, frozen=True):
    """Put a glyph beside a step, or take it away. One of a move or of a position takes the place of another one."""

    chapter: str
    node: str
    glyph: str
    shown: bool = True

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        check_node(chapter, self.node)
        check_one_of(ALL_GLYPHS, self.glyph)
        there = chapter.notes_at(self.node).glyphs
        if self.shown == (self.glyph in there):
            raise NotNow(say("nothing would change"))
        if not self.shown:
            return (GlyphsChanged(chapter.id, self.node, removed=(self.glyph,)),)
        replaced = tuple(glyph for glyph in there if glyph in rivals(self.glyph))
        return (GlyphsChanged(chapter.id, self.node, removed=replaced, added=(self.glyph,)),)


class Draw(StudyCommand, frozen=True):
    """An arrow between two places of the board, or a highlighted one."""

    chapter: str
    node: str
    kind: str
    source: str
    target: str = ""

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        check_node(chapter, self.node)
        self._check_places()
        marks = chapter.notes_at(self.node).marks
        if len(marks) >= MOST_MARKS:
            raise NotNow(say("a step has {most} arrows and highlights at most", most=MOST_MARKS))
        mark = Mark(chapter.new_id("d"), self.account, self.kind, self.source, self.target)
        return (MarkDrawn(chapter.id, self.node, mark, len(marks)),)

    def _check_places(self) -> None:
        check_one_of(MARKS, self.kind)
        ends = (self.source, self.target) if self.kind == ARROW else (self.source,)
        if not all(BOARD_PLACE.fullmatch(end) for end in ends) or (self.kind != ARROW and self.target):
            raise Unreadable(say("an arrow has two places of the board, a highlight one"))


class Erase(StudyCommand, frozen=True):
    chapter: str
    node: str
    mark: str

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        chapter = study.chapter(self.chapter)
        _, mark = found(chapter.notes_at(self.node).marks, self.mark)
        return (MarkErased(chapter.id, self.node, mark.id),)


# Undoing


class Undo(StudyCommand, frozen=True):
    """Take the last own change back that stands; the owner of a study, also one of another member."""

    closed: tuple[str, ...] = ()
    """Chapters that are closed to the account: there it can undo nothing."""
    change: int = 0
    """The version that made it; 0: the last own one."""

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        change = self._named(study) if self.change else undoable(study, self.account, self.closed)
        if not change:
            raise NotNow(say("there is nothing of yours to undo"))
        check_alone(study, change)
        return (ChangeUndone(change.version), *change.inverse)

    def _named(self, study: Study) -> Change:
        for change in study.changes:
            if change.version == self.change and not change.undone and not change.is_in(self.closed):
                if self.account not in (change.by, study.owner):
                    raise NotPermitted(say("only the owner of the study takes back the changes of other members"))
                return change
        raise NotNow(say("this version cannot be undone"))


class Redo(StudyCommand, frozen=True):
    """Make the own change again that was undone last, if no new one was made since."""

    closed: tuple[str, ...] = ()

    def decide(self, study: Study) -> tuple[StudyFact, ...]:
        if not (change := redoable(study, self.account, self.closed)):
            raise NotNow(say("there is no change of yours to make again"))
        check_alone(study, change)
        return (ChangeRedone(change.version), *change.facts)


def undoable(study: Study, account: str | None, closed: Collection[str] = ()) -> Change | None:
    """The change that an account would undo now."""
    return next((change for change in reversed(study.changes_of(account, closed)) if not change.undone), None)


def redoable(study: Study, account: str | None, closed: Collection[str] = ()) -> Change | None:
    """The change that an account would make again now."""
    own = study.changes_of(account, closed)
    standing = max((change.version for change in own if not change.undone), default=0)
    return next((change for change in own if change.undone and change.version > standing), None)


# Checks

CHANGED_MEANWHILE = say("another change came first: look at it, and try again")


def check_unchanged(study: Study, place: Place, by: str, seen: int) -> None:
    """Refuses to change what another member has changed meanwhile."""
    if not study.remembers(seen) or study.changes_by_others(place, by, seen):
        raise VersionChanged(CHANGED_MEANWHILE)


def check_alone(study: Study, change: Change) -> None:
    """Refuses to undo or to redo where another member has built on a change, or changed the same."""
    later = (made for place in change.places for made in study.changes_by_others(place, change.by, change.settled))
    if any(not made.undone for made in later):
        raise NotNow(say("another member has changed the same since: it cannot be undone any more"))


def last_change_of(study: Study, chapter: str, id: str) -> int:
    """The version that last changed something with this id."""
    its = (change.settled for change in study.changes if change.is_in([chapter]) and change.is_about(id))
    return max(its, default=0)


def check_node(chapter: Chapter, node: str) -> None:
    if not chapter.has(node):
        raise NotNow(say("there is no step {node} in this chapter", node=node))


def check_one_of(choices: tuple[str, ...], value: str) -> None:
    if value not in choices:
        raise Unreadable(say("{value} is not one of {choices}", value=value, choices=one_by_one(choices)))


def checked_title(title: str) -> str:
    if not title.strip() or len(title) > LONGEST_TITLE or CONTROLS.search(title) or "\n" in title:
        raise Unreadable(say("a title has one line of 1 to {most} characters", most=LONGEST_TITLE))
    return title.strip()


def checked_comment(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    if not text.strip() or len(text) > LONGEST_COMMENT:
        raise Unreadable(say("a comment has 1 to {most} characters", most=LONGEST_COMMENT))
    if CONTROLS.search(text):
        raise Unreadable(say("a comment has letters, signs and line breaks, and no control characters"))
    return text


def found(things: tuple[Any, ...], id: str) -> tuple[int, Any]:
    """One of the comments or marks, and where it stands."""
    for index, thing in enumerate(things):
        if thing.id == id:
            return index, thing
    raise NotNow(say("{id} is not there any more", id=id))


def rivals(glyph: str) -> tuple[str, ...]:
    """The glyphs that cannot stand beside this one."""
    return next((GLYPHS[kind] for kind in ALONE if glyph in GLYPHS[kind]), ())


def within(index: int, length: int) -> int:
    return min(max(index, 0), max(length - 1, 0))
