"""What an account may know of a study of games that run, that are private, or that are over."""

import pytest

from events.errors import NoSuchGame, NotNow
from events.games import Games
from events.log.memory import MemoryLog
from events.table.commands import Abort, Join, Start
from replay.studies import Studies
from replay.study.commands import AddChapter, RenameChapter, WriteComment
from service.studies.access import StudyAccessReader


class Club:
    """Ana and Ben play, Cid looks on; the study is Cid's."""

    def __init__(self):
        self.games, self.studies = Games(MemoryLog()), Studies(MemoryLog())
        self.accesses = StudyAccessReader(self.games)
        self.study = self.studies.create("cid", "Club games", "public").id

    def table(self, **agreed):
        game = self.games.create("el_grande", 2, owner="ana", **agreed).id
        for account in ("ana", "ben"):
            self.games.submit(game, Join(account, invited=True))
        return game

    def begun(self, **agreed):
        game = self.table(**agreed)
        self.games.submit(game, Start("ana"))
        return game

    def adds(self, game, title="A chapter"):
        return self.does(AddChapter("cid", title, game, "spectator")).chapters[-1].id

    def does(self, command):
        return self.studies.submit(self.study, command).after

    def writes(self, chapter, text="Ana should score Aragon"):
        return self.does(WriteComment("cid", chapter, "2", text))

    def seen_by(self, account):
        return self.accesses.of(self.studies.load(self.study), account)


@pytest.fixture
def club():
    return Club()


def test_a_chapter_of_a_running_game_is_closed_to_its_players(club):
    chapter = club.adds(club.begun())
    assert [club.seen_by(account).of(chapter) for account in ("ana", "ben", "cid", None)] == [
        "closed",
        "closed",
        "open",
        "open",
    ]
    with pytest.raises(NotNow, match="you play in the game"):
        club.seen_by("ana").open_chapter(chapter)


def test_it_is_closed_from_the_moment_a_player_sits_down(club):
    chapter = club.adds(club.table())
    assert club.seen_by("ana").is_closed(chapter)


def test_everything_opens_when_the_game_has_ended(club):
    game = club.table()
    chapter = club.adds(game)
    club.games.submit(game, Abort("ana"))
    assert club.seen_by("ana").open_chapter(chapter).id == chapter


def test_a_chapter_of_a_private_game_exists_only_for_those_who_may_see_the_game(club):
    chapter = club.adds(club.begun(visibility="private"))
    assert [each.id for each in club.seen_by("ana").chapters] == [chapter]
    assert club.seen_by("cid").chapters == []
    with pytest.raises(NoSuchGame):
        club.seen_by("cid").chapter(chapter)


def test_the_title_of_a_closed_chapter_is_not_told(club):
    club.adds(club.begun(), "Ana must score Aragon")
    [chapter] = club.seen_by("ana").chapters
    assert (club.seen_by("ana").title(chapter), club.seen_by("cid").title(chapter)) == ("", "Ana must score Aragon")


def test_changes_in_a_closed_chapter_do_not_count(club):
    chapter = club.adds(club.begun())
    before = club.seen_by("ana")
    club.writes(chapter)
    club.does(RenameChapter("cid", chapter, "Another title", seen=club.studies.load(club.study).version))
    after = club.seen_by("ana")
    assert (after.version, after.at) == (before.version, before.at)
    assert (club.seen_by("cid").version, club.seen_by(None).version) == (4, 4)


def test_changes_elsewhere_count_for_everybody(club):
    closed, game = club.adds(club.begun()), club.table()
    open_one = club.adds(game)
    club.games.submit(game, Abort("ana"))
    club.writes(closed)
    club.writes(open_one)
    assert (club.seen_by("ana").version, club.seen_by("cid").version) == (4, 5)


def test_not_even_the_chapter_of_a_game_that_is_hidden_counts(club):
    chapter = club.adds(club.begun(visibility="private"))
    club.writes(chapter)
    assert (club.seen_by("ben").version, club.seen_by(None).version) == (2, 1)


def test_a_commit_is_known_to_those_who_may_know_its_place(club):
    chapter = club.adds(club.begun())
    club.writes(chapter)
    *_, added, written = club.studies.commits(club.study)
    known = [[club.seen_by(account).knows(commit.facts) for commit in (added, written)] for account in ("ana", "cid")]
    assert known == [[True, False], [True, True]]
