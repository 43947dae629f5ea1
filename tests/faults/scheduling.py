"""Schedulers in processes of their own, and what came of the deadlines that they looked after."""

import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from events.games import Games
from events.history import fold
from events.table.clock import Clock
from events.table.decider import GAME
from events.table.facts import TimeRanOut
from events.table.game import Game, after

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


class Keeper:
    """A scheduler in a process of its own, whose machine has a clock of its own."""

    def __init__(self, url: str, skew: int) -> None:
        self._url, self._skew = url, skew
        self.frozen_until = 0.0
        self._start()

    def _start(self) -> None:
        settings = os.environ | {"REDIS_URL": self._url} | skewed(self._skew)
        self.process = subprocess.Popen([HIDALGO, "scheduler"], env=settings, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        assert self.process.stdout.readline() == "The scheduler runs (Ctrl-C stops it)\n"

    def kill(self) -> None:
        """As a machine dies; another one takes its place."""
        self._end(signal.SIGKILL)
        self._start()

    def freeze(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGSTOP)
        self.frozen_until = time.monotonic() + seconds

    def thaw_in_time(self) -> None:
        if self.frozen_until and time.monotonic() >= self.frozen_until:
            self.frozen_until = 0.0
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> int:
        """As an operator does; how it has ended."""
        self.process.send_signal(signal.SIGCONT)
        return self._end(signal.SIGTERM)

    def _end(self, how: int) -> int:
        with self.process:
            self.process.send_signal(how)
            return self.process.wait(timeout=30)


def skewed(seconds: int) -> dict[str, str]:
    """What makes a process believe that it is so much later."""
    if not seconds:
        return {}
    if not shutil.which("faketime"):
        pytest.skip("faketime is not installed")
    library = subprocess.run(
        ["faketime", "-f", "+0s", "printenv", "LD_PRELOAD"], capture_output=True, text=True, check=True
    )
    return {"LD_PRELOAD": library.stdout.strip(), "FAKETIME": f"{seconds:+}s", "DONT_FAKE_MONOTONIC": "1"}


@contextmanager
def keepers(url: str, skews: Sequence[int]) -> Iterator[list[Keeper]]:
    working: list[Keeper] = []
    try:
        for skew in skews:
            working.append(Keeper(url, skew))
        yield working
    finally:
        ends = [keeper.stop() for keeper in working]
        assert not any(ends), "one did not stop in peace"


class Effect(NamedTuple):
    game: str
    decision: str
    deadline: int
    at: int


def effects_in(games: Games, name: str, ended: int) -> list[Effect]:
    """What came of every deadline of a game: it was due, it was answered once, and nothing else ever happened."""
    game = fold(GAME, games.log.read(name, until=2))
    assert game
    effects = []
    for commit in games.commits(name, after=2):
        found = [fact for fact in commit.facts if isinstance(fact, TimeRanOut)]
        assert len(found) == 1, f"{commit.header} is no answer to a deadline: {commit.facts}"
        [late] = found
        assert commit.header.by == "clock"
        deadline = clock_of(game).hands[late.player].deadline
        assert 0 < deadline <= commit.header.at, "it came early"
        effects.append(Effect(name, late.decision, deadline, commit.header.at))
        game = after(game, commit)
    assert len({effect.decision for effect in effects}) == len(effects), "a decision was taken twice"
    assert game.status == "over" or clock_of(game).deadline > ended, "a deadline was missed"
    return effects


def clock_of(game: Game) -> Clock:
    assert game.clock
    return game.clock
