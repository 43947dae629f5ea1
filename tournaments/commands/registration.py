"""Players come and go: registration, check-in, withdrawal, byes, and pairs that are kept apart."""

from __future__ import annotations

from msgspec.structs import replace

from events.decider import Context
from events.errors import NotNow, NotPermitted
from rules.errors import Unreadable
from rules.texts import one_by_one, say
from tournaments.commands.base import (
    SERVICE,
    ArbiterCommand,
    Facts,
    PlayerCommand,
    agrees,
    check_status,
    dropped,
)
from tournaments.facts import (
    ByeRequested,
    InvitationEnded,
    PairAllowed,
    PairForbidden,
    PlayerCheckedIn,
    PlayerInvited,
    PlayerRegistered,
    PlayerReturned,
    PlayerUnregistered,
    PlayerWithdrawn,
    PointsAdjusted,
)
from tournaments.facts.registration import BY_STAFF, EXCLUDED
from tournaments.options import LONGEST_TITLE, MOST_PLAYERS, MOST_ROUNDS, check_text
from tournaments.points import win_points
from tournaments.results import FULL_BYE, HALF_BYE, ZERO_BYE
from tournaments.tournament import ARBITER, OPEN, ORGANISER, RUNNING, Participant, Tournament
from tournaments.wishes import pair_of

MOST_PAIRS = 1000
LATE = "late:"
"""Before the name of a late player, where a ruling would stand that gave them points."""


class Register(PlayerCommand, frozen=True):
    """Enter the tournament, as long as that is possible. The service says which rating an account has.

    An account that staff enters is invited: it becomes a player when it registers itself.
    """

    rating: int = 0
    team: str = ""

    def permit(self, tournament: Tournament) -> None:
        """Everybody may enter; staff may invite others. A private tournament is entered by staff, and by invitation."""
        is_staff = self.account == SERVICE or tournament.role(self.account) in (ORGANISER, ARBITER)
        if is_staff:
            return
        if not tournament.is_visible_to(self.account):
            super().permit(tournament)
        if self.player not in ("", self.account):
            raise NotPermitted(say("you may do that for yourself alone"))

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        player, entry = self.player or self.account, tournament.options.entry
        if self.team:
            check_text(self.team, LONGEST_TITLE, lines=False)
        if player in tournament.participants or tournament.player_of(player):
            raise NotNow(say("{player} takes part already", player=player))
        if len(tournament.participants) >= entry.most:
            raise NotNow(say("the tournament is full: {most} players take part", most=entry.most))
        round = len(tournament.rounds) + 1
        if tournament.status == RUNNING and (tournament.stage or round > entry.late_until):
            raise NotNow(say("it is too late to enter"))
        if not self._is_agreed(player):
            return self._invited(tournament, player)
        if known := tournament.invited.get(player):
            return replace(self, rating=known.rating, team=known.team)._entered(tournament, player, round)
        return self._entered(tournament, player, round)

    def asks(self, tournament: Tournament) -> tuple[str, ...]:
        return () if self._is_agreed(player := self.player or self.account) else (player,)

    def _is_agreed(self, player: str) -> bool:
        """Whether nobody has to be asked: the service knows that the account agrees."""
        return self.account == SERVICE or agrees(self.account, player)

    def _invited(self, tournament: Tournament, player: str) -> Facts:
        if player in tournament.invited:
            raise NotNow(say("{player} is invited already", player=player))
        if player in tournament.declined:
            raise NotNow(say("{player} has declined, and can still register alone", player=player))
        if len(tournament.invited) >= MOST_PLAYERS:
            raise NotNow(say("{most} players at most are invited at once", most=MOST_PLAYERS))
        return (PlayerInvited(player, self.rating, self.team),)

    def _entered(self, tournament: Tournament, player: str, round: int) -> Facts:
        """Missed rounds count nothing, but perhaps one half of a win."""
        if tournament.status == OPEN:
            return (PlayerRegistered(player, self.rating, self.team),)
        entry = tournament.options.entry
        number = 1 + max((each.number for each in tournament.participants.values()), default=0)
        facts: Facts = (PlayerRegistered(player, self.rating, self.team, number, round),)
        if entry.late_half_bye and round > 1:
            half = win_points(tournament.options.points, tournament.options.size) // 2
            facts = (*facts, PointsAdjusted(LATE + player, player, half, round - 1))
        return (*facts, *dropped(tournament))


class CheckIn(PlayerCommand, frozen=True):
    """Confirm before the start that the player is there."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN)
        schedule, player = tournament.options.schedule, self.who(tournament)
        if schedule.check_in_ms and schedule.starts_at and context.at < schedule.starts_at - schedule.check_in_ms:
            raise NotNow(say("the check-in is not open yet"))
        if tournament.participants[player].is_checked_in:
            raise NotNow(say("{player} has checked in already", player=player))
        return (PlayerCheckedIn(player),)


class Withdraw(PlayerCommand, frozen=True):
    """Leave: before the start without a trace, after it with everything that was played; or decline an invitation."""

    def permit(self, tournament: Tournament) -> None:
        if self.account not in tournament.invited or self.player not in ("", self.account):
            super().permit(tournament)

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        if (invited := self.player or self.account) in tournament.invited:
            return (InvitationEnded(invited, is_declined=invited == self.account),)
        player = tournament.participants[self.who(tournament)]
        if tournament.status == OPEN:
            return (PlayerUnregistered(player.id),)
        is_own = self.account == player.account
        if player.is_withdrawn and (player.has_left or not is_own):
            raise NotNow(say("{player} is withdrawn already", player=player.id))
        return (PlayerWithdrawn(player.id, "" if is_own else BY_STAFF), *dropped(tournament))


class Return(PlayerCommand, frozen=True):
    """Come back. Rounds in between count nothing: leaving and coming back brings no points.

    Staff brings back whom staff has withdrawn; whoever has left, or did not come, comes back alone.
    """

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        player = self.who(tournament)
        if not tournament.participants[player].is_withdrawn:
            raise NotNow(say("{player} is not withdrawn", player=player))
        excluded = any(
            ruling.place == (EXCLUDED, player) and not ruling.reversed_by for ruling in tournament.rulings.values()
        )
        if excluded:
            raise NotNow(say("{player} was excluded by a ruling", player=player))
        returning = tournament.participants[player]
        if returning.has_left and not agrees(self.account, returning.account):
            raise NotNow(say("{player} has left, and comes back alone", player=player))
        return (PlayerReturned(player), *dropped(tournament))


class RequestBye(PlayerCommand, frozen=True):
    """Sit a round out; without a kind, play after all. Staff may give any bye."""

    round: int = 0
    kind: str = ZERO_BYE

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        player = self.who(tournament)
        if self.kind not in ("", HALF_BYE, FULL_BYE, ZERO_BYE):
            raise Unreadable(say("a bye is one of {kinds}", kinds=one_by_one((HALF_BYE, FULL_BYE, ZERO_BYE))))
        if not len(tournament.rounds) < self.round <= MOST_ROUNDS:
            raise NotNow(say("round {round} is published already", round=self.round))
        if self.account != SERVICE and tournament.role(self.account) not in (ORGANISER, ARBITER):
            self._check_right(tournament, player)
        is_given = self._is_given(tournament.participants[player])
        return (ByeRequested(player, self.round, self.kind, is_given), *dropped(tournament))

    def _is_given(self, player: Participant) -> bool:
        """Whether staff decides for a player who has not asked to sit out; nobody else takes back what they asked."""
        has_asked = self.round in player.byes and self.round not in player.given_byes
        is_other = not agrees(self.account, player.account)
        if has_asked and is_other and not self.kind:
            raise NotNow(say("{player} has asked to sit out, and alone can say otherwise", player=player.id))
        return is_other and not has_asked and bool(self.kind)

    def _check_right(self, tournament: Tournament, player: str) -> None:
        entry = tournament.options.entry
        if self.kind == FULL_BYE:
            raise NotPermitted(say("only an organiser gives a bye with a whole win"))
        asked = [n for n, k in tournament.participants[player].byes.items() if k == HALF_BYE and n != self.round]
        too_late = entry.half_byes_until and self.round > entry.half_byes_until
        if self.kind == HALF_BYE and (len(asked) >= entry.half_byes or too_late):
            raise NotNow(say("no more byes with half of a win are left for {player}", player=player))


class ForbidPair(ArbiterCommand, frozen=True):
    """Keep two players apart, as far as that is possible."""

    one: str
    other: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        pair = pair_of(tournament.entrant(self.one).id, tournament.entrant(self.other).id)
        if self.one == self.other or pair in tournament.forbidden:
            raise NotNow(say("nothing would change"))
        if len(tournament.forbidden) >= MOST_PAIRS:
            raise NotNow(say("{most} pairs at most are kept apart", most=MOST_PAIRS))
        return (PairForbidden(*pair), *dropped(tournament))


class AllowPair(ArbiterCommand, frozen=True):
    one: str
    other: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        if pair_of(self.one, self.other) not in tournament.forbidden:
            raise NotNow(say("nothing would change"))
        return (PairAllowed(*pair_of(self.one, self.other)), *dropped(tournament))
