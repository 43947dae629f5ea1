"""Figures for operators, in Prometheus' format.

`hidalgo serve` gives its workers a directory to count in together, before they start; any of them answers for all.
Without it, as behind another server, each process answers for itself.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time
from typing import Any

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from events.errors import StoreError
from events.log import PackedGame
from events.log.codec import Commit
from events.store import Store
from events.workers.archiver import Outcome

ENDPOINT = "hidalgo.endpoint"
"""In the environment of a request that Flask has not dispatched: the endpoint that answers it."""

STREAMS_OPEN = Gauge("hidalgo_streams_open", "Event streams that are open.", multiprocess_mode="livesum")
STREAMS_REFUSED = Counter("hidalgo_streams_refused", "Event streams for which there was no room.")
CONNECTIONS_CLOSED = Counter("hidalgo_connections_closed", "Connections of addresses that had more than their share.")
DELIVERIES = Counter("hidalgo_stream_deliveries", "Commits handed to streams by the hub, once for each stream.")
LAG = Histogram(
    "hidalgo_stream_lag_seconds",
    "From the time of a commit until the hub has handed it to all streams.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30),
)
NOTICES = Counter("hidalgo_notices", "Notices written into inboxes.", ["kind"])
NOTIFIER_LAG = Histogram(
    "hidalgo_notifier_lag_seconds",
    "From the time of a commit until the accounts it concerns have their notices, and their webhooks their deliveries.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300),
)
MAILS = Counter("hidalgo_mail_tries", "Tries to hand a letter to the mail server.", ["outcome"])
MAIL_FAILURES = Counter("hidalgo_mail_failures", "Tries that failed, by their reason.", ["reason"])
WEBHOOKS = Counter("hidalgo_webhook_tries", "Tries to deliver something to a webhook.", ["outcome"])

DEADLINES = Counter("hidalgo_deadlines", "Answers given for players whose time was up, or who were away.")
LATENESS = Histogram(
    "hidalgo_deadline_lateness_seconds",
    "From the deadline of a player who is there until it was dealt with.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600),
)
LEASED_BUCKETS = Gauge(
    "hidalgo_leased_buckets", "Buckets of games that the scheduler looks after.", multiprocess_mode="livesum"
)
PACKED = Counter("hidalgo_packed_games", "Games that were packed after their end.")
SAVED = Counter("hidalgo_packed_saved_bytes", "Bytes of these games, as written, that the store no longer keeps.")
ARCHIVED = Counter("hidalgo_archived_games", "Packed games that have left the store for the archive.")
JOB_SECONDS = Histogram(
    "hidalgo_job_seconds",
    "Runs of a job of the scheduler; one that waits to be woken is run again at once, and its waiting counts.",
    ["job"],
    buckets=(0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600),
)
JOB_FAILURES = Counter("hidalgo_job_failures", "Runs of a job of the scheduler that failed.", ["job"])
STORE_RESTARTS = Counter("hidalgo_store_restarts", "Starts of the embedded store after it had died.")
REQUESTS = Histogram(
    "hidalgo_request_seconds",
    "From the arrival of a request until its answer begins.",
    ("endpoint", "status"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30),
)


def written(shared: Path | None) -> bytes:
    """All figures; of all processes that count in this directory."""
    return generate_latest(registry(shared))


def registry(shared: Path | None) -> CollectorRegistry:
    if not shared:
        return REGISTRY
    forget_the_dead(shared)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(shared))
    return registry


def store_figures(store: Store) -> bytes:
    registry = CollectorRegistry()
    registry.register(StoreCollector(store))
    return generate_latest(registry)


class StoreCollector(Collector):
    """Asks the store for every answer; it is the same for all processes, so that none counts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("hidalgo_store_up", "Whether the store answers.")
        used = GaugeMetricFamily("hidalgo_store_memory_bytes", "Memory that the store has filled.", labels=["server"])
        limit = GaugeMetricFamily(
            "hidalgo_store_memory_limit_bytes", "Memory that the store may fill; 0: any.", labels=["server"]
        )
        with suppress(StoreError):
            for memory in self._store.memory():
                used.add_metric([memory.server], memory.used)
                limit.add_metric([memory.server], memory.limit)
        up.add_metric([], bool(used.samples))
        yield from (up, used, limit)


def forget_the_dead(directory: Path) -> None:
    """The open streams of a worker that was killed are closed."""
    for file in directory.glob("gauge_live*.db"):
        if (found := re.search(r"_(\d+)\.db$", file.name)) and not is_alive(int(found[1])):
            mark_process_dead(int(found[1]), str(directory))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def answered(environ: dict[str, Any], status: str, seconds: float) -> None:
    if not (endpoint := environ.get(ENDPOINT)):
        request = environ.get("werkzeug.request")
        endpoint = str(request and request.endpoint)
    requests(endpoint, status).observe(seconds)


@cache
def requests(endpoint: str, status: str) -> Histogram:
    return REQUESTS.labels(endpoint, status)


def packed(game: PackedGame) -> None:
    """Called by the packer."""
    PACKED.inc()
    SAVED.inc(max(0, game.size - len(game.value)))


def archived(outcome: Outcome) -> None:
    """Called after each run of the archiver."""
    ARCHIVED.inc(outcome.archived)


def handed_out(commits: Sequence[Commit], listeners: int) -> None:
    """Called by the hub."""
    DELIVERIES.inc(len(commits) * listeners)
    now = time()
    for commit in commits:
        LAG.observe(max(0.0, now - commit.header.at / 1000))
