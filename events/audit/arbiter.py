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
from events.table.commands import COMMANDS, TableCommand
from events.table.decide import Draft, decide
from events.table.facts import ClockCredited, ClockSet, SeatTakenBack, TableFact
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
        decided = decide(game, command_of(header, recorded, state), Context(header.at, secret, outages))
    except (Refused, NotNow):
        return _cannot_happen(recorded)
    if (decided.by, decided.decision, _without_time(decided.facts)) != (header.by, header.decision, recorded):
        return _cannot_happen(recorded)
    if _credits(decided.facts) != _credits(facts):
        return WRONG_CREDIT
    return "" if decided.facts == facts else WRONG_CLOCKS


def command_of(header: Header, recorded: Sequence[Fact], state: State) -> TableCommand:
    """The command that a commit tells of."""
    read_back = (command.read_back(header, recorded) for command in COMMANDS)
    told = next((command for command in read_back if command), None)
    return told or KnownAnswer(header.by, header.decision, _on_the_board(recorded), state)


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
        if not self.facts or self.by in game.forfeited or self.by in game.bots:
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
