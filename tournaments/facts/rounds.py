"""Rounds, from the draw to their end, and the games of their tables."""

from __future__ import annotations

from msgspec.structs import replace

from rules.texts import Text, say, say_many
from tournaments.certificate import Certificate
from tournaments.facts.base import TournamentFact
from tournaments.results import ABSENT, Result, Round
from tournaments.tally import tally_after
from tournaments.tournament import PairedRound, Tournament


class TablesPinned(TournamentFact, frozen=True, tag="tables_pinned"):
    """Tables by hand, for the next round."""

    tables: tuple[tuple[str, ...], ...]

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, pinned=self.tables)


class StageBegun(TournamentFact, frozen=True, tag="stage_begun"):
    """The best of the stage before go on."""

    stage: int
    players: tuple[str, ...]

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, stage=self.stage, qualified=(*tournament.qualified, self.players), counted=None)

    @property
    def sentence(self) -> Text:
        return say_many("{count} player goes on to the final", "{count} players go on to the final", len(self.players))


class RoundProposed(TournamentFact, frozen=True, tag="round_proposed"):
    """A round is drawn, and can still be changed."""

    number: int
    round: Round
    certificate: Certificate
    attempt: int
    at: int

    def change(self, tournament: Tournament) -> Tournament:
        at = tournament.review_since or self.at
        proposal = PairedRound(self.number, tournament.stage, self.round, self.certificate, self.attempt, at)
        return replace(tournament, proposal=proposal, attempts=self.attempt, review_since=0)


class ProposalDropped(TournamentFact, frozen=True, tag="proposal_dropped"):
    """Something has changed that the proposed round was drawn from: it is drawn anew, and published no later."""

    number: int

    def change(self, tournament: Tournament) -> Tournament:
        since = tournament.proposal.proposed_at if tournament.proposal else tournament.review_since
        return replace(tournament, proposal=None, review_since=since)


class RoundPublished(TournamentFact, frozen=True, tag="round_published"):
    number: int
    starts_at: int

    def change(self, tournament: Tournament) -> Tournament:
        assert tournament.proposal, "a round is proposed first"
        published = replace(tournament.proposal, starts_at=self.starts_at)
        return replace(tournament, rounds=(*tournament.rounds, published), proposal=None, attempts=0, pinned=())

    @property
    def sentence(self) -> Text:
        return say("the pairings of round {round} are out", round=self.number)


class RoundRetracted(TournamentFact, frozen=True, tag="round_retracted"):
    """A published round that has not begun is taken back; the next draw counts on from it."""

    number: int
    reason: str

    def change(self, tournament: Tournament) -> Tournament:
        attempts = tournament.round(self.number).attempt
        return replace(tournament, rounds=tournament.rounds[: self.number - 1], attempts=attempts)

    @property
    def sentence(self) -> Text:
        return say("the pairings of round {round} do not hold: {reason}", round=self.number, reason=self.reason)


class RoundStarted(TournamentFact, frozen=True, tag="round_started"):
    number: int
    at: int

    def change(self, tournament: Tournament) -> Tournament:
        return tournament.with_round(replace(tournament.round(self.number), started_at=self.at))

    @property
    def sentence(self) -> Text:
        return say("round {round} begins", round=self.number)


class TableGameCreated(TournamentFact, frozen=True, tag="table_game_created"):
    """The game of a table stands ready."""

    round: int
    table: int
    game: str

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        return tournament.with_round(replace(paired, games={**paired.games, self.table: self.game}))


class ResultRecorded(TournamentFact, frozen=True, tag="result_recorded"):
    """A game has ended, as its own log tells."""

    round: int
    table: int
    result: Result
    game: str = ""

    def change(self, tournament: Tournament) -> Tournament:
        return with_result(tournament, self.round, self.table, self.result)


class RemindersSent(TournamentFact, frozen=True, tag="reminders_sent"):
    """Players of open tables were reminded of the limit."""

    round: int

    def change(self, tournament: Tournament) -> Tournament:
        return tournament.with_round(replace(tournament.round(self.round), is_reminded=True))


class RoundClosed(TournamentFact, frozen=True, tag="round_closed"):
    number: int
    at: int

    def change(self, tournament: Tournament) -> Tournament:
        paired = replace(tournament.round(self.number), closed_at=self.at)
        counted = tournament.tally
        after = _with_absences(tournament.with_round(paired), paired.round)
        return replace(after, counted=tally_after(counted, after.history(after.stage), paired.round))

    @property
    def sentence(self) -> Text:
        return say("round {round} is over", round=self.number)


def _with_absences(tournament: Tournament, round: Round) -> Tournament:
    """Everybody's absences in a row: a game ends them."""
    missed = {player for player, kind in round.unpaired.items() if kind == ABSENT}
    played: set[str] = set()
    for table in round.tables:
        played |= set(table.present)
        missed |= set(table.players) - set(table.present)
    counts = {player: tournament.participants[player].absences + 1 for player in missed} | dict.fromkeys(played, 0)
    changed = {p: replace(tournament.participants[p], absences=count) for p, count in counts.items()}
    return replace(tournament, participants={**tournament.participants, **changed})


def with_result(tournament: Tournament, number: int, table: int, result: Result | None) -> Tournament:
    paired = tournament.round(number)
    changed = paired.with_table(table, replace(paired.round.tables[table], result=result))
    after = tournament.with_round(changed)
    return replace(after, counted=None) if paired.closed_at else after
