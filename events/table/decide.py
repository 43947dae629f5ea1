"""The outcome of a command at a table: one pure function for every command, for players and for the arbiter.

A command (`events.table.commands`) says what follows from itself. Around it, here: time of outages is given back
before, the clocks are set after (unless the command sets them itself), and the end of a game reveals its secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from events.decider import Context, Decided
from events.errors import NothingDue, NotNow
from events.table import clock
from events.table.answers import with_answer
from events.table.facts import ClockCredited, ClockSet, SecretRevealed, TableFact, TimeRanOut
from events.table.game import OVER, Game
from rules.kernel import Answer, Fact, Player, State, TimeUp, play
from rules.texts import say

if TYPE_CHECKING:
    from events.table.commands import TableCommand


def decide(game: Game, command: TableCommand, context: Context) -> Decided[Game]:
    """The facts that follow from a command, and the game after them, or a refusal."""
    draft = Draft(replace(game, at=context.at), context.secret)
    credit_outages(draft, context)
    before, credits = draft.game, len(draft.facts)
    command.decide(draft)
    if not draft.facts:
        raise NothingDue(say("no deadline has come"))
    by, decision = command.author(game), command.decision
    if not any(isinstance(fact, ClockSet) for fact in draft.facts[credits:]):
        set_clocks(draft, before, answered=by if decision else "")
    if draft.game.status == OVER:
        draft.tell(SecretRevealed(context.secret.hex()))
    after = with_answer(game, draft.game, by, context.at, draft.facts)
    return Decided(by, tuple(draft.facts), after, decision)


class Draft:
    """A commit in the making: its facts so far, and the game after them."""

    def __init__(self, game: Game, secret: bytes) -> None:
        self.game = game
        self.secret = secret
        self.facts: list[Fact] = []

    def tell(self, *facts: TableFact) -> None:
        """Facts about the table."""
        for fact in facts:
            self.game = fact.change(self.game)
        self.facts += facts

    def move(self, facts: Iterable[Fact], state: State) -> None:
        """Facts about the board, and the state after them."""
        self.facts += facts
        self.game = replace(self.game, state=state)

    def play(self, answer: Answer | TimeUp) -> None:
        """The outcome of an answer by the rules."""
        if not self.game.started:
            raise NotNow(say("the game has not begun"))
        if self.game.decided:
            raise NotNow(say("the game is over"))
        self.move(*play(self.game.state, answer))


def credit_outages(draft: Draft, context: Context) -> None:
    """Every player gets back the time that the service has taken from them."""
    if not draft.game.clock or not draft.game.is_running:
        return
    for outage in clock.owed(draft.game.clock, context.outages):
        if given := clock.credited(draft.game.clock, outage, context.at):
            draft.tell(ClockCredited(outage.since, outage.until), given)


def set_clocks(draft: Draft, before: Game, answered: Player) -> None:
    """The effect of the commit on the clocks: a decision was taken or asked, or a pause, a vacation… has changed
    them."""
    after = draft.game
    if not after.clock:
        return
    asked, now_asked = before.asked, after.asked
    if before.clock and asked == now_asked:
        changed = clock.adjusted(before.clock, after.clock, after.at)
    else:
        late = next((fact.player for fact in draft.facts if isinstance(fact, TimeRanOut)), "")
        changed = clock.asked(after.clock, after.at, asked, now_asked, answered=late or answered, in_time=not late)
    if changed:
        draft.tell(changed)
