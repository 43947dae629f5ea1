"""Clocks: how much time every player has, which clocks run, and when they run out. Pure: time is an argument.

A clock is what the facts of the log say. Every commit of a timed game ends with a `ClockSet` that tells the clocks it
has changed, so that a reader of the log knows every player's time, and why, whatever this program makes of it
one day. This module works those facts out.

>>> clock = set_up(TimeControl(bank_ms=60_000, increment_ms=5_000), ("red", "blue"))
>>> clock = apply(clock, asked(clock, 1_000, {}, {"red": "1-red"}))
>>> clock.deadline
61000
>>> clock = apply(clock, asked(clock, 21_000, {"red": "1-red"}, {"blue": "2-blue"}, answered="red"))
>>> clock.hands["red"].bank_ms, remaining(clock, "blue", at=31_000)
(45000, 50000)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.decider import Outage
from events.table.calendar import DAY, Span, counted, later
from events.table.facts import (
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    Hand,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    TableFact,
    TimeRanOut,
    VacationTaken,
)
from events.table.time_control import BOT, DEFAULTS, TimeControl
from rules.kernel import Fact, Player

ABSENT_AFTER = 3
"""After so many time-outs in a row a player is not there, whatever was agreed on strikes."""

SHORTEST_FOR_PEOPLE = 1_000
"""Milliseconds in which a person can answer."""


class Clock(Struct, frozen=True):
    """All clocks of a table after some commit."""

    control: TimeControl
    hands: Mapping[Player, Hand]
    paused: str = ""
    """The author of the pause; empty while clocks run."""
    want_pause: tuple[Player, ...] = ()
    credited_until: int = 0
    """Outages that ended by then have been dealt with."""
    automated: Mapping[Player, str] = {}
    """Seats that are not waited for, and what plays them."""
    away: Mapping[Player, tuple[Span, ...]] = {}
    ran_out: Mapping[Player, str] = {}
    """The last decision that each player had no time for."""

    @property
    def deadline(self) -> int:
        """When the next clock runs out; 0 if none runs."""
        return min((hand.deadline for hand in self.hands.values() if hand.deadline), default=0)

    def expired(self, now: int) -> tuple[Player, ...]:
        """The players whose time is over, the longest first."""
        over = [(hand.deadline, player) for player, hand in self.hands.items() if 0 < hand.deadline <= now]
        return tuple(player for _, player in sorted(over))


# What the facts say


def set_up(control: TimeControl, players: Iterable[Player], bots: Iterable[Player] = ()) -> Clock:
    """The clocks before the game begins."""
    hands = {player: Hand(control.bank_ms) for player in players}
    return Clock(control, hands, automated=dict.fromkeys(bots, BOT))


def apply(clock: Clock, fact: TableFact | None) -> Clock:
    """The clocks after a fact. No rule is needed for that."""
    match fact:
        case ClockSet(hands):
            return replace(clock, hands={**clock.hands, **hands})
        case TimeRanOut(player, decision):
            return replace(clock, ran_out={**clock.ran_out, player: decision})
        case SeatAutomated(player, how):
            return replace(clock, automated={**clock.automated, player: how})
        case SeatForfeited(player):
            return replace(clock, automated={**clock.automated, player: DEFAULTS})
        case SeatTakenBack(back):
            return replace(clock, automated={player: how for player, how in clock.automated.items() if player != back})
        case PauseWanted(player):
            return replace(clock, want_pause=(*clock.want_pause, player))
        case ClocksPaused(by):
            return replace(clock, paused=by, want_pause=())
        case ClocksResumed():
            return replace(clock, paused="", want_pause=())
        case ClockCredited(_, until):
            return replace(clock, credited_until=until)
        case VacationTaken(player, since, until):
            return replace(clock, away={**clock.away, player: (*clock.away.get(player, ()), (since, until))})
    return clock


# What follows


def asked(
    clock: Clock,
    at: int,
    before: Mapping[Player, str],
    after: Mapping[Player, str],
    *,
    answered: Player = "",
    in_time: bool = True,
) -> ClockSet | None:
    """The clocks when, at this moment, these decisions no longer wait for their players, but those do.

    `answered` has taken a decision, or has had no time for it: only that earns an increment.
    """
    hands: dict[Player, Hand] = {}
    for player in {**before, **after}:
        if before.get(player) == after.get(player):
            continue
        hand = clock.hands[player]
        if player in before:
            hand = stopped(clock, player, at)
            if player == answered:
                hand = _rewarded(clock.control, hand, in_time=in_time)
        if player in after:
            hand = started(clock, player, replace(hand, used_ms=0), at)
        hands[player] = hand
    return ClockSet(hands) if hands else None


def adjusted(before: Clock, after: Clock, at: int) -> ClockSet | None:
    """The clocks when something other than a decision has changed: a pause, a vacation, a seat played by its player or
    automatically.

    A player who is back begins without strikes.
    """
    hands: dict[Player, Hand] = {}
    for player, hand in before.hands.items():
        is_back = player in before.automated and player not in after.automated
        now = replace(hand, strikes=0) if is_back else hand
        if hand.deadline or hand.held:
            now = started(after, player, replace(now, used_ms=used(before, player, at)), at)
        if now != hand:
            hands[player] = now
    return ClockSet(hands) if hands else None


def credited(clock: Clock, outage: Outage, at: int) -> ClockSet | None:
    """The clocks when an outage is given back to the players whose time ran in it; nothing if there are none."""
    hands: dict[Player, Hand] = {}
    for player, hand in clock.hands.items():
        lost = _counted(clock, player, max(outage.since, hand.since), min(outage.until, at)) if hand.since else 0
        if lost:
            hand = replace(hand, used_ms=hand.used_ms - lost)
            hands[player] = replace(hand, deadline=_deadline(clock, player, hand))
    return ClockSet(hands) if hands else None


def owed(clock: Clock, outages: Iterable[Outage]) -> list[Outage]:
    """The outages that have not been dealt with, the oldest first."""
    return sorted(outage for outage in outages if outage.until > clock.credited_until)


def with_credits(clock: Clock, outages: Iterable[Outage], at: int) -> Clock:
    """The clocks as the next commit will find them: with the outages that are known and not given back yet."""
    for outage in owed(clock, outages):
        if given := credited(clock, outage, at):
            clock = apply(apply(clock, ClockCredited(outage.since, outage.until)), given)
    return clock


def reminder_at(clock: Clock, player: Player, shortest_ms: int) -> int:
    """When four fifths of the time for the decision at hand are gone; 0: never, because the clock does not run, or
    gives less than `shortest_ms` for it."""
    hand, allowance = clock.hands[player], clock.control.allowance(clock.hands[player].bank_ms)
    if not hand.since or allowance < shortest_ms:
        return 0
    left = max(0, allowance * 4 // 5 - hand.used_ms)
    return later(clock.control.calendar, hand.since, left, clock.away.get(player, ()))


# How much there is


def used(clock: Clock, player: Player, at: int) -> int:
    """How much time this decision has cost so far."""
    hand = clock.hands[player]
    return hand.used_ms + (_counted(clock, player, hand.since, at) if hand.since else 0)


def remaining(clock: Clock, player: Player, at: int) -> int:
    """How much time the player has: for the decision at hand, or for the next one."""
    return max(0, clock.control.allowance(clock.hands[player].bank_ms) - used(clock, player, at))


def seat(clock: Clock, player: Player, at: int) -> dict[str, Any]:
    """A clock as clients see it."""
    hand = clock.hands[player]
    return {
        "bank_ms": hand.bank_ms if clock.control.has_bank else None,
        "remaining_ms": remaining(clock, player, at),
        "deadline_at": hand.deadline or None,
        "running": bool(hand.since),
        "strikes": hand.strikes,
        "played_by": clock.automated.get(player),
    }


def at_rest(clock: Clock, player: Player) -> Hand:
    """The hand of a player whose decision is withdrawn: it has cost nothing."""
    return Hand(clock.hands[player].bank_ms, strikes=clock.hands[player].strikes)


def interrupted(clock: Clock, facts: Sequence[Fact], player: Player, at: int) -> Hand:
    """The hand of a player as it is when these facts answer for it: credits count, nothing is paid yet."""
    for outage, given in zip(facts[::2], facts[1::2], strict=False):
        if not isinstance(outage, ClockCredited) or not isinstance(given, ClockSet):
            break
        clock = apply(apply(clock, outage), given)
    hand = clock.hands[player]
    return Hand(hand.bank_ms, used_ms=used(clock, player, at), strikes=hand.strikes)


def has_time(clock: Clock, player: Player) -> bool:
    """Whether a person could answer in time."""
    return clock.control.allowance(clock.hands[player].bank_ms) >= SHORTEST_FOR_PEOPLE


def is_absent(clock: Clock, player: Player) -> bool:
    """Whether the player has been late, and nothing else, for some time."""
    return clock.hands[player].strikes >= ABSENT_AFTER


def days_left(clock: Clock, player: Player) -> int:
    """Of the vacation."""
    taken = sum(until - since for since, until in clock.away.get(player, ()))
    return clock.control.calendar.vacation_days - taken // DAY


# One hand


def _counted(clock: Clock, player: Player, since: int, until: int) -> int:
    return counted(clock.control.calendar, since, until, clock.away.get(player, ()))


def _deadline(clock: Clock, player: Player, hand: Hand) -> int:
    left = clock.control.allowance(hand.bank_ms) - hand.used_ms
    return later(clock.control.calendar, hand.since, left, clock.away.get(player, ()))


def started(clock: Clock, player: Player, hand: Hand, at: int) -> Hand:
    """The hand of a player who is asked. A seat that is played automatically gets no time; in a pause none runs."""
    if clock.paused:
        return replace(hand, since=0, deadline=0, held=True)
    if player in clock.automated:
        return replace(hand, since=0, deadline=at, held=False)
    running = replace(hand, since=at, held=False)
    return replace(running, deadline=_deadline(clock, player, running))


def stopped(clock: Clock, player: Player, at: int) -> Hand:
    """The hand of a player who is no longer asked. It pays no more than there was, however late it is noticed."""
    hand, control = clock.hands[player], clock.control
    spent = min(used(clock, player, at), control.allowance(hand.bank_ms))
    cost = max(0, spent - control.delay_ms) if control.has_bank else 0
    return Hand(bank_ms=hand.bank_ms - cost, strikes=hand.strikes)


def _rewarded(control: TimeControl, hand: Hand, *, in_time: bool) -> Hand:
    bank = hand.bank_ms + control.increment_ms
    if control.cap_ms:
        bank = min(bank, max(control.cap_ms, hand.bank_ms))
    return replace(hand, bank_ms=bank, strikes=0 if in_time else hand.strikes + 1)
