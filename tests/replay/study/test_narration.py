"""Every edit can be told."""

import pytest

from replay.study.commands import (
    AddChapter,
    Draw,
    Erase,
    LeaveStudy,
    MoveChapter,
    MoveVariation,
    Redo,
    RemoveChapter,
    RemoveComment,
    RemoveMoves,
    Rename,
    RenameChapter,
    SetGlyph,
    SetMember,
    SetVisibility,
    Undo,
    WriteComment,
)
from replay.study.decider import study_facts
from replay.study.facts import STUDY_FACTS
from replay.study.narration import TOLD, concerns, edit

LAST = 99


def told(desk, account, *commands):
    """The last of these commands, as an edit."""
    for command in commands:
        desk.do(command)
    *_, commit = desk.studies.commits(desk.id)
    return edit(account, study_facts(commit))


@pytest.mark.parametrize(
    ("commands", "kind", "text"),
    [
        ([Rename("ana", "Kings", LAST)], "rename", "ana calls the study “Kings”"),
        ([SetVisibility("ana", "link")], "set_visibility", "ana opens the study to everyone who has the link"),
        ([SetMember("ana", "dan", "reader")], "set_member", "ana lets dan read the study"),
        ([SetMember("ana", "ben", "")], "set_member", "ana removes ben from the study"),
        ([AddChapter("ana", "Two", "g2", "red")], "add_chapter", "ana adds the chapter “k2”"),
        ([RenameChapter("ana", "k1", "One", LAST)], "rename_chapter", "ana calls a chapter “One”"),
        ([MoveChapter("ana", "k1", 0)], "move_chapter", "ana puts the chapter “k1” in another place"),
        ([RemoveChapter("ana", "k1", LAST)], "remove_chapter", "ana removes the chapter “k1”"),
        ([WriteComment("ana", "k1", "214", "!")], "write_comment", "ana writes about 214 in “k1”"),
        ([SetGlyph("ana", "k1", "214", "!?")], "set_glyph", "ana gives 214 in “k1” the glyph !?"),
        ([Draw("ana", "k1", "214", "highlight", "aragon")], "draw", "ana draws at 214 in “k1”"),
        ([SetGlyph("ana", "k1", "214", "!"), Undo("ana")], "undo", "ana takes a change back"),
        ([SetGlyph("ana", "k1", "214", "!"), Undo("ana"), Redo("ana")], "redo", "ana makes a change again"),
    ],
)
def test_an_edit_is_told_by_what_followed_from_it(desk, commands, kind, text):
    found = told(desk, "ana", *commands)
    assert (found.kind, str(found.text)) == (kind, text)
    assert "ana" not in str(found.brief)


def test_what_is_removed_is_told(desk):
    move = desk.try_move()
    assert told(desk, "ana", MoveVariation("ana", "k1", move, 0)).kind == "move_variation"
    assert told(desk, "ana", RemoveMoves("ana", "k1", move, LAST)).kind == "remove_moves"
    desk.do(WriteComment("ana", "k1", "214", "!"))
    comment = desk.notes().comments[0].id
    assert told(desk, "ana", RemoveComment("ana", "k1", "214", comment, LAST)).kind == "remove_comment"
    desk.do(Draw("ana", "k1", "214", "highlight", "aragon"))
    assert told(desk, "ana", Erase("ana", "k1", "214", desk.notes().marks[0].id)).kind == "erase"
    assert told(desk, "ben", LeaveStudy("ben")).kind == "leave"


def test_an_edit_says_where_it_was(desk):
    move = desk.try_move()
    *_, commit = desk.studies.commits(desk.id)
    assert (edit("ana", commit.facts).chapter, edit("ana", commit.facts).node) == ("k1", move)
    undone = told(desk, "ana", Undo("ana"))
    assert (undone.chapter, undone.node) == ("k1", move)


def test_every_fact_has_its_sentence():
    assert set(TOLD) == set(STUDY_FACTS)


def test_a_commit_concerns_the_study_a_chapter_or_what_it_holds(desk):
    def place(command):
        desk.do(command)
        *_, commit = desk.studies.commits(desk.id)
        return concerns(commit.facts)

    assert place(Rename("ana", "Kings", LAST)) == ()
    assert place(MoveChapter("ana", "k1", 0)) == ("k1",)
    assert place(WriteComment("ana", "k1", "214", "!")) == ("k1", "inside")
    assert place(Undo("ana")) == ("k1", "inside")
