"""A store that has lost accepted commits, and taken others: no process goes on from the lost ones."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise

import pytest

from events.audit.verify import verify_stored
from events.games import Games
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from events.table.commands import Join, Start


@contextmanager
def memory(running_stores):
    """A log, and a way to lose everything since now."""
    log = MemoryLog()

    def lose_from_here():
        before = {name: (list(game.entries), dict(game.commands)) for name, game in log._games.items()}

        def lose():
            for name, (entries, commands) in before.items():
                log._games[name].entries[:] = entries
                log._games[name].commands = commands

        return lose

    yield log, lose_from_here


@contextmanager
def redis(running_stores):
    with running_stores.opened("embedded") as store:
        [primary] = store.primaries().values()

        def lose_from_here():
            before = {key: primary.dump(key) for key in primary.keys("*")}

            def lose():
                primary.flushall()
                for key, value in before.items():
                    primary.restore(key, 0, value)

            return lose

        yield RedisLog(store), lose_from_here


@pytest.fixture(params=[memory, redis], ids=["memory", "redis"])
def logs(request, running_stores):
    with request.param(running_stores) as opened:
        yield opened


@pytest.fixture
def table(logs):
    """A process that knows two commits which the store has lost; another has put two others in their place."""
    log, lose_from_here = logs
    knows, other = Games(log), Games(log)
    game = knows.create("el_grande", players=3, owner="ana").id
    knows.submit(game, Join("ana"))
    lose = lose_from_here()
    knows.submit(game, Join("ben"))
    knows.submit(game, Join("cleo"))
    lose()
    other.submit(game, Join("dora"))
    other.submit(game, Join("emil"))
    return game, knows, other


def test_a_command_is_decided_on_top_of_what_the_store_has(table):
    game, knows, other = table
    accepted = knows.submit(game, Start("ana"))
    assert list(accepted.after.seats.values()) == ["ana", "dora", "emil"]
    commits = other.commits(game)
    assert all(after.header.previous == before.hash for before, after in pairwise(commits))
    assert verify_stored(other, game).commits == 5


def test_reading_on_finds_out(table):
    game, knows, other = table
    other.submit(game, Start("ana"))
    assert list(knows.load(game).seats.values()) == ["ana", "dora", "emil"]


def test_a_list_finds_out(table):
    game, knows, other = table
    other.submit(game, Start("ana"))
    listed = knows.load_newer({game: 0})[game]
    assert listed
    assert list(listed.seats.values()) == ["ana", "dora", "emil"]
