"""A test harness: accounts, tables with players, and workers that run when a test asks for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from random import Random
from typing import Any

from events.buckets import USUAL
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store
from events.table.commands import Join, Play, Start
from rules.simulation import random_answer, random_decision
from service.accounts import Accounts
from service.notifications.delivery_queue import CLAIMED_FOR
from service.notifications.delivery_worker import DeliveryWorker
from service.notifications.inbox import Inboxes
from service.notifications.mailboxes import Mailboxes, Webhook
from service.notifications.notices import Notice
from service.notifications.notifier import Notifier
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.retry_policy import RetryPolicy
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks
from service.operations.jobs import WHEN_WOKEN, Job
from service.operations.scheduler import Scheduler
from tests.events.servers import eventually

LOOPBACK = [ip_network("127.0.0.0/8")]
QUICK = RetryPolicy(attempts=1000, first_pause=5, longest_pause=50)
SOON = 60.0
"""Seconds within which every delivery must have arrived."""


def job(name: str, attend: Callable[[Collection[int]], None]) -> Job:
    """In all buckets."""
    return Job(name, "", WHEN_WOKEN, lambda: attend(USUAL.all))


class Harness:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.log = RedisLog(store)
        self.games = Games(self.log)
        self.accounts = Accounts(store, cached_for=0)
        self.inboxes = Inboxes(store)
        self.mailboxes = Mailboxes(store)
        self.sender = Sender(AddressPolicy(LOOPBACK), seconds=1)
        self.webhooks = Webhooks(store, self.sender)

    # People and tables

    def people(self, count: int) -> list[str]:
        return [self.accounts.make_guest().id for _ in range(count)]

    def table(self, *people: str, players: int = 0, **about: Any) -> str:
        """An open table that the first one owns, where all of them have seats."""
        count = players or max(2, len(people))
        game = self.games.create("el_grande", count, {"game_length": "short"}, owner=people[0], **about).id
        for account in people:
            self.games.submit(game, Join(account, invited=True))
        return game

    def begun(self, *people: str, **how: Any) -> str:
        game = self.table(*people, **how)
        self.games.submit(game, Start(self.games.load(game).owner))
        return game

    def play(self, game: str, moves: int = 10_000, seed: int = 1) -> None:
        """Random moves, so many or to the end."""
        pick = Random(seed).randrange
        for _ in range(moves):
            state = self.games.load(game).state
            if state.is_over:
                return
            self.games.submit(game, Play(random_answer(state, random_decision(state, pick), pick)))

    # Notifications

    def notifier(self, **how: Any) -> Notifier:
        return Notifier(self.log, self.store, **how)

    def notify(self) -> int:
        """Read all feeds to their ends; gives how many commits were read."""
        notifier, count = self.notifier(), 0
        while entries := notifier.attend(USUAL.all):
            count += entries
        return count

    def notices(self, account: str) -> list[Notice]:
        return self.inboxes.read(account, 0)

    def kinds(self, account: str) -> list[str]:
        return [notice.kind for notice in self.notices(account)]

    def hook(self, account: str, url: str, *events: str) -> Webhook:
        return self.webhooks.create(account, url, events or ("your_turn",), f"{url}{events}")

    def delivery_worker(self, retry_policy: RetryPolicy = QUICK, claimed_for: int = CLAIMED_FOR) -> DeliveryWorker:
        return DeliveryWorker(self.store, self.sender, retry_policy=retry_policy, claimed_for=claimed_for)

    def workers(self, retry_policy: RetryPolicy = QUICK, claimed_for: int = 500) -> Scheduler:
        """Both workers. The claims of one that is killed expire soon."""
        worker = self.delivery_worker(retry_policy, claimed_for)
        notifier = Notifier(self.log, self.store, wake=worker.wake)
        return Scheduler([job("notifier", notifier.attend_changed), job("deliveries", worker.attend_due)])

    @contextmanager
    def delivering(self, retry_policy: RetryPolicy = QUICK, claimed_for: int = CLAIMED_FOR) -> Iterator[DeliveryWorker]:
        """A delivery worker at work."""
        worker = self.delivery_worker(retry_policy, claimed_for)
        with Scheduler([job("deliveries", worker.attend_due)]):
            yield worker
        worker.close()

    def states(self, hook: Webhook, account: str) -> list[str]:
        """The states of the deliveries of a hook, newest first."""
        return [delivery.state for delivery in self.webhooks.deliveries(account, hook.id, "", 10**9, 10_000)]

    def until_all_are_delivered(self, account: str) -> None:
        eventually(lambda: self.store.commands.zcard(f"hidalgo:{{{account}}}:due") == 0, SOON)
