"""Transitions: the game before and after each commit, in whatever order the commits are read."""

import pytest

from events.errors import NoSuchGame
from events.games import Games
from events.log import FeedEntry
from events.log.memory import MemoryLog
from events.table.commands import Join, Start
from service.notifications import transitions
from service.notifications.transitions import TransitionReader


@pytest.fixture
def log():
    return MemoryLog()


def table(log: MemoryLog) -> str:
    """A game of four commits."""
    games = Games(log)
    game = games.create("el_grande", 2, owner="ana").id
    for command in (Join("ana"), Join("ben"), Start("ana")):
        games.submit(game, command)
    return game


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (1, 3, 4), (4, 3, 2, 1), (2, 2, 4, 4, 1, 1)], ids=str)
def test_a_transition_is_the_same_in_any_order(log, order):
    game, reader = table(log), TransitionReader(log)
    games = Games(log)
    for version in order:
        transition = reader.read(game, version)
        assert transition.before == (games.load(game, version - 1) if version > 1 else None)
        assert transition.commit.header.version == version
        assert transition.after == games.load(game, version)


def test_there_is_no_transition_after_the_last_commit(log):
    game = table(log)
    with pytest.raises(NoSuchGame):
        TransitionReader(log).read(game, 5)
    with pytest.raises(NoSuchGame):
        TransitionReader(log).read("none", 1)


class CountingLog(MemoryLog):
    def __init__(self) -> None:
        super().__init__()
        self.reads: list[tuple[str, int]] = []

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        self.reads.append((game, after))
        return super().read(game, after, until)


def test_only_new_commits_are_read_of_the_games_that_were_read_last(monkeypatch):
    monkeypatch.setattr(transitions, "CACHED", 2)
    log = CountingLog()
    first, second, third = (table(log) for _ in range(3))
    reader = TransitionReader(log)
    for game in (first, second, third):
        reader.read(game, 3)
    log.reads.clear()
    for game in (third, second, first):
        reader.read(game, 4)
    assert log.reads == [(third, 3), (second, 3), (first, 0), (first, 3)]


@pytest.mark.parametrize("kept", [0, 2], ids=["cold", "warm"])
def test_transitions_that_were_fetched_are_not_read_again(kept):
    log = CountingLog()
    games = [table(log) for _ in range(3)]
    reader, alone = TransitionReader(log), TransitionReader(log)
    entries = [FeedEntry(f"{version}-0", game, version) for game in games for version in (3, 4)]
    expected = [alone.read(entry.game, entry.version) for entry in entries]
    if kept:
        for game in games:
            reader.read(game, kept)
    log.reads.clear()
    reader.fetch([*entries, FeedEntry("9-0", "none", 1)])
    assert sorted(log.reads) == sorted((game, kept) for game in games)
    log.reads.clear()
    assert [reader.read(entry.game, entry.version) for entry in entries] == expected
    assert log.reads == []
    with pytest.raises(NoSuchGame):
        reader.read("none", 1)


def test_transitions_that_were_not_fetched_are_read_as_well(log):
    game, other = table(log), table(log)
    reader = TransitionReader(log)
    reader.fetch([FeedEntry("1-0", game, 4)])
    assert [reader.read(each, version).after.version for each, version in ((game, 4), (game, 2), (other, 3))] == [
        4,
        2,
        3,
    ]
