"""The periodic jobs of the service: one table, whose rows a scheduler runs.

Any number of processes run all jobs at once, and no work is done twice: leases share the buckets of games among the
processes, and the log takes every command once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from events.store.rewriting import rewrite_bloated
from service.operations.guests import clean_guests
from service.services import Services

ONE_BUCKET = 0
"""A job for one process is run by the holder of this bucket's lease."""

WHEN_WOKEN = None
"""Work that waits itself, for a moment, to be woken when there is something to do. It has a thread of its own: a player
should hear after milliseconds that it is their turn, not at the next tick."""


@dataclass(frozen=True)
class Job:
    """`every`: seconds from one run to the next. `once`: whether one process is enough."""

    name: str
    about: str
    every: float | None
    work: Callable[[], Any]
    once: bool = False


def jobs(wired: Services) -> list[Job]:
    leases, deadlines, log = wired.leases, wired.deadlines, wired.games.log

    def answer_for_late_players() -> None:
        if leases.is_short:
            leases.renew()
        deadlines.attend(leases.fences)

    def trim_feeds() -> None:
        for bucket in leases.fences:
            log.trim_feed(bucket)

    def rewrite_file() -> None:
        rewrite_bloated(wired.store)

    def pack_finished_games() -> None:
        if not deadlines.is_behind:
            wired.packer.attend(leases.fences)

    def forget_guests() -> None:
        clean_guests(wired.accounts, wired.games, wired.index)

    def to_notify() -> Collection[int]:
        """After another scheduler has died there may be much to do, and deadlines come first."""
        return () if deadlines.is_behind else leases.fences

    return [
        Job("leases", "keeps a fair share of the buckets", 0.5, leases.renew),
        Job("deadlines", "answers for players whose time is up", 0.2, answer_for_late_players),
        Job("feeds", "cuts off entries that all consumers have read", 60, trim_feeds),
        Job("packing", "packs games that are over", 2, pack_finished_games),
        Job("file", "rewrites a file of the store that is mostly out of date", 300, rewrite_file, once=True),
        Job("guests", "forgets guests that are gone", 3600, forget_guests, once=True),
        Job(
            "notifier", "writes notices and deliveries", WHEN_WOKEN, lambda: wired.notifier.attend_changed(to_notify())
        ),
        Job("deliveries", "sends to webhooks", WHEN_WOKEN, lambda: wired.deliveries.attend_due(to_notify())),
    ]
