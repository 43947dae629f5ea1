"""Files of studies, as they leave the service: authors go by their handles, and nothing is in them that is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from replay.study import json_format, text_format
from replay.study.json_format import ChapterFile, StudyFile
from replay.study.study import Notes, TriedMove
from rules.codec import encode
from service.games.representations import Profiles
from service.studies.access import StudyAccess
from service.studies.study_representations import FROM_A_FILE

TEXT = "text/plain"
UNKNOWN = "unknown"
"""The author whose account is gone."""

Names = Callable[[str], str]


def file_of(access: StudyAccess, profiles: Profiles) -> StudyFile:
    """Everything that the account may read."""
    file = json_format.file_of(access.readable)
    known = profiles({author for chapter in file.chapters for author in authors(chapter)})

    def called(author: str) -> str:
        profile = known.get(author)
        return profile.handle if profile else author.removeprefix(FROM_A_FILE) if author[0] == FROM_A_FILE else UNKNOWN

    return replace(file, chapters=tuple(with_authors(chapter, called) for chapter in file.chapters))


def authors(chapter: ChapterFile) -> set[str]:
    written = chapter.notes.values()
    return {
        *(move.by for moves in chapter.variations.values() for move in moves),
        *(comment.by for notes in written for comment in notes.comments),
        *(mark.by for notes in written for mark in notes.marks),
    }


def with_authors(chapter: ChapterFile, called: Names) -> ChapterFile:
    """The chapter, in which authors go by other names."""
    variations = {node: tuple(_by(move, called) for move in moves) for node, moves in chapter.variations.items()}
    return replace(chapter, variations=variations, notes=_notes(chapter.notes, called))


def _by(move: TriedMove, called: Names) -> TriedMove:
    return replace(move, by=called(move.by))


def _notes(notes: Mapping[str, Notes], called: Names) -> dict[str, Notes]:
    return {
        node: replace(
            written,
            comments=tuple(replace(comment, by=called(comment.by)) for comment in written.comments),
            marks=tuple(replace(mark, by=called(mark.by)) for mark in written.marks),
        )
        for node, written in notes.items()
    }


# Formats


class Format(NamedTuple):
    pieces: Callable[[StudyFile], Iterator[bytes]]
    content_type: str
    name: str


def as_json(file: StudyFile) -> Iterator[bytes]:
    """Chapter by chapter; together the same as all at once."""
    yield b'{"chapters":['
    for number, chapter in enumerate(file.chapters):
        yield (b"," if number else b"") + encode(chapter)
    rest = encode({"format": file.format, "schema": file.schema, "title": file.title})
    yield b"]," + rest[1:]


def as_text(file: StudyFile) -> Iterator[bytes]:
    for line in text_format.lines_of(file):
        yield line.encode() + b"\n"


FORMATS = {
    "json": Format(as_json, "application/json", "study.json"),
    "text": Format(as_text, TEXT, "study.txt"),
}
READERS: Mapping[str, Callable[[str], StudyFile]] = {"json": json_format.read, "text": text_format.read}
