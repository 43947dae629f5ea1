"""A tournament on the stage: three rounds are played; in the fourth some tables are done, and some need an arbiter."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

from events.games import Games
from events.store import Store
from events.submission import Submission
from events.table.game import Game
from events.table.time_control import TimeControl
from events.workers.virtual_clock import VirtualClock
from rules.fairness import Chance
from rules.kernel import waiting
from service.pictures.shelf import DAY, MINUTE, SECOND
from service.pictures.stage import HOST, PASSWORD, next_move
from service.services import Services, services
from service.settings import Settings
from service.tournaments.ended_games import EndedGames
from tournaments.commands import (
    Adjudicate,
    Announce,
    CallArbiter,
    CloseRound,
    ForbidPair,
    HoldTable,
    Penalise,
    ProposeRound,
    PublishRound,
    RecordResult,
    Register,
    ReplayGame,
    ReverseRuling,
    SetStaff,
    StartRound,
    StartTournament,
    TournamentCommand,
)
from tournaments.options import DATES, Options, Schedule, Stage
from tournaments.results import Result, Table
from tournaments.tournament import PairedRound, Tournament

EVENT, CLUB = "picture-autumn", "Marieke"
"""The tournament, and its organiser."""
ARBITER, ABSENT = "Joris", "Sven"
# fmt: off
PEOPLE = (
    "Noor", "Chiara", "Rafael", "Klara", "Sofia", "Ines", "Aoife", "Mai", "Bruno", "Wim", "Daan", "Pilar", "Emile",
    "Jonas", "Owen", "Hugo", "Lea", "Tomasz", "Elsa", "Ana", "Piet", "Marta", "Ben", "Yuki", "Sven", "Nina", "Lars",
    "Rosa", "Otto", "Paula", "Quinn", "Ida",
)
# fmt: on
SIZE, ROUNDS, PLAYED = 4, 6, 3
BEGAN_AGO = 70 * MINUTE
"""So long ago the round under way has begun."""


@dataclass(frozen=True)
class Course:
    """How a table of the round under way goes."""

    moves: int = 10_000
    """So many were made; by default all, to the end."""
    ago: int = MINUTE
    is_disputed: bool = False
    plays_again: bool = False
    """By a ruling; one of its players is not there."""


MINE = Course(118)
COURSES = (
    Course(170),
    Course(),
    Course(190, ago=2 * MINUTE),
    Course(),
    Course(108, ago=9 * MINUTE, is_disputed=True),
    Course(40, plays_again=True, ago=4 * MINUTE),
    Course(52, ago=3 * MINUTE),
)
"""Of the tables that are not the host's, in their order."""


def set_up(store: Store) -> None:
    """The whole event. Accounts that are not there yet are made."""
    stage = EventStage(store)
    try:
        stage.open()
        for number in range(1, PLAYED + 1):
            stage.play_round(number)
        stage.play_on()
    finally:
        stage.wired.close()


class EventStage:
    def __init__(self, store: Store) -> None:
        self.now = services(store, Settings()).games.now()
        self.dates = [self.now - BEGAN_AGO + (number - 1 - PLAYED) * DAY for number in range(1, ROUNDS + 1)]
        self.clock = VirtualClock(store, self.dates[0] - DAY)
        self.wired: Services = services(store, Settings(), clock=self.clock, secret_of=secret_of)
        self.accounts = {name: self._account(name) for name in (CLUB, ARBITER, *PEOPLE)}
        self.chance = random.Random(EVENT)

    def _account(self, name: str) -> str:
        known = self.wired.accounts.account_named(name) or self.wired.accounts.register(name, PASSWORD)
        return known.id

    @property
    def tournament(self) -> Tournament:
        return self.wired.tournaments.load(EVENT)

    def do(self, command: TournamentCommand) -> Tournament:
        by = Submission(command.account)
        return self.wired.tournament_service.submit(EVENT, command, by).after

    def open(self) -> None:
        club = self.accounts[CLUB]
        made = self.wired.tournaments.create(club, self._options(), tournament=EVENT, submission=Submission(club))
        self.wired.tournament_service.index.put(made)
        self.do(SetStaff(club, self.accounts[ARBITER], "arbiter"))
        for number, name in enumerate(PEOPLE):
            self.do(Register(self.accounts[name], rating=1400 - 11 * number))
        self.do(ForbidPair(club, self.accounts[HOST], self.accounts[ABSENT]))
        self.do(StartTournament(club))

    def _options(self) -> Options:
        return Options(
            "Autumn Swiss",
            "el_grande",
            {"game_length": "full"},
            size=SIZE,
            sizes=(3,),
            stages=(Stage(rounds=ROUNDS),),
            schedule=Schedule(rule=DATES, dates=tuple(self.dates), no_show_ms=10 * MINUTE),
            time=TimeControl(bank_ms=30 * MINUTE, increment_ms=15 * SECOND, cap_ms=30 * MINUTE),
            seeding="rating",
        )

    # Rounds that are over: their results come from the hall

    def play_round(self, number: int) -> None:
        self._begin(number)
        club = self.accounts[CLUB]
        for table, seated in enumerate(self.tournament.round(number).round.tables):
            self.clock.put_forward(self.clock.now() + 4 * MINUTE)
            self.do(RecordResult(club, number, table, self._result(seated)))
        self.do(CloseRound(club))

    def _begin(self, number: int) -> None:
        self.clock.put_forward(self.dates[number - 1])
        for command in (ProposeRound, PublishRound, StartRound):
            self.do(command(self.accounts[CLUB]))

    def _result(self, table: Table) -> Result:
        """Stronger players score more, but for their luck."""
        known = self.tournament.participants
        scored = tuple(60 + known[player].rating // 50 + self.chance.randrange(30) for player in table.players)
        return by_scores(scored)

    # The round under way

    def play_on(self) -> None:
        self._begin(PLAYED + 1)
        self._rule()
        self._work()
        courses = dict(self._courses(self.tournament.rounds[-1]))
        for table, course in courses.items():
            if not course.plays_again:
                self._play(table, course)
        self._work()
        for table, course in courses.items():
            if course.plays_again:
                self._play_again(table, course)
            if course.is_disputed:
                self._dispute(table, course)
        self._work()

    def _work(self) -> None:
        """What the scheduler does, until there is nothing to do."""
        wired, everywhere = self.wired, self.wired.store.buckets.all
        while wired.round_worker.attend(everywhere) + wired.round_worker.note_results(everywhere):
            pass
        while wired.tournament_feed.attend(everywhere):
            pass

    def _courses(self, paired: PairedRound) -> Iterator[tuple[int, Course]]:
        """The host is at the move somewhere; a player who is not there sits at the table that plays again."""
        tables = list(range(len(paired.round.tables)))
        [mine] = [table for table in tables if self.accounts[HOST] in paired.round.tables[table].players]
        [away] = [table for table in tables if self.accounts[ABSENT] in paired.round.tables[table].players]
        assert mine != away, "they are kept apart"
        again = next(course for course in COURSES if course.plays_again)
        others = iter([course for course in COURSES if not course.plays_again])
        given = {mine: MINE, away: again}
        yield from ((table, given.get(table) or next(others)) for table in tables)

    def _play(self, table: int, course: Course) -> None:
        """So many moves, evenly from its start until so long ago; at the host's table until it is theirs."""
        game = self.tournament.rounds[-1].games[table]
        known, chance = self.wired.games.load(game), Chance(f"{EVENT} {table}".encode())
        until = self.now - course.ago
        clock = Steps(known.at, (until - known.at) // min(course.moves, 280))
        games = Games(self.wired.games.log, now=clock)
        service = replace(self.wired.game_service, games=games)
        played = 0
        while known.is_running and not self._is_far_enough(course, played, known):
            known = service.submit(game, next_move(known, chance), Submission()).after
            played += 1
        if not known.is_running:
            EndedGames(self.wired.store).note({game: known})

    def _is_far_enough(self, course: Course, played: int, known: Game) -> bool:
        asked = {known.seats.get(seat) for seat in waiting(known.state)}
        if course.plays_again:
            return self.accounts[ABSENT] in asked
        return played >= course.moves and (course is not MINE or self.accounts[HOST] in asked)

    # What needs an arbiter

    def _rule(self) -> None:
        """Some rulings, one of which was taken back."""
        arbiter, club = self.accounts[ARBITER], self.accounts[CLUB]
        first = self.tournament.round(PLAYED).round.tables[4].result
        assert first, "the round is over"
        turned = by_scores(first.victory_points[::-1])
        ruled = self.do(Adjudicate(arbiter, "The slips of two seats were swapped.", PLAYED, 4, turned))
        self.do(ReverseRuling(club, list(ruled.rulings)[-1], "They were not: the log of the game is clear."))
        self.do(Penalise(arbiter, "Comments on the moves of others, in chat.", self.accounts["Piet"], "warning", 0))
        self.do(Announce(club, "Round 5 begins tomorrow at the same hour. Games that run longer go on till noon."))

    def _play_again(self, table: int, course: Course) -> None:
        self.clock.put_forward(self.now - course.ago - 2 * MINUTE)
        again = ReplayGame(self.accounts[ARBITER], "The first board was set up for three.", PLAYED + 1, table)
        self.do(again)
        self._work()
        self._play(table, replace(course, moves=12))

    def _dispute(self, table: int, course: Course) -> None:
        self.clock.put_forward(self.now - course.ago + MINUTE)
        players = self.tournament.rounds[-1].round.tables[table].players
        claims = {
            players[2]: "My placement counted for Galicia, and I had chosen Granada: the page was stale.",
            players[3]: "True, I saw it.",
        }
        for player, text in claims.items():
            self.do(CallArbiter(player, text=text))
        self.do(HoldTable(self.accounts[ARBITER], PLAYED + 1, table))


def by_scores(scored: tuple[int, ...]) -> Result:
    return Result(tuple(1 + sum(other > mine for other in scored) for mine in scored), scored)


class Steps:
    """A clock that goes on by as much at every look."""

    def __init__(self, at: int, step: int) -> None:
        self.at, self._step = at, step

    def __call__(self) -> int:
        self.at += self._step
        return self.at


def secret_of(id: str) -> bytes:
    """The same cards and the same draws every time."""
    return sha256(f"picture {id}".encode()).digest()
