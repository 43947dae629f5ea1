"""Whole tournaments of bots through the real service: its store, its log, its workers. Time and secrets are other ones.

Secrets follow from the seed, so that the same seed gives the same cards, pairings and standings. Time stands still
while something can be done, and then jumps to the next moment at which something is due.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from events.log.service_secret import ServiceSecretSection
from events.store import Store, open_store
from events.submission import Submission
from events.table.facts import BOT_PREFIX
from events.workers.virtual_clock import VirtualClock
from service.operations.jobs import jobs
from service.services import Services, services
from service.settings import Settings
from tournaments.commands import Register, StartTournament
from tournaments.due import next_at
from tournaments.options import Options
from tournaments.tournament import CANCELLED, FINISHED, Tournament

BEGINS_AT = 1_777_888_800_000
"""The moment at which every simulation begins, so that all of it can be repeated."""

ORGANISER = "simulation"
JOBS = ("leases", "notifier", "rounds", "tournaments")
"""The jobs of a scheduler without which no tournament goes on, beside the one that answers for bots."""

Progress = Callable[[Tournament], None]


class Stuck(Exception):
    """Nothing is due any more, and the tournament is not over."""


class Simulation:
    """A service on an empty store, whose tournaments can be played at once."""

    def __init__(self, store: Store, settings: Settings, seed: str) -> None:
        self.clock = VirtualClock(store, BEGINS_AT)
        ServiceSecretSection(store).put_back("service", {"secret": derived(seed, "service").hex()})
        self.wired: Services = services(store, settings, clock=self.clock, secret_of=lambda id: derived(seed, id))
        self._jobs = works(self.wired)

    def create(self, options: Options, players: Sequence[str]) -> str:
        """A tournament that has begun."""
        service = self.wired.tournament_service
        id = service.create(ORGANISER, options, Submission(by=ORGANISER, key="simulate")).id
        for number, player in enumerate(players):
            entry = Register(ORGANISER, player)
            service.submit(id, entry, Submission(by=ORGANISER, key=f"register {number}"))
        service.submit(id, StartTournament(ORGANISER), Submission(by=ORGANISER, key="start"))
        return id

    def play(self, id: str, progress: Progress = lambda tournament: None) -> Tournament:
        """The tournament after its last round."""
        tournaments = self.wired.tournaments
        while (tournament := tournaments.load(id)).status not in (FINISHED, CANCELLED):
            progress(tournament)
            answer(self.wired)
            for work in self._jobs:
                work()
            if tournaments.load(id).version == tournament.version:
                self._wait(tournament)
        progress(tournament)
        return tournament

    def _wait(self, tournament: Tournament) -> None:
        """Until the next moment at which something is due."""
        current = tournament.current
        games = [self.wired.games.load(game) for game in current.games.values()] if current else []
        moments = [next_at(tournament), *(game.attention_at for game in games if game.is_running)]
        if later := [at for at in moments if at > 0]:
            self.clock.put_forward(min(later))
        elif not any(game.status == "over" for game in games):
            raise Stuck(f"nothing is due in tournament {tournament.id}, and it is not over")

    def close(self) -> None:
        self.wired.close()


def works(wired: Services) -> list[Callable[[], Any]]:
    """What a scheduler does for tournaments, one after the other."""
    to_the_end = {"notifier": lambda: read_feeds(wired), "rounds": lambda: run_rounds(wired)}
    found = {job.name: job.work for job in jobs(wired)} | to_the_end
    return [found[name] for name in JOBS]


def answer(wired: Services) -> None:
    """For bots, until none is asked any more, however long that takes: what follows must not depend on it."""
    while wired.deadlines.attend(leased(wired)):
        pass


def read_feeds(wired: Services) -> None:
    """All that has happened in games is known, before anything is done about it."""
    while wired.notifier.attend(leased(wired)):
        pass


def run_rounds(wired: Services) -> None:
    """All games of a round stand before any is played, and all results are noted together, on a slow machine, too."""
    while wired.round_worker.note_results(leased(wired)) + wired.round_worker.attend(leased(wired)):
        pass


def leased(wired: Services) -> Mapping[int, int]:
    """The buckets that this process looks after; leases that have run out meanwhile are taken again."""
    if not wired.leases.fences:
        wired.leases.renew()
    return wired.leases.fences


@contextmanager
def simulated(seed: str, settings: Settings) -> Iterator[Simulation]:
    """On a store in a directory that is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-simulation-") as folder:
        store, close = open_store(None, Path(folder), "everysec")
        simulation = Simulation(store, replace(settings, bot_pace=0), seed)
        try:
            yield simulation
        finally:
            simulation.close()
            close()


def derived(seed: str, text: str) -> bytes:
    """A secret that only this seed gives. It is worth nothing where real people play."""
    return sha256(b"\0".join([b"hidalgo simulation", seed.encode(), text.encode()])).digest()


def bots(names: Sequence[str], count: int) -> list[str]:
    """So many players, the bots in turn.

    >>> bots(["greedy", "random"], 3)
    ['bot:greedy:1', 'bot:random:2', 'bot:greedy:3']
    """
    return [f"{BOT_PREFIX}{names[number % len(names)]}:{number + 1}" for number in range(count)]
