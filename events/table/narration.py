"""What happened, in words: at the table as told here, on the board as the rules tell it.

>>> tell("el_grande", [TimeRanOut("red", "7-red"), SeatForfeited("red", "time"), GameDecided()])
["red's time has run out", 'red was late too often and is out of the game', 'nobody is left to play: the game is over']
"""

from __future__ import annotations

from collections.abc import Iterable

from events.table.calendar import DAY
from events.table.clock import ORGANISER
from events.table.facts import (
    AutopilotAnswered,
    ClockCredited,
    ClocksPaused,
    ClocksResumed,
    GameDecided,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    TableFact,
    TimeRanOut,
    VacationTaken,
)
from events.table.time_control import BOT
from rules import narration
from rules.catalogue import rules_named
from rules.kernel import Fact


def tell(rules: str, facts: Iterable[Fact]) -> list[str]:
    """One sentence after the other. Tells no more than the facts do: give it those that the listener may know."""
    told = []
    for fact in facts:
        told += [sentence(fact)] if isinstance(fact, TableFact) else narration.tell(rules_named(rules), [fact])
    return [line for line in told if line]


def sentence(fact: TableFact) -> str:
    """A fact of the table in words; nothing if people see it without being told."""
    match fact:
        case TimeRanOut(player):
            return f"{player}'s time has run out"
        case SeatAutomated(player, how):
            return f"a bot plays for {player} from now on" if how == BOT else f"{player} is not waited for any longer"
        case AutopilotAnswered(player):
            return f"a bot answers for {player}"
        case SeatTakenBack(player):
            return f"{player} is back"
        case SeatForfeited(player, because):
            return (
                f"{player} resigns" if because == "resigned" else f"{player} was late too often and is out of the game"
            )
        case GameDecided():
            return "nobody is left to play: the game is over"
        case PauseWanted(player):
            return f"{player} would like a pause"
        case ClocksPaused(by):
            return "an organiser stops the clocks" if by == ORGANISER else "all agree: the clocks stand still"
        case ClocksResumed():
            return "the clocks run again"
        case ClockCredited(since, until):
            return f"the service was away for {duration(until - since)}: nobody pays for it"
        case VacationTaken(player, since, until):
            return f"{player} is on vacation for {duration(until - since)}"
    return ""


def duration(milliseconds: int) -> str:
    """
    >>> duration(2 * DAY), duration(90_500), duration(3_600_000)
    ('2 days', '1 min 30 s', '1 h')
    """
    if milliseconds >= DAY and milliseconds % DAY == 0:
        return "1 day" if milliseconds == DAY else f"{milliseconds // DAY} days"
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (seconds, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"
