"""Transitions: the game before and after each commit, in whatever order the commits are read."""

import pytest

from events.errors import NoSuchGame
from events.games import Games
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
