"""Games that leave the store: the same through every role of the log, whatever happens on the way."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.archive import Place, Volume, check, read_at
from events.archive.directory import Directory
from events.archive.places import place
from events.audit.backup import backup, restore
from events.audit.verify import verify_chain
from events.buckets import USUAL
from events.errors import ArchiveDamaged, ArchiveFull, ArchiveUnavailable, Conflict, Packed
from events.games import Games
from events.log import BY_THE_NOTE, Appended, Note, Span, StoredGame
from events.log.redis import RedisLog
from events.repository import now_ms
from events.store import Store
from events.submission import Submission
from events.table.commands import Abort, Join
from events.workers.archiver import Archiver, When
from events.workers.packer import Packer

ALL = USUAL.all
AT_ONCE = When(0)


@pytest.fixture(params=["embedded", "cluster"])
def store(request, running_stores, tmp_path) -> Iterator[Store]:
    with running_stores.opened(request.param) as store:
        object.__setattr__(store, "archive", Directory(tmp_path / "archive"))
        yield store


def archiver(store: Store, when: When = AT_ONCE, log: RedisLog | None = None) -> Archiver:
    return Archiver(log or RedisLog(store), now_ms, verify_chain, when)


def packed(store: Store, *names: str) -> Games:
    """Games that have ended, and are packed."""
    games = Games(RedisLog(store))
    for name in names:
        games.create("el_grande", 2, owner="ana", game=name)
        games.submit(name, Join("ben", nonce="n"), Submission(key="sit down"))
        games.submit(name, Abort("ana"))
        assert Packer(games.log, now_ms, verify_chain).pack(name)
    return games


def archived(store: Store, *names: str) -> RedisLog:
    packed(store, *names)
    log = RedisLog(store)
    assert archiver(store, log=log).attend(ALL, seconds=60).archived == len(names)
    assert all(log.archived(name) for name in names)
    return log


def test_an_archived_game_is_the_same_for_every_reader(store: Store):
    games = packed(store, "monday")
    log = RedisLog(store)
    before = everything(log)
    listed = [game for bucket in ALL for game in log.games(bucket)]
    assert archiver(store).attend(ALL, seconds=60).archived == 1
    after = RedisLog(store)
    assert not store.commands.exists(f"hidalgo:{{{USUAL.of('monday'):02}}}:log:monday")
    assert everything(after) == before
    assert after.read("monday", 3) == []
    assert after.version("monday") == 3
    assert after.read_many([Span("monday"), Span("monday", 2), Span("monday", 3), Span("gone")]) == [
        before[0],
        before[0][2:],
        [],
        None,
    ]
    assert [game for bucket in ALL for game in after.games(bucket)] == listed
    assert after.is_packed("monday")
    assert Games(after).load("monday") == games.load("monday")
    assert Games(after).load("monday", 2).version == 2


def test_a_repeated_command_is_known_also_if_the_game_comes_back_just_now(store: Store, monkeypatch):
    log = archived(store, "monday")
    first, *_ = log.stored("monday").commands
    ask = log.archived

    def comes_back(game: str):
        RedisLog(store).recall(game)
        return ask(game)

    monkeypatch.setattr(log, "archived", comes_back)
    assert log.append("monday", 1, b"again", command=first) == Appended(1, repeated=True)


def everything(log: RedisLog) -> tuple[list[bytes], list[bytes], list[bytes], StoredGame, bytes]:
    parts = log.read("monday"), log.read("monday", 1), log.read("monday", 1, 2)
    return (*parts, log.stored("monday"), log.secret("monday"))


def test_lists_need_no_archive_for_games_whose_notes_are_up_to_date(store: Store):
    log = archived(store, "monday")
    log.note({"monday": Note(3, "aborted", b"about")})
    log.place = place("")
    assert log.noted({"monday": BY_THE_NOTE})["monday"].entries == []
    assert log.noted({"monday": 3})["monday"].note == Note(3, "aborted", b"about")
    with pytest.raises(ArchiveUnavailable, match="none is set up"):
        log.noted({"monday": 0})


def test_a_command_that_was_accepted_before_is_answered_and_no_other_is_taken(store: Store):
    log = archived(store, "monday")
    games = Games(log)
    again = games.submit("monday", Join("ben", nonce="n"), Submission(key="sit down"))
    assert (again.repeated, again.commit.header.version) == (True, 2)
    with pytest.raises(Packed):
        log.append("monday", 3, b"more", command="another")
    with pytest.raises(Conflict):
        log.append("monday", 2, b"late", command="another")
    assert games.create("el_grande", 2, owner="ana", game="monday").version == 1, "it is there, and created once"
    assert log.version("monday") == 3


def test_a_game_is_brought_back_and_goes_on(store: Store):
    log = archived(store, "monday", "tuesday")
    entries = log.read("monday")
    log.unpack("monday")
    assert log.archived("monday") is None
    assert (log.read("monday"), log.is_packed("monday")) == (entries, False)
    assert log.append("monday", 3, b"a ruling", command="a ruling").version == 4
    assert log.recall("tuesday")
    assert not log.recall("tuesday")
    assert log.is_packed("tuesday")
    assert archiver(store).attend(ALL, seconds=60).archived == 1, "it leaves again, some time after it was brought back"


def test_games_leave_by_their_age_and_by_their_number(store: Store):
    names = [f"game {number}" for number in range(12)]
    packed(store, *names)
    assert archiver(store, When(60_000)).attend(ALL, seconds=60).archived == 0
    assert archiver(store, When(60_000, most=10**9)).attend(ALL, seconds=60).archived == 0
    assert archiver(store, When(None, most=0)).attend(ALL, seconds=60).archived == 12


def test_games_that_were_packed_before_there_was_an_archive_leave_and_games_in_play_stay(store: Store):
    games = packed(store, "monday")
    games.create("el_grande", 2, game="tuesday")
    store.commands.delete(f"hidalgo:{{{USUAL.of('monday'):02}}}:packed")
    assert archiver(store).attend(ALL, seconds=60).archived == 1
    assert archiver(store).attend(ALL, seconds=60).archived == 0
    assert RedisLog(store).archived("tuesday") is None


def test_a_game_whose_chain_does_not_hold_stays_and_holds_no_other_back(store: Store, monkeypatch, caplog):
    packed(store, "monday", "tuesday")

    def verify(game: str, entries, secret) -> None:
        if game == "monday":
            raise ValueError("it does not hold")

    done = Archiver(RedisLog(store), now_ms, verify, AT_ONCE).attend(ALL, seconds=60)
    assert (done.archived, done.bad) == (1, {"monday": "it does not hold"})
    assert RedisLog(store).archived("monday") is None
    assert archiver(store).waiting(ALL, 10) == []


def test_a_game_that_is_brought_back_while_its_volume_is_written_stays_in_the_store(store: Store, monkeypatch):
    games = packed(store, "monday")
    place, write = store.archive, store.archive.write

    def be_overtaken(*about) -> None:
        write(*about)
        games.log.unpack("monday")

    monkeypatch.setattr(place, "write", be_overtaken)
    done = archiver(store).attend(ALL, seconds=60)
    assert (done.archived, done.changed) == (0, 1)
    assert not games.log.is_packed("monday")
    assert Games(RedisLog(store)).load("monday").version == 3


def test_nothing_leaves_the_store_before_the_copy_is_read_back(store: Store, monkeypatch):
    packed(store, "monday")
    read = store.archive.read
    monkeypatch.setattr(store.archive, "read", lambda *about: read(*about)[:-1] + b"?")
    with pytest.raises(ArchiveDamaged):
        archiver(store).attend(ALL, seconds=60)
    monkeypatch.undo()
    assert RedisLog(store).archived("monday") is None
    assert archiver(store).attend(ALL, seconds=60).archived == 1


def test_a_backup_has_archived_games_and_a_restore_leaves_them_where_they_are(store: Store, tmp_path: Path):
    log = archived(store, "monday")
    assert backup(log, tmp_path / "games.backup", now_ms()).games == 1
    done = restore(log, tmp_path / "games.backup")
    assert (done.restored, done.same, done.refused) == (0, 1, {})
    assert log.archived("monday")
    log.remove("monday")
    assert log.version("monday") == 0
    assert restore(log, tmp_path / "games.backup").restored == 1
    assert Games(RedisLog(store)).load("monday").version == 3


# The directory


@pytest.fixture
def directory(tmp_path) -> Place:
    return Directory(tmp_path / "archive")


def test_a_volume_is_there_when_it_was_written_and_its_owner_alone_can_read_it(directory: Place, tmp_path):
    volume = Volume.of([])
    directory.write(volume.name, volume.bytes)
    directory.write(volume.name, volume.bytes)
    assert list(directory.volumes()) == [(volume.name, len(volume.bytes))]
    check(directory, volume.name)
    [file] = (tmp_path / "archive").rglob("*.games")
    assert file.stat().st_mode & 0o077 == 0
    directory.remove(volume.name)
    directory.remove(volume.name)
    assert list(directory.volumes()) == []


def test_every_changed_byte_of_a_game_is_noticed(store: Store, tmp_path):
    if store.is_cluster:
        return
    log = archived(store, "monday")
    about = log.archived("monday")
    assert about
    [file] = (tmp_path / "archive").rglob("*.games")
    whole = file.read_bytes()
    for at in range(about.at.offset, about.at.offset + about.at.length, 37):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(ArchiveDamaged, match="damaged"):
            read_at(store.archive, about.at)
        with pytest.raises(ArchiveDamaged):
            RedisLog(store).read("monday")
        with pytest.raises(ArchiveDamaged):
            check(store.archive, about.at.volume)
    file.write_bytes(whole[:-1])
    with pytest.raises(ArchiveDamaged):
        RedisLog(store).read("monday")
    file.unlink()
    with pytest.raises(ArchiveDamaged, match="missing"):
        RedisLog(store).read("monday")


def test_an_archive_that_is_away_or_full_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveUnavailable, match="cannot be reached"):
        Directory(tmp_path / "file" / "below").write("0" * 24, b"")
    with pytest.raises(ArchiveUnavailable, match="not there"):
        Directory(tmp_path / "gone").read("0" * 24)

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveFull, match="no room"):
        Directory(tmp_path / "archive").write("0" * 24, b"")
    monkeypatch.undo()
    assert not list((tmp_path / "archive").rglob("*.part"))
