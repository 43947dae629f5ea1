"""Files of a study: written and read back, nothing is lost; a file that is no study is refused."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.study import json_format, text_format
from replay.study.commands import CONTROLS
from replay.study.json_format import ChapterFile, StudyFile, chapters_of, file_of
from replay.study.study import ALL_GLYPHS, Comment, Mark, Notes, TriedMove
from rules.errors import Unreadable

WORDS = st.from_regex(r"[A-Za-z0-9_.-]{1,12}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(
    lambda text: text.strip() and not CONTROLS.search(text)
)
TITLES = TEXTS.filter(lambda text: "\n" not in text).map(str.strip)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)
OBJECTS = st.dictionaries(TEXTS, PLAIN, max_size=3)
ASSUMED = st.fixed_dictionaries({"assumption": WORDS, "value": PLAIN})
NOTES = st.builds(
    Notes,
    st.lists(st.builds(Comment, WORDS, WORDS, TEXTS), max_size=3).map(tuple),
    st.sets(st.sampled_from(ALL_GLYPHS), max_size=3).map(lambda glyphs: tuple(sorted(glyphs, key=ALL_GLYPHS.index))),
    st.lists(
        st.builds(Mark, WORDS, WORDS, st.just("arrow"), WORDS, WORDS)
        | st.builds(Mark, WORDS, WORDS, st.just("highlight"), WORDS),
        max_size=2,
    ).map(tuple),
)


@st.composite
def chapters(draw):
    """A chapter with a random tree."""
    nodes = [str(step) for step in draw(st.lists(st.integers(1, 500), min_size=1, max_size=3, unique=True))]
    variations: dict[str, tuple[TriedMove, ...]] = {}
    for number in range(draw(st.integers(0, 8))):
        parent = draw(st.sampled_from(nodes))
        facts = tuple(draw(st.lists(OBJECTS, max_size=2)))
        seat, tried = draw(st.tuples(WORDS, OBJECTS) | st.tuples(st.just(""), ASSUMED))
        move = TriedMove(f"m{number}", parent, draw(WORDS), seat, tried, facts, draw(st.integers(1, 9)))
        variations[parent] = (*variations.get(parent, ()), move)
        nodes.append(move.id)
    notes = {node: draw(NOTES) for node in draw(st.sets(st.sampled_from(nodes)))}
    kept = {node: numbered(node, written) for node, written in notes.items() if written != Notes()}
    return ChapterFile(draw(TITLES), draw(WORDS), draw(WORDS), variations, kept)


def numbered(node: str, notes: Notes) -> Notes:
    """With ids that are there once in a chapter."""
    return replace(
        notes,
        comments=tuple(replace(each, id=f"c{node}.{number}") for number, each in enumerate(notes.comments)),
        marks=tuple(replace(each, id=f"d{node}.{number}") for number, each in enumerate(notes.marks)),
    )


FILES = st.builds(StudyFile, st.just("hidalgo-study"), st.just(1), TITLES, st.lists(chapters(), max_size=3).map(tuple))


@settings(max_examples=25)
@given(FILES)
def test_a_study_is_read_back_from_text_as_it_was_written(file):
    assert text_format.read(text_format.text_of(file)) == file


@settings(max_examples=25)
@given(FILES)
def test_a_study_is_read_back_from_json_as_it_was_written(file):
    assert json_format.read(msgspec.json.encode(file)) == file


@settings(max_examples=25)
@given(FILES)
def test_text_is_written_again_to_the_letter(file):
    text = text_format.text_of(file)
    assert text_format.text_of(text_format.read(text)) == text


@given(st.text())
def test_any_text_is_a_study_or_refused(text):
    for read in (text_format.read, json_format.read):
        with suppress(Unreadable):
            read(text)


@given(FILES, st.integers(0, 10**6), st.text(max_size=3))
def test_damaged_text_is_a_study_or_refused(file, where, damage):
    text = text_format.text_of(file)
    where %= len(text)
    with suppress(Unreadable):
        text_format.read(text[:where] + damage + text[where + 1 :])


def test_the_chapters_of_a_file_are_added_whole(desk):
    from tests.replay.study.test_undoing import full

    full(desk)
    file = file_of(desk.study)
    other = desk.studies.create("ben", file.title).id
    for command in chapters_of(file, "ben"):
        desk.studies.submit(other, command)
    assert file_of(desk.studies.load(other)) == file


TREES = {
    "two moves with one id": {"1": [("m1", "1"), ("m1", "1")]},
    "a move below another than it says": {"1": [("m1", "2")]},
    "a circle": {"m1": [("m2", "m1")], "m2": [("m1", "m2")]},
    "a move that takes the place of a step": {"1": [("2", "1")]},
    "a line that begins nowhere": {"m7": [("m8", "m7")]},
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_tried_moves_that_make_no_tree_are_refused(tree):
    variations = {
        node: tuple(TriedMove(id, parent, "ana", "red", {}, (), 3) for id, parent in moves)
        for node, moves in tree.items()
    }
    file = StudyFile("hidalgo-study", 1, "Trees", (ChapterFile("One", "g1", "red", variations, {}),))
    with pytest.raises(Unreadable, match="make no tree"):
        json_format.read(msgspec.json.encode(file))


def test_a_note_at_no_step_is_refused():
    chapter = ChapterFile("One", "g1", "red", {}, {"m5": Notes(glyphs=("!",))})
    with pytest.raises(Unreadable, match="no step m5"):
        json_format.read(msgspec.json.encode(StudyFile("hidalgo-study", 1, "Notes", (chapter,))))


@pytest.mark.parametrize("text", ["\n", "# T\n## C\n", "# T\nstray", "# T\n## C\ngame g seen by red\n    * !\n"])
def test_text_that_is_no_study_is_refused(text):
    with pytest.raises(Unreadable):
        text_format.read(text)
