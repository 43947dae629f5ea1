"""Ids are numbered inside their chapter: none comes again, and none tells about other chapters."""

from replay.study.commands import AddChapter, Draw, RemoveComment, Undo, WriteComment
from replay.study.study import Comment, Notes, TriedMove


def test_ids_do_not_tell_what_happened_in_other_chapters(desk, other_desk):
    for number in range(7):
        desk.do(WriteComment("ana", desk.chapter, "214", f"comment {number}"))
    for each in (desk, other_desk):
        second = each.do(AddChapter("ana", "Round 6", "g2", "everything")).chapters[1].id
        each.do(WriteComment("ana", second, "5", "the first one here"))
        each.do(Draw("ana", second, "5", "highlight", "granada"))
    assert desk.study.chapters[1] == other_desk.study.chapters[1]
    assert [thing.id for thing in (*desk.study.chapters[1].notes_at("5").comments, desk.study.chapters[1])] == [
        "c1",
        "k2",
    ]


def test_the_id_of_something_that_is_gone_does_not_come_again(desk):
    desk.do(WriteComment("ana", desk.chapter, "214", "one"))
    desk.do(RemoveComment("ana", desk.chapter, "214", "c1", desk.study.version))
    desk.do(WriteComment("ana", desk.chapter, "214", "two"))
    assert [comment.id for comment in desk.notes().comments] == ["c2"]
    chapter = desk.do(AddChapter("ana", "Round 6", "g2", "everything")).chapters[1].id
    desk.do(Undo("ana"))
    assert desk.do(AddChapter("ana", "Round 7", "g2", "everything")).chapters[1].id not in (chapter, desk.chapter)


def test_ids_that_a_file_has_brought_do_not_come_again(desk):
    move = TriedMove("m41", "214", "ana", "red", {}, ({"fact": "passed"},), 3)
    notes = {"m41": Notes((Comment("c70", "ana", "good"), Comment("imported", "ana", "bad")))}
    desk.do(AddChapter("ana", "From a file", "g1", "everything", {"214": (move,)}, notes))
    after = desk.do(WriteComment("ana", "k2", "m41", "another"))
    assert after.chapters[1].notes_at("m41").comments[-1].id == "c71"
