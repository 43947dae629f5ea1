"""Rulings, and what they decide. Each of these facts knows how it is undone."""

from __future__ import annotations

from msgspec.structs import replace

from events.table.facts import BOT_PREFIX
from rules.texts import Text, say
from tournaments.facts.base import TournamentFact
from tournaments.facts.rounds import with_result
from tournaments.history import Adjustment
from tournaments.points import shown_points
from tournaments.results import Result
from tournaments.tournament import Ruling, SeatRequest, Tournament

DECLINED, SILENT, RECALLED = "declined", "silent", "recalled"
"""Why an account that was asked to play for a player does not."""


class RulingMade(TournamentFact, frozen=True, tag="ruling_made"):
    """An arbiter decides; the facts that follow it are what is decided."""

    ruling: str
    kind: str
    by: str
    reason: str
    place: tuple[str, ...]

    def change(self, tournament: Tournament) -> Tournament:
        made = Ruling(self.ruling, self.kind, self.by, self.reason, self.place, ())
        return replace(tournament, rulings={**tournament.rulings, self.ruling: made})

    @property
    def sentence(self) -> Text:
        return say("ruling of {by}: {reason}", by=self.by, reason=self.reason)


class RulingReversed(TournamentFact, frozen=True, tag="ruling_reversed"):
    """An earlier ruling does not hold any more; the facts that follow it bring back what was before."""

    ruling: str
    by: str
    reason: str

    def change(self, tournament: Tournament) -> Tournament:
        gone = replace(tournament.rulings[self.ruling], reversed_by=self.by)
        return replace(tournament, rulings={**tournament.rulings, self.ruling: gone})

    @property
    def sentence(self) -> Text:
        return say("a ruling is reversed by {by}: {reason}", by=self.by, reason=self.reason)


class ResultChanged(TournamentFact, frozen=True, tag="result_changed"):
    """The result of a table is this one, or none any more."""

    round: int
    table: int
    result: Result | None

    def change(self, tournament: Tournament) -> Tournament:
        return with_result(tournament, self.round, self.table, self.result)

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return ResultChanged(self.round, self.table, tournament.round(self.round).round.tables[self.table].result)


class TableGameChanged(TournamentFact, frozen=True, tag="table_game_changed"):
    """Another game counts for a table, or none yet: it is played again."""

    round: int
    table: int
    game: str

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        others = {table: game for table, game in paired.games.items() if table != self.table}
        return tournament.with_round(replace(paired, games={**others, self.table: self.game} if self.game else others))

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return TableGameChanged(self.round, self.table, tournament.round(self.round).games.get(self.table, ""))


class GameRewound(TournamentFact, frozen=True, tag="game_rewound"):
    """The game of a table goes on from an earlier version: a commit in its own log says so, too."""

    round: int
    table: int
    game: str
    version: int

    def change(self, tournament: Tournament) -> Tournament:
        return tournament

    def inverse(self, tournament: Tournament) -> None:
        """The game stays as its players have gone on with it: nobody can forget what was seen."""
        return

    @property
    def sentence(self) -> Text:
        return say("the game at table {table} goes on from step {version}", table=self.table + 1, version=self.version)


class PointsAdjusted(TournamentFact, frozen=True, tag="points_adjusted"):
    """Points of a ruling; without any, that ruling gives none any more."""

    ruling: str
    player: str
    units: int
    round: int
    stage: int = 0

    def change(self, tournament: Tournament) -> Tournament:
        others = {ruling: made for ruling, made in tournament.adjustments.items() if ruling != self.ruling}
        made = (self.stage, Adjustment(self.player, self.units, self.round))
        return replace(tournament, adjustments={**others, self.ruling: made} if self.units else others, counted=None)

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return PointsAdjusted(self.ruling, self.player, 0, self.round, self.stage)

    @property
    def sentence(self) -> Text | None:
        if not self.units:
            return None
        return say("{player} gets {points} points by a ruling", player=self.player, points=shown_points(self.units))


class SubstituteAsked(TournamentFact, frozen=True, tag="substitute_asked"):
    """An account is asked to play for a player from now on. Until it agrees, everything stays as it is."""

    player: str
    account: str
    until: int = 0
    ruling: str = ""
    round: int = 0
    table: int = -1

    def change(self, tournament: Tournament) -> Tournament:
        request = SeatRequest(self.account, self.until, self.ruling, self.round, self.table)
        return replace(tournament, asked={**tournament.asked, self.player: request})

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return SubstituteRequestEnded(self.player, self.account, RECALLED)

    @property
    def sentence(self) -> Text:
        return say("{account} is asked to play for {player}", account=self.account, player=self.player)


class SubstituteRequestEnded(TournamentFact, frozen=True, tag="substitute_request_ended"):
    """The account that was asked does not play for the player."""

    player: str
    account: str
    because: str

    def change(self, tournament: Tournament) -> Tournament:
        declined = (*tournament.declined, self.account) if self.because == DECLINED else tournament.declined
        return _without_request(replace(tournament, declined=declined), self.player, ())

    def inverse(self, tournament: Tournament) -> None:
        """Nobody is asked again by itself."""
        return

    @property
    def sentence(self) -> Text:
        account, player = self.account, self.player
        match self.because:
            case "declined":
                return say("{account} does not want to play for {player}", account=account, player=player)
            case "silent":
                return say("{account} has not said whether they play for {player}", account=account, player=player)
        return say("{account} is not asked any more to play for {player}", account=account, player=player)


def _without_request(tournament: Tournament, player: str, inverse: tuple[TournamentFact, ...]) -> Tournament:
    """Its ruling knows from now on what would bring back what was before."""
    request = tournament.asked.get(player)
    if not request:
        return tournament
    asked = {id: other for id, other in tournament.asked.items() if id != player}
    rulings = tournament.rulings
    if made := rulings.get(request.ruling):
        rulings = {**rulings, made.id: replace(made, inverse=inverse)}
    return replace(tournament, asked=asked, rulings=rulings)


class PlayerSubstituted(TournamentFact, frozen=True, tag="player_substituted"):
    """Another account plays for a player from now on, with their points."""

    player: str
    account: str
    former: str = ""
    """The account that played before."""

    def change(self, tournament: Tournament) -> Tournament:
        after = replace(tournament.participants[self.player], account=self.account)
        return _without_request(tournament, self.player, (self.inverse(tournament),)).with_participant(after)

    def inverse(self, tournament: Tournament) -> TournamentFact:
        """The account from before is asked to come back; a bot comes."""
        before = tournament.participants[self.player].account
        back = PlayerSubstituted if before.startswith(BOT_PREFIX) else SubstituteAsked
        return back(self.player, before)

    @property
    def sentence(self) -> Text:
        return say("{account} plays for {player}", account=self.account, player=self.player)


class PlayerWarned(TournamentFact, frozen=True, tag="player_warned"):
    player: str
    count: int = 1

    def change(self, tournament: Tournament) -> Tournament:
        player = tournament.participants[self.player]
        return tournament.with_participant(replace(player, warnings=player.warnings + self.count))

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return PlayerWarned(self.player, -self.count)
