"""Any position of a long game is found without folding all of it."""

import pytest

from events.errors import NoSuchGame
from replay.positions import EVERY, Positions
from tests.events.played import finished


class Reading:
    """Reads commits, and remembers how many."""

    def __init__(self, games, game) -> None:
        self.games, self.game, self.count, self.times = games, game, 0, 0

    def __call__(self, after, until):
        commits = self.games.commits(self.game, after, until)
        self.count += len(commits)
        self.times += 1
        return commits


@pytest.fixture
def reading():
    return Reading(*finished(5, length="full"))


def test_a_moment_is_the_game_after_its_version(reading):
    positions = Positions()
    for version in (1, 49, 50, 51, 170, 120):
        moment = positions.moment(reading.game, version, reading)
        assert moment.game == reading.games.load(reading.game, version)


def test_a_known_game_is_folded_from_the_nearest_kept_moment(reading):
    positions = Positions()
    positions.moment(reading.game, 240, reading)
    for version in range(EVERY, 240, 7):
        reading.count = 0
        positions.moment(reading.game, version, reading)
        assert reading.count < EVERY


def test_a_game_that_goes_on_is_folded_from_the_moment_that_was_asked_for_last(reading):
    positions = Positions()
    positions.moment(reading.game, 140, reading)
    for version in (141, 142, 142, 144):
        positions.moment(reading.game, version, reading)
    reading.count = 0
    for version in (145, 145, 147, 144):
        assert positions.moment(reading.game, version, reading).game == reading.games.load(reading.game, version)
    assert reading.count == 3


def test_a_moment_that_is_kept_is_not_read_again(reading):
    positions = Positions()
    kept = positions.moment(reading.game, 144, reading)
    assert positions.moment(reading.game, 144, reading) is kept
    assert reading.times == 1


def test_a_moment_that_was_thrown_away_is_folded_again(reading):
    positions = Positions(size=1)
    later = positions.moment(reading.game, 200, reading)
    assert positions.moment(reading.game, 100, reading).game.version == 100
    assert positions.moment(reading.game, 200, reading) == later


@pytest.mark.parametrize("version", [0, 100_000])
def test_a_version_that_is_not_there_is_refused(reading, version):
    with pytest.raises(NoSuchGame):
        Positions().moment(reading.game, version, reading)
