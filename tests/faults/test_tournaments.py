"""Tournaments of bots while web server, schedulers and store are killed at random moments.

The final standings are those of the undisturbed run, no round is missing or double, and the log can be verified."""

import os
import random
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from events.audit.verify import verify_stored
from events.buckets import USUAL
from events.log.service_secret import ServiceSecretSection
from events.store import connect
from events.submission import Submission
from service.accounts import SCOPES
from service.cli.tournaments.reports import digest
from service.cli.tournaments.simulation import ORGANISER, bots, derived, simulated
from service.client import Hidalgo
from service.services import Services, services
from service.settings import Settings
from tests.events.servers import Server, eventually, free_port, server
from tournaments.audit import DRAWS, ORDER, verify_entries
from tournaments.commands import SetStaff
from tournaments.options import Options, Stage
from tournaments.tournament import FINISHED, Tournament

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
HANG = 900
"""Seconds without a kill after which nothing is waited for any more."""
KILLS, MOST_OF_AN_EVENT = 200, 40


class Process:
    """A process that is started again whenever it is killed."""

    def __init__(self, words: list[str], place: Path, **environment: str) -> None:
        self._words, self._environment = words, {**os.environ, **environment}
        self.errors = place
        self.start()

    def start(self) -> None:
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                self._words, env=self._environment, stdout=subprocess.DEVNULL, stderr=errors
            )

    def restart(self) -> None:
        """As a machine dies; another one takes its place."""
        self.end(signal.SIGKILL)
        self.start()

    def check(self) -> None:
        assert self.process.poll() is None, f"it ended by itself: {self.errors.read_text()[-2000:]}"

    def end(self, how: int) -> None:
        self.process.send_signal(how)
        self.process.wait(timeout=30)


class Hall:
    """A service in several processes: a web server, two schedulers, a store."""

    def __init__(self, store: Server, seed: str, place: Path, entered: ExitStack) -> None:
        self.store, self.seed = store, seed
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        words = [HIDALGO, "serve", "--no-scheduler", "--port", str(port)]
        web = Process(words, place / "web.txt", REDIS_URL=store.url)
        scheduler = [sys.executable, "-m", "tests.faults.tournament_scheduler", store.url, seed]
        schedulers = [Process(scheduler, place / f"scheduler{number}.txt") for number in (1, 2)]
        self.killed = {"web": 0, "scheduler": 0, "store": 0}
        self._killable: list[tuple[str, Process | Server]] = [
            ("web", web),
            *(("scheduler", each) for each in schedulers),
            ("store", store),
        ]
        self._processes = (web, *schedulers)
        for process in self._processes:
            entered.callback(process.end, signal.SIGTERM)
        eventually(self.answers, HANG)

    def answers(self) -> bool:
        with suppress(OSError), urlopen(f"{self.url}/healthz", timeout=10) as response:
            return bool(response.status == 200)
        return False

    def kill(self, chance: random.Random) -> None:
        for process in self._processes:
            process.check()
        kind, one = chance.choice(self._killable)
        self.killed[kind] += 1
        one.restart()

    @contextmanager
    def wired(self) -> Iterator[Services]:
        store = connect(self.store.url)
        found = services(store, Settings(store_url=self.store.url), secret_of=lambda id: derived(self.seed, id))
        try:
            yield found
        finally:
            found.close()


@contextmanager
def hall(seed: str, place: Path) -> Iterator[Hall]:
    with server() as store, ExitStack() as entered:
        section = connect(store.url)
        ServiceSecretSection(section).put_back("service", {"secret": derived(seed, "service").hex()})
        section.close()
        yield Hall(store, seed, place, entered)


class Organiser:
    """Registers the players and starts the tournament over HTTP, and waits until it is over."""

    def __init__(self, hall: Hall, options: Options, players: list[str]) -> None:
        with hall.wired() as wired:
            sent = Submission(by=ORGANISER, key="simulate")
            self.id = wired.tournament_service.create(ORGANISER, options, sent).id
            account = wired.accounts.make_guest()
            wired.tournament_service.submit(self.id, SetStaff(ORGANISER, account.id, "organiser"), Submission())
            token = wired.accounts.tokens.create(account.id, "test", SCOPES["guest"]).secret
        self._client = Hidalgo(hall.url, token, retry_for=HANG)
        self._players = players
        self.status = ""
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        tournaments = self._client.tournaments
        for player in self._players:
            tournaments.act(self.id, "register", player=player)
        tournaments.act(self.id, "start")
        while self.status != FINISHED:
            self.status = tournaments.look(self.id)["status"]
            time.sleep(0.1)
        self.rows = [(row["place"], row["player"]) for row in tournaments.standings(self.id)]
        self._client.close()

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()


def disturbed(seed: str, options: Options, players: list[str], place: Path, most: int, gap: float) -> dict[str, int]:
    """A whole event under so many kills at most; says what was killed."""
    expected = undisturbed(seed, options, players)
    chance, end = random.Random(seed), time.monotonic() + HANG
    with hall(seed, place) as under_way:
        organiser = Organiser(under_way, options, players)
        while not organiser.is_done:
            assert time.monotonic() < end, "the event does not end"
            time.sleep(chance.uniform(0, gap))
            if sum(under_way.killed.values()) < most and not organiser.is_done:
                under_way.kill(chance)
                end = time.monotonic() + HANG
        assert organiser.status == FINISHED
        with under_way.wired() as wired:
            check(wired, wired.tournaments.load(organiser.id), expected, organiser)
        return under_way.killed


def undisturbed(seed: str, options: Options, players: list[str]) -> Tournament:
    with simulated(seed, Settings()) as simulation:
        return simulation.play(simulation.create(options, players))


def check(wired: Services, ended: Tournament, expected: Tournament, organiser: Organiser) -> None:
    assert ended.id == expected.id
    assert [paired.number for paired in ended.rounds] == list(range(1, len(expected.rounds) + 1))
    assert digest(ended) == digest(expected)
    assert organiser.rows == [(row.place, row.player) for row in expected.standings()]
    log = wired.tournaments.log
    audited = verify_entries(ended.id, log.read(ended.id), log.secret(ended.id))
    assert {DRAWS, ORDER} <= set(audited.checked)
    of_tables = [game for paired in ended.rounds for game in paired.games.values()]
    stored = [game for bucket in USUAL.all for game in wired.games.log.games(bucket)]
    assert sorted(stored) == sorted(of_tables), "a game is double or missing"
    for game in of_tables:
        verify_stored(wired.games, game)


def event(size: int, rounds: int) -> Options:
    return Options("Kills", "el_grande", {"game_length": "short"}, size=size, stages=(Stage(rounds=rounds),))


def test_a_tournament_under_kills_ends_like_the_undisturbed_one(tmp_path):
    killed = disturbed("short", event(2, 1), bots(["random"], 4), tmp_path, most=4, gap=0.3)
    assert sum(killed.values())


@pytest.mark.long
@pytest.mark.timeout(4 * 3600)
def test_200_kills_change_no_standings(tmp_path):
    """Event after event, until so many processes were killed."""
    total: dict[str, int] = {}
    events = 0
    while sum(total.values()) < KILLS:
        events += 1
        left = min(MOST_OF_AN_EVENT, KILLS - sum(total.values()))
        players = bots(["greedy", "random"], 12)
        killed = disturbed(f"long {events}", event(4, 3), players, tmp_path, most=left, gap=1.5)
        total = {kind: total.get(kind, 0) + count for kind, count in killed.items()}
        print(f"event {events}: {killed}, in all {total}")
        assert sum(killed.values()), "nothing was killed"
