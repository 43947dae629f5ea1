"""Rounds: drawn, changed by hand, published, started, played and closed."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from events.decider import Context
from events.errors import NothingDue, NotNow
from rules.errors import Unreadable
from rules.texts import say
from tournaments.certificate import BY_HAND, PROGRAM, certified
from tournaments.commands.base import (
    SERVICE,
    ArbiterCommand,
    Facts,
    TournamentCommand,
    check_reason,
    check_status,
    dropped,
    seed,
)
from tournaments.facts import (
    PlayerWithdrawn,
    RemindersSent,
    ResultRecorded,
    RoundClosed,
    RoundProposed,
    RoundPublished,
    RoundRetracted,
    RoundStarted,
    StageBegun,
    TableGameCreated,
    TablesPinned,
    TournamentFact,
    after_facts,
)
from tournaments.options import DATES, INTERVAL
from tournaments.pairing.draw import Drawn, Request, draw, field_of
from tournaments.points import LARGEST
from tournaments.results import ABSENT, BYE, Result, Round, Table
from tournaments.tournament import FINISHED, RUNNING, PairedRound, Tournament

Seats = tuple[tuple[str, ...], ...]


class PinTables(ArbiterCommand, frozen=True):
    """Put tables of the next round together by hand, players in the order of seats; none: all by the draw."""

    tables: Seats

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        check_tables(tournament, self.tables)
        return (TablesPinned(self.tables), *dropped(tournament))


class ProposeRound(ArbiterCommand, frozen=True):
    """Draw the next round. Another one can be drawn until it is published; the log tells how often that was done.

    `tables` come from elsewhere: from a program for FIDE pairings, or, all of them, from an organiser.
    """

    tables: Seats = ()

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        check_not_paused(tournament)
        if tournament.current:
            raise NotNow(say("round {round} is not over", round=tournament.current.number))
        if tournament.is_over:
            raise NotNow(say("all rounds are played"))
        if tournament.proposal and self.account == SERVICE:
            raise NothingDue(say("a round is proposed already"))
        begun: Facts = next_stage(tournament) if tournament.is_stage_over else ()
        staged = after_facts(tournament, begun)
        drawn = self._drawn(staged, context)
        number, attempt = len(staged.rounds) + 1, tournament.attempts + 1
        return (*begun, RoundProposed(number, drawn.round, drawn.certificate, attempt, context.at))

    def _drawn(self, tournament: Tournament, context: Context) -> Drawn:
        number, attempt = len(tournament.rounds) + 1, tournament.attempts + 1
        byes = {id: kind for id in tournament.in_play if (kind := tournament.participants[id].byes.get(number))}
        present = tuple(id for id in tournament.in_play if id not in byes)
        request = Request(
            tournament.history(tournament.stage),
            present,
            tournament.options.table_size(tournament.stage),
            seed(tournament, context, f"round {number} {attempt}"),
            tournament.options.sizes,
            tournament.wishes(),
            byes,
            tuple(table for table in tournament.pinned if set(table) <= set(present)),
            tournament.options.pairing_method(tournament.stage),
            tournament.options.stages[tournament.stage].rounds,
            tournament.tally,
        )
        if self.tables:
            return self._given(tournament, request)
        found = draw(request)
        if not found.round.tables:
            raise NotNow(say("there are not enough players for a round"))
        return found

    def _given(self, tournament: Tournament, request: Request) -> Drawn:
        """All tables by hand, or by a program: everybody else sits out."""
        check_tables(tournament, self.tables)
        at_tables = {player for table in self.tables for player in table}
        if strangers := at_tables - set(request.present):
            raise NotNow(say("{player} does not play in this round", player=min(strangers)))
        out = dict.fromkeys((player for player in request.present if player not in at_tables), BYE)
        round = Round(request.size, tuple(Table(players) for players in self.tables), {**request.unpaired, **out})
        # Tables that were fixed before do not count any more: these are all.
        order = [entrant.id for entrant in field_of(replace(request, given=()), tournament.tally).entrants]
        method = PROGRAM if self.account == SERVICE else BY_HAND
        certificate = certified(
            request.history, tournament.tally, round, method, request.seed, request.wishes, order, len(self.tables)
        )
        return Drawn(round, certificate)


def next_stage(tournament: Tournament) -> Facts:
    """The best of this stage go on to the next."""
    stage = tournament.stage + 1
    count = tournament.options.stages[stage].players
    active = [row.player for row in tournament.standings() if not tournament.participants[row.player].is_withdrawn]
    return (StageBegun(stage, tuple(active[:count])),)


class PublishRound(ArbiterCommand, frozen=True):
    """Make the proposed round known; it starts when the schedule says."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        check_not_paused(tournament)
        if not tournament.proposal:
            raise NotNow(say("no round is proposed"))
        return (RoundPublished(tournament.proposal.number, start_of(tournament, context.at)),)


def start_of(tournament: Tournament, now: int) -> int:
    """When the round that is published now begins."""
    schedule, number = tournament.options.schedule, len(tournament.rounds)
    soonest = now + schedule.notice_ms
    if schedule.rule == DATES and number < len(schedule.dates):
        return max(soonest, schedule.dates[number])
    if schedule.rule == INTERVAL and tournament.rounds:
        return max(soonest, tournament.rounds[-1].started_at + schedule.interval_ms)
    return soonest


class RetractRound(ArbiterCommand, frozen=True):
    """Take back a published round before it begins, so that it can be drawn again. Once games stand, rulings help."""

    reason: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        check_reason(self.reason)
        current = tournament.current
        if not current:
            raise NotNow(say("no round waits for its start"))
        if current.started_at:
            raise NotNow(say("round {round} has begun: its tables can be ruled about", round=current.number))
        return (RoundRetracted(current.number, self.reason),)


class StartRound(ArbiterCommand, frozen=True):
    """The published round begins: at its time, or when an arbiter says so."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        check_not_paused(tournament)
        current = tournament.current
        if not current or current.started_at:
            raise NothingDue(say("no round waits for its start"))
        if self.account == SERVICE and context.at < current.starts_at:
            raise NothingDue(say("the round does not start yet"))
        return (RoundStarted(current.number, context.at),)


class AttachGame(TournamentCommand, frozen=True):
    """The service has created the game of a table. A table has one game."""

    round: int
    table: int
    game: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        if self.table in paired.games:
            raise NotNow(say("the table has its game already"))
        if any(self.game in other.games.values() for other in tournament.rounds):
            raise NotNow(say("the game belongs to another table"))
        return (TableGameCreated(self.round, self.table, self.game),)


class RecordResult(ArbiterCommand, frozen=True):
    """The game of a table has ended, as its log tells; players who did not come or left the game are told, too."""

    round: int
    table: int
    result: Result
    game: str = ""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        paired = checked_table(tournament, self.round, self.table)
        if paired.games.get(self.table, "") != self.game:
            raise NotNow(say("another game counts for this table"))
        if paired.round.tables[self.table].result:
            raise NotNow(say("the table has its result already: a ruling can change it"))
        check_result(paired.round.tables[self.table], self.result)
        return (ResultRecorded(self.round, self.table, self.result, self.game),)


class RemindPlayers(TournamentCommand, frozen=True):
    """Players of open tables are reminded that the round is nearly over."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        current = tournament.current
        if not current or current.is_reminded or not current.open_tables:
            raise NothingDue(say("nobody has to be reminded"))
        return (RemindersSent(current.number),)


class CloseRound(ArbiterCommand, frozen=True):
    """All tables are done. Players who were absent too often in a row are withdrawn."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        current = tournament.current
        if not current or not current.started_at:
            raise NothingDue(say("no round is under way"))
        if current.open_tables:
            raise NotNow(say("{count} tables are not done", count=len(current.open_tables)))
        closed = RoundClosed(current.number, context.at)
        return (closed, *_withdrawn(closed.change(tournament)))


def _withdrawn(tournament: Tournament) -> list[TournamentFact]:
    most = tournament.options.absences
    away = [p for p in tournament.participants.values() if most and p.absences >= most and not p.is_withdrawn]
    return [PlayerWithdrawn(player.id, ABSENT) for player in away]


# Checks


def check_not_paused(tournament: Tournament) -> None:
    if tournament.is_paused:
        raise NotNow(say("the tournament is paused"))


def checked_table(tournament: Tournament, round: int, table: int) -> PairedRound:
    check_status(tournament, RUNNING, FINISHED)
    paired = tournament.round(round)
    if not 0 <= table < len(paired.round.tables):
        raise NotNow(say("round {round} has no table {table}", round=round, table=table + 1))
    if not paired.started_at:
        raise NotNow(say("round {round} has not begun", round=round))
    return paired


def check_tables(tournament: Tournament, tables: Seats) -> None:
    """Refuses tables at which somebody sits twice, is unknown or withdrawn, or that are too small or large."""
    members, places = set(tournament.members(tournament.stage)), Counter(player for table in tables for player in table)
    for player, count in places.items():
        if tournament.participant(player).is_withdrawn or player not in members:
            raise NotNow(say("{player} does not play in this round", player=player))
        if count > 1:
            raise Unreadable(say("{player} is in two places", player=player))
    if not all(2 <= len(table) <= LARGEST for table in tables):
        raise Unreadable(say("a table has 2 to {most} players", most=LARGEST))


def check_result(table: Table, result: Result) -> None:
    """Refuses a result that is none of this table."""
    seats = range(len(table.players))
    away = (*result.absent, *result.abandoned)
    if len(result.places) != len(seats) or (result.victory_points and len(result.victory_points) != len(seats)):
        raise Unreadable(say("a result has a place for each seat"))
    if len(set(away)) != len(away) or not all(seat in seats for seat in away):
        raise Unreadable(say("players who are away sit at the table, and are named once"))
    ranked = tuple(1 + sum(other < place for other in result.places) for place in result.places)
    if ranked != result.places:
        raise Unreadable(say("places are 1 for the first, and players who share one leave the next ones free"))
    if not all(abs(points) <= 1_000_000 for points in result.victory_points):
        raise Unreadable(say("nobody has so many victory points"))
