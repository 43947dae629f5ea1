"""An account is asked to play for a player: it accepts, declines, or does not answer. Nobody is seated unasked."""

from __future__ import annotations

from events.decider import Context
from events.errors import NothingDue, NotNow, NotPermitted
from rules.errors import Unreadable
from rules.texts import say
from tournaments.commands.base import SERVICE, Facts, TournamentCommand, agrees, check_status
from tournaments.commands.calls import released
from tournaments.facts import PlayerSubstituted, SubstituteAsked, SubstituteRequestEnded
from tournaments.facts.rulings import DECLINED, RECALLED, SILENT
from tournaments.tournament import FINISHED, RUNNING, Tournament

LONGEST_ID = 200
SHORTEST_ANSWER_MS, LONGEST_ANSWER_MS = 60_000, 30 * 24 * 3600 * 1000
USUAL_ANSWER_MS = 3600 * 1000
"""Where nobody has said how long the tournament waits for players who do not come."""


def asked(tournament: Tournament, author: str, wanted: SubstituteAsked) -> Facts:
    """An account is asked, and nobody else any more; one that agrees anyway plays at once."""
    check_substitute(tournament, wanted.player, wanted.account)
    former = tournament.participant(wanted.player).account
    recalled: Facts = ()
    if before := tournament.asked.get(wanted.player):
        ended = SubstituteRequestEnded(wanted.player, before.account, RECALLED)
        recalled = (ended, *released_by(tournament, wanted.player))
    if agrees(author, wanted.account):
        return (*recalled, PlayerSubstituted(wanted.player, wanted.account, former))
    return (*recalled, wanted)


def check_substitute(tournament: Tournament, player: str, account: str) -> None:
    tournament.participant(player)
    if not 0 < len(account) <= LONGEST_ID:
        raise Unreadable(say("a substitute is an account"))
    if tournament.player_of(account):
        raise NotNow(say("{player} takes part already", player=account))
    if tournament.asked_for(account):
        raise NotNow(say("{player} is asked already", player=account))
    if account in tournament.declined:
        raise NotNow(say("{player} has declined, and is not asked again", player=account))


def answer_until(tournament: Tournament, now: int, answer_ms: int = 0) -> int:
    return now + (answer_ms or tournament.options.schedule.no_show_ms or USUAL_ANSWER_MS)


def running_table(tournament: Tournament, player: str) -> tuple[int, int] | None:
    """The round and the table at which a player plays now, with clocks that go on."""
    current = tournament.current
    now = [(current, table) for table in current.open_tables] if current else []
    for paired, table in (*now, *tournament.reopened):
        is_played = table in paired.games and table not in paired.held
        if is_played and player in paired.round.tables[table].players:
            return paired.number, table
    return None


def released_by(tournament: Tournament, player: str) -> Facts:
    """The clocks that a request has stopped go on."""
    request = tournament.asked.get(player)
    return released(tournament, request.round, request.table) if request and request.round else ()


class SeatAnswer(TournamentCommand, frozen=True):
    """An account that is asked to play for a player answers."""

    def permit(self, tournament: Tournament) -> None:
        if self.account == SERVICE or tournament.asked_for(self.account):
            return
        if not tournament.is_visible_to(self.account):
            super().permit(tournament)
        raise NotPermitted(say("nobody asks you to play for another player"))

    def request(self, tournament: Tournament) -> str:
        """The player whom it is about."""
        check_status(tournament, RUNNING, FINISHED)
        if player := tournament.asked_for(self.account):
            return player
        raise NotNow(say("nobody asks you to play for another player"))


class AcceptSeat(SeatAnswer, frozen=True):
    """Play for a player from now on, with their points, at their clock."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        player = self.request(tournament)
        if tournament.player_of(self.account):
            raise NotNow(say("{player} takes part already", player=self.account))
        former = tournament.participants[player].account
        return (PlayerSubstituted(player, self.account, former), *released_by(tournament, player))


class DeclineSeat(SeatAnswer, frozen=True):
    """Not play for a player. Clocks that stand still for the answer wait for an arbiter, who is told."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        return (SubstituteRequestEnded(self.request(tournament), self.account, DECLINED),)


class EndSeatRequest(TournamentCommand, frozen=True):
    """There was no answer for too long: the staff is told."""

    player: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        request = tournament.asked.get(self.player)
        if not request or context.at < request.until:
            raise NothingDue(say("nobody has to answer"))
        return (SubstituteRequestEnded(self.player, request.account, SILENT),)
