"""A study as text that people read and compare line by line. It says as much as the JSON, and is read back whole.

    # The veto before the scoring

    ## Round 5
    game x7Yb-31k seen by everything

    214
      * !?
      " bruno c12
      | Takes the sting out of Chiara's best region
      | before the scoring.
      - ines d57 arrow valencia aragon
      m60 chiara yellow {"decision":"88-yellow","kind":"veto"}
        = 3 [{"fact":"action_vetoed"}]
        * !

A step of the game is named by its version, a tried move by its id, its author, its seat and the move; what is assumed
has `?` for a seat. What belongs to one is indented below it: glyphs (`*`), comments (`"` and `|`), arrows and
highlights (`-`), the moves that were tried next, and what followed from a tried move (`=`, with the number of the shape
of its facts).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from replay.study.commands import MOST_MOVES
from replay.study.json_format import FORMAT, ChapterFile, StudyFile, checked, file_of
from replay.study.study import Comment, Mark, Notes, Study, TriedMove, is_step
from rules.codec import encode
from rules.errors import Unreadable
from rules.texts import say

INDENT = "  "
LONGEST_SHOWN = 80
"""So much of a line that cannot be read is shown."""
MOST_NODES = 2 * MOST_MOVES
"""Tried moves, and steps at which something is written."""
NO_SCHEMA = 0
"""Of a tried move before it is read what followed from it."""
NO_SEAT = "?"
"""In the place of the seat where something is assumed."""
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_OBJECTS = msgspec.json.Decoder(list[dict[str, Any]])
SOURCE = re.compile(r"game (\S+) seen by (\S+)")

# Writing


def written(study: Study) -> str:
    return text_of(file_of(study))


def text_of(file: StudyFile) -> str:
    return "".join(f"{line}\n" for line in lines_of(file))


def lines_of(file: StudyFile) -> Iterator[str]:
    yield f"# {file.title}"
    for chapter in file.chapters:
        yield from ("", f"## {chapter.title}", f"game {chapter.game} seen by {chapter.viewer}")
        for step in sorted({*chapter.notes, *chapter.variations} - set(_tried(chapter)), key=int):
            yield from ("", step, *_below(chapter, step))


def _tried(chapter: ChapterFile) -> Iterator[str]:
    return (move.id for moves in chapter.variations.values() for move in moves)


def _below(chapter: ChapterFile, step: str) -> Iterator[str]:
    """The lines of everything that belongs to a step, however long the lines of moves from there are."""
    waiting: list[tuple[int, str, TriedMove | None]] = [(1, step, None)]
    while waiting:
        depth, node, move = waiting.pop()
        indent = INDENT * depth
        if move:
            yield f"{INDENT * (depth - 1)}{move.id} {move.by} {move.seat or NO_SEAT} {encode(move.move).decode()}"
            yield f"{indent}= {move.schema} {encode(move.facts).decode()}"
        yield from (indent + line for line in _noted(chapter.notes.get(node, Notes())))
        waiting += [(depth + 1, each.id, each) for each in reversed(chapter.variations.get(node, ()))]


def _noted(notes: Notes) -> Iterator[str]:
    if notes.glyphs:
        yield f"* {' '.join(notes.glyphs)}"
    for comment in notes.comments:
        yield f'" {comment.by} {comment.id}'
        yield from (f"| {line}" for line in comment.text.split("\n"))
    for mark in notes.marks:
        yield " ".join(filter(None, ("-", mark.by, mark.id, mark.kind, mark.source, mark.target)))


# Reading


def read(text: str) -> StudyFile:
    """A study that was written as text, or `Unreadable`, with the number of the line."""
    title, chapters = "", list[_Chapter]()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.startswith("# ") and not title:
                title = line.removeprefix("# ")
            elif line.startswith("## "):
                chapters.append(_Chapter(line.removeprefix("## ")))
            elif line:
                chapters[-1].add(line)
        except (ValueError, IndexError, KeyError, RecursionError, msgspec.MsgspecError):
            raise Unreadable(
                say("line {number} of this study cannot be read: {line}", number=number, line=line[:LONGEST_SHOWN])
            ) from None
    return checked(StudyFile(FORMAT, 1, title, tuple(chapter.file() for chapter in chapters)))


class _Chapter:
    """A chapter, read line by line."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.source: tuple[str, str] | None = None
        self.open: list[_Node] = []
        """The step and the tried moves that lead to the line, the last one innermost."""
        self.nodes: list[_Node] = []

    def add(self, line: str) -> None:
        if not self.source:
            [self.source] = SOURCE.findall(line)
            return
        content = line.lstrip(" ")
        depth, odd = divmod(len(line) - len(content), len(INDENT))
        if odd or depth > len(self.open):
            raise ValueError("indented too much")
        del self.open[depth:]
        sign, _, rest = content.partition(" ")
        if sign in SIGNS:
            SIGNS[sign](self.open[-1], rest)
        else:
            self._begin(sign, rest)

    def _begin(self, id: str, rest: str) -> None:
        """A step, or a tried move."""
        if len(self.nodes) > MOST_NODES:
            raise Unreadable(say("a chapter has {most} tried moves at most", most=MOST_MOVES))
        if bool(self.open) == is_step(id) or (rest and not self.open):
            raise ValueError("a step stands at the beginning of a line, a tried move below one")
        node = _Node(id, _tried_move(id, self.open[-1].id, rest) if self.open else None)
        self.open.append(node)
        self.nodes.append(node)

    def file(self) -> ChapterFile:
        if not self.source:
            raise Unreadable(say("chapter {title} names no game", title=self.title))
        variations: dict[str, tuple[TriedMove, ...]] = {}
        for move in (node.move for node in self.nodes if node.move):
            variations[move.parent] = (*variations.get(move.parent, ()), move)
        notes = {node.id: node.notes() for node in self.nodes}
        return ChapterFile(self.title, *self.source, variations, notes)


class _Node:
    """A step or a tried move, with what belongs to it."""

    def __init__(self, id: str, move: TriedMove | None) -> None:
        self.id, self.move = id, move
        self.glyphs: Sequence[str] = ()
        self.comments: list[_Lines] = []
        self.marks: list[Mark] = []

    def read_glyphs(self, rest: str) -> None:
        self.glyphs = rest.split(" ")

    def begin_comment(self, rest: str) -> None:
        by, id = rest.split(" ")
        self.comments.append(_Lines(by, id, []))

    def read_line(self, rest: str) -> None:
        self.comments[-1].lines.append(rest)

    def read_mark(self, rest: str) -> None:
        by, id, kind, source, target = f"{rest} ".split(" ") if rest.count(" ") == 3 else rest.split(" ")
        self.marks.append(Mark(id, by, kind, source, target))

    def read_outcome(self, rest: str) -> None:
        schema, facts = rest.split(" ", 1)
        if not self.move:
            raise ValueError("nothing is told of what followed from a step of the game")
        self.move = replace(self.move, facts=tuple(_OBJECTS.decode(facts)), schema=int(schema))

    def notes(self) -> Notes:
        comments = (Comment(lines.id, lines.by, "\n".join(lines.lines)) for lines in self.comments)
        return Notes(tuple(comments), tuple(self.glyphs), tuple(self.marks))


def _tried_move(id: str, parent: str, rest: str) -> TriedMove:
    by, seat, move = rest.split(" ", 2)
    return TriedMove(id, parent, by, "" if seat == NO_SEAT else seat, _OBJECT.decode(move), (), NO_SCHEMA)


class _Lines(NamedTuple):
    by: str
    id: str
    lines: list[str]


SIGNS = {
    "*": _Node.read_glyphs,
    '"': _Node.begin_comment,
    "|": _Node.read_line,
    "-": _Node.read_mark,
    "=": _Node.read_outcome,
}
