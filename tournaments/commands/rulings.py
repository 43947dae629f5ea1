"""Rulings: each has a reason, and can be reversed. Standings and ratings follow by themselves."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from events.decider import Context
from events.errors import NotNow
from rules.errors import Unreadable
from rules.texts import one_by_one, say
from tournaments.commands.base import ArbiterCommand, Facts, agrees, check_reason, check_status, dropped
from tournaments.commands.calls import settled
from tournaments.commands.rounds import check_result, checked_table
from tournaments.commands.substitution import answer_until, asked, released_by, running_table
from tournaments.facts import (
    GameRewound,
    PlayerReturned,
    PlayerWarned,
    PlayerWithdrawn,
    PointsAdjusted,
    ResultChanged,
    RulingMade,
    RulingReversed,
    SubstituteAsked,
    SubstituteRequestEnded,
    TableGameChanged,
    TableHeld,
    TournamentFact,
    after_facts,
)
from tournaments.facts.registration import EXCLUDED
from tournaments.points import MOST, UNIT
from tournaments.results import Result
from tournaments.tournament import FINISHED, RUNNING, TABLE, Ruling, Tournament

WARNING, POINTS, EXCLUSION = "warning", "points", "exclusion"
PENALTIES = (WARNING, POINTS, EXCLUSION)
MOST_RULINGS = 2000


class RulingCommand(ArbiterCommand, frozen=True):
    """A decision of an arbiter."""

    reason: str

    kind: ClassVar[str] = ""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING, FINISHED)
        check_reason(self.reason)
        if len(tournament.rulings) >= MOST_RULINGS:
            raise NotNow(say("a tournament has {most} rulings at most", most=MOST_RULINGS))
        made = RulingMade(new_id(tournament), self.kind, self.account, self.reason, self.place(tournament))
        return (made, *self.ruled_at(tournament, context.at), *self.settled(tournament), *dropped(tournament))

    def place(self, tournament: Tournament) -> tuple[str, ...]:
        """What it is about."""
        raise AssertionError(f"{type(self).__name__} does not say what it is about")

    def ruled_at(self, tournament: Tournament, now: int) -> Facts:
        """What is decided at this moment; for most rulings the moment means nothing."""
        return self.ruled(tournament)

    def ruled(self, tournament: Tournament) -> Facts:
        raise AssertionError(f"{type(self).__name__} decides nothing")

    def settled(self, tournament: Tournament) -> Facts:
        """The call that it answers."""
        return ()


class TableRuling(RulingCommand, frozen=True):
    """A decision about the game of a table."""

    round: int
    table: int

    def place(self, tournament: Tournament) -> tuple[str, ...]:
        return TABLE, str(self.round), str(self.table)

    def settled(self, tournament: Tournament) -> Facts:
        return settled(tournament, self.round, self.table)


class Adjudicate(TableRuling, frozen=True):
    """Give a table a result, or another one."""

    result: Result

    kind = "adjudicate"

    def ruled(self, tournament: Tournament) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        check_result(paired.round.tables[self.table], self.result)
        if paired.round.tables[self.table].result == self.result:
            raise NotNow(say("nothing would change"))
        return (ResultChanged(self.round, self.table, self.result),)


class ReplayGame(TableRuling, frozen=True):
    """A table plays its game again, from the beginning: the service creates a new one."""

    kind = "replay"

    def ruled(self, tournament: Tournament) -> Facts:
        checked_table(tournament, self.round, self.table)
        check_players_stay(tournament, self.round, self.table)
        return ResultChanged(self.round, self.table, None), TableGameChanged(self.round, self.table, "")


class RewindGame(TableRuling, frozen=True):
    """The game of a table goes on from an earlier version."""

    version: int

    kind = "rewind"

    def ruled(self, tournament: Tournament) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        game = paired.games.get(self.table)
        if not game or self.version < 1:
            raise NotNow(say("there is no such step of a game to go back to"))
        if paired.round.tables[self.table].result:
            check_players_stay(tournament, self.round, self.table)
        rewound = GameRewound(self.round, self.table, game, self.version)
        return rewound, ResultChanged(self.round, self.table, None)


class AdjustPoints(RulingCommand, frozen=True):
    """Give a player points, or take some; in units."""

    player: str
    units: int

    kind = "adjust"

    def place(self, tournament: Tournament) -> tuple[str, ...]:
        return "points", new_id(tournament)

    def ruled(self, tournament: Tournament) -> Facts:
        return (adjusted(tournament, self.player, self.units),)


class Substitute(RulingCommand, frozen=True):
    """Ask another account to play for a player from now on. Until it agrees, everything stays as it is.

    The clocks of the player's table go on meanwhile, or stand still.
    """

    player: str
    substitute: str
    stops_clocks: bool = False
    answer_ms: int = 0
    """Without an answer for so long, the staff is told; 0: as long as players who do not come are waited for."""

    kind = "substitute"

    def place(self, tournament: Tournament) -> tuple[str, ...]:
        return "account", self.player

    def asks(self, tournament: Tournament) -> tuple[str, ...]:
        return () if agrees(self.account, self.substitute) else (self.substitute,)

    def ruled_at(self, tournament: Tournament, now: int) -> Facts:
        until = answer_until(tournament, now, self.answer_ms)
        wanted = SubstituteAsked(self.player, self.substitute, until, new_id(tournament))
        facts = asked(tournament, self.account, wanted)
        after = after_facts(tournament, facts)
        if not self.stops_clocks or wanted not in facts or not (at := running_table(after, self.player)):
            return facts
        round, table = at
        return (*facts[:-1], replace(wanted, round=round, table=table), TableHeld(round, table, now))


class Penalise(RulingCommand, frozen=True):
    """Warn a player, take points, or exclude them."""

    player: str
    penalty: str
    units: int = 0

    kind = "penalise"

    def place(self, tournament: Tournament) -> tuple[str, ...]:
        is_exclusion = self.penalty == EXCLUSION
        return (EXCLUDED, self.player) if is_exclusion else ("penalty", new_id(tournament))

    def ruled(self, tournament: Tournament) -> Facts:
        if self.penalty not in PENALTIES:
            raise Unreadable(say("a penalty is one of {penalties}", penalties=one_by_one(PENALTIES)))
        player = tournament.participant(self.player)
        if self.penalty == WARNING:
            return (PlayerWarned(player.id),)
        if self.penalty == POINTS:
            return (adjusted(tournament, player.id, -abs(self.units)),)
        if player.is_withdrawn:
            raise NotNow(say("{player} is withdrawn already", player=player.id))
        return (PlayerWithdrawn(player.id, EXCLUDED),)


class ReverseRuling(ArbiterCommand, frozen=True):
    """A ruling does not hold any more: what was before it comes back."""

    ruling: str
    reason: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING, FINISHED)
        check_reason(self.reason)
        ruling = tournament.rulings.get(self.ruling)
        if not ruling or ruling.reversed_by:
            raise NotNow(say("there is no ruling {ruling} that holds", ruling=self.ruling))
        made = list(tournament.rulings.values())
        later = made[made.index(ruling) + 1 :]
        if any(other.place == ruling.place and not other.reversed_by for other in later):
            raise NotNow(say("a later ruling is about the same: reverse that one first"))
        undone = self._undone(tournament, ruling, context.at)
        return (RulingReversed(self.ruling, self.account, self.reason), *undone, *dropped(tournament))

    def asks(self, tournament: Tournament) -> tuple[str, ...]:
        ruling = tournament.rulings.get(self.ruling)
        asked = (fact.account for fact in ruling.inverse if isinstance(fact, SubstituteAsked)) if ruling else ()
        return tuple(account for account in asked if account != self.account)

    def _undone(self, tournament: Tournament, ruling: Ruling, now: int) -> Facts:
        """What was before; but nobody has to play again who does not want to."""
        undone: list[TournamentFact] = []
        for fact in ruling.inverse:
            match fact:
                case SubstituteAsked(player, account):
                    until = answer_until(tournament, now)
                    undone += asked(tournament, self.account, SubstituteAsked(player, account, until))
                case SubstituteRequestEnded(player):
                    undone += [fact, *released_by(tournament, player)]
                case ResultChanged(round, table, None):
                    check_players_stay(tournament, round, table)
                    undone.append(fact)
                case PlayerReturned(player) if tournament.participants[player].has_left:
                    continue
                case _:
                    undone.append(fact)
        return tuple(undone)


def check_players_stay(tournament: Tournament, round: int, table: int) -> None:
    """Refuses to let a table play on, or again, from which a player has gone."""
    for player in tournament.round(round).round.tables[table].players:
        if tournament.participants[player].is_withdrawn:
            raise NotNow(say("{player} is withdrawn, and plays no game again", player=player))


def adjusted(tournament: Tournament, player: str, units: int) -> PointsAdjusted:
    if not 0 < abs(units) <= MOST * UNIT:
        raise Unreadable(say("a ruling gives or takes up to {most} points", most=MOST))
    closed = sum(bool(paired.closed_at) for paired in tournament.rounds_of(tournament.stage))
    if not closed:
        raise NotNow(say("points are given and taken after the first round"))
    player = tournament.participant(player).id
    return PointsAdjusted(new_id(tournament), player, units, closed, tournament.stage)


def new_id(tournament: Tournament) -> str:
    """An id that never comes again: a commit makes one ruling at most."""
    return f"r{tournament.version + 1}"
