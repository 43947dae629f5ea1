"""The periodic jobs of the service: one table, whose rows a scheduler runs.

Any number of processes run all jobs at once, and no work is done twice: leases share the buckets of games among the
processes, and the log takes every command once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from events.store.rewriting import rewrite_bloated
from service.operations import metrics
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

    def renew_leases() -> None:
        leases.renew()
        metrics.LEASED_BUCKETS.set(len(leases.fences))

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
        clean_guests(wired.accounts, wired.index)

    def archive_games() -> None:
        if not deadlines.is_behind:
            metrics.archived(wired.archiver.attend(leases.fences))

    def list_games() -> None:
        if not deadlines.is_behind:
            wired.index_rebuild.attend(is_urgent=lambda: deadlines.is_behind)

    def remind_players() -> None:
        wired.reminders.attend(to_notify())

    def give_answers_ahead() -> None:
        wired.ahead.attend(to_notify())

    def send_letters() -> None:
        if wired.mail.worker:
            wired.mail.worker.attend(to_notify())

    def index_studies() -> None:
        wired.study_worker.attend(to_notify())

    def look_after_studies() -> None:
        wired.study_worker.rebuild()
        wired.study_worker.finish()

    def run_tournaments() -> None:
        wired.round_worker.note_results(to_notify())
        wired.round_worker.attend(to_notify())

    def follow_tournaments() -> None:
        wired.tournament_feed.attend(to_notify())

    def write_announcements() -> None:
        wired.tournament_notices.attend(to_notify())

    def compute_ratings() -> None:
        wired.rating_worker.attend()

    def index_tournaments() -> None:
        wired.tournament_feed.rebuild()

    def to_notify() -> Collection[int]:
        """After another scheduler has died there may be much to do, and deadlines come first."""
        return () if deadlines.is_behind else leases.fences

    return [
        Job("leases", "keeps a fair share of the buckets", 0.5, renew_leases),
        Job("deadlines", "answers for players whose time is up", 0.2, answer_for_late_players),
        Job("reminders", "reminds players whose time runs out soon", 1, remind_players),
        Job("ahead", "gives the answers that players have given ahead", 0.5, give_answers_ahead),
        Job("mail", "sends letters, if a mail server is named", 1, send_letters),
        Job("feeds", "cuts off entries that all consumers have read", 60, trim_feeds),
        Job("packing", "packs games that are over", 2, pack_finished_games),
        Job("archive", "moves packed games into the archive, if there is one", 5, archive_games),
        Job("file", "rewrites a file of the store that is mostly out of date", 300, rewrite_file, once=True),
        Job("indexing", "lists studies that were edited by a process that died", 5, index_studies),
        Job("studies", "makes a lost index of studies anew, and finishes removals", 5, look_after_studies, once=True),
        Job("rounds", "starts and ends the rounds of tournaments, and notes results", 0.5, run_tournaments),
        Job("tournaments", "tells games and players what tournaments have decided", 0.5, follow_tournaments),
        Job("announcements", "writes notices about tournaments", 0.5, write_announcements),
        Job("ratings", "computes ratings after new and corrected results", 1, compute_ratings, once=True),
        Job("events", "makes a lost index of tournaments anew", 5, index_tournaments, once=True),
        Job("lists", "makes a lost index of games anew", 1, list_games, once=True),
        Job("guests", "forgets guests that are gone", 3600, forget_guests, once=True),
        Job(
            "notifier", "writes notices and deliveries", WHEN_WOKEN, lambda: wired.notifier.attend_changed(to_notify())
        ),
        Job("deliveries", "sends to webhooks", WHEN_WOKEN, lambda: wired.deliveries.attend_due(to_notify())),
    ]
