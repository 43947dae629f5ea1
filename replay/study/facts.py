"""What happened to a study. Each fact says how it changes the study, where, and which facts would undo it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from replay.study.study import ALL_GLYPHS, PRIVATE, Chapter, Comment, Mark, Notes, Place, Study, TriedMove
from rules.kernel import Fact


class StudyFact(Fact[Any], frozen=True):
    """Something that happened to a study."""

    def change(self, study: Study) -> Study:
        """The study after this fact."""
        raise AssertionError(f"{type(self).__name__} does not say how it changes the study")

    def place(self, study: Study) -> Place | None:
        """Where it changes the study before it; None: it is no part of what can be undone."""
        return None

    def inverse(self, study: Study) -> StudyFact:
        """The fact that brings back the study before this one."""
        raise AssertionError(f"{type(self).__name__} cannot be undone")


# The study itself


class StudyCreated(StudyFact, frozen=True, tag="study_created"):
    study: str
    owner: str
    title: str
    visibility: str
    commitment: str


class StudyRenamed(StudyFact, frozen=True, tag="study_renamed"):
    title: str

    def change(self, study: Study) -> Study:
        return replace(study, title=self.title)

    def place(self, study: Study) -> Place:
        return ("title",)

    def inverse(self, study: Study) -> StudyFact:
        return StudyRenamed(study.title)


class VisibilitySet(StudyFact, frozen=True, tag="visibility_set"):
    visibility: str

    def change(self, study: Study) -> Study:
        unlinked = study.version + 1 if self.visibility == PRIVATE else study.unlinked
        return replace(study, visibility=self.visibility, unlinked=unlinked)


class MemberSet(StudyFact, frozen=True, tag="member_set"):
    """An account has this role from now on; without one, it is no member any more."""

    account: str
    role: str

    def change(self, study: Study) -> Study:
        others = {account: role for account, role in study.members.items() if account != self.account}
        return replace(study, members={**others, self.account: self.role} if self.role else others)


# Chapters


class ChapterAdded(StudyFact, frozen=True, tag="chapter_added"):
    """A chapter, empty or as it was imported or removed."""

    chapter: Chapter
    index: int

    def change(self, study: Study) -> Study:
        chapters = (*study.chapters[: self.index], self.chapter, *study.chapters[self.index :])
        return replace(study, chapters=chapters, games={**study.games, self.chapter.id: self.chapter.game})

    def place(self, study: Study) -> Place:
        return "chapter", self.chapter.id

    def inverse(self, study: Study) -> StudyFact:
        return ChapterRemoved(self.chapter.id)


class ChapterRemoved(StudyFact, frozen=True, tag="chapter_removed"):
    chapter: str

    def change(self, study: Study) -> Study:
        return replace(study, chapters=tuple(kept for kept in study.chapters if kept.id != self.chapter))

    def place(self, study: Study) -> Place:
        return "chapter", self.chapter

    def inverse(self, study: Study) -> StudyFact:
        return ChapterAdded(study.chapter(self.chapter), study.index(self.chapter))


class ChapterRenamed(StudyFact, frozen=True, tag="chapter_renamed"):
    chapter: str
    title: str

    def change(self, study: Study) -> Study:
        return study.with_chapter(replace(study.chapter(self.chapter), title=self.title))

    def place(self, study: Study) -> Place:
        return "chapter", self.chapter, "title"

    def inverse(self, study: Study) -> StudyFact:
        return ChapterRenamed(self.chapter, study.chapter(self.chapter).title)


class ChapterMoved(StudyFact, frozen=True, tag="chapter_moved"):
    chapter: str
    index: int

    def change(self, study: Study) -> Study:
        moved = study.chapter(self.chapter)
        return ChapterAdded(moved, self.index).change(ChapterRemoved(self.chapter).change(study))

    def place(self, study: Study) -> Place:
        return "chapter", self.chapter, "index"

    def inverse(self, study: Study) -> StudyFact:
        return ChapterMoved(self.chapter, study.index(self.chapter))


# Variations


class MovesAdded(StudyFact, frozen=True, tag="moves_added"):
    """Moves that are tried, or come back: parents first, all below the first one."""

    chapter: str
    moves: tuple[TriedMove, ...]
    index: int
    """Of the first one among the variations of its parent."""
    notes: Mapping[str, Notes] = {}

    def change(self, study: Study) -> Study:
        chapter = study.chapter(self.chapter)
        first, *others = self.moves
        beside = chapter.variations.get(first.parent, ())
        chapter = chapter.with_variations(first.parent, (*beside[: self.index], first, *beside[self.index :]))
        for move in others:
            chapter = chapter.with_variations(move.parent, (*chapter.variations.get(move.parent, ()), move))
        made = chapter.with_made(*(move.id for move in self.moves))
        return study.with_chapter(replace(made, notes={**chapter.notes, **self.notes}))

    def place(self, study: Study) -> Place:
        return (*study.chapter(self.chapter).place(self.moves[0].parent), self.moves[0].id)

    def inverse(self, study: Study) -> StudyFact:
        return MovesRemoved(self.chapter, self.moves[0].id)


class MovesRemoved(StudyFact, frozen=True, tag="moves_removed"):
    """A tried move is gone, with all that follow it and what was written there."""

    chapter: str
    node: str

    def change(self, study: Study) -> Study:
        chapter = study.chapter(self.chapter)
        first, *_ = gone = chapter.below(self.node)
        ids = {move.id for move in gone}
        beside = tuple(move for move in chapter.variations[first.parent] if move is not first)
        kept = replace(
            chapter,
            variations={node: moves for node, moves in chapter.variations.items() if node not in ids},
            notes={node: notes for node, notes in chapter.notes.items() if node not in ids},
        )
        return study.with_chapter(kept.with_variations(first.parent, beside))

    def place(self, study: Study) -> Place:
        return study.chapter(self.chapter).place(self.node)

    def inverse(self, study: Study) -> StudyFact:
        chapter = study.chapter(self.chapter)
        first, *_ = moves = chapter.below(self.node)
        notes = {move.id: chapter.notes[move.id] for move in moves if move.id in chapter.notes}
        return MovesAdded(self.chapter, moves, chapter.variations[first.parent].index(first), notes)


class VariationMoved(StudyFact, frozen=True, tag="variation_moved"):
    """A variation stands elsewhere among those of its parent."""

    chapter: str
    node: str
    index: int

    def change(self, study: Study) -> Study:
        chapter = study.chapter(self.chapter)
        moved = chapter.move(self.node)
        others = [move for move in chapter.variations[moved.parent] if move is not moved]
        return study.with_chapter(
            chapter.with_variations(moved.parent, (*others[: self.index], moved, *others[self.index :]))
        )

    def place(self, study: Study) -> Place:
        return (*study.chapter(self.chapter).place(self.node), "index")

    def inverse(self, study: Study) -> StudyFact:
        chapter = study.chapter(self.chapter)
        moved = chapter.move(self.node)
        return VariationMoved(self.chapter, self.node, chapter.variations[moved.parent].index(moved))


# What is written and drawn


class NoteFact(StudyFact, frozen=True):
    """A change of what is written or drawn at one step."""

    chapter: str
    node: str

    def notes(self, study: Study) -> Notes:
        return study.chapter(self.chapter).notes_at(self.node)

    def change(self, study: Study) -> Study:
        chapter = study.chapter(self.chapter).with_made(self.written)
        return study.with_chapter(chapter.with_notes(self.node, self.changed(chapter.notes_at(self.node))))

    def changed(self, notes: Notes) -> Notes:
        raise AssertionError(f"{type(self).__name__} does not say what it writes")

    def place(self, study: Study) -> Place:
        return (*study.chapter(self.chapter).place(self.node), self.written)

    @property
    def written(self) -> str:
        """Which part of the notes it writes: a word, or the id of a comment or mark."""
        raise AssertionError(f"{type(self).__name__} does not say what it writes")


class CommentWritten(NoteFact, frozen=True, tag="comment_written"):
    """A comment is new, is put in other words, or comes back."""

    comment: Comment
    index: int

    def changed(self, notes: Notes) -> Notes:
        others = tuple(comment for comment in notes.comments if comment.id != self.comment.id)
        return replace(notes, comments=(*others[: self.index], self.comment, *others[self.index :]))

    @property
    def written(self) -> str:
        return self.comment.id

    def inverse(self, study: Study) -> StudyFact:
        before = {comment.id: comment for comment in self.notes(study).comments}.get(self.comment.id)
        if before:
            return CommentWritten(self.chapter, self.node, before, self.index)
        return CommentRemoved(self.chapter, self.node, self.comment.id)


class CommentRemoved(NoteFact, frozen=True, tag="comment_removed"):
    comment: str

    def changed(self, notes: Notes) -> Notes:
        return replace(notes, comments=tuple(comment for comment in notes.comments if comment.id != self.comment))

    @property
    def written(self) -> str:
        return self.comment

    def inverse(self, study: Study) -> StudyFact:
        [(index, comment)] = [pair for pair in enumerate(self.notes(study).comments) if pair[1].id == self.comment]
        return CommentWritten(self.chapter, self.node, comment, index)


class GlyphsChanged(NoteFact, frozen=True, tag="glyphs_changed"):
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def changed(self, notes: Notes) -> Notes:
        glyphs = {*notes.glyphs}.difference(self.removed).union(self.added)
        return replace(notes, glyphs=tuple(sorted(glyphs, key=ALL_GLYPHS.index)))

    @property
    def written(self) -> str:
        return "glyphs"

    def inverse(self, study: Study) -> StudyFact:
        return GlyphsChanged(self.chapter, self.node, removed=self.added, added=self.removed)


class MarkDrawn(NoteFact, frozen=True, tag="mark_drawn"):
    mark: Mark
    index: int

    def changed(self, notes: Notes) -> Notes:
        return replace(notes, marks=(*notes.marks[: self.index], self.mark, *notes.marks[self.index :]))

    @property
    def written(self) -> str:
        return self.mark.id

    def inverse(self, study: Study) -> StudyFact:
        return MarkErased(self.chapter, self.node, self.mark.id)


class MarkErased(NoteFact, frozen=True, tag="mark_erased"):
    mark: str

    def changed(self, notes: Notes) -> Notes:
        return replace(notes, marks=tuple(mark for mark in notes.marks if mark.id != self.mark))

    @property
    def written(self) -> str:
        return self.mark

    def inverse(self, study: Study) -> StudyFact:
        [(index, mark)] = [pair for pair in enumerate(self.notes(study).marks) if pair[1].id == self.mark]
        return MarkDrawn(self.chapter, self.node, mark, index)


# Undoing


class ChangeUndone(StudyFact, frozen=True, tag="change_undone"):
    """A member takes an own change back: the facts that follow undo it."""

    version: int

    def change(self, study: Study) -> Study:
        return _marked(study, self.version, undone=True)


class ChangeRedone(StudyFact, frozen=True, tag="change_redone"):
    """A member makes an own change again that was undone: its facts follow."""

    version: int

    def change(self, study: Study) -> Study:
        return _marked(study, self.version, undone=False)


def _marked(study: Study, version: int, *, undone: bool) -> Study:
    settled = study.version + 1
    return replace(
        study,
        changes=tuple(
            replace(made, undone=undone, settled=settled) if made.version == version else made for made in study.changes
        ),
    )


STUDY_FACTS: tuple[type[StudyFact], ...] = (
    StudyCreated,
    StudyRenamed,
    VisibilitySet,
    MemberSet,
    ChapterAdded,
    ChapterRemoved,
    ChapterRenamed,
    ChapterMoved,
    MovesAdded,
    MovesRemoved,
    VariationMoved,
    CommentWritten,
    CommentRemoved,
    GlyphsChanged,
    MarkDrawn,
    MarkErased,
    ChangeUndone,
    ChangeRedone,
)
"""By the names in their tags, which never change: stored studies hold them."""
