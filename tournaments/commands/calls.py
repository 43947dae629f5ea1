"""A player calls an arbiter, who stops the clocks of the table, and answers: in words, or by a ruling."""

from __future__ import annotations

from events.decider import Context
from events.errors import NotNow
from rules.texts import say
from tournaments.commands.base import ArbiterCommand, Facts, PlayerCommand, check_reason, check_status
from tournaments.commands.rounds import checked_table
from tournaments.facts import ArbiterCalled, CallAnswered, TableHeld, TableReleased
from tournaments.options import check_text
from tournaments.tournament import FINISHED, RUNNING, Tournament

LONGEST_CLAIM = 1000
MOST_TIMES = 5
"""So often a player calls, or says something else, before an arbiter has answered."""


class CallArbiter(PlayerCommand, frozen=True):
    """Ask for a ruling at the own table, also when its game is over; others of the table can say something to it."""

    text: str = ""
    step: int = 0
    """Of the game; the service knows it."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING, FINISHED)
        player = self.who(tournament)
        round, table = table_of(tournament, player)
        check_text(self.text, LONGEST_CLAIM, lines=True)
        claims = tournament.round(round).claims.get(table, ())
        if any(claim.player == player and claim.times >= MOST_TIMES for claim in claims):
            raise NotNow(say("the arbiter is called already"))
        return (ArbiterCalled(round, table, player, self.text, context.at, self.step),)


def table_of(tournament: Tournament, player: str) -> tuple[int, int]:
    """The round and the table that a player can call an arbiter to: one that plays again, or that of the last round."""
    last = tournament.rounds[-1:]
    begun = [(paired, table) for paired in last if paired.started_at for table in range(len(paired.round.tables))]
    for paired, table in (*tournament.reopened, *begun):
        if player in paired.round.tables[table].players:
            return paired.number, table
    raise NotNow(say("{player} sits at no table", player=player))


class OfTable(ArbiterCommand, frozen=True):
    round: int
    table: int


class AnswerCall(OfTable, frozen=True):
    """Nothing has to be ruled: the arbiter says why, and clocks that stood still go on."""

    text: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        check_reason(self.text)
        if self.table not in paired.claims:
            raise NotNow(say("no arbiter was called to table {table}", table=self.table + 1))
        return (CallAnswered(self.round, self.table, self.text), *released(tournament, self.round, self.table))


class HoldTable(OfTable, frozen=True):
    """Stop the clocks of a table until its case is decided."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        if self.table not in paired.games or paired.round.tables[self.table].result:
            raise NotNow(say("table {table} is not played now", table=self.table + 1))
        if self.table in paired.held:
            raise NotNow(say("the clocks of table {table} stand still already", table=self.table + 1))
        return (TableHeld(self.round, self.table, context.at),)


class ReleaseTable(OfTable, frozen=True):
    """The clocks of a table go on."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        checked_table(tournament, self.round, self.table)
        if not (facts := released(tournament, self.round, self.table)):
            raise NotNow(say("the clocks of table {table} do not stand still", table=self.table + 1))
        return facts


def released(tournament: Tournament, round: int, table: int) -> Facts:
    return (TableReleased(round, table),) if table in tournament.round(round).held else ()


def settled(tournament: Tournament, round: int, table: int) -> Facts:
    """A ruling about a table answers its call, and lets its clocks go on."""
    answered: Facts = (CallAnswered(round, table),) if table in tournament.round(round).claims else ()
    return (*answered, *released(tournament, round, table))
