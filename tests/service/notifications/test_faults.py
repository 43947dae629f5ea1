"""Workers are killed and stores go away. Nothing is lost, and a delivery that comes twice has the same id."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from events.store import connect
from service.notifications.workers import NotificationWorkers
from tests.events.servers import eventually, server
from tests.service.notifications.receiver import Receiver
from tests.service.notifications.test_delivery_worker import events, whole
from tests.service.notifications.town import QUICK, SOON, Town

COMMAND = [sys.executable, "-m", "tests.service.notifications.worker_process"]


@contextmanager
def worker_process(town: Town) -> Iterator[subprocess.Popen]:
    settings = os.environ | {"HIDALGO_WEBHOOKS_TO": "127.0.0.0/8"}
    with subprocess.Popen([*COMMAND, town.store.url], env=settings, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def assert_told_once(town: Town, *people: str) -> None:
    for who in people:
        told = town.notices(who)
        assert [notice.id for notice in told] == list(range(1, len(told) + 1))
        assert len({(notice.game, notice.version, notice.kind, notice.seat) for notice in told}) == len(told)


def everything_is_told(town: Town, bot: Receiver, who: str, games: list[str]) -> bool:
    nothing_waits = town.store.commands.zcard(f"hidalgo:{{{who}}}:due") == 0
    return nothing_waits and {game: len(found) for game, found in events(bot.taken).items()} == {
        game: town.games.load(game).version for game in games
    }


@pytest.mark.parametrize("kills", [6, pytest.param(50, marks=[pytest.mark.long, pytest.mark.timeout(3600)])])
def test_workers_that_are_killed_in_the_middle_lose_nothing(town: Town, bot: Receiver, kills: int):
    chance = Random(kills)
    ana, ben = town.people(2)
    town.hook(ana, bot.url, "commit")
    bot.behaviour = lambda told: chance.choice([204, 204, 500])
    games: list[str] = []
    for _ in range(kills):
        games.append(town.begun(ana, ben))
        town.play(games[-1], moves=10)
        before = len(bot.got)
        with worker_process(town):
            # Killed at any moment after it has begun to deliver.
            eventually(lambda before=before: len(bot.got) > before, SOON)  # type: ignore[misc]
            time.sleep(chance.uniform(0, 0.1))
    with worker_process(town):
        eventually(lambda: everything_is_told(town, bot, ana, games), SOON)
    assert events(bot.taken) == whole(town, *games)
    bodies = {got.delivery: got.body for got in bot.got}
    assert all(bodies[got.delivery] == got.body for got in bot.got)
    assert_told_once(town, ana, ben)


def test_workers_wait_for_a_store_that_is_away_and_go_on(bot: Receiver, monkeypatch, capfd):
    monkeypatch.setenv("HIDALGO_WEBHOOKS_TO", "127.0.0.0/8")
    written: list[str] = []

    def said() -> str:
        written.append(capfd.readouterr().err)
        return "".join(written)

    with server() as redis:
        store = connect(redis.url)
        town, workers = Town(store), NotificationWorkers(store, retry_policy=QUICK, claimed_for=500)
        workers.start()
        try:
            ana, ben = town.people(2)
            town.hook(ana, bot.url, "commit")
            first = town.begun(ana, ben)
            eventually(lambda: everything_is_told(town, bot, ana, [first]), SOON)
            redis.kill()
            eventually(lambda: all(f'"event":"{worker}"' in said() for worker in ("notifier", "delivery_worker")), SOON)
            redis.start()
            second = town.begun(ana, ben)
            eventually(lambda: everything_is_told(town, bot, ana, [first, second]), SOON)
            assert_told_once(town, ana, ben)
        finally:
            workers.stop()
            store.close()
