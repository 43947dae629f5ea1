"""Making, reading, changing and deleting studies."""

import pytest

from events.errors import NoSuchGame, NotNow, NotPermitted, VersionChanged
from events.submission import Submission
from events.table.game import PRIVATE
from replay.study.commands import AddChapter, MoveChapter, Rename, SetMember, SetVisibility, TryMove, Undo, WriteComment
from replay.study.study import TriedMove
from rules.errors import Unreadable
from service.accounts.errors import NoSuchAccount
from service.studies import chapters, study_service
from tests.service.studies.club import Club


def test_the_same_request_makes_a_study_once(club):
    first, second = (club.service.create("cid", "Vetoes", "private", Submission("cid", "key")) for _ in range(2))
    other = club.service.create("dan", "Vetoes", "private", Submission("dan", "key"))
    assert first == second
    assert other.id != first.id
    assert club.found("cid", owner="cid") == ["Vetoes"]


def test_an_account_has_so_many_studies_and_no_more(club, monkeypatch):
    monkeypatch.setattr(study_service, "MOST_STUDIES", 2)
    made = [club.service.create("cid", "Vetoes", "private", Submission("cid", f"key {number}")) for number in range(2)]
    with pytest.raises(NotNow, match="2 studies already"):
        club.study(by="cid")
    assert club.service.create("cid", "Vetoes", "private", Submission("cid", "key 1")) == made[1]
    club.service.delete(made[0].id, "cid")
    club.study(by="cid")


def test_an_account_joins_so_many_studies_and_no_more(club, monkeypatch):
    studies = [club.study(by=by) for by in ("cid", "cid", "eve")]
    monkeypatch.setattr(study_service, "MOST_STUDIES", 2)
    club.join(studies[0], "dan")
    club.join(studies[1], "dan")
    with pytest.raises(NotNow, match="joined 2 studies"):
        club.do(studies[2], SetMember("eve", "dan", "reader"))
    club.join(studies[0], "dan", role="reader")


def test_an_account_takes_only_some_of_the_room_that_another_has_for_studies(club, monkeypatch):
    monkeypatch.setattr(study_service, "MOST_OF_ANOTHER", 2)
    for _ in range(2):
        club.join(club.study(by="cid"), "dan")
    with pytest.raises(NotNow, match="joined 2 studies of yours"):
        club.do(club.study(by="cid"), SetMember("cid", "dan", "reader"))
    club.do(club.study(by="eve"), SetMember("eve", "dan", "reader"))


def test_an_account_that_is_muted_puts_no_study_on_a_shelf(club):
    dan, eve = (club.service.accounts.make_guest().id for _ in range(2))
    before = club.study(by=eve)
    club.do(before, SetMember(eve, dan, "reader"))
    club.service.mutes.mute(dan, eve)
    with pytest.raises(NotPermitted, match="by their link"):
        club.do(club.study(by=eve), SetMember(eve, dan, "reader"))
    club.do(before, SetMember(eve, dan, "contributor"))
    club.join(club.study(by="cid"), dan)


def test_a_study_that_may_not_be_seen_does_not_exist(club):
    study = club.study(visibility="private")
    for account in ("dan", None):
        with pytest.raises(NoSuchGame) as unseen:
            club.look(study, account)
        assert str(unseen.value) == f"there is no study {study}"
    club.join(study, "dan", role="reader")
    assert club.look(study, "dan").role == "reader"


def test_a_link_opens_a_study_until_it_is_made_private(club):
    study = club.study(visibility="link")
    key = club.service.link_key(club.look(study).study)
    assert club.look(study, None, key).role == ""
    for wrong in ("", "wrong", key + "x", "ü\ud800"):
        with pytest.raises(NoSuchGame):
            club.look(study, "dan", wrong)
    club.do(study, SetVisibility("cid", "private"))
    club.do(study, SetVisibility("cid", "link"))
    with pytest.raises(NoSuchGame):
        club.look(study, None, key)
    new = club.service.link_key(club.look(study).study)
    with pytest.raises(NotPermitted, match="only its owner and contributors"):
        club.service.submit(club.look(study, "dan", new), Rename("dan", "Mine", 9), Submission())


def test_a_key_opens_no_private_study(club):
    study = club.study(visibility="private")
    with pytest.raises(NoSuchGame):
        club.look(study, None, club.service.link_key(club.look(study).study))


def test_only_the_owner_deletes_a_study_and_then_it_is_gone_everywhere(club):
    study = club.study(club.finished())
    other_process = Club(club.store, studies=None, games=club.games)
    other_process.studies.log = club.studies.log
    other = other_process.service
    assert other.look(study, "dan").study.title == "Club games"
    club.join(study, "dan")
    with pytest.raises(NotPermitted):
        club.service.delete(study, "dan")
    club.service.delete(study, "cid")
    for service in (club.service, other):
        with pytest.raises(NoSuchGame):
            service.look(study, "cid")
    with pytest.raises(NoSuchGame):
        club.studies.submit(study, Rename("cid", "Back again", 1))
    assert club.found("cid") == []
    assert not club.store.commands.keys("hidalgo:{studies}:*")


def test_a_chapter_shows_a_running_game_as_a_spectator_sees_it(club):
    study, game = club.study(), club.running()
    for viewer in ("red", "everything"):
        with pytest.raises((NotNow, NotPermitted)):
            club.do(study, AddChapter("cid", "One", game, viewer))
    club.do(study, AddChapter("cid", "One", game, "spectator"))
    with pytest.raises(NotNow, match="moves can be tried when the game is over"):
        club.do(study, TryMove("cid", "k1", "2", "red", {}, (), 3))
    club.end(game)
    club.do(study, AddChapter("cid", "Two", game, "red"))
    club.do(study, TryMove("cid", "k1", "2", "red", {}, (), 3))


def test_players_cannot_show_their_seat_of_a_running_game(club):
    study, game = club.study(by="ana"), club.running()
    with pytest.raises(NotNow, match="as a spectator sees it"):
        club.do(study, AddChapter("ana", "One", game, club.games.load(game).seat_of("ana")))


def test_a_file_brings_no_moves_into_a_running_game(club):
    study, game = club.study(), club.running()
    tried = {"2": (TriedMove("m1", "2", "cid", "red", {}, (), 3),)}
    with pytest.raises(NotNow, match="moves can be tried when the game is over"):
        club.do(study, AddChapter("cid", "One", game, "spectator", tried))


def test_a_private_game_is_shown_when_it_is_over_and_by_those_who_may_see_it(club):
    study, game = club.study(by="ana"), club.running(visibility="private")
    with pytest.raises(NotNow, match="a private game can be shown"):
        club.do(study, AddChapter("ana", "One", game, "spectator"))
    club.end(game)
    club.do(study, AddChapter("ana", "One", game, "everything"))
    with pytest.raises(NoSuchGame, match="there is no game"):
        club.do(club.study(), AddChapter("cid", "One", game, "everything"))


def test_an_unknown_game_or_viewer_is_refused(club):
    study = club.study()
    with pytest.raises(NoSuchGame, match="there is no game"):
        club.do(study, AddChapter("cid", "One", "none", "spectator"))
    with pytest.raises(Unreadable, match="viewer is"):
        club.do(study, AddChapter("cid", "One", club.finished(), "purple"))


def test_a_study_shows_few_games_that_are_not_over(club, monkeypatch):
    monkeypatch.setattr(chapters, "MOST_UNFINISHED", 2)
    games = [club.running() for _ in range(3)]
    study = club.study(*games[:2], club.finished())
    with pytest.raises(NotNow, match="2 games that are not over"):
        club.do(study, AddChapter("cid", "One", games[2], "spectator"))
    club.end(games[0])
    expire(club)
    club.do(study, AddChapter("cid", "One", games[2], "spectator"))


def expire(club: Club) -> None:
    club.service.accesses._ended.clear()


def test_a_contributor_does_not_fill_a_study_with_what_its_owner_cannot_remove(club, monkeypatch):
    monkeypatch.setattr(chapters, "MOST_HIDDEN", 1)
    study = club.study()
    club.join(study, "ben")
    hidden, other = (club.finished("ben", "eve", visibility=PRIVATE) for _ in range(2))
    club.do(study, AddChapter("ben", "Ours", hidden, "everything"))
    with pytest.raises(NotNow, match="its owner may not see"):
        club.do(study, AddChapter("ben", "Ours, too", other, "everything"))
    club.do(study, AddChapter("ben", "Everybody's", club.finished("ben", "eve"), "everything"))
    assert [chapter.title for chapter in club.look(study).chapters] == ["Everybody's"]


def test_edits_are_conditional_on_versions(club):
    study = club.study(club.finished())
    version = club.look(study).version
    with pytest.raises(VersionChanged):
        club.do(study, WriteComment("cid", "k1", "2", "late"), expected=frozenset({version - 1}))
    club.do(study, WriteComment("cid", "k1", "2", "in time"), expected=frozenset({version}))


def test_a_handle_leads_to_its_account(club):
    account = club.service.accounts.make_guest()
    assert club.service.account_of(account.handle) == account.id
    with pytest.raises(NoSuchAccount, match="no account with the handle"):
        club.service.account_of("nobody-knows")


def test_members_are_present_and_other_readers_are_not_seen(club):
    study = club.study(club.finished())
    club.join(study, "dan")
    for account in ("cid", "dan", "eve"):
        club.service.enter(club.look(study, account), "k1", "2", is_writing=account == "dan")
    present = club.service.present(club.look(study, None))
    assert [(each.account, each.chapter, each.is_writing) for each in present] == [
        ("cid", "k1", False),
        ("dan", "k1", True),
    ]


def test_the_history_is_read_in_pages_newest_first(club):
    study = club.study(club.finished())
    for number in range(5):
        club.write(study, f"comment {number}")
    club.do(study, Undo("cid"))
    access = club.look(study)
    first = club.service.history(access, None, 3)
    assert [(each.version, each.is_undone) for each in first] == [(8, False), (7, True), (6, False)]
    assert [each.version for each in club.service.history(access, 6, 10)] == [5, 4, 3, 2, 1]
    assert club.service.history(access, 1, 10) == []
    assert [each.version for each in club.service.commits(access, 6, 10)] == [7, 8]


def test_a_chapter_is_moved_among_those_that_a_member_sees(club):
    private, others = club.finished(visibility="private"), [club.finished() for _ in range(3)]
    study = club.study(others[0])
    club.join(study, "ana")
    club.do(study, AddChapter("ana", "Hidden from Cid", private, "spectator"))
    for game in others[1:]:
        club.do(study, AddChapter("cid", "More", game, "spectator"))
    assert [chapter.id for chapter in club.look(study).chapters] == ["k1", "k3", "k4"]
    club.do(study, MoveChapter("cid", "k4", 1))
    assert [chapter.id for chapter in club.look(study).chapters] == ["k1", "k4", "k3"]
    assert [chapter.id for chapter in club.look(study, "ana").chapters] == ["k1", "k2", "k4", "k3"]
    club.do(study, MoveChapter("cid", "k1", 9))
    assert [chapter.id for chapter in club.look(study).chapters] == ["k4", "k3", "k1"]
