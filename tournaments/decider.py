"""Tournaments as a decider: what `events.repository` and `events.history` ask of them."""

from __future__ import annotations

from msgspec.structs import replace

from events.decider import Context, Decided
from events.errors import Damaged, NotNow
from events.log import NO_DEADLINE
from events.log.codec import Commit, Reader
from rules.texts import say
from tournaments.commands import SERVICE, TournamentCommand
from tournaments.due import next_at
from tournaments.facts import TOURNAMENT_FACTS, TournamentCreated, TournamentFact, after_facts
from tournaments.tournament import Tournament

VERSION = 3
"""Of the rules by which commands are decided. By the first ones, small fields were not searched to the end; by the
first two, a ruling seated a substitute who was not asked."""

CLOCK = "clock"
"""The author of commits that the service makes by itself."""

MOST_COMMITS = 200_000

TOURNAMENT_READER = Reader(TOURNAMENT_FACTS, {})


class TournamentDecider:
    """See `events.decider.Decider`."""

    def read(self, entry: bytes, state: Tournament | None) -> Commit:
        return TOURNAMENT_READER.read(entry)

    def created(self, commit: Commit) -> Tournament:
        [fact] = commit.facts
        if not isinstance(fact, TournamentCreated):
            raise Damaged("the first commit of a tournament does not create it")
        return Tournament(
            id=fact.tournament,
            version=commit.header.version,
            head=commit.hash,
            commitment=fact.commitment,
            at=commit.header.at,
            owner=fact.owner,
            options=fact.options,
            created_at=commit.header.at,
        )

    def after(self, state: Tournament, commit: Commit) -> Tournament:
        return self.committed(after_facts(state, tournament_facts(commit)), commit)

    def committed(self, state: Tournament, commit: Commit) -> Tournament:
        return replace(state, version=commit.header.version, head=commit.hash, at=commit.header.at)

    def permit(self, state: Tournament, command: TournamentCommand) -> None:
        command.permit(state)

    def decide(self, state: Tournament, command: TournamentCommand, context: Context) -> Decided[Tournament]:
        if state.version >= MOST_COMMITS:
            raise NotNow(say("this tournament was changed very often: it cannot go on"))
        facts = command.decide(state, context)
        by = CLOCK if command.account == SERVICE else command.account
        return Decided(by, facts, after_facts(state, facts))

    def rules_version(self, state: Tournament) -> int:
        return VERSION

    def deadline(self, state: Tournament) -> int:
        """A tournament that is over has none, but stays open for rulings."""
        return next_at(state) or NO_DEADLINE


def tournament_facts(commit: Commit) -> tuple[TournamentFact, ...]:
    facts = tuple(fact for fact in commit.facts if isinstance(fact, TournamentFact))
    assert len(facts) == len(commit.facts), "a tournament has no other facts"
    return facts


TOURNAMENT = TournamentDecider()
