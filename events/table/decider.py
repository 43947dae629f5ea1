"""Games as a decider: what `events.repository` and `events.history` ask of them."""

from __future__ import annotations

from events.decider import Context, Decided
from events.log import FINISHED, NO_DEADLINE
from events.log.codec import Commit
from events.log.priorities import deferred
from events.table import game as games
from events.table import stored
from events.table.commands import TableCommand
from events.table.decide import decide
from events.table.facts import TableFact
from events.table.game import ABORTED, OVER, Game
from rules.catalogue import game_named
from rules.kernel import StepTaken


class GameDecider:
    """See `events.decider.Decider`."""

    def read(self, entry: bytes, state: Game | None) -> Commit:
        return stored.read(entry, state.rules) if state else stored.read_creation(entry)

    def created(self, commit: Commit) -> Game:
        return games.created(commit)

    def after(self, state: Game, commit: Commit) -> Game:
        return games.after(state, commit)

    def committed(self, state: Game, commit: Commit) -> Game:
        return games.committed(state, commit)

    def permit(self, state: Game, command: TableCommand) -> None:
        command.permit(state)

    def decide(self, state: Game, command: TableCommand, context: Context) -> Decided[Game]:
        return decide(state, command, context)

    def rules_version(self, state: Game) -> int:
        return game_named(state.rules).version

    def deadline(self, state: Game) -> int:
        if state.status in (OVER, ABORTED):
            return FINISHED
        at = state.attention_at
        return deferred(at, state.priority) if at > NO_DEADLINE else at


class BoardlessDecider(GameDecider):
    """Folds what happens at the table and which decisions there are, but not the board: masked facts are enough."""

    def after(self, state: Game, commit: Commit) -> Game:
        return games.after(state, commit, tuple(fact for fact in commit.facts if isinstance(fact, TABLE_AND_AGENDA)))


TABLE_AND_AGENDA = (TableFact, StepTaken)

GAME = GameDecider()
BOARDLESS = BoardlessDecider()
