"""Players come and go, sit out, and are kept apart."""

from __future__ import annotations

from msgspec.structs import replace

from rules.texts import Text, say
from tournaments.facts.base import TournamentFact
from tournaments.tournament import Participant, Tournament
from tournaments.wishes import pair_of


class PlayerRegistered(TournamentFact, frozen=True, tag="player_registered"):
    player: str
    rating: int = 0
    team: str = ""
    number: int = 0
    """Of a player who enters after the start."""
    entered: int = 1

    def change(self, tournament: Tournament) -> Tournament:
        entered = Participant(self.player, self.player, self.rating, self.team, self.number, self.entered)
        if self.number:
            entered = replace(entered, is_checked_in=True)
        return replace(tournament.with_participant(entered), invited=_without(tournament, self.player), counted=None)


class PlayerInvited(TournamentFact, frozen=True, tag="player_invited"):
    """Staff enters an account, which has to agree before it is a player."""

    player: str
    rating: int = 0
    team: str = ""

    def change(self, tournament: Tournament) -> Tournament:
        invited = Participant(self.player, self.player, self.rating, self.team)
        return replace(tournament, invited={**tournament.invited, self.player: invited})


class InvitationEnded(TournamentFact, frozen=True, tag="invitation_ended"):
    """The account does not want to come, or staff has taken the invitation back."""

    player: str
    is_declined: bool = False

    def change(self, tournament: Tournament) -> Tournament:
        declined = (*tournament.declined, self.player) if self.is_declined else tournament.declined
        return replace(tournament, invited=_without(tournament, self.player), declined=declined)


def _without(tournament: Tournament, player: str) -> dict[str, Participant]:
    return {id: invited for id, invited in tournament.invited.items() if id != player}


class PlayerUnregistered(TournamentFact, frozen=True, tag="player_unregistered"):
    """Before the start a player leaves without a trace."""

    player: str

    def change(self, tournament: Tournament) -> Tournament:
        others = {id: player for id, player in tournament.participants.items() if id != self.player}
        return replace(tournament, participants=others)


class PlayerCheckedIn(TournamentFact, frozen=True, tag="player_checked_in"):
    player: str

    def change(self, tournament: Tournament) -> Tournament:
        return tournament.with_participant(replace(tournament.participants[self.player], is_checked_in=True))


BY_STAFF, EXCLUDED = "by_staff", "excluded"
"""Why a player is withdrawn whom staff can bring back."""


class PlayerWithdrawn(TournamentFact, frozen=True, tag="player_withdrawn"):
    """The player is not paired any more; what was played stays."""

    player: str
    because: str = ""

    def change(self, tournament: Tournament) -> Tournament:
        has_left = self.because not in (BY_STAFF, EXCLUDED)
        gone = replace(tournament.participants[self.player], is_withdrawn=True, has_left=has_left)
        return tournament.with_participant(gone)

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return PlayerReturned(self.player)

    @property
    def sentence(self) -> Text:
        return say("{player} is withdrawn", player=self.player)


class PlayerReturned(TournamentFact, frozen=True, tag="player_returned"):
    """The player is paired again. Rounds in between count nothing."""

    player: str

    def change(self, tournament: Tournament) -> Tournament:
        back = replace(tournament.participants[self.player], is_withdrawn=False, has_left=False, absences=0)
        return tournament.with_participant(back)

    def inverse(self, tournament: Tournament) -> TournamentFact:
        return PlayerWithdrawn(self.player)


class ByeRequested(TournamentFact, frozen=True, tag="bye_requested"):
    """A player will sit out a round; without a kind, the player plays after all."""

    player: str
    round: int
    kind: str = ""
    is_given: bool = False
    """By staff, to a player who has not asked for it."""

    def change(self, tournament: Tournament) -> Tournament:
        player = tournament.participants[self.player]
        byes = {number: kind for number, kind in player.byes.items() if number != self.round}
        given = tuple(number for number in player.given_byes if number != self.round)
        if self.kind:
            byes, given = {**byes, self.round: self.kind}, (*given, self.round) if self.is_given else given
        return tournament.with_participant(replace(player, byes=byes, given_byes=given))


class PairForbidden(TournamentFact, frozen=True, tag="pair_forbidden"):
    one: str
    other: str

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, forbidden=tuple(sorted({*tournament.forbidden, pair_of(self.one, self.other)})))


class PairAllowed(TournamentFact, frozen=True, tag="pair_allowed"):
    one: str
    other: str

    def change(self, tournament: Tournament) -> Tournament:
        pair = pair_of(self.one, self.other)
        return replace(tournament, forbidden=tuple(kept for kept in tournament.forbidden if kept != pair))
