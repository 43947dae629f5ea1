"""Players call an arbiter to their table, and arbiters stop its clocks until they have decided."""

from __future__ import annotations

from msgspec.structs import replace

from rules.texts import Text, say
from tournaments.facts.base import TournamentFact
from tournaments.tournament import Claim, SeatRequest, Tournament


class ArbiterCalled(TournamentFact, frozen=True, tag="arbiter_called"):
    """A player asks for a ruling, or says something about one that another player asks for."""

    round: int
    table: int
    player: str
    text: str
    at: int
    step: int = 0
    """Of the game, at that moment; 0: there was none."""

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        claims = paired.claims.get(self.table, ())
        before = next((claim.times for claim in claims if claim.player == self.player), 0)
        others = tuple(claim for claim in claims if claim.player != self.player)
        made = Claim(self.player, self.text, self.at, self.step, before + 1)
        return tournament.with_round(replace(paired, claims={**paired.claims, self.table: (*others, made)}))

    @property
    def sentence(self) -> Text:
        return say(
            "{player} calls the arbiter to table {table}: {text}",
            player=self.player,
            table=self.table + 1,
            text=self.text,
        )


class CallAnswered(TournamentFact, frozen=True, tag="call_answered"):
    """The call of a table is answered: in words, or, without any, by a ruling."""

    round: int
    table: int
    text: str = ""

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        claims = {table: made for table, made in paired.claims.items() if table != self.table}
        return tournament.with_round(replace(paired, claims=claims))

    def inverse(self, tournament: Tournament) -> None:
        """A player whose ruling is taken back can call again."""
        return

    @property
    def sentence(self) -> Text | None:
        return say("the arbiter at table {table}: {text}", table=self.table + 1, text=self.text) if self.text else None


class TableHeld(TournamentFact, frozen=True, tag="table_held"):
    """The clocks of a table stand still until an arbiter has decided."""

    round: int
    table: int
    at: int

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        return tournament.with_round(replace(paired, held={**paired.held, self.table: self.at}))

    def inverse(self, tournament: Tournament) -> None:
        """Taking back the ruling that stopped them ends its request, and that lets them go on."""
        return

    @property
    def sentence(self) -> Text:
        return say("the clocks of table {table} stand still", table=self.table + 1)


class TableReleased(TournamentFact, frozen=True, tag="table_released"):
    round: int
    table: int

    def change(self, tournament: Tournament) -> Tournament:
        paired = tournament.round(self.round)
        held = {table: at for table, at in paired.held.items() if table != self.table}
        asked = {player: self._without_clocks(request) for player, request in tournament.asked.items()}
        return replace(tournament.with_round(replace(paired, held=held)), asked=asked)

    def _without_clocks(self, request: SeatRequest) -> SeatRequest:
        """A request whose answer would let these clocks go on has nothing to do with them any more."""
        is_same = (request.round, request.table) == (self.round, self.table)
        return replace(request, round=0, table=-1) if is_same else request

    def inverse(self, tournament: Tournament) -> None:
        """A ruling that is taken back stops no clocks."""
        return

    @property
    def sentence(self) -> Text:
        return say("the clocks of table {table} go on", table=self.table + 1)
