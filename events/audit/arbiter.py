"""The arbiter: was time kept as agreed, and did only those leave, pause or return who could?

Judges what a commit tells of the table, by deciding it again on the game before it. The times are those of the commits;
that an outage happened is the word of whoever kept the log. What happened on the board is judged by the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from events.games import CLOCK, OPEN, RUNNING, Game, all_want_a_pause, credited, forfeit, overdue, with_clocks
from events.log.codec import Commit, Header
from events.table.calendar import DAY
from events.table.clock import AGREEMENT, ORGANISER, Clock, Outage, days_left
from events.table.facts import (
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    GameAborted,
    GameCreated,
    GameStarted,
    NonceAdded,
    PauseWanted,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SeatTakenBack,
    SecretRevealed,
    TableFact,
    VacationTaken,
)
from rules.kernel import TIME_UP, AnsweredForPlayer, Fact, Player

BEFORE_THE_START = (GameCreated, SeatTaken, SeatLeft, NonceAdded, GameStarted, GameAborted)


def objection(game: Game, commit: Commit, secret: bytes) -> str:
    """What is wrong with a commit that follows this game; empty if nothing is."""
    header, facts = commit.header, list(commit.facts)
    if game.time and header.at < game.at:
        return "it was made before the commit before it"
    outages = [Outage(since=fact.since, until=fact.until) for fact in facts if isinstance(fact, ClockCredited)]
    now, credits = credited(replace(game, at=header.at), lambda: outages)
    if not _follow_one_another(outages, header.at) or len(credits) != 2 * len(outages):
        return "clock_credited gives back time that was not lost, or was given back before"
    told = [fact for fact in facts[len(credits) :] if not isinstance(fact, ClockSet)]
    if not credits and not told:
        return "nothing happened"
    if not _may_happen(now, header, told, secret):
        names = [str(fact.__struct_config__.tag) for fact in told if isinstance(fact, TableFact)]
        return f"{', '.join(names) or 'this answer'} cannot happen here"
    expected, _ = with_clocks(now, [*credits, *told], header.by if header.decision else "")
    return "" if list(expected) == facts else "the clocks are not what follows from the times of the commits"


def _follow_one_another(outages: Sequence[Outage], at: int) -> bool:
    moments = [moment for outage in outages for moment in (outage.since, outage.until)]
    return moments == sorted(moments) and all(0 < moment <= at for moment in moments)


def _may_happen(game: Game, header: Header, facts: list[Fact], secret: bytes) -> bool:
    """Whether a command can have led to these facts."""
    if game.status == OPEN:
        return all(isinstance(fact, BEFORE_THE_START) for fact in _of_the_table(facts))
    if game.status != RUNNING:
        return True
    if header.by == CLOCK and not header.decision:
        return facts == list(overdue(game, secret))
    table = _of_the_table(facts)
    if any(not isinstance(fact, TableFact) for fact in facts):
        return table in ([], [SeatTakenBack(header.by)]) and _may_answer(game, header, facts)
    return _may_be_said(game, table) or _leaves(game, facts, secret)


def _may_answer(game: Game, header: Header, facts: Iterable[Fact]) -> bool:
    """A player answers what they are asked. Where time counts, nobody but the clock takes a default."""
    is_back = SeatTakenBack(header.by) in facts
    if header.by in game.forfeited or is_back != (header.by in game.unattended):
        return False
    if not game.clock:
        return True
    by_default = any(isinstance(fact, AnsweredForPlayer) and fact.because == TIME_UP for fact in facts)
    return game.asked.get(header.by) == header.decision and not by_default


def _may_be_said(game: Game, facts: list[Fact]) -> bool:
    """Whether somebody can have said this about time, just now."""
    if not (clock := game.clock):
        return False
    match facts:
        case [SeatTakenBack(player)]:
            return _plays(game, player) and player in game.unattended
        case [PauseWanted(player)]:
            wanted = (*clock.want_pause, player)
            return not clock.paused and _plays(game, player) and not all_want_a_pause(game, wanted)
        case [PauseWanted(player), ClocksPaused(by)]:
            wanted = (*clock.want_pause, player)
            return not clock.paused and by == AGREEMENT and _plays(game, player) and all_want_a_pause(game, wanted)
        case [ClocksPaused(by)]:
            return not clock.paused and by == ORGANISER
        case [ClocksResumed()]:
            return bool(clock.paused)
        case [VacationTaken() as vacation]:
            return _plays(game, vacation.player) and _may_be_away(clock, vacation, game.at)
    return False


def _may_be_away(clock: Clock, vacation: VacationTaken, at: int) -> bool:
    taken = clock.away.get(vacation.player, ())
    days, more = divmod(vacation.until - vacation.since, DAY)
    is_back = not taken or taken[-1][1] <= at
    return vacation.since == at and is_back and not more and 1 <= days <= days_left(clock, vacation.player)


def _leaves(game: Game, facts: list[Fact], secret: bytes) -> bool:
    match facts:
        case [SeatForfeited(player, because), *_] if game.may_resign and _plays(game, player):
            return because == "resigned" and facts == list(forfeit(game, secret, player, because))
    return False


def _plays(game: Game, player: Player) -> bool:
    return player in game.players and player not in game.forfeited


def _of_the_table(facts: Iterable[Fact]) -> list[Fact]:
    """All but the last word of a game, which is judged with its end."""
    return [fact for fact in facts if isinstance(fact, TableFact) and not isinstance(fact, SecretRevealed)]
