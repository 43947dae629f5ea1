"""The notifier beside the moves of `hidalgo bench api`: does it follow them?

It reads every commit. The commits that it has not read are counted when the last move of a sample is answered, and it
catches up before anything else is measured: neither is a move made cheaper by work that is left for later, nor the bare
endpoint slower by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from events.log.redis import RedisLog
from events.store import Store
from service.bench.clients import Clients
from service.bench.figures import Figure
from service.bench.notices import catch_up
from service.notifications.notifier import CONSUMER

MOST_BEHIND = 1_000_000
"""In each feed: all that are there."""


class Following:
    """Samples, and how the notifier followed each."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.behind: list[int] = []
        """Commits that it had not read when the last move was answered."""
        self.seconds: list[float] = []
        """So long it took to read them."""

    def sample(self, seconds: float) -> None:
        store = self.clients.store
        self.clients.prepare(seconds)
        catch_up(store)
        self.clients.sample(seconds)
        self.behind.append(commits_behind(store))
        self.seconds.append(catch_up(store))


def followed(following: Following) -> Iterator[Figure]:
    samples = following.clients.samples
    if used := [sample.scheduler for sample in samples if sample.scheduler is not None]:
        yield Figure("the scheduler's processor, a move", 1e6 * sum(used) / sum(s.moves for s in samples), "µs")
    yield Figure("the notifier behind, after a sample", median(following.behind), "commits")
    yield Figure("the notifier behind, until it has caught up", median(following.seconds), "s", at_most=0.1)


def commits_behind(store: Store) -> int:
    """Commits in the feeds that the notifier has not read. Two round trips, in which it does not get far."""
    log = RedisLog(store)
    unread = log.feeds(log.checkpoints_of(CONSUMER, log.buckets.all), limit=MOST_BEHIND)
    return sum(map(len, unread.values()))
