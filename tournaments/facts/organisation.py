"""The tournament itself: its options, its staff, its beginning and its end."""

from __future__ import annotations

from msgspec.structs import replace

from rules.texts import Text, say, say_many
from tournaments.facts.base import TournamentFact
from tournaments.options import Options
from tournaments.tournament import CANCELLED, FINISHED, RUNNING, Tournament


class TournamentCreated(TournamentFact, frozen=True, tag="tournament_created"):
    tournament: str
    owner: str
    options: Options
    commitment: str


class OptionsChanged(TournamentFact, frozen=True, tag="options_changed"):
    options: Options
    reason: str = ""
    """After the start."""

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, options=self.options)

    @property
    def sentence(self) -> Text | None:
        return say("the options were changed: {reason}", reason=self.reason) if self.reason else None


class StaffSet(TournamentFact, frozen=True, tag="staff_set"):
    """An account has this role from now on; without one, none."""

    account: str
    role: str

    def change(self, tournament: Tournament) -> Tournament:
        others = {account: role for account, role in tournament.staff.items() if account != self.account}
        return replace(tournament, staff={**others, self.account: self.role} if self.role else others)


class AnnouncementMade(TournamentFact, frozen=True, tag="announcement_made"):
    text: str

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, announcements=(*tournament.announcements, self.text))


class TournamentStarted(TournamentFact, frozen=True, tag="tournament_started"):
    """Starting numbers are given, and the seed of all lots is fixed."""

    numbers: tuple[str, ...]
    lots: str

    def change(self, tournament: Tournament) -> Tournament:
        numbers = {player: number for number, player in enumerate(self.numbers, start=1)}
        there = {p.id: replace(p, number=numbers[p.id]) for p in tournament.participants.values() if p.id in numbers}
        return replace(tournament, status=RUNNING, participants=there, lots=self.lots)

    @property
    def sentence(self) -> Text:
        return say_many(
            "the tournament begins with {count} player", "the tournament begins with {count} players", len(self.numbers)
        )


class TournamentPaused(TournamentFact, frozen=True, tag="tournament_paused"):
    reason: str = ""

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, is_paused=True)


class TournamentResumed(TournamentFact, frozen=True, tag="tournament_resumed"):
    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, is_paused=False)


class TournamentFinished(TournamentFact, frozen=True, tag="tournament_finished"):
    """The final order, and the secret, with which anybody can derive the seed of every round again."""

    places: tuple[str, ...]
    secret: str

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, status=FINISHED, places=self.places, proposal=None)

    @property
    def sentence(self) -> Text:
        return (
            say("the tournament is over: {player} wins", player=self.places[0])
            if self.places
            else say("the tournament is over")
        )


class TournamentCancelled(TournamentFact, frozen=True, tag="tournament_cancelled"):
    reason: str

    def change(self, tournament: Tournament) -> Tournament:
        return replace(tournament, status=CANCELLED, proposal=None)

    @property
    def sentence(self) -> Text:
        return say("the tournament is cancelled: {reason}", reason=self.reason)
