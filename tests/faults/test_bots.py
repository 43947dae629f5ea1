"""Tables with bots, two schedulers, one of which is killed again and again: every answer comes once, at its pace, and
real deadlines are not late for it."""

import time
from itertools import pairwise

import pytest

from events.audit.verify import verify_stored
from events.games import Games
from events.table.commands import SeatBot, Start
from events.table.facts import BotAnswered
from events.table.time_control import TimeControl
from tests.events.servers import embedded_server, eventually
from tests.faults.scheduling import effects_in, keepers
from tests.faults.test_self_playing_tables import begun, lateness, served

PACE = 200


def bots_only(games: Games) -> str:
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="ana").id
    for bot in ("greedy", "random"):
        games.submit(game, SeatBot("ana", bot, pace_ms=PACE))
    games.submit(game, Start("ana"))
    return game


def answers_of(games: Games, game: str) -> list[int]:
    """When each answer of a bot came."""
    commits = games.commits(game, after=4)
    assert all(isinstance(commit.facts[0], BotAnswered) for commit in commits)
    return [commit.header.at for commit in commits]


def drilled(tables: int, answers: int, people: int, each: int) -> float:
    with embedded_server() as server, served(server.url) as (_, games), keepers(server.url, (0, 0)) as working:
        playing = [bots_only(games) for _ in range(tables)]
        real = [begun(games, TimeControl(limit_ms=1000, strikes=0)) for _ in range(people)]

        def is_done() -> bool:
            time.sleep(0.5)
            working[0].kill()
            return all(
                games.log.version(game) >= 4 + answers or games.load(game).status == "over" for game in playing
            ) and all(games.log.version(game) >= 2 + each for game in real)

        eventually(is_done, seconds=200)
        for game in playing:
            at = answers_of(games, game)
            assert all(later - earlier >= PACE for earlier, later in pairwise(at))
            verify_stored(games, game)
        return lateness([effect for game in real for effect in effects_in(games, game, 0)[:each]])


def test_bots_play_on_when_schedulers_are_killed():
    """A scheduler that takes over buckets of a killed one is some seconds late; nothing else may be."""
    drilled(tables=5, answers=8, people=5, each=2)


@pytest.mark.long
def test_many_tables_of_bots_beside_real_deadlines():
    drilled(tables=50, answers=60, people=40, each=8)
