"""A tournament hall: a tournament in a log, a clock that tests turn, and a service that does what is due."""

import random

from events.log import chain
from events.log.memory import MemoryLog
from events.repository import Repository
from events.submission import Submission
from tournaments.commands import (
    SERVICE,
    AttachGame,
    CloseRound,
    ProposeRound,
    PublishRound,
    RecordResult,
    Register,
    StartRound,
    StartTournament,
)
from tournaments.decider import TOURNAMENT, VERSION
from tournaments.due import CREATE_GAME, due
from tournaments.facts import TournamentCreated
from tournaments.options import Options, Stage, check_options
from tournaments.results import Result, Table
from tournaments.tournament import PairedRound, Tournament

SECRET = bytes(range(32))


class Hall:
    """A tournament of Olga's, in which players have the names that are given."""

    def __init__(self, players=0, **options) -> None:
        self.now = 1_000_000
        self.log = MemoryLog()
        self.tournaments = Repository(self.log, TOURNAMENT, lambda: self.now)
        agreed = Options(**{"title": "Weekend", "game": "el_grande", **options})
        check_options(agreed)
        fact = TournamentCreated("t1", "olga", agreed, chain.commitment(SECRET))
        self.tournaments._create("t1", fact, "olga", VERSION, SECRET, Submission(key="create"))
        self.chance = random.Random(1)
        for number in range(1, players + 1):
            self.do(Register(f"p{number:03}", rating=2000 - number))

    def do(self, command) -> Tournament:
        return self.tournaments.submit("t1", command).after

    @property
    def tournament(self) -> Tournament:
        return self.tournaments.load("t1")

    @property
    def current(self) -> PairedRound:
        """The round under way."""
        assert self.tournament.current
        return self.tournament.current

    @property
    def standings(self):
        return [(row.player, row.shown[0]) for row in self.tournament.standings()]

    def start(self) -> Tournament:
        return self.do(StartTournament("olga"))

    def draw(self, **fields) -> Tournament:
        """A round is drawn, published and begun by hand."""
        self.do(ProposeRound("olga", **fields))
        self.do(PublishRound("olga"))
        return self.do(StartRound("olga"))

    def finish_tables(self, ending=None) -> Tournament:
        current = self.current
        for number in current.open_tables:
            game = f"game {current.number}.{number}.{self.tournament.version}"
            self.do(AttachGame(SERVICE, current.number, number, game))
            result = (ending or in_order)(current.round.tables[number])
            self.do(RecordResult(SERVICE, current.number, number, result, game))
        return self.tournament

    def play(self, rounds=1, ending=None) -> Tournament:
        for _ in range(rounds):
            self.draw()
            self.finish_tables(ending)
            self.do(CloseRound("olga"))
        return self.tournament

    def by_chance(self, table: Table) -> Result:
        places = list(range(1, len(table.players) + 1))
        self.chance.shuffle(places)
        return Result(tuple(places), tuple(100 - 10 * place for place in places))

    def serve(self, until: int, step: int = 1000) -> Tournament:
        """The service does what is due, until a moment, and everybody comes and plays at once."""
        while self.now <= until:
            for each in due(self.tournament, self.now):
                if each.command:
                    self.do(each.command)
                elif each.question == CREATE_GAME:
                    game = f"game {each.round}.{each.table}"
                    self.do(AttachGame(SERVICE, each.round, each.table, game))
                    table = self.tournament.round(each.round).round.tables[each.table]
                    self.do(RecordResult(SERVICE, each.round, each.table, self.by_chance(table), game))
                break
            else:
                self.now += step
        return self.tournament


def in_order(table: Table) -> Result:
    """By name: the first is the first."""
    ranked = sorted(table.players)
    return Result(tuple(ranked.index(player) + 1 for player in table.players))


def swiss(rounds, **fields):
    return (Stage(rounds=rounds, **fields),)
