"""Workers are killed and stores go away. Nothing is lost, and a delivery that comes twice has the same id."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from events.store import connect
from service.operations import logs
from tests.events.servers import eventually, server
from tests.service.notifications.harness import SOON, Harness
from tests.service.notifications.receiver import Receiver
from tests.service.notifications.test_delivery_worker import events, whole

COMMAND = [sys.executable, "-m", "tests.service.notifications.worker_process"]


@contextmanager
def worker_process(harness: Harness) -> Iterator[subprocess.Popen]:
    with subprocess.Popen([*COMMAND, harness.store.url], stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def assert_notified_once(harness: Harness, *people: str) -> None:
    for account in people:
        notices = harness.notices(account)
        assert [notice.id for notice in notices] == list(range(1, len(notices) + 1))
        assert len({(notice.game, notice.version, notice.kind, notice.seat) for notice in notices}) == len(notices)


def everything_is_delivered(harness: Harness, bot: Receiver, account: str, games: list[str]) -> bool:
    nothing_waits = harness.store.commands.zcard(f"hidalgo:{{{account}}}:due") == 0
    return nothing_waits and {game: len(found) for game, found in events(bot.taken).items()} == {
        game: harness.games.load(game).version for game in games
    }


@pytest.mark.parametrize("kills", [6, pytest.param(50, marks=[pytest.mark.long, pytest.mark.timeout(3600)])])
def test_workers_that_are_killed_in_the_middle_lose_nothing(harness: Harness, bot: Receiver, kills: int):
    chance = Random(kills)
    ana, ben = harness.people(2)
    harness.hook(ana, bot.url, "commit")
    bot.behaviour = lambda _: chance.choice([204, 204, 500])
    games: list[str] = []
    for _ in range(kills):
        games.append(harness.begun(ana, ben))
        harness.play(games[-1], moves=10)
        before = len(bot.got)
        with worker_process(harness):
            # Killed at any moment after it has begun to deliver.
            eventually(lambda before=before: len(bot.got) > before, SOON)  # type: ignore[misc]
            time.sleep(chance.uniform(0, 0.1))
    with worker_process(harness):
        eventually(lambda: everything_is_delivered(harness, bot, ana, games), SOON)
    assert events(bot.taken) == whole(harness, *games)
    bodies = {got.delivery: got.body for got in bot.got}
    assert all(bodies[got.delivery] == got.body for got in bot.got)
    assert_notified_once(harness, ana, ben)


def test_workers_wait_for_a_store_that_is_away_and_go_on(bot: Receiver, capfd):
    logs.configure()
    written: list[str] = []

    def output() -> str:
        written.append(capfd.readouterr().err)
        return "".join(written)

    with server() as redis:
        store = connect(redis.url)
        harness = Harness(store)
        workers = harness.workers()
        workers.start()
        try:
            ana, ben = harness.people(2)
            harness.hook(ana, bot.url, "commit")
            first = harness.begun(ana, ben)
            eventually(lambda: everything_is_delivered(harness, bot, ana, [first]), SOON)
            redis.kill()
            eventually(lambda: all(f'"job":"{worker}"' in output() for worker in ("notifier", "deliveries")), SOON)
            redis.start()
            second = harness.begun(ana, ben)
            eventually(lambda: everything_is_delivered(harness, bot, ana, [first, second]), SOON)
            assert_notified_once(harness, ana, ben)
        finally:
            workers.stop()
            store.close()
