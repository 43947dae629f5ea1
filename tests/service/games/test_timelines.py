"""Positions of stored games."""

import pytest

from events.errors import NoSuchGame
from replay.positions import Positions
from service.games.timelines import Timelines
from tests.events.played import finished


class Unasked(Positions):
    """Those of a game in which nothing may be looked for."""

    def moment(self, game, version, read):
        raise AssertionError(f"version {version} is looked for")


def test_a_version_after_the_last_is_refused_and_not_looked_for_among_all_before_it():
    games, game = finished(2)
    with pytest.raises(NoSuchGame, match="1000000000"):
        Timelines(games, Unasked()).frame(games.load(game), "spectator", 1_000_000_000)
