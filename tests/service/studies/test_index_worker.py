"""The index follows the log: after crashes, after its loss, and when studies and accounts go."""

import pytest

from events.buckets import USUAL
from events.errors import NoSuchGame, StoreUnavailable
from events.log.redis import RedisLog
from replay.studies import Studies
from replay.study.commands import Rename, SetMember, SetVisibility
from rules.texts import say
from service.accounts import Accounts
from service.studies import index_worker
from service.studies.study_list import StudyFilter
from tests.service.studies.club import Club

ALL = USUAL.all


@pytest.fixture(params=["embedded", "cluster"])
def kept(request, running_stores):
    """A club whose studies are in the store."""
    with running_stores.opened(request.param) as store:
        yield Club(store, studies=Studies(RedisLog(store, "studies")))


def test_edits_of_a_process_that_died_are_listed(kept):
    study = kept.study(title="First")
    kept.studies.create("cid", "Never listed", "public")
    kept.studies.submit(study, Rename("cid", "Renamed", 99))
    assert kept.worker.attend(ALL) == 2
    assert kept.index.versions([study]) == {study: 2}
    assert set(kept.found(None, query="renamed") + kept.found(None, query="listed")) == {"Renamed", "Never listed"}
    assert kept.worker.attend(ALL) == 0


def test_a_long_feed_is_read_to_its_end(kept, monkeypatch):
    monkeypatch.setattr(index_worker, "ENTRIES_AT_ONCE", 2)
    study = kept.study(title="First")
    for number in range(5):
        kept.do(study, Rename("cid", f"Title {number}", 99))
    kept.studies.submit(study, Rename("cid", "Last", 99))
    assert kept.worker.attend(ALL) == 1
    assert kept.index.versions([study]) == {study: 7}


def test_the_feed_is_read_once_and_cut_off(kept):
    study = kept.study(title="First")
    kept.worker.attend(ALL)
    positions = kept.studies.log.checkpoints_of(index_worker.CONSUMER, ALL)
    assert not any(kept.studies.log.feeds(positions).values())
    kept.do(study, Rename("cid", "Second", 99))
    assert sum(map(len, kept.studies.log.feeds(positions).values())) == 1


def test_a_lost_index_is_made_anew_beside_requests(kept):
    game = kept.finished()
    study = kept.study(game, title="First")
    kept.write(study, "aragon")
    for number in range(5):
        kept.study(title=f"Study {number}")
    lose(kept)
    page = kept.service.find(StudyFilter(), None)
    assert (page.studies, page.is_complete) == ([], False)
    assert not kept.worker.rebuild(seconds=0)
    kept.study(title="Made meanwhile")
    while not kept.worker.rebuild(seconds=0):
        pass
    assert len(kept.found(None)) == 7
    assert kept.found(None, query="aragon", game=game) == ["First"]
    assert kept.service.find(StudyFilter(), None).is_complete


def lose(kept: Club) -> None:
    for key in [key for primary in kept.store.primaries().values() for key in primary.keys("hidalgo:{studies}:*")]:
        kept.store.commands.delete(key)


def test_an_index_of_another_shape_is_written_over(club):
    study = club.study(title="First")
    club.store.commands.hset(f"hidalgo:{{studies}}:about:{study}", mapping={"study": "[]", "head": "1 0"})
    assert club.found(None) == []
    club.do(study, Rename("cid", "Second", 99))
    assert club.found(None) == ["Second"]


def test_a_study_that_cannot_be_read_is_logged_and_stops_nothing(kept, caplog):
    study = kept.study(title="Damaged")
    kept.studies.create("cid", "Whole", "public")
    kept.index.remove(study)
    damage(kept, study)
    kept.worker._studies = Studies(kept.studies.log)
    kept.worker.attend(ALL)
    assert kept.found(None) == ["Whole"]
    assert "cannot be indexed" in caplog.text


def damage(kept: Club, study: str) -> None:
    key = USUAL.key_of(study, f"studies:log:{study}")
    kept.store.commands.delete(key)
    kept.store.commands.xadd(key, {"c": b"no commit"}, id="1-0")


def test_a_removal_that_was_interrupted_is_finished(kept, monkeypatch):
    study = kept.study(title="Gone")
    with monkeypatch.context() as patching:
        patching.setattr(kept.studies, "remove", unavailable)
        with pytest.raises(StoreUnavailable):
            kept.service.delete(study, "cid")
    assert kept.index.removing() == [study]
    kept.worker.finish()
    with pytest.raises(NoSuchGame):
        kept.look(study)
    assert (kept.found(None), kept.index.removing()) == ([], [])


def unavailable(study: str) -> None:
    raise StoreUnavailable(say("away"))


def test_a_study_that_is_gone_is_not_listed_by_a_late_request(kept):
    study = kept.study(title="Gone")
    late = kept.studies.load(study)
    kept.service.delete(study, "cid")
    kept.worker.put(late)
    assert kept.found(None) == []
    kept.worker.attend(ALL)
    assert not kept.index.about([study])


# Accounts that are deleted


def test_the_private_studies_of_a_deleted_account_go_and_others_stay(club):
    club.index.complete.set()
    accounts = Accounts(club.store, leaving=club.index.note_leaving)
    owner, other = accounts.make_guest().id, accounts.make_guest().id
    private, *others = (club.study(by=owner, visibility=visibility) for visibility in ("private", "link", "public"))
    joined = club.study(by=other)
    club.do(joined, SetMember(other, owner, "contributor"))
    accounts.delete(owner)
    club.worker.finish()
    with pytest.raises(NoSuchGame):
        club.studies.load(private)
    assert [club.studies.load(study).owner for study in others] == [owner, owner]
    assert club.studies.load(joined).members == {}
    assert club.index.leaving() == {}


def test_forgotten_guests_leave_nothing_private_either(club):
    club.index.complete.set()
    accounts = Accounts(club.store, leaving=club.index.note_leaving)
    guest = accounts.make_guest()
    private = club.study(by=guest.id, visibility="private")
    assert accounts.forget_guest(guest.id, str(guest.created_at))
    club.worker.finish()
    with pytest.raises(NoSuchGame):
        club.studies.load(private)


def test_an_account_that_is_still_there_loses_nothing(club, monkeypatch):
    club.index.complete.set()
    account = club.service.accounts.make_guest().id
    study = club.study(by=account, visibility="private")
    club.index.note_leaving(account)
    club.worker.finish()
    assert club.index.leaving()
    monkeypatch.setattr(index_worker, "LONGEST_LEAVING", -1)
    club.worker.finish()
    assert club.index.leaving() == {}
    assert club.look(study, account).role == "owner"


def test_a_study_that_is_not_private_any_more_stays(club):
    study = club.study(visibility="private")
    club.do(study, SetVisibility("cid", "link"))
    club.index.complete.set()
    club.index.note_leaving("cid")
    club.worker.finish()
    assert club.studies.load(study).visibility == "link"
