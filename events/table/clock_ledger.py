"""The clock ledger: how much time every player had, and what became of it. Rows for people, and for disputes.

A pure function of the commits. Nothing in it is hidden: all viewers can see which players are asked, when and for how
long.

In every row `bank_before_ms - paid_ms + earned_ms == bank_after_ms`, and a player's next row begins with the bank that
this one left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from events.history import replay
from events.log.codec import Commit
from events.table import clock
from events.table.clock import Clock
from events.table.decider import BOARDLESS
from events.table.facts import (
    AutopilotAnswered,
    BotAnswered,
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    Hand,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    TableFact,
    TimeRanOut,
    VacationTaken,
    undone_from,
)
from rules.kernel import AnswerSealed, Fact, Player, decision_at, late_player

ASKED, ANSWERED, RAN_OUT, STOOD_IN, RELEASED = "asked", "answered", "ran_out", "stood_in", "released"
PAUSED, RESUMED, CREDITED, AWAY = "paused", "resumed", "credited", "vacation"
AUTOMATED, BACK, FORFEITED, UNDONE = "automated", "taken_back", "forfeited", "move_taken_back"
KINDS = (
    *(ASKED, ANSWERED, RAN_OUT, STOOD_IN, RELEASED),
    *(PAUSED, RESUMED, CREDITED, AWAY),
    *(AUTOMATED, BACK, FORFEITED, UNDONE),
)


class Row(Struct, frozen=True):
    """One thing that happened to one player's clock."""

    version: int
    at: int
    player: Player
    decision: str
    """Empty if the player is not asked."""
    what: str
    used_ms: int
    """The time that the decision has cost so far: by the calendar, less the time given back."""
    paid_ms: int
    """The time that it took out of the bank, when it was over."""
    earned_ms: int
    bank_before_ms: int
    bank_after_ms: int
    remaining_ms: int
    deadline_at: int
    """When this clock needs attention; 0: it does not run."""
    since: int = 0
    until: int = 0
    """Of an outage that is given back, or of a vacation."""


def ledger(commits: Iterable[Commit]) -> list[Row]:
    """Everything that happened to the clocks of a game; nothing if time does not count in it."""
    return list(ledger_rows(commits))


def ledger_rows(commits: Iterable[Commit]) -> Iterator[Row]:
    """The same row by row, as the commits are read."""
    for step in replay(BOARDLESS, commits):
        if step.before and step.after.clock:
            page = _Page(step.commit, step.before.state.serial, step.after.state.serial)
            yield from page.rows(
                step.before.clock or clock.set_up(step.after.clock.control, step.after.players, step.after.bots)
            )


class _Page:
    """The rows of one commit."""

    def __init__(self, commit: Commit, serial: int, following: int) -> None:
        """`serial` is that of the decisions before it, `following` of those after it."""
        self._header, self._facts = commit.header, commit.facts
        self._serial, self._following = serial, following

    def rows(self, clocks: Clock) -> Iterator[Row]:
        outage: ClockCredited | None = None
        changed = self._undone if undone_from(self._facts) else self._set
        for fact in self._facts:
            match fact:
                case ClockCredited():
                    outage = fact
                case ClockSet(hands):
                    for player, hand in hands.items():
                        if outage:
                            yield self._credited(clocks, player, hand, outage)
                        else:
                            yield from changed(clocks, player, hand)
                    outage = None
                case SeatTakenBack(player):
                    yield self._row(clocks, player, BACK, self._serial)
                case VacationTaken(player, since, until):
                    yield self._row(clocks, player, AWAY, self._serial, since=since, until=until)
            if isinstance(fact, TableFact):
                clocks = clock.apply(clocks, fact)
        for fact in self._facts:
            if isinstance(fact, (SeatAutomated, SeatForfeited)):
                what = AUTOMATED if isinstance(fact, SeatAutomated) else FORFEITED
                yield self._row(clocks, fact.player, what, self._following)

    def _credited(self, clocks: Clock, player: Player, hand: Hand, outage: ClockCredited) -> Row:
        given = clock.apply(clocks, ClockSet({player: hand}))
        return self._row(given, player, CREDITED, self._serial, since=outage.since, until=outage.until)

    def _set(self, clocks: Clock, player: Player, after: Hand) -> Iterator[Row]:
        """A decision is over, another begins, or the clock of the same one stops or goes on."""
        before, now = clocks.hands[player], clock.apply(clocks, ClockSet({player: after}))
        if _is_asked(before) and _is_asked(after) and self._serial == self._following:
            for kind, what in ((ClocksPaused, PAUSED), (ClocksResumed, RESUMED)):
                if any(isinstance(fact, kind) for fact in self._facts):
                    yield self._row(now, player, what, self._serial)
            return
        if _is_asked(before):
            yield self._over(clocks, player, after)
        if _is_asked(after):
            yield self._row(now, player, ASKED, self._following)

    def _undone(self, clocks: Clock, player: Player, after: Hand) -> Iterator[Row]:
        """A decision is withdrawn, what an answer had earned and paid is undone, and its decision is asked again."""
        if _is_asked(clocks.hands[player]):
            yield replace(self._row(clocks, player, RELEASED, self._serial), deadline_at=0)
        resting = clock.apply(clocks, ClockSet({player: clock.at_rest(clocks, player)}))
        if change := after.bank_ms - resting.hands[player].bank_ms:
            row = self._row(resting, player, UNDONE, self._serial)
            yield replace(row, paid_ms=max(0, -change), earned_ms=max(0, change), bank_after_ms=after.bank_ms)
        if _is_asked(after):
            yield self._row(clock.apply(resting, ClockSet({player: after})), player, ASKED, self._following)

    def _over(self, clocks: Clock, player: Player, after: Hand) -> Row:
        at, bank = self._header.at, clocks.hands[player].bank_ms
        left = clock.stopped(clocks, player, at).bank_ms
        return Row(
            version=self._header.version,
            at=at,
            player=player,
            decision=decision_at(self._serial, player),
            what=self._ending(player),
            used_ms=clock.used(clocks, player, at),
            paid_ms=bank - left,
            earned_ms=after.bank_ms - left,
            bank_before_ms=bank,
            bank_after_ms=after.bank_ms,
            remaining_ms=clock.remaining(clock.apply(clocks, ClockSet({player: Hand(after.bank_ms)})), player, at),
            deadline_at=0,
        )

    def _ending(self, player: Player) -> str:
        """How a decision came to its end."""
        if any(isinstance(fact, TimeRanOut) and fact.player == player for fact in self._facts):
            return RAN_OUT
        if self._header.by == player:
            return ANSWERED
        return STOOD_IN if any(_answers_for(fact, player) for fact in self._facts) else RELEASED

    def _row(self, clocks: Clock, player: Player, what: str, serial: int, *, since: int = 0, until: int = 0) -> Row:
        """Something that takes nothing out of the bank."""
        hand, at = clocks.hands[player], self._header.at
        return Row(
            version=self._header.version,
            at=at,
            player=player,
            decision=decision_at(serial, player) if _is_asked(hand) else "",
            what=what,
            used_ms=clock.used(clocks, player, at),
            paid_ms=0,
            earned_ms=0,
            bank_before_ms=hand.bank_ms,
            bank_after_ms=hand.bank_ms,
            remaining_ms=clock.remaining(clocks, player, at),
            deadline_at=hand.deadline,
            since=since,
            until=until,
        )


def _is_asked(hand: Hand) -> bool:
    return bool(hand.since or hand.deadline or hand.held)


def _answers_for(fact: Fact, player: Player) -> bool:
    match fact:
        # In a commit of another, what is sealed is the default, although only the player may know that.
        case AutopilotAnswered(answered) | BotAnswered(answered) | AnswerSealed(answered):
            return answered == player
    return late_player(fact) == player
