"""A tournament in an application of pages, and its rounds as the scheduler runs them."""

from collections.abc import Iterable
from random import Random

from flask import Flask

from events.buckets import USUAL
from events.submission import Submission
from service.services import Services
from service.tournaments.ended_games import EndedGames
from tests.events.played import play_on
from tournaments.commands import (
    SERVICE,
    ProposeRound,
    PublishRound,
    Register,
    StartRound,
    StartTournament,
    TournamentCommand,
)
from tournaments.options import Options, Schedule, Stage
from tournaments.tournament import Tournament

ALL = USUAL.all


class Event:
    """Made by an organiser."""

    def __init__(self, app: Flask, organiser: str, title: str = "Club evening", **options) -> None:
        self.wired: Services = app.services  # type: ignore[attr-defined]
        self.organiser = self.account(organiser)
        agreed = {
            "size": 2,
            "stages": (Stage(rounds=2),),
            "schedule": Schedule(rule="by-hand"),
            "game_options": {"game_length": "short"},
            **options,
        }
        self.service = self.wired.tournament_service
        self.id = self.service.create(self.organiser, Options(title, "el_grande", **agreed), Submission()).id
        self.address = f"/tournaments/{self.id}"

    def account(self, handle: str) -> str:
        account = self.wired.accounts.account_named(handle)
        assert account, handle
        return account.id

    def do(self, command: TournamentCommand) -> Tournament:
        return self.service.submit(self.id, command, Submission(self.organiser)).after

    @property
    def now(self) -> Tournament:
        return self.service.look(self.id, self.organiser)

    def enter(self, *handles: str, bots: int = 0) -> None:
        players = [self.account(handle) for handle in handles]
        for player in [*players, *(f"bot:greedy:{number}" for number in range(1, bots + 1))]:
            self.do(Register(SERVICE, player))

    def start(self) -> None:
        self.do(StartTournament(self.organiser))
        self.next_round()

    def next_round(self) -> None:
        """Drawn, published and begun by hand; the scheduler sets its tables."""
        for act in (ProposeRound, PublishRound, StartRound):
            if act is not ProposeRound or not self.now.proposal:
                self.do(act(self.organiser))
        self.attend()

    def attend(self) -> None:
        """What the jobs of the scheduler do."""
        self.wired.round_worker.note_results(ALL)
        self.wired.round_worker.attend(ALL)
        self.wired.tournament_feed.attend(ALL)
        self.wired.tournament_notices.attend(ALL)

    def games(self) -> dict[int, str]:
        assert self.now.rounds, "a round was drawn"
        return dict(self.now.rounds[-1].games)

    def play(self, tables: Iterable[int] | None = None) -> None:
        """To their ends."""
        ended = {}
        for table, id in self.games().items():
            if tables is None or table in tables:
                play_on(self.wired.games, id, Random(7).randrange)
                ended[id] = self.wired.games.load(id)
        EndedGames(self.wired.store).note(ended)
        self.attend()

    def play_on(self, table: int, moves: int) -> None:
        """Some decisions at a table."""
        play_on(self.wired.games, self.games()[table], Random(7).randrange, moves)
