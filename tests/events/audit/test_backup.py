"""All games in one file, and back."""

import gzip
import os
import stat
from hashlib import sha256

import msgspec
import pytest

from events.audit import backup as backups
from events.audit.backup import BadBackup, backup, inspect, restore
from events.audit.verify import verify_stored
from events.buckets import USUAL, Buckets
from events.errors import StoreUnavailable
from events.games import Games
from events.log import StoredGame
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from events.submission import Submission
from events.table.commands import Start
from rules.texts import say
from tests.events.played import play, tables

NOW = 1_700_000_000_000


@pytest.fixture
def games():
    """Some tables: open, running and over."""
    games = tables()
    games.create("el_grande", 3, game="open")
    play(games, 2, moves=4, game="running")
    play(games, 2, game="over")
    return games


@pytest.fixture
def file(games, tmp_path):
    backup(games.log, tmp_path / "games.backup", NOW)
    return tmp_path / "games.backup"


def everything(log):
    """All that a log keeps, but for the feed."""
    return {
        game: (log.read(game), log.secret(game), log.deadline(game))
        for bucket in log.buckets.all
        for game in log.games(bucket)
    }


def lines(file):
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def game_lines(file):
    return [line for line in backups.read(file) if isinstance(line, backups.GameLine)]


def write(file, some):
    file.write_bytes(gzip.compress(b"".join(some)))


class Shelf:
    """A section in memory."""

    name = "books"

    def __init__(self, **books):
        self.books = books

    def rows(self):
        yield from self.books.items()

    def put_back(self, row, fields):
        if fields.get("title") == "Forbidden":
            raise backups.Refusal("it is forbidden")
        return self.books.setdefault(row, fields) is fields


# Sections


def test_rows_beside_the_games_come_back_and_those_that_are_there_stay(games, tmp_path):
    file = tmp_path / "games.backup"
    written = backup(games.log, file, NOW, sections=[Shelf(a={"title": "Amadís"}, b={"title": "Belianís"})])
    assert written.rows == {"books": 2}
    shelf = Shelf(a={"title": "Another"})
    assert [restore(MemoryLog(), file, sections=[shelf]).rows for _ in range(2)] == [{"books": 1}, {"books": 0}]
    assert shelf.books == {"a": {"title": "Another"}, "b": {"title": "Belianís"}}


def test_a_row_that_cannot_be_put_back_is_named(games, tmp_path):
    file = tmp_path / "games.backup"
    backup(games.log, file, NOW, sections=[Shelf(a={"title": "Forbidden"}, b={"title": "Belianís"})])
    assert restore(MemoryLog(), file, sections=[Shelf()]).refused == {"books a": "it is forbidden"}
    assert restore(MemoryLog(), file).refused.keys() == {"books a", "books b"}


def test_a_row_cannot_be_dropped(games, tmp_path):
    file = tmp_path / "games.backup"
    backup(games.log, file, NOW, sections=[Shelf(a={"title": "Amadís"})])
    write(file, [line for line in lines(file) if b'"books"' not in line])
    with pytest.raises(BadBackup, match="its sum is wrong"):
        inspect(file)


def test_a_file_from_before_there_were_sections_can_be_read(games, file):
    head, *rest, _ = lines(file)
    older = [head.replace(b'"schema":2', b'"schema":1'), *rest]
    counts = msgspec.json.decode(lines(file)[-1])
    end = counts | {"sha256": sha256(b"".join(older)).hexdigest()}
    assert "rows" not in end
    write(file, [*older, msgspec.json.encode(end, order="sorted") + b"\n"])
    again = MemoryLog()
    assert restore(again, file).restored == 3
    assert everything(again) == everything(games.log)


# There and back


def test_a_restored_log_equals_the_log_that_was_written(games, file):
    empty = MemoryLog()
    assert restore(empty, file) == backups.Restored(restored=3)
    assert everything(empty) == everything(games.log)


def test_a_restored_game_goes_on(games, file):
    other = Games(MemoryLog())
    restore(other.log, file)
    for game in ("open", "running", "over"):
        assert verify_stored(other, game)
        assert other.load(game) == games.load(game)
    assert other.submit("open", Start()).after.started


def test_a_command_that_was_taken_before_the_backup_is_not_taken_again(games, file):
    other = Games(MemoryLog())
    restore(other.log, file)
    assert other.submit("running", Start(), Submission(key="start")).repeated


def test_deadlines_come_back(games, tmp_path):
    games.log.append("timed", 0, b"not a commit", command="a", deadline=77)
    backup(games.log, tmp_path / "file", NOW)
    assert [line.deadline for line in game_lines(tmp_path / "file") if line.game == "timed"] == [77]


def test_the_summary_tells_what_is_in_the_file(games, file):
    summary = inspect(file)
    commits = sum(games.log.version(game) for game in ("open", "running", "over"))
    assert (summary.at, summary.games, summary.commits, summary.bad) == (NOW, 3, commits, {})


def test_an_empty_log_has_a_backup_too(tmp_path):
    assert backup(MemoryLog(), tmp_path / "file", NOW).games == 0
    assert restore(MemoryLog(), tmp_path / "file") == backups.Restored()


def test_a_real_store_comes_back(games, file, store):
    log = RedisLog(store)
    assert restore(log, file).restored == 3
    assert everything(log) == everything(games.log)
    again = file.with_name("again")
    backup(log, again, NOW)
    assert sorted(lines(again)[1:-1]) == sorted(lines(file)[1:-1])
    assert restore(log, again) == backups.Restored(same=3)


# The file


def test_only_its_owner_may_read_it(file):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_left_beside_it(file):
    assert os.listdir(file.parent) == [file.name]


def test_a_backup_that_fails_leaves_the_older_one(games, file, monkeypatch):
    before = file.read_bytes()
    monkeypatch.setattr(games.log, "secret", failing)
    with pytest.raises(StoreUnavailable):
        backup(games.log, file, NOW + 1)
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == [file.name]


def failing(*arguments):
    raise StoreUnavailable(say("gone"))


def test_a_file_that_cannot_be_read_back_does_not_get_the_name(games, tmp_path, monkeypatch):
    monkeypatch.setattr(backups, "sha256", lambda: Wrong())
    with pytest.raises(BadBackup):
        backup(games.log, tmp_path / "file", NOW)
    assert os.listdir(tmp_path) == []


class Wrong:
    """Gives another sum every time."""

    def update(self, text):
        pass

    def hexdigest(self):
        return os.urandom(32).hex()


def test_progress_is_reported(games, tmp_path):
    steps = []
    backup(games.log, tmp_path / "file", NOW, lambda what, number: steps.append((what, number)))
    assert steps == [(what, number) for what in ("writing", "verifying") for number in (1, 2, 3)]


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.999])
def test_a_file_that_breaks_off_is_not_used(file, share):
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    refused(file)


def test_no_byte_of_the_file_can_be_changed(file):
    """Bytes 3 to 9 of a gzip file say when and where it was packed, and mean nothing."""
    data = file.read_bytes()
    for at in [*range(3), *range(10, len(data), 997), *range(len(data) - 8, len(data))]:
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        refused(file)


@pytest.mark.parametrize(
    "change",
    [
        lambda some: some[1:],
        lambda some: some[:-1],
        lambda some: [*some, some[-1]],
        lambda some: [*some, some[1]],
        lambda some: [some[0], *some[2:]],
        lambda some: [some[0], some[2], some[1], *some[3:]],
        lambda some: [some[0], some[0], *some[1:]],
        lambda some: [*some[:-1], b"{}\n"],
        lambda some: [*some[:-1], some[-1].replace(b'"games":3', b'"games":4')],
        lambda some: [b"hello\n"],
    ],
)
def test_lines_cannot_be_dropped_added_or_changed(file, change):
    write(file, change(lines(file)))
    refused(file)


def refused(file):
    log = MemoryLog()
    with pytest.raises(BadBackup):
        restore(log, file)
    assert everything(log) == {}


# What is there already


def test_games_that_are_there_stay_as_they_are(games, file):
    assert restore(games.log, file) == backups.Restored(same=3)


def test_a_game_that_went_on_is_not_set_back(games, file):
    games.submit("open", Start())
    assert restore(games.log, file) == backups.Restored(same=2, newer=1)
    assert games.load("open").started


def test_another_game_of_the_same_name_is_refused_by_name(games, file):
    other = tables()
    other.create("el_grande", 5, game="open")
    before = other.log.read("open")
    done = restore(other.log, file)
    assert (done.restored, done.refused) == (2, {"open": "another game of this name is there"})
    assert other.log.read("open") == before


def test_a_restore_that_was_broken_off_can_be_repeated(games, file, monkeypatch):
    log = MemoryLog()
    with monkeypatch.context() as patch:
        patch.setattr(log, "restore", breaking_after(1, log.restore))
        with pytest.raises(StoreUnavailable):
            restore(log, file)
    assert restore(log, file) == backups.Restored(restored=2, same=1)
    assert everything(log) == everything(games.log)


def breaking_after(number, call):
    calls = iter(range(number))

    def limited(*arguments):
        if next(calls, None) is None:
            raise StoreUnavailable(say("gone"))
        return call(*arguments)

    return limited


# Damage


def test_a_damaged_game_is_in_the_backup_but_is_named(games, tmp_path):
    entries = games.log.read("running")
    entries[2] = entries[2].replace(b'"red"', b'"blue"')
    damaged(games.log, "running", entries)
    summary = backup(games.log, tmp_path / "file", NOW)
    assert summary.games == 3
    assert set(summary.bad) == {"running"}
    assert "commit 3" in summary.bad["running"]
    done = restore(MemoryLog(), tmp_path / "file")
    assert (done.restored, set(done.refused)) == (2, {"running"})


def test_bytes_that_are_no_text_are_kept_as_they_are(games, tmp_path):
    entries = [bytes(range(256)), *games.log.read("running")[1:]]
    damaged(games.log, "running", entries)
    assert set(backup(games.log, tmp_path / "file", NOW).bad) == {"running"}
    kept = {line.game: line.stored() for line in game_lines(tmp_path / "file")}
    assert kept["running"].entries == entries


def damaged(log, game, entries):
    secret, commands = log.secret(game), [str(number) for number in range(len(entries))]
    log.remove(game)
    log.restore(game, StoredGame(entries, commands, secret))


# The feed


def test_a_consumer_that_had_read_everything_does_not_read_restored_games(games, tmp_path):
    bucket = USUAL.of("over")
    games.log.set_checkpoint(bucket, "ratings", games.log.feed(bucket, limit=10_000)[-1].position)
    log = with_backup_of(games, tmp_path)
    assert [line.game for line in log.feed(bucket)] == ["over"]
    assert log.feed(bucket, log.checkpoint(bucket, "ratings")) == []


def test_a_consumer_that_had_not_read_everything_reads_restored_games(games, tmp_path):
    bucket = USUAL.of("over")
    games.log.set_checkpoint(bucket, "ratings", games.log.feed(bucket)[0].position)
    log = with_backup_of(games, tmp_path)
    assert [line.game for line in log.feed(bucket, log.checkpoint(bucket, "ratings"))] == ["over"]


def test_news_since_the_backup_is_never_skipped(games, file):
    bucket = USUAL.of("open")
    games.log.set_checkpoint(bucket, "ratings", games.log.feed(bucket)[-1].position)
    backup(games.log, file, NOW)
    games.submit("open", Start())
    restore(games.log, file)
    assert [line.version for line in games.log.feed(bucket, games.log.checkpoint(bucket, "ratings"))] == [2]


def with_backup_of(games, tmp_path, buckets=USUAL):
    backup(games.log, tmp_path / "file", NOW)
    log = MemoryLog(buckets)
    restore(log, tmp_path / "file")
    return log


# A store with another number of buckets


@pytest.mark.parametrize(("before", "after"), [(64, 256), (256, 64), (64, 100)])
def test_a_store_of_another_number_of_buckets_gets_the_same_games(tmp_path, before, after):
    games = tables(buckets=Buckets(before))
    for number in range(40):
        games.create("el_grande", 3, game=f"table {number}")
    log = with_backup_of(games, tmp_path, Buckets(after))
    assert len({log.buckets.of(game) for game in everything(log)}) > 10
    assert everything(log) == everything(games.log)


def test_no_consumer_that_had_read_everything_reads_games_that_come_into_other_buckets(games, tmp_path):
    for bucket in games.log.buckets.all:
        for line in games.log.feed(bucket, limit=10_000)[-1:]:
            games.log.set_checkpoint(bucket, "ratings", line.position)
    log = with_backup_of(games, tmp_path, Buckets(256))
    assert sum(len(log.feed(bucket)) for bucket in log.buckets.all) == 3
    assert [log.feed(bucket, log.checkpoint(bucket, "ratings")) for bucket in log.buckets.all] == [[]] * 256


def test_a_consumer_that_had_read_some_buckets_reads_the_games_of_the_others(games, tmp_path):
    bucket = games.log.buckets.of("over")
    games.log.set_checkpoint(bucket, "ratings", games.log.feed(bucket, limit=10_000)[-1].position)
    log = with_backup_of(games, tmp_path, Buckets(256))
    read = {line.game for bucket in log.buckets.all for line in log.feed(bucket, log.checkpoint(bucket, "ratings"))}
    assert read == {"open", "running"}


def test_only_a_backup_of_another_number_than_64_names_it(games, tmp_path):
    """Older programs read the usual ones."""
    backup(games.log, tmp_path / "usual", NOW)
    backup(MemoryLog(Buckets(256)), tmp_path / "wide", NOW)
    assert [b"buckets" in lines(tmp_path / name)[0] for name in ("usual", "wide")] == [False, True]


def test_a_line_of_the_file_is_json(file):
    assert [msgspec.json.decode(line)["line"] for line in lines(file)] == ["head", "game", "game", "game", "end"]
