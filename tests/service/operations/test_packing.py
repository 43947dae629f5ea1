"""A scheduler packs games that are over, and counts them."""

import pytest
from prometheus_client import REGISTRY

from events.games import Games
from events.log.redis import RedisLog
from service.operations.scheduler import scheduling
from service.settings import Settings
from tests.events.played import play
from tests.events.servers import eventually

pytestmark = pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_scheduler_packs_games_some_time_after_their_end(store):
    games = Games(RedisLog(store))
    over, running = play(games, 2), play(games, 2, moves=3, seed=2)
    size = len(b"".join(games.log.read(over)))
    packed, saved = figure("hidalgo_packed_games_total"), figure("hidalgo_packed_saved_bytes_total")
    with scheduling(store, Settings(pack_after=0.001)):
        eventually(lambda: games.log.is_packed(over))
    assert not games.log.is_packed(running)
    assert figure("hidalgo_packed_games_total") == packed + 1
    assert figure("hidalgo_packed_saved_bytes_total") > saved + size / 2


def test_a_game_that_has_just_ended_stays_as_it_is(store):
    games = Games(RedisLog(store))
    over, before = play(games, 2), figure("hidalgo_job_seconds_count", job="packing")
    with scheduling(store, Settings()):
        eventually(lambda: figure("hidalgo_job_seconds_count", job="packing") > before)
    assert not games.log.is_packed(over)
