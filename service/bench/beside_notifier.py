"""The whole service under the moves of `hidalgo bench api`: can the notifier follow?

The samples of the move path run without a scheduler, which would ask the store all the time, whether players move or
not. Here it runs as `hidalgo serve` runs it, and the feeds are counted as soon as the last move is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from events.log import BUCKETS
from events.log.redis import RedisLog
from events.store import Store
from service.bench.clients import Clients, Plan, Room, Sample
from service.bench.figures import Figure
from service.bench.notices import catch_up
from service.bench.servers import WHOLE_SERVICE
from service.notifications.notifier import CONSUMER

SAMPLE = 4
"""So many times longer than a sample of the move path: if a notifier is a little too slow, that shows late."""
ROUNDS = 5
"""One sample for so many of the move path."""
MOST_BEHIND = 1_000_000
"""In each feed: all that are there."""


@dataclass(frozen=True)
class Followed:
    """A sample, and how the notifier followed it."""

    sample: Sample
    behind: int
    """Commits that it had not read when the last move was answered."""
    seconds: float
    """So long it took to read them."""


def beside_notifier(folder: Path, plan: Plan) -> Iterator[Figure]:
    """Figures of moves with a notifier beside, on a store of their own: no older commit waits for it."""
    with ExitStack() as until_the_end:
        room = Room(folder, plan, until_the_end)
        clients = room.clients(WHOLE_SERVICE)
        followed = [follow(clients, room.store, SAMPLE * plan.seconds) for _ in range(max(1, plan.rounds // ROUNDS))]
    moves = sum(each.sample.moves for each in followed)
    yield Figure("moves with a notifier beside", median(each.sample.a_second for each in followed), "/s")
    if used := [each.sample.server for each in followed if each.sample.server is not None]:
        yield Figure("the processor of both, a move", 1e6 * sum(used) / moves, "µs")
    yield Figure("the notifier behind, after a sample", median(each.behind for each in followed), "commits")
    seconds = median(each.seconds for each in followed)
    yield Figure("the notifier behind, until it has caught up", seconds, "s", at_most=0.25)


def follow(clients: Clients, store: Store, seconds: float) -> Followed:
    clients.prepare(seconds)
    catch_up(store)
    sample = clients.sample(seconds)
    return Followed(sample, commits_behind(store), catch_up(store))


def commits_behind(store: Store) -> int:
    """Commits in the feeds that the notifier has not read. Two round trips, in which it does not get far."""
    log = RedisLog(store)
    unread = log.feeds(log.checkpoints_of(CONSUMER, range(BUCKETS)), limit=MOST_BEHIND)
    return sum(map(len, unread.values()))
