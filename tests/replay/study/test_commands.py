"""What members of a study may do, and what follows."""

import pytest

from events.errors import NoSuchGame, NotNow, NotPermitted, VersionChanged
from replay.study.commands import (
    MOST_CHAPTERS,
    AddChapter,
    Draw,
    Erase,
    LeaveStudy,
    MoveChapter,
    MoveVariation,
    RemoveChapter,
    RemoveComment,
    RemoveMoves,
    Rename,
    RenameChapter,
    SetGlyph,
    SetMember,
    SetVisibility,
    WriteComment,
)
from replay.study.study import BY_LINK, CONTRIBUTOR, PUBLIC
from rules.errors import Unreadable


def test_a_study_of_others_does_not_exist_for_strangers(desk):
    with pytest.raises(NoSuchGame):
        desk.do(WriteComment("dan", desk.chapter, "214", "hello"))


def test_a_reader_writes_nothing(desk):
    with pytest.raises(NotPermitted, match="only its owner and contributors"):
        desk.do(WriteComment("eve", desk.chapter, "214", "hello"))


def test_strangers_read_a_public_study_and_write_nothing(desk):
    desk.do(SetVisibility("ana", PUBLIC))
    assert desk.study.is_visible_to(None)
    with pytest.raises(NotPermitted):
        desk.do(SetGlyph("dan", desk.chapter, "214", "!"))


def test_a_link_opens_a_study_to_those_who_have_it(desk):
    desk.do(SetVisibility("ana", BY_LINK))
    assert desk.study.is_visible_to("dan", has_link=True)
    assert not desk.study.is_visible_to("dan")


@pytest.mark.parametrize("account", ["ben", "eve"])
def test_only_the_owner_gives_roles(desk, account):
    with pytest.raises(NotPermitted):
        desk.do(SetMember(account, "dan", CONTRIBUTOR))


def test_a_member_can_leave(desk):
    assert "ben" not in desk.do(LeaveStudy("ben")).members


def test_the_owner_stays_the_owner(desk):
    with pytest.raises(NotNow):
        desk.do(SetMember("ana", "ana", ""))


def test_chapters_are_moved_and_removed(desk):
    second = desk.do(AddChapter("ben", "The end", "g1", "red")).chapters[1].id
    assert [chapter.id for chapter in desk.do(MoveChapter("ana", second, 0)).chapters] == [second, desk.chapter]
    assert [chapter.id for chapter in desk.do(RemoveChapter("ana", second, desk.study.version)).chapters] == [
        desk.chapter
    ]


def test_a_study_has_so_many_chapters_at_most(desk):
    for number in range(MOST_CHAPTERS - 1):
        desk.do(AddChapter("ana", f"Chapter {number}", "g1", "red"))
    with pytest.raises(NotNow, match="64 chapters"):
        desk.do(AddChapter("ana", "One more", "g1", "red"))


def test_variations_of_a_step_are_shown_in_the_order_that_was_chosen(desk):
    first, second = desk.try_move(), desk.try_move("ben")
    desk.do(MoveVariation("ana", desk.chapter, second, 0))
    assert [move.id for move in desk.page.variations["214"]] == [second, first]


def test_a_line_leads_from_a_step_of_the_game_to_a_tried_move(desk):
    first = desk.try_move()
    second = desk.try_move("ben", first)
    assert [move.id for move in desk.page.line(second)] == [first, second]
    assert desk.page.step(second) == "214"


def test_a_removed_move_takes_along_what_follows_it(desk):
    first = desk.try_move()
    second = desk.try_move("ana", first)
    desk.do(WriteComment("ana", desk.chapter, second, "better"))
    after = desk.do(RemoveMoves("ana", desk.chapter, first, desk.study.version)).chapters[0]
    assert not after.variations
    assert not after.notes


def test_nothing_is_written_where_nothing_is(desk):
    with pytest.raises(NotNow, match="no step m99"):
        desk.do(WriteComment("ana", desk.chapter, "m99", "hello"))


def test_an_author_puts_a_comment_in_other_words(desk):
    comment = desk.do(WriteComment("ben", desk.chapter, "214", "good")).chapters[0].notes["214"].comments[0]
    desk.do(WriteComment("ben", desk.chapter, "214", "very good", comment.id, desk.study.version))
    assert [(comment.by, comment.text) for comment in desk.notes().comments] == [("ben", "very good")]


def test_a_comment_of_another_is_not_changed_but_the_owner_may_remove_it(desk):
    desk.do(WriteComment("ben", desk.chapter, "214", "good"))
    [comment] = desk.notes().comments
    with pytest.raises(NotPermitted):
        desk.do(WriteComment("ana", desk.chapter, "214", "bad", comment.id, desk.study.version))
    desk.do(RemoveComment("ana", desk.chapter, "214", comment.id, desk.study.version))
    assert not desk.notes().comments


@pytest.mark.parametrize("text", ["", "  \n", "a\x07b", "turned \u202e round", "x" * 8001], ids=repr)
def test_a_comment_that_cannot_be_shown_is_refused(desk, text):
    with pytest.raises(Unreadable):
        desk.do(WriteComment("ana", desk.chapter, "214", text))


def test_a_comment_may_have_hard_spaces_and_composed_signs(desk):
    desk.do(WriteComment("ana", desk.chapter, "214", "Attention\u202f!\n\u00a0👩\u200d🎓\tand a tab"))
    assert desk.notes().comments[0].text == "Attention\u202f!\n\u00a0👩\u200d🎓    and a tab"


def test_a_move_has_one_judgement_and_several_observations(desk):
    for glyph in ("?", "!", "□", "N"):
        desk.do(SetGlyph("ana", desk.chapter, "214", glyph))
    assert desk.notes().glyphs == ("!", "□", "N")


def test_a_glyph_is_taken_away(desk):
    desk.do(SetGlyph("ana", desk.chapter, "214", "!"))
    desk.do(SetGlyph("ben", desk.chapter, "214", "!", shown=False))
    assert not desk.page.notes


def test_arrows_and_highlights_are_drawn_and_erased(desk):
    desk.do(Draw("ana", desk.chapter, "214", "arrow", "valencia", "aragon"))
    desk.do(Draw("ben", desk.chapter, "214", "highlight", "aragon"))
    arrow, highlight = desk.notes().marks
    assert (arrow.source, arrow.target, highlight.source) == ("valencia", "aragon", "aragon")
    desk.do(Erase("ben", desk.chapter, "214", arrow.id))
    assert desk.notes().marks == (highlight,)


@pytest.mark.parametrize(
    "mark",
    [("arrow", "valencia", ""), ("highlight", "valencia", "aragon"), ("arrow", "<svg>", "aragon"), ("box", "a", "")],
)
def test_a_mark_between_no_places_is_refused(desk, mark):
    with pytest.raises(Unreadable):
        desk.do(Draw("ana", desk.chapter, "214", *mark))


# At the same time


def test_a_move_that_another_has_built_on_is_not_removed_unseen(desk):
    first, seen = desk.try_move(), desk.study.version
    desk.try_move("ben", first)
    with pytest.raises(VersionChanged, match="another change came first"):
        desk.do(RemoveMoves("ana", desk.chapter, first, seen))
    desk.do(RemoveMoves("ana", desk.chapter, first, desk.study.version))


def test_two_members_name_a_chapter_and_the_second_must_look_again(desk):
    seen = desk.study.version
    desk.do(RenameChapter("ana", desk.chapter, "The veto", seen))
    with pytest.raises(VersionChanged):
        desk.do(RenameChapter("ben", desk.chapter, "A veto", seen))
    assert desk.page.title == "The veto"


def test_an_author_with_two_windows_loses_no_words(desk):
    desk.do(WriteComment("ben", desk.chapter, "214", "good"))
    [comment], seen = desk.notes().comments, desk.study.version
    desk.do(WriteComment("ben", desk.chapter, "214", "very good", comment.id, seen))
    with pytest.raises(VersionChanged):
        desk.do(WriteComment("ben", desk.chapter, "214", "not good", comment.id, seen))


def test_changes_elsewhere_disturb_nobody(desk):
    seen = desk.study.version
    desk.do(WriteComment("ben", desk.chapter, "215", "elsewhere"))
    assert desk.do(Rename("ana", "Allowed or not", seen)).title == "Allowed or not"
