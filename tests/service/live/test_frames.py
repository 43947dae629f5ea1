"""What goes out on streams is made once for all clients that see the same."""

import pytest

from events.games import Games
from events.log.codec import Commit
from events.log.memory import MemoryLog
from events.table.game import Game
from service.live.streams import EventStream, Frames, Seen

FORM = EventStream()


@pytest.fixture
def games() -> Games:
    return Games(MemoryLog())


def commit_of(games: Games) -> tuple[Game, Commit]:
    game = games.create("el_grande", 3)
    return game, games.commits(game.id)[0]


def test_a_frame_is_made_once_for_each_viewer(games):
    game, commit = commit_of(games)
    frames = Frames()
    first = frames.of(commit, Seen(game, "red", "ana"), FORM)
    assert frames.of(commit, Seen(game, "red", "ben"), FORM) is first
    assert frames.of(commit, Seen(game, "blue", "ben"), FORM) is not first


def test_frames_that_were_not_used_lately_make_room(games):
    several = [commit_of(games) for _ in range(3)]
    size = max(len(Frames().of(commit, Seen(game, "red", None), FORM)) for game, commit in several)
    frames = Frames(most_bytes=2 * size)
    made = [frames.of(commit, Seen(game, "red", None), FORM) for game, commit in several]
    again = [frames.of(commit, Seen(game, "red", None), FORM) for game, commit in reversed(several)]
    assert [old is new for old, new in zip(made, reversed(again), strict=True)] == [False, True, True]


def test_a_frame_that_is_larger_than_all_room_is_sent_all_the_same(games):
    game, commit = commit_of(games)
    frames = Frames(most_bytes=10)
    assert frames.of(commit, Seen(game, "red", None), FORM) == Frames().of(commit, Seen(game, "red", None), FORM)
