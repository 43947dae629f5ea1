"""Receivers that take connections and never answer hold back no others: real sockets, and the times of reality."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import enumerate as enumerate_threads

import pytest

from service.bench.servers import percentile
from service.notifications.deliveries import Delivery
from service.notifications.delivery_queue import CLAIMED_FOR
from service.notifications.retry_policy import RetryPolicy
from service.notifications.sender import SECONDS_IN_ALL
from tests.events.servers import eventually
from tests.service.notifications.harness import SOON, Harness
from tests.service.notifications.receiver import Receiver

HEALTHY = 5
LATEST = 2.0
"""Seconds after which 99 of 100 deliveries to healthy receivers have arrived. Short runs, on machines that may be busy,
only show that none waited for a silent one."""


@contextmanager
def silent_receivers(count: int) -> Iterator[list[str]]:
    """Their connections are made by the kernel, and nothing is ever read."""
    with ExitStack() as until_the_end:
        sockets = [until_the_end.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        yield [f"http://127.0.0.1:{each.getsockname()[1]}" for each in sockets]


def delays(bot: Receiver) -> list[float]:
    """Notes the seconds from each commit to its delivery."""
    noted: list[float] = []

    def take(payload) -> int:
        noted.append(time.time() - payload["event"]["at"] / 1000)
        return 204

    bot.behaviour = take
    return noted


LONG = [pytest.mark.long, pytest.mark.timeout(600)]
KINDS = {
    "an account each": (20, 1, 1.5),
    "five of an account": (100, 5, 1.5),
    "an account each, for a minute": (100, 1, 60),
    "five of an account, for a minute": (100, 5, 60),
    "five hundred accounts, for some seconds": (500, 1, 6),
}
"""Receivers, how many of them an account has, and seconds. Twenty accounts are more than few threads could wait for."""


@pytest.mark.parametrize(
    ("silent", "hooks", "seconds"),
    [pytest.param(*kind, id=name, marks=LONG if kind[2] > 2 else []) for name, kind in KINDS.items()],
)
def test_silent_receivers_hold_back_no_healthy_ones(
    harness: Harness, bot: Receiver, silent: int, hooks: int, seconds: float
):
    harness.sender._seconds = SECONDS_IN_ALL
    noted, healthy = delays(bot), harness.people(HEALTHY)
    for account in healthy:
        harness.hook(account, bot.url, "commit")
    with silent_receivers(silent) as urls:
        owners = harness.people(silent // hooks)
        for number, url in enumerate(urls):
            harness.hook(owners[number % len(owners)], url, "commit")
        with harness.workers(RetryPolicy(), CLAIMED_FOR):
            made, end = 0, time.monotonic() + seconds
            while time.monotonic() < end:
                for account in owners:
                    harness.games.create("el_grande", 2, owner=account)
                for account in healthy:
                    harness.games.create("el_grande", 2, owner=account)
                    made += 1
                time.sleep(0.1)
            eventually(lambda: len(noted) == made, SOON)
    latest = LATEST if seconds > 2 else SECONDS_IN_ALL
    assert percentile(noted, 99) < latest, f"{len(noted)} deliveries"
    eventually(lambda: not any(thread.name == "delivery" for thread in enumerate_threads()), SOON)
    assert tried(harness, owners), "the silent ones are tried, too"


def tried(harness: Harness, owners: list[str]) -> list[Delivery]:
    return [
        delivery
        for account in owners
        for hook in harness.webhooks.all(account)
        for delivery in harness.webhooks.deliveries(account, hook.id, "", 10**9, 1000)
        if delivery.attempts
    ]
