"""The time control: the agreement of a table about time."""

from __future__ import annotations

from msgspec import Struct

from events.table.calendar import ALWAYS, DAY, Calendar, check_calendar
from rules.errors import Unreadable
from rules.texts import any_of, say

DEFAULTS, BOT, FORFEIT = "defaults", "bot", "forfeit"
POLICIES = (DEFAULTS, BOT, FORFEIT)

LONGEST = 400 * DAY


class TimeControl(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The agreement. Milliseconds; 0 is none."""

    bank_ms: int = 0
    """Time for the whole game."""
    increment_ms: int = 0
    """Added to the bank after every decision."""
    cap_ms: int = 0
    """Increments do not lift the bank above this."""
    delay_ms: int = 0
    """The beginning of every decision that costs nothing."""
    limit_ms: int = 0
    """The longest for one decision, whatever is in the bank. Without a bank: days, hours or minutes for each one."""
    calendar: Calendar = ALWAYS
    strikes: int = 3
    """So many times in a row, and the policy takes over; 0: never."""
    policy: str = DEFAULTS
    """The fate of a seat then: its defaults are taken at once, a bot plays it, or it is forfeited."""

    @property
    def has_bank(self) -> bool:
        return self.bank_ms > 0

    def allowance(self, bank_ms: int) -> int:
        """The time for one decision, with so much in the bank."""
        allowances = [self.delay_ms + bank_ms] if self.has_bank else []
        if self.limit_ms:
            allowances.append(self.limit_ms)
        return min(allowances)


def check_control(control: TimeControl, shortest_ms: int = 0) -> None:
    """Refuses an agreement that cannot be played by, or gives less for the first decision than the shortest time."""
    for name in ("bank_ms", "increment_ms", "cap_ms", "delay_ms", "limit_ms"):
        if not 0 <= getattr(control, name) <= LONGEST:
            raise Unreadable(say("{name} is 0 to {longest} (400 days)", name=name, longest=LONGEST))
    if not control.bank_ms and not control.limit_ms:
        raise Unreadable(say("a time control has a bank_ms, or a limit_ms for each decision"))
    if not control.bank_ms and (control.increment_ms or control.cap_ms or control.delay_ms):
        raise Unreadable(say("increment_ms, cap_ms and delay_ms need a bank_ms"))
    if control.cap_ms and control.cap_ms < control.bank_ms:
        raise Unreadable(say("cap_ms is not less than bank_ms"))
    if not 0 <= control.strikes <= 100:
        raise Unreadable(say("strikes is 0 to 100"))
    if control.policy not in POLICIES:
        raise Unreadable(say("policy is {policies}, not {policy}", policies=any_of(POLICIES), policy=control.policy))
    check_calendar(control.calendar)
    if control.allowance(control.bank_ms) < shortest_ms:
        raise Unreadable(
            say(
                "limit_ms, and bank_ms and delay_ms together, give at least {shortest} ms for a decision",
                shortest=shortest_ms,
            )
        )
