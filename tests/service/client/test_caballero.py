"""El Caballero over HTTP, by programs that know nothing but the schemas of decisions."""

import time
from collections.abc import Sequence

import pytest

from events.audit.verify import verify
from service.client import Game
from tests.running import Service
from tests.service.client.tables import checked, guests, seated

MODES = ("basic", "advanced")


def played(service: Service, bots: Sequence[str], mode: str, seed: int) -> tuple[Game, int]:
    """A whole game whose export is genuine, and the number of its moves."""
    with guests(service.url, len(bots)) as players:
        table = seated(players, bots, seed, rules="el_caballero", options={"mode": mode})
        game = table.to_the_end()
        moves = checked(players[0], game)
        assert verify(players[0].export(game)).finished
    return game, moves


@pytest.mark.parametrize(
    ("bots", "mode"),
    [(["sampler"] * 2, "basic"), (["sampler", "random", "greedy"], "basic"), (["sampler"] * 4, "advanced")],
    ids=["two, basic", "three of all kinds, basic", "four, advanced"],
)
def test_programs_that_know_only_the_schemas_play_a_whole_game(service, described, bots, mode):
    game, moves = played(service, bots, mode, 1)
    assert moves > 30
    assert sorted(game.places or {}) == sorted(seat.seat for seat in game.seats)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_games_of_samplers_end(service, capsys):
    total, began = 0, time.monotonic()
    for number in range(100):
        _, moves = played(service, ["sampler"] * (2 + number % 3), MODES[number % 2], number)
        total += moves
    with capsys.disabled():
        print(f"\n100 games of El Caballero, {total} moves over HTTP, {time.monotonic() - began:.0f} s")
