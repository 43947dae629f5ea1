"""What the people of a tournament are told by its commits. Decides who gets which notice, and writes nothing.

Players hear of their own tables and of rulings about them; everybody of the start, the end and announcements; staff of
what needs them. The author of a commit needs no notice of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.log.codec import Commit
from events.table.game import Game
from rules.texts import Text
from service.accounts.credentials import ACCOUNT
from service.notifications.notices import Notice, pairing
from service.notifications.tournament_texts import (
    ANNOUNCEMENT,
    CALLED,
    CANCELLED,
    FINISHED,
    INVITED,
    NO_SUBSTITUTE,
    ROUND_ENDING,
    ROUND_PUBLISHED,
    RULING,
    RULING_REVERSED,
    SLOW,
    STAFF_NEEDED,
    STARTED,
    SUBSTITUTE_ASKED,
    SUBSTITUTED,
    WITHDRAWN,
    Value,
)
from tournaments.decider import tournament_facts
from tournaments.facts import (
    AnnouncementMade,
    ArbiterCalled,
    CallAnswered,
    PlayerInvited,
    PlayerSubstituted,
    PlayerWarned,
    PlayerWithdrawn,
    PointsAdjusted,
    RemindersSent,
    ResultChanged,
    RoundPublished,
    RulingMade,
    RulingReversed,
    SubstituteAsked,
    SubstituteRequestEnded,
    TableGameCreated,
    TournamentCancelled,
    TournamentFact,
    TournamentFinished,
    TournamentStarted,
)
from tournaments.facts.rulings import DECLINED
from tournaments.results import ABSENT
from tournaments.tournament import PairedRound, Tournament

TELLING = (
    AnnouncementMade,
    ArbiterCalled,
    CallAnswered,
    PlayerInvited,
    PlayerSubstituted,
    PlayerWithdrawn,
    RemindersSent,
    RoundPublished,
    RulingMade,
    RulingReversed,
    SubstituteRequestEnded,
    TableGameCreated,
    TournamentCancelled,
    TournamentFinished,
    TournamentStarted,
)
"""Facts that people are told."""

Load = Callable[[str], Game]
"""A game by its id."""
Told = Iterator[tuple[str, Notice]]
"""Accounts, and what they are told; one notice each."""


class Group(Struct, frozen=True):
    """Notices of one kind of facts in a commit: an account gets one of them."""

    name: str
    notices: Mapping[str, Notice]
    """By account."""


def tells(commit: Commit) -> bool:
    """Whether anybody may have to be told of a commit."""
    return any(isinstance(fact, TELLING) for fact in tournament_facts(commit))


def groups(tournament: Tournament, commit: Commit, load: Load) -> list[Group]:
    """All notices of a commit, by the tournament as it is now. What is out of date meanwhile is left out."""
    facts, found = tournament_facts(commit), Finder(tournament, commit, load)
    told: dict[str, dict[str, Notice]] = defaultdict(dict)
    for number, fact in enumerate(facts):
        if isinstance(fact, RulingMade | RulingReversed):
            # Its effects are told by itself.
            told[RULING] |= found.of_ruling(fact, facts[number + 1 :])
            break
        told[str(fact.__struct_config__.tag)] |= found.of(fact)
        if isinstance(fact, RemindersSent):
            told[STAFF_NEEDED] |= found.slow(fact)
    return [Group(name, _with_inbox(told[name], commit.header.by)) for name in sorted(told)]


def _with_inbox(told: Mapping[str, Notice], author: str) -> dict[str, Notice]:
    """Bots have none, and the author knows."""
    return {account: notice for account, notice in told.items() if ACCOUNT.fullmatch(account) and account != author}


def staff_of(tournament: Tournament) -> list[str]:
    return [tournament.owner, *tournament.staff]


def staff_notice(tournament: Tournament, now: int, about: str, **values: Value) -> Notice:
    """Something that needs the staff."""
    told: dict[str, Value] = {"title": tournament.options.title, "about": about, **values}
    return Notice(STAFF_NEEDED, now, told, tournament=tournament.id)


class Finder(Struct, frozen=True):
    """Finds the notices of one commit."""

    tournament: Tournament
    commit: Commit
    load: Load

    def of(self, fact: TournamentFact) -> Told:
        match fact:
            case PlayerInvited(player) if player in self.tournament.invited:
                return self._to_one(player, INVITED, self.commit.header.by)
            case PlayerSubstituted(_, account, former):
                return self._to_one(former, SUBSTITUTED, account)
            case SubstituteRequestEnded(player, account, because):
                return self._without_substitute(player, account, is_declined=because == DECLINED)
            case TournamentStarted(numbers):
                return self._to(self._players(numbers), STARTED, players=len(numbers))
            case TournamentCancelled(reason):
                return self._to(self._everybody(), CANCELLED, reason=reason)
            case TournamentFinished(places):
                return self._finished(places)
            case AnnouncementMade(text):
                return self._to(self._everybody(), ANNOUNCEMENT, text=text)
            case ArbiterCalled(round, table):
                notice = staff_notice(self.tournament, self.commit.header.at, CALLED, round=round, table=table)
                return ((account, notice) for account in staff_of(self.tournament))
            case CallAnswered(round, table, text) if text:
                players = self._players(self.tournament.round(round).round.tables[table].players)
                return self._to(players, RULING, round=round, table=table, reason=text)
            case RoundPublished(number):
                return self._published(self.tournament.round(number))
            case TableGameCreated(round, table, game):
                return self._waiting(self.tournament.round(round), table, game)
            case RemindersSent(round):
                return self._reminded(self.tournament.round(round))
            case PlayerWithdrawn(player, because):
                absences = self.tournament.options.absences if because == ABSENT else 0
                return self._to(self._players([player]), WITHDRAWN, absences=absences)
        return iter(())

    def of_ruling(self, fact: TournamentFact, effects: Sequence[TournamentFact]) -> Told:
        """A ruling and its reversal are told by what they do."""
        match fact:
            case RulingMade(reason=reason):
                yield from self._ruled(RULING, reason, effects)
            case RulingReversed(reason=reason):
                yield from self._ruled(RULING_REVERSED, reason, effects)

    def slow(self, fact: RemindersSent) -> Told:
        paired = self.tournament.round(fact.round)
        tables, left_ms = len(paired.open_tables), self._left_ms(paired)
        if tables and left_ms > 0:
            about: dict[str, Value] = {"round": paired.number, "tables": tables, "left_ms": left_ms}
            notice = staff_notice(self.tournament, self.commit.header.at, SLOW, **about)
            yield from ((account, notice) for account in staff_of(self.tournament))

    # People

    def _players(self, players: Iterable[str]) -> Iterator[str]:
        known = self.tournament.participants
        return (known[player].account for player in players if player in known)

    def _everybody(self) -> Iterator[str]:
        active = (player for player in self.tournament.participants.values() if not player.is_withdrawn)
        return iter({*(player.account for player in active), *staff_of(self.tournament)})

    # Notices

    def _to(self, accounts: Iterable[str], kind: str, **values: Value) -> Told:
        notice = self._notice(kind, **values)
        return ((account, notice) for account in accounts)

    def _to_one(self, account: str, kind: str, /, *people: str) -> Told:
        return iter([(account, self._notice(kind, *people))])

    def _notice(self, kind: str, /, *people: str, **values: Value) -> Notice:
        told: dict[str, Value] = {"title": self.tournament.options.title, **values}
        return Notice(kind, self.commit.header.at, told, tournament=self.tournament.id, people=people)

    def _asked(self, player: str, account: str) -> Told:
        """Not if it has answered meanwhile."""
        request = self.tournament.asked.get(player)
        if request and request.account == account:
            host, present = self.commit.header.by, self.tournament.participants[player].account
            yield from self._to_one(account, SUBSTITUTE_ASKED, host, present)

    def _without_substitute(self, player: str, account: str, *, is_declined: bool) -> Told:
        about: dict[str, Value] = {"round": len(self.tournament.rounds), "is_declined": is_declined}
        notice = staff_notice(self.tournament, self.commit.header.at, NO_SUBSTITUTE, **about)
        people = (account, self.tournament.participants[player].account)
        return ((member, replace(notice, people=people)) for member in staff_of(self.tournament))

    def _finished(self, places: Sequence[str]) -> Told:
        for place, player in enumerate(places, start=1):
            notice = self._notice(FINISHED, place=place, players=len(places))
            yield self.tournament.participants[player].account, notice

    def _published(self, paired: PairedRound) -> Told:
        when: dict[str, Value] = {"round": paired.number, "starts_at": paired.starts_at}
        for number, table in enumerate(paired.round.tables):
            accounts = list(self._players(table.players))
            for account in accounts:
                others = [other for other in accounts if other != account]
                yield account, self._notice(ROUND_PUBLISHED, *others, table=number, **when)
        notice = self._notice(ROUND_PUBLISHED, **when)
        for account in self._players(p for p, kind in paired.round.unpaired.items() if kind != ABSENT):
            yield account, notice

    def _waiting(self, paired: PairedRound, table: int, id: str) -> Told:
        """The game of a table stands; not if another one counts meanwhile."""
        at_table = paired.round.tables[table]
        if at_table.result or paired.games.get(table) != id:
            return
        game, title = self.load(id), self.tournament.options.title
        for seat, account in zip(game.players, self._players(at_table.players), strict=True):
            yield account, pairing(game, seat, title, paired.number, self.commit.header.at, self.tournament.id)

    def _reminded(self, paired: PairedRound) -> Told:
        left_ms = self._left_ms(paired)
        for table in paired.open_tables if left_ms > 0 else ():
            for account in self._players(paired.round.tables[table].players):
                yield account, self._notice(ROUND_ENDING, round=paired.number, table=table, left_ms=left_ms)

    def _left_ms(self, paired: PairedRound) -> int:
        ends_at = paired.started_at + self.tournament.options.schedule.limit_ms
        return (ends_at - self.commit.header.at) // 1000 * 1000

    def _ruled(self, kind: str, reason: Text | str, effects: Sequence[TournamentFact]) -> Told:
        for effect in effects:
            match effect:
                case ResultChanged(round, table):
                    players = self.tournament.round(round).round.tables[table].players
                    yield from self._to(self._players(players), kind, round=round, table=table, reason=reason)
                case SubstituteAsked(player, account):
                    yield from self._to(self._players([player]), kind, reason=reason)
                    yield from self._asked(player, account)
                case SubstituteRequestEnded(player, account):
                    yield from self._to([*self._players([player]), account], kind, reason=reason)
                case PlayerSubstituted(player, account):
                    yield from self._to([player, account], kind, reason=reason)
                case PlayerWithdrawn(player) | PlayerWarned(player) | PointsAdjusted(player=player):
                    yield from self._to(self._players([player]), kind, reason=reason)
