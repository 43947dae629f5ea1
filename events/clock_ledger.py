"""The clock ledger: who had how much time, and what became of it. Rows for people, and for disputes.

A pure function of the commits. Nothing in it is hidden from anybody: who is asked, when, and for how long is seen by all.

In every row `bank_before_ms - paid_ms + earned_ms == bank_after_ms`, and the next row of the same player begins with the
bank that this one left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from events import clock
from events.clock import Clock
from events.codec import Commit, Header
from events.facts import (
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    GameCreated,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    TableFact,
    TimeRanOut,
    VacationTaken,
)
from events.games import CLOCK, after_facts, new_game
from rules.kernel import Fact, Player, State, StepTaken, decision_id

ASKED, ANSWERED, RAN_OUT, STOOD_IN, RELEASED = "asked", "answered", "time ran out", "stood in for", "no longer asked"
PAUSED, RESUMED, CREDITED, AWAY = "paused", "resumed", "credited", "vacation"
AUTOMATED, BACK, FORFEITED = "automated", "taken back", "forfeited"


class Row(Struct, frozen=True):
    """One thing that happened to one player's clock."""

    version: int
    at: int
    player: Player
    decision: str
    what: str
    used_ms: int
    """What the decision has cost so far, by the calendar and without what was given back."""
    bank_before_ms: int
    paid_ms: int
    """What the decision took out of the bank, when it was over."""
    earned_ms: int
    bank_after_ms: int
    remaining_ms: int
    deadline_at: int
    """When somebody must look at this clock; 0: it does not run."""
    since: int = 0
    until: int = 0
    """Of an outage that is given back, or of a vacation."""


def ledger(commits: Sequence[Commit]) -> list[Row]:
    """Everything that happened to the clocks of a game; nothing if time does not count in it."""
    created = commits[0].facts[0]
    assert isinstance(created, GameCreated), "the first commit creates the game"
    game, rows = new_game(commits[0], created), list[Row]()
    serial = 0
    for commit in commits[1:]:
        before, asked_before = game.clock, serial
        game = after_facts(game, (fact for fact in commit.facts if isinstance(fact, TableFact)))
        serial += sum(isinstance(fact, StepTaken) for fact in commit.facts)
        if game.time and game.clock:
            before = before or clock.set_up(game.time, game.players)
            rows += _Page(commit, asked_before, serial).rows(before)
    return rows


class _Page:
    """The rows of one commit."""

    def __init__(self, commit: Commit, asked_before: int, asked_after: int) -> None:
        self.header: Header = commit.header
        self.facts = commit.facts
        self.asked_before, self.asked_after = asked_before, asked_after

    def rows(self, clocks: Clock) -> Iterator[Row]:
        outage: ClockCredited | None = None
        for fact in self.facts:
            if isinstance(fact, ClockSet):
                for player in fact.hands:
                    yield from self._credited(clocks, fact, player, outage) if outage else self._set(
                        clocks, fact, player
                    )
                outage = None
            elif isinstance(fact, ClockCredited):
                outage = fact
            if isinstance(fact, TableFact):
                clocks = clock.apply(clocks, fact)
