"""The arbiter: does a commit follow from a command that could be given, at the time at which it was made?

It reads the command back from what the commit tells and decides it again, by the same function that decided it then.
An answer to a decision is not stored, only what followed from it: its consequences on the board are taken as they are
(the rules judge them), and everything around them is decided again. The times are those of the commits; that an outage
happened is the word of the keeper of the log.
"""

from __future__ import annotations

from collections.abc import Sequence

from events.decider import Context, Outage
from events.errors import NotNow
from events.log.codec import Commit, Header
from events.table.calendar import DAY
from events.table.commands import (
    CLOCK,
    Abort,
    AddNonce,
    AnswerOverdue,
    Join,
    Leave,
    Pause,
    Resign,
    Resume,
    Return,
    Start,
    TableCommand,
    TakeBack,
    TakeVacation,
)
from events.table.decide import Draft, decide
from events.table.facts import (
    ClockCredited,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    GameAborted,
    GameStarted,
    MoveTakenBack,
    NonceAdded,
    PauseWanted,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SeatTakenBack,
    TableFact,
    TakeBackWanted,
    VacationTaken,
)
from events.table.game import Game
from rules.errors import Refused
from rules.kernel import Fact, State, late_player
from rules.texts import say

WRONG_CREDIT = "clock_credited gives back time that was not lost, or was given back before"
WRONG_CLOCKS = "the clocks are not what follows from the times of the commits"


def objection(game: Game, commit: Commit, secret: bytes, state: State) -> str:
    """The fault of a commit that follows this game and leads to this state; empty if it has none."""
    header, facts = commit.header, commit.facts
    if game.time and header.at < game.at:
        return "it was made before the commit before it"
    outages = tuple(Outage(since=fact.since, until=fact.until) for fact in _credits(facts))
    if not _follow_one_another(outages, header.at):
        return WRONG_CREDIT
    recorded = _without_time(facts)
    if not outages and not recorded:
        return "nothing happened"
    try:
        decided = decide(game, command_of(game, header, recorded, state), Context(header.at, secret, outages))
    except (Refused, NotNow):
        return _cannot_happen(recorded)
    if (decided.by, decided.decision, _without_time(decided.facts)) != (header.by, header.decision, recorded):
        return _cannot_happen(recorded)
    if _credits(decided.facts) != _credits(facts):
        return WRONG_CREDIT
    return "" if decided.facts == facts else WRONG_CLOCKS


def command_of(game: Game, header: Header, recorded: Sequence[Fact], state: State) -> TableCommand:
    """The command that a commit tells of, or a refusal if there is none."""
    if header.by == CLOCK and not header.decision:
        return AnswerOverdue()
    match recorded:
        case [SeatTaken(seat, account)]:
            return Join(account, seat)
        case [SeatTaken(seat, account), NonceAdded(_, nonce)]:
            return Join(account, seat, nonce)
        case [SeatLeft(_, account)]:
            return Leave(account)
        case [NonceAdded(player, nonce)]:
            return AddNonce(player, nonce)
        case [GameAborted()]:
            return Abort(header.by)
        case [GameStarted(), *_]:
            return Start()
        case [TakeBackWanted(_, of), *_]:
            return TakeBack(header.by, of)
        case [MoveTakenBack()]:
            return TakeBack(header.by)
        case [SeatTakenBack()]:
            return Return(header.by)
        case [PauseWanted(), *_]:
            return Pause(header.by)
        case [ClocksPaused()]:
            return Pause(header.by, is_admin=True)
        case [ClocksResumed()]:
            return Resume(header.by, is_admin=True)
        case [VacationTaken(_, since, until)]:
            return TakeVacation(header.by, (until - since) // DAY)
        case [SeatForfeited(), *_]:
            return Resign(header.by)
    return KnownAnswer(header.by, header.decision, _on_the_board(recorded), state)


class KnownAnswer(TableCommand, frozen=True):
    """An answer whose consequences on the board are recorded."""

    by: str
    answers: str
    facts: tuple[Fact, ...]
    after: State

    @property
    def decision(self) -> str:
        return self.answers

    def author(self, game: Game) -> str:
        return self.by

    def decide(self, draft: Draft) -> None:
        game = draft.game
        if not self.facts or self.by in game.forfeited:
            raise NotNow(say("there is nothing to answer"))
        if game.clock and (game.asked.get(self.by) != self.decision or self._is_default()):
            raise NotNow(say("where time counts, players answer for themselves"))
        if self.by in game.unattended:
            draft.tell(SeatTakenBack(self.by))
        draft.move(self.facts, self.after)

    def _is_default(self) -> bool:
        return any(late_player(fact) for fact in self.facts)


def _credits(facts: Sequence[Fact]) -> list[ClockCredited]:
    return [fact for fact in facts if isinstance(fact, ClockCredited)]


def _without_time(facts: Sequence[Fact]) -> list[Fact]:
    """The facts without outages and clocks."""
    return [fact for fact in facts if not isinstance(fact, (ClockCredited, ClockSet))]


def _on_the_board(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if not isinstance(fact, TableFact))


def _follow_one_another(outages: Sequence[Outage], at: int) -> bool:
    moments = [moment for outage in outages for moment in (outage.since, outage.until)]
    return moments == sorted(moments) and all(0 < moment <= at for moment in moments)


def _cannot_happen(facts: Sequence[Fact]) -> str:
    names = [str(fact.__struct_config__.tag) for fact in facts if isinstance(fact, TableFact)]
    return f"{', '.join(names) or 'this answer'} cannot happen here"
