"""The tournament as a whole: options, staff, start and end."""

from __future__ import annotations

from events.decider import Context
from events.errors import NotNow
from rules.errors import Unreadable
from rules.fairness import Chance
from rules.texts import one_by_one, say
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
    AnnouncementMade,
    OptionsChanged,
    StaffSet,
    TournamentCancelled,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from tournaments.options import LONGEST_TEXT, Options, check_options, check_text
from tournaments.tournament import ARBITER, OPEN, ORGANISER, RUNNING, Tournament

MOST_STAFF, MOST_ANNOUNCEMENTS = 50, 200

LOCKED = ("game", "game_options", "size", "points", "bye", "method", "rated")
"""What stays as it was agreed once the tournament has started."""


class ChangeOptions(TournamentCommand, frozen=True):
    """Other options. After the start the change needs a reason, and points and rounds played stay as they are."""

    options: Options
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        check_options(self.options)
        if tournament.status == OPEN:
            return (OptionsChanged(self.options),)
        check_reason(self.reason)
        changed = [name for name in LOCKED if getattr(self.options, name) != getattr(tournament.options, name)]
        if changed:
            raise NotNow(say("after the start {names} stay as they are", names=one_by_one(changed)))
        self._check_stages(tournament)
        return (OptionsChanged(self.options, self.reason), *dropped(tournament))

    def _check_stages(self, tournament: Tournament) -> None:
        stages, before = self.options.stages, tournament.options.stages
        if len(stages) <= tournament.stage or stages[: tournament.stage] != before[: tournament.stage]:
            raise NotNow(say("stages that have begun stay as they are"))
        if stages[tournament.stage].rounds < len(tournament.rounds_of(tournament.stage)):
            raise NotNow(say("more rounds are published already"))


class SetStaff(TournamentCommand, frozen=True):
    """Give an account a role, or none."""

    member: str
    role: str

    def permit(self, tournament: Tournament) -> None:
        """Whoever was given a role may lay it down."""
        if not (self.account == self.member and not self.role and self.account in tournament.staff):
            super().permit(tournament)

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        if self.role not in ("", ORGANISER, ARBITER):
            raise Unreadable(say("a role is organiser or arbiter"))
        if self.member == tournament.owner:
            raise NotNow(say("the owner of a tournament stays its owner"))
        if len(tournament.staff) >= MOST_STAFF and self.member not in tournament.staff:
            raise NotNow(say("a tournament has {most} organisers and arbiters at most", most=MOST_STAFF))
        return (StaffSet(self.member, self.role),)


class Announce(ArbiterCommand, frozen=True):
    text: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_text(self.text, LONGEST_TEXT, lines=True)
        if len(tournament.announcements) >= MOST_ANNOUNCEMENTS:
            raise NotNow(say("a tournament has {most} announcements at most", most=MOST_ANNOUNCEMENTS))
        return (AnnouncementMade(self.text),)


class StartTournament(TournamentCommand, frozen=True):
    """Close the registration: players get their starting numbers, the strongest first."""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN)
        there = [
            player
            for player in tournament.participants.values()
            if player.is_checked_in or not tournament.options.schedule.check_in_ms
        ]
        if len(there) < (fewest := tournament.options.fewest):
            raise NotNow(say("{count} players are there, not {fewest}", count=len(there), fewest=fewest))
        drawn = Chance(seed(tournament, context, "numbers")).shuffled(sorted(there, key=lambda player: player.id))
        numbers = tuple(player.id for player in sorted(drawn, key=lambda player: -player.rating))
        return (TournamentStarted(numbers, seed(tournament, context, "lots").hex()),)


class PauseTournament(ArbiterCommand, frozen=True):
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        if tournament.is_paused:
            raise NotNow(say("the tournament is paused already"))
        return (TournamentPaused(self.reason),)


class ResumeTournament(ArbiterCommand, frozen=True):
    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        if not tournament.is_paused:
            raise NotNow(say("the tournament is not paused"))
        return (TournamentResumed(),)


class CancelTournament(TournamentCommand, frozen=True):
    reason: str

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, OPEN, RUNNING)
        check_reason(self.reason)
        return (TournamentCancelled(self.reason),)


class FinishTournament(TournamentCommand, frozen=True):
    """The end: after the last round, or without enough players, by itself; before it by an organiser with a reason."""

    reason: str = ""

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        check_status(tournament, RUNNING)
        if tournament.current:
            raise NotNow(say("round {round} is not over", round=tournament.current.number))
        for paired, table in tournament.reopened:
            raise NotNow(say("table {table} of round {round} plays again", table=table + 1, round=paired.number))
        is_due = tournament.is_over or tournament.is_too_small
        if not is_due and (self.account == SERVICE or not self.reason):
            raise NotNow(say("not all rounds are played"))
        places = tuple(row.player for row in tournament.standings())
        return (TournamentFinished(places, context.secret.hex()),)
