"""Undoing and redoing: every member takes back own changes, and the owner alone those of others."""

import pytest

from events.errors import NotNow, NotPermitted, VersionChanged
from replay.study.commands import (
    AddChapter,
    Draw,
    Erase,
    MoveChapter,
    MoveVariation,
    Redo,
    RemoveChapter,
    RemoveComment,
    RemoveMoves,
    Rename,
    RenameChapter,
    SetGlyph,
    SetVisibility,
    TryMove,
    Undo,
    WriteComment,
)
from replay.study.json_format import file_of

NOW = 10**6
"""A version that has seen everything."""


def full(desk):
    """Two chapters, a tree and notes of all kinds at steps and tried moves."""
    first = desk.try_move()
    for node in ("214", first):
        desk.do(WriteComment("ana", desk.chapter, node, "a\nb"))
        desk.do(WriteComment("ana", desk.chapter, node, "second"))
        desk.do(SetGlyph("ana", desk.chapter, node, "?"))
        desk.do(Draw("ana", desk.chapter, node, "highlight", "aragon"))
        desk.do(Draw("ana", desk.chapter, node, "arrow", "aragon", "valencia"))
    second = desk.try_move()
    desk.try_move("ana", first)
    desk.do(AddChapter("ana", "The end", "g2", "red"))
    return first, second


CHANGES = {
    "a title": lambda desk, page, first, second: Rename("ana", "Other", NOW),
    "a chapter's title": lambda desk, page, first, second: RenameChapter("ana", page, "Other", NOW),
    "a chapter's place": lambda desk, page, first, second: MoveChapter("ana", page, 1),
    "a new chapter": lambda desk, page, first, second: AddChapter("ana", "New", "g3", "red"),
    "a chapter's removal": lambda desk, page, first, second: RemoveChapter("ana", page, NOW),
    "a tried move": lambda desk, page, first, second: TryMove("ana", page, second, "red", {}, (), 3),
    "the removal of a line": lambda desk, page, first, second: RemoveMoves("ana", page, first, NOW),
    "the order of variations": lambda desk, page, first, second: MoveVariation("ana", page, second, 0),
    "a comment": lambda desk, page, first, second: WriteComment("ana", page, first, "third"),
    "other words": lambda desk, page, first, second: WriteComment(
        "ana", page, first, "other", desk.notes(first).comments[0].id, NOW
    ),
    "the removal of a comment": lambda desk, page, first, second: RemoveComment(
        "ana", page, first, desk.notes(first).comments[0].id, NOW
    ),
    "another glyph": lambda desk, page, first, second: SetGlyph("ana", page, first, "!!"),
    "an arrow": lambda desk, page, first, second: Draw("ana", page, first, "arrow", "galicia", "aragon"),
    "an erased mark": lambda desk, page, first, second: Erase("ana", page, first, desk.notes(first).marks[0].id),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_undone_change_leaves_no_trace_and_comes_back_whole(desk, change):
    first, second = full(desk)
    before = file_of(desk.study)
    changed = file_of(desk.do(change(desk, desk.chapter, first, second)))
    assert changed != before
    assert file_of(desk.do(Undo("ana"))) == before
    assert file_of(desk.do(Redo("ana"))) == changed


def test_changes_are_undone_one_after_the_other(desk):
    full(desk)
    while True:
        try:
            desk.do(Undo("ana"))
        except NotNow:
            break
    assert desk.study.title == "Vetoes"
    assert not desk.study.chapters


def test_a_member_undoes_own_changes_only(desk):
    desk.do(SetGlyph("ana", desk.chapter, "214", "!"))
    desk.do(SetGlyph("ben", desk.chapter, "215", "?"))
    after = desk.do(Undo("ana")).chapters[0]
    assert set(after.notes) == {"215"}


def test_the_owner_takes_back_what_another_member_has_changed(desk):
    full(desk)
    before = file_of(desk.study)
    for chapter in desk.study.chapters:
        desk.do(RemoveChapter("ben", chapter.id, desk.study.version))
    *_, first, second = desk.study.changes
    desk.do(Undo("ana", change=second.version))
    assert file_of(desk.do(Undo("ana", change=first.version))) == before


def test_a_contributor_takes_back_nothing_of_others(desk):
    desk.do(SetGlyph("ben", desk.chapter, "215", "?"))
    for account, version in (("cid", desk.study.version), ("ana", desk.study.version + 1), ("ana", 1)):
        with pytest.raises((NotPermitted, NotNow)):
            desk.do(Undo(account, change=version))
    assert set(desk.page.notes) == {"215"}


def test_a_change_that_another_has_built_on_stays(desk):
    first = desk.try_move()
    desk.do(WriteComment("ben", desk.chapter, first, "why not?"))
    with pytest.raises(NotNow, match="another member has changed the same"):
        desk.do(Undo("ana"))


def test_a_change_can_be_undone_when_the_other_has_undone_what_was_built_on_it(desk):
    first = desk.try_move()
    desk.do(WriteComment("ben", desk.chapter, first, "why not?"))
    desk.do(Undo("ben"))
    assert not desk.do(Undo("ana")).chapters[0].variations


def test_after_a_new_change_nothing_is_redone(desk):
    desk.do(SetGlyph("ana", desk.chapter, "214", "!"))
    desk.do(Undo("ana"))
    desk.do(SetGlyph("ana", desk.chapter, "214", "?"))
    with pytest.raises(NotNow, match="no change of yours to make again"):
        desk.do(Redo("ana"))


def test_changes_are_redone_in_their_order(desk):
    for glyph in ("!", "□"):
        desk.do(SetGlyph("ana", desk.chapter, "214", glyph))
    desk.do(Undo("ana"))
    desk.do(Undo("ana"))
    assert desk.do(Redo("ana")).chapters[0].notes["214"].glyphs == ("!",)
    assert desk.do(Redo("ana")).chapters[0].notes["214"].glyphs == ("!", "□")


def test_who_may_read_is_not_undone(desk):
    desk.do(SetGlyph("ana", desk.chapter, "214", "!"))
    desk.do(SetVisibility("ana", "public"))
    assert desk.do(Undo("ana")).visibility == "public"


def test_what_another_has_brought_back_by_undoing_is_not_replaced_unseen(desk):
    desk.do(RenameChapter("ben", desk.chapter, "One", NOW))
    seen = desk.do(RenameChapter("ben", desk.chapter, "Two", NOW)).version
    desk.do(Undo("ben"))
    with pytest.raises(VersionChanged):
        desk.do(RenameChapter("cid", desk.chapter, "Three", seen))
    assert desk.page.title == "One"


def test_nothing_is_undone_or_made_again_in_a_closed_chapter(desk):
    second = desk.do(AddChapter("ana", "Round 6", "g2", "spectator")).chapters[1].id
    desk.do(WriteComment("ana", desk.chapter, "214", "open"))
    desk.do(WriteComment("ana", second, "214", "closed"))
    closed = (second,)
    assert desk.do(Undo("ana", closed)).chapters[0].notes_at("214").comments == ()
    assert desk.study.chapters[1].notes_at("214").comments[0].text == "closed"
    assert [comment.text for comment in desk.do(Redo("ana", closed)).chapters[0].notes_at("214").comments] == ["open"]
    with pytest.raises(NotNow, match="no change of yours to make again"):
        desk.do(Redo("ana", closed))
