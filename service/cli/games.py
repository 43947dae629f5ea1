"""Random games by the thousand: which ones, played by how many processes, and what came of them."""

from __future__ import annotations

import random
import signal
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import product
from multiprocessing import get_context
from typing import Any

from events.audit.recording import record
from events.log import chain
from rules.catalogue import GAMES, rules
from rules.codec import encode
from rules.forms import Pick
from rules.kernel import Fact, RuleSet, State
from rules.simulation import moves
from rules.soundness import Inspector, Violation
from service.cli.coverage import Coverage

BATCH = 8
"""How many games a process plays before it reports."""


# Which games


@dataclass(frozen=True)
class Setup:
    """One game that can be played again: what is played, by how many, and the secret all its chance follows from."""

    number: int
    game: str
    expansions: tuple[str, ...]
    players: int
    agreed: Mapping[str, str]
    secret: bytes

    @property
    def seed(self) -> bytes:
        """The seed of the shuffles, as in every game whose players add nothing to the chance."""
        return chain.seed(self.secret, {})

    @property
    def rules(self) -> RuleSet:
        return rules(self.game, self.expansions)

    @property
    def variant(self) -> str:
        return ", ".join((self.rules.name, f"{self.players} players", *self.agreed.values()))

    def table(self) -> State:
        """The empty table."""
        return State(GAMES[self.game].empty_table(self.rules, self.players, **self.agreed))

    def start(self) -> tuple[tuple[Fact, ...], State]:
        return GAMES[self.game].start(self.rules, self.players, self.seed, **self.agreed)

    def pick(self) -> Pick:
        """The chance of the players, which is not the chance of the shuffles."""
        return random.Random(f"players {self.seed.hex()}").randrange


@dataclass(frozen=True)
class Plan:
    """Which games are played: number i of a plan is always the same game, in whichever process it is played."""

    game: str
    expansions: tuple[tuple[str, ...], ...]
    players: tuple[int, ...]
    agreed: tuple[Mapping[str, str], ...]
    seed: int

    def setup(self, number: int) -> Setup:
        """The variants take turns."""
        variants = list(product(self.agreed, self.expansions, self.players))
        agreed, expansions, players = variants[number % len(variants)]
        secret = sha256(f"hidalgo simulate {self.seed} {number}".encode()).digest()
        return Setup(number, self.game, expansions, players, agreed, secret)


# What came of them


@dataclass(frozen=True)
class Broken:
    """A game in which something is wrong, and where: how many facts were seen, and the last one or the calls."""

    setup: Setup
    facts: int
    last: str
    wrong: str


@dataclass
class Tally:
    """The sums over games. The digest changes when any fact of any game does."""

    games: int = 0
    commands: int = 0
    facts: int = 0
    size: int = 0
    digest: str = ""
    variants: Counter[str] = field(default_factory=Counter)
    coverage: Coverage = field(default_factory=Coverage)
    broken: Broken | None = None

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.commands += other.commands
        self.facts += other.facts
        self.size += other.size
        self.digest = sha256((self.digest + other.digest).encode()).hexdigest()
        self.variants.update(other.variants)
        self.coverage.add(other.coverage)
        self.broken = self.broken or other.broken


# Playing them


def play_all(plan: Plan, numbers: range, *, checked: bool, jobs: int) -> Iterator[Tally]:
    """Batches of games, in order; nothing after the first broken one."""
    batches = [numbers[first : first + BATCH] for first in range(0, len(numbers), BATCH)]
    with _processes(min(jobs, len(batches))) as each:
        for tally in each(partial(play_batch, plan, checked), batches):
            yield tally
            if tally.broken:
                return


@contextmanager
def _processes(jobs: int) -> Iterator[Any]:
    """Something like `map`, done by so many processes."""
    if jobs < 2:
        yield map
        return
    with get_context("spawn").Pool(jobs, initializer=_leave_ctrl_c_to_the_parent) as pool:
        yield pool.imap


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_batch(plan: Plan, checked: bool, numbers: range) -> Tally:
    batch = Tally()
    for number in numbers:
        batch.add(play_game(plan.setup(number), checked=checked))
        if batch.broken:
            break
    return batch


def play_game(setup: Setup, *, checked: bool) -> Tally:
    """One game from the first shuffle to the last scoring."""
    inspector = Inspector(setup.table())
    try:
        return _played(setup, inspector if checked else None)
    except Violation as violation:
        last = encode(violation.fact).decode() if violation.fact else ""
        return Tally(broken=Broken(setup, inspector.count, last, violation.sentence))
    except Exception as error:
        calls = "".join(traceback.format_exception(error)).rstrip()
        return Tally(broken=Broken(setup, inspector.count, calls, f"{type(error).__name__}: {error}"))


def _played(setup: Setup, inspector: Inspector | None) -> Tally:
    facts, state = setup.start()
    if inspector:
        inspector.begin(facts, state)
    tally, all_facts = Tally(games=1), list(facts)
    for move in moves(state, setup.pick()):
        if inspector:
            inspector.move(move)
        tally.commands += 1
        tally.coverage.move(move)
        all_facts.extend(move.facts)
    if inspector:
        inspector.end()
    stored = encode(all_facts)
    tally.facts, tally.size, tally.digest = len(all_facts), len(stored), sha256(stored).hexdigest()
    tally.variants[setup.variant] = 1
    return tally


# Writing one down


def exported(setup: Setup) -> bytes:
    """A whole game as the service would export it."""
    _, state = setup.start()
    answers = (move.answer for move in moves(state, setup.pick()))
    return record(setup.rules.name, setup.players, setup.agreed, setup.secret, answers)
