"""A study does not grow without end; a full one can still be read, closed and left."""

import pytest
from msgspec.structs import replace

from events.errors import NotNow
from replay.study import commands, decider
from replay.study.commands import LeaveStudy, SetVisibility, WriteComment


def test_the_size_of_a_study_is_about_that_of_its_log(desk):
    for number in range(40):
        desk.do(WriteComment("ana", desk.chapter, str(number), "words " * number * 20 or "none"))
    entries = desk.studies.log.read(desk.id)
    assert desk.study.size == pytest.approx(sum(map(len, entries)), rel=0.1)


def test_a_full_study_takes_no_more_comments_but_can_be_closed_and_left(desk, monkeypatch):
    monkeypatch.setattr(decider, "MOST_BYTES", desk.study.size + 1000)
    with pytest.raises(NotNow, match="megabytes at most"):
        desk.do(WriteComment("ben", desk.chapter, "214", "x" * 1000))
    desk.do(WriteComment("ben", desk.chapter, "214", "short"))
    monkeypatch.setattr(decider, "MOST_BYTES", 0)
    assert desk.do(SetVisibility("ana", "private")).visibility == "private"
    assert "ben" not in desk.do(LeaveStudy("ben")).members


def test_visibility_and_members_have_commits_in_reserve(desk):
    long = replace(desk.study, version=commands.MOST_COMMITS)
    longest = replace(desk.study, version=commands.MOST_COMMITS + commands.COMMITS_IN_RESERVE)
    visibility, comment = SetVisibility("ana", "private"), WriteComment("ana", desk.chapter, "214", "one more")
    decider.check_room(long, long, visibility)
    for study, command in ((long, comment), (longest, visibility)):
        with pytest.raises(NotNow, match="very often"):
            decider.check_room(study, study, command)


def test_a_study_remembers_when_it_was_made_and_when_links_to_it_ended(desk):
    assert desk.study.created_at == desk.studies.commits(desk.id)[0].header.at
    desk.do(SetVisibility("ana", "link"))
    assert desk.study.unlinked == 0
    ended = desk.do(SetVisibility("ana", "private")).version
    assert desk.do(SetVisibility("ana", "link")).unlinked == ended
