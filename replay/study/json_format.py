"""A study as JSON: everything that was written, drawn and tried, without members and history.

>>> from replay.study.study import Study
>>> read(written(Study("s", 1, "", "", 0, "Vetoes", "ana"))).title
'Vetoes'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.study.commands import (
    MOST_CHAPTERS,
    MOST_COMMENTS,
    MOST_MARKS,
    MOST_MOVES,
    AddChapter,
    checked_comment,
    checked_title,
)
from replay.study.study import ALL_GLYPHS, MARKS, NO_NOTES, Chapter, Notes, Study, TriedMove, is_step
from rules.codec import encode
from rules.errors import Unreadable
from rules.texts import say

FORMAT: Literal["hidalgo-study"] = "hidalgo-study"
ASSUMED = {"assumption", "value"}
"""What stands in the place of a move where something is assumed."""
WORD = re.compile(r"[A-Za-z0-9_:.-]{1,64}")


class ChapterFile(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    game: str
    viewer: str
    variations: dict[str, tuple[TriedMove, ...]] = {}
    notes: dict[str, Notes] = {}


class StudyFile(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["hidalgo-study"]
    schema: Literal[1]
    title: str
    chapters: tuple[ChapterFile, ...] = ()


def file_of(study: Study) -> StudyFile:
    return StudyFile(FORMAT, 1, study.title, tuple(_chapter_file(chapter) for chapter in study.chapters))


def _chapter_file(chapter: Chapter) -> ChapterFile:
    return ChapterFile(chapter.title, chapter.game, chapter.viewer, dict(chapter.variations), dict(chapter.notes))


def written(study: Study) -> bytes:
    return encode(file_of(study))


def read(text: bytes | str) -> StudyFile:
    """A study that was written, or `Unreadable`."""
    try:
        return checked(msgspec.json.decode(text, type=StudyFile))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as problem:
        raise Unreadable(say("this is not a study: {problem}", problem=str(problem))) from None


def checked(file: StudyFile) -> StudyFile:
    """A file in which everything belongs somewhere and nothing is too long; or `Unreadable`."""
    checked_title(file.title)
    if len(file.chapters) > MOST_CHAPTERS:
        raise Unreadable(say("a study has {most} chapters at most", most=MOST_CHAPTERS))
    return replace(file, chapters=tuple(_checked_chapter(chapter) for chapter in file.chapters))


def _checked_chapter(chapter: ChapterFile) -> ChapterFile:
    """Without places at which there is nothing."""
    checked_title(chapter.title)
    _check_words(chapter.game, chapter.viewer)
    _check_counts(chapter)
    _check_tree(chapter)
    for written in chapter.notes.values():
        _check_notes(written)
    notes = {node: written for node, written in chapter.notes.items() if written != NO_NOTES}
    variations = {node: moves for node, moves in chapter.variations.items() if moves}
    return replace(chapter, notes=notes, variations=variations)


def _check_counts(chapter: ChapterFile) -> None:
    if sum(len(moves) for moves in chapter.variations.values()) > MOST_MOVES:
        raise Unreadable(say("a chapter has {most} tried moves at most", most=MOST_MOVES))
    written = chapter.notes.values()
    if any(len(notes.comments) > MOST_COMMENTS or len(notes.marks) > MOST_MARKS for notes in written):
        raise Unreadable(say("too much is written at one step of chapter {title}", title=chapter.title))
    ids = [id for notes in written for id in (*(c.id for c in notes.comments), *(m.id for m in notes.marks))]
    if len(set(ids)) < len(ids):
        raise Unreadable(say("two comments or marks of chapter {title} have one id", title=chapter.title))


def _check_tree(chapter: ChapterFile) -> None:
    """Every tried move is there once, below its parent, and every line begins at a step of the game."""
    parents = {move.id: node for node, moves in chapter.variations.items() for move in moves}
    count = sum(len(moves) for moves in chapter.variations.values())
    wrong = [move.id for node, moves in chapter.variations.items() for move in moves if move.parent != node]
    for moves in chapter.variations.values():
        _check_words(
            *(word for move in moves for word in (move.id, move.by)), *(move.seat for move in moves if move.seat)
        )
    if any(not move.seat and set(move.move) != ASSUMED for moves in chapter.variations.values() for move in moves):
        raise Unreadable(say("a move in chapter {title} has no seat", title=chapter.title))
    if any(move.schema < 1 for moves in chapter.variations.values() for move in moves):
        raise Unreadable(say("the file does not say what followed from each tried move"))
    if wrong or count != len(parents) or any(is_step(id) for id in parents) or not _is_rooted(parents):
        raise Unreadable(say("the tried moves of chapter {title} make no tree", title=chapter.title))
    if lost := [node for node in chapter.notes if not is_step(node) and node not in parents]:
        raise Unreadable(say("there is no step {node} in this chapter", node=lost[0]))


def _is_rooted(parents: Mapping[str, str]) -> bool:
    rooted = {node for node in parents.values() if is_step(node)}
    waiting = dict(parents)
    while found := [id for id, parent in waiting.items() if parent in rooted]:
        rooted.update(found)
        for id in found:
            del waiting[id]
    return not waiting


def _check_notes(notes: Notes) -> None:
    for comment in notes.comments:
        checked_comment(comment.text)
        _check_words(comment.id, comment.by)
    for mark in notes.marks:
        _check_words(mark.id, mark.by)
    _check_words(*(mark.source for mark in notes.marks), *(mark.target for mark in notes.marks if mark.target))
    if set(notes.glyphs) - set(ALL_GLYPHS) or any(mark.kind not in MARKS for mark in notes.marks):
        raise Unreadable(say("a glyph or a mark is not one of those that can be shown"))


def _check_words(*words: str) -> None:
    """Ids and names are single words, so that they can stand in a line of text."""
    for word in words:
        if not WORD.fullmatch(word):
            raise Unreadable(say("{word} is not an id", word=word))


def chapters_of(file: StudyFile, account: str) -> Iterable[AddChapter]:
    """The commands that make the chapters of a file part of a study."""
    for chapter in file.chapters:
        yield AddChapter(account, chapter.title, chapter.game, chapter.viewer, chapter.variations, chapter.notes)
