"""A hall where tournaments are played: the real services on a real store, and a clock that the test puts forward."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from events.buckets import USUAL
from events.games import Games
from events.log import TOURNAMENTS
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecret
from events.store import Store
from events.submission import Submission
from events.table.commands import AnswerOverdue, Play
from events.table.game import RUNNING, Game
from rules.codec import codec_for
from rules.kernel import options
from service.accounts import Accounts
from service.accounts.audit_log import AuditLog
from service.accounts.mutes import Mutes
from service.games.game_index import GameIndex
from service.notifications.inbox import Inboxes
from service.notifications.notices import Notice
from service.notifications.postings import Postings
from service.tournaments.ended_games import EndedGames
from service.tournaments.feed_worker import FeedWorker
from service.tournaments.game_effects import GameEffects
from service.tournaments.notice_worker import NoticeWorker
from service.tournaments.rating_ledger import RatingLedger
from service.tournaments.rating_worker import RatingWorker
from service.tournaments.round_worker import RoundWorker
from service.tournaments.table_games import TableGames
from service.tournaments.tournament_index import TournamentIndex
from service.tournaments.tournament_service import TournamentService
from tournaments.commands import SERVICE, Register, StartTournament, TournamentCommand
from tournaments.options import Options, Schedule, Stage
from tournaments.repository import Tournaments
from tournaments.tournament import Tournament

ALL = USUAL.all
ORGANISER = "org"
BOT = "bot:random"
MOST_LOOKS = 400


class Hall:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.time, self.organiser = 1_800_000_000_000, ORGANISER
        log, secret, index = RedisLog(store), ServiceSecret(store), GameIndex(store)
        self.accounts, self.inboxes = Accounts(store, cached_for=0), Inboxes(store)
        self.games = Games(log, now=self.now)
        self.tournaments = Tournaments(log.space(TOURNAMENTS), self.now)
        self.ended, self.index = EndedGames(store), TournamentIndex(store)
        self.ratings = RatingLedger(store)
        self.rating_worker = RatingWorker(self.ratings, self.tournaments, self.games)
        self.service = TournamentService(
            self.tournaments, self.games, self.accounts, secret, self.index, self.ratings, AuditLog(store), Mutes(store)
        )
        self.tables = TableGames(self.games, index, secret)
        self.postings = Postings(store)
        self.notices = NoticeWorker(store, self.tournaments, self.games, self.postings, self.now)
        self.rounds = self.another_worker()
        follow = [GameEffects(self.games, index).follow, self.notices.follow, self.rating_worker.follow]
        self.feed = FeedWorker(self.tournaments, self.index, follow)

    def another_worker(self) -> RoundWorker:
        return RoundWorker(self.tournaments, self.games, self.tables, self.ended, self.notices.alert)

    def now(self) -> int:
        return self.time

    def wait(self, milliseconds: int) -> None:
        self.time += milliseconds

    # Commands

    def open(self, *players: str, **options) -> str:
        """A tournament with these players, before its start."""
        agreed = {
            "size": 2,
            "stages": (Stage(rounds=2),),
            "game_options": {"game_length": "short"},
            **options,
        }
        id = self.service.create(self.organiser, Options("Club evening", "el_grande", **agreed), Submission()).id
        for player in players:
            self.do(id, Register(SERVICE, player))
        return id

    def started(self, *players: str, **options) -> str:
        id = self.open(*players, **options)
        self.do(id, StartTournament(self.organiser))
        return id

    def do(self, id: str, command: TournamentCommand) -> Tournament:
        return self.service.submit(id, command, Submission()).after

    def look(self, id: str) -> Tournament:
        return self.service.look(id, self.organiser)

    # Time goes by

    def attend(self) -> None:
        self.rounds.note_results(ALL)
        self.rounds.attend(ALL)
        self.feed.attend(ALL)
        self.notices.attend(ALL)

    def people(self, count: int) -> list[str]:
        """Accounts, in the order of their ids."""
        return sorted(self.accounts.make_guest().id for _ in range(count))

    def told(self, account: str, kind: str = "") -> list[Notice]:
        return [notice for notice in self.inboxes.read(account, 0) if kind in ("", notice.kind)]

    def games_of(self, id: str) -> Mapping[int, Game]:
        current = self.look(id).current
        assert current, "a round is under way"
        return {table: self.games.load(game) for table, game in current.games.items()}

    def come(self, id: str) -> None:
        """Every player of the round answers once."""
        for game in self.games_of(id).values():
            for _ in range(MOST_LOOKS):
                if set(game.players) <= set(game.came):
                    break
                answers = [(seat, options(game.state, seat)) for seat in game.asked]
                seat, decisions = next((seat, found) for seat, found in answers if found)
                move = codec_for(game.rules).answer(seat, decisions[0].example())
                game = self.games.submit(game.id, Play(move)).after
            assert set(game.players) <= set(game.came)

    def play(self, id: str) -> None:
        """Bots play all games of the round to their ends; the notifier would tell of that."""
        for game in self.games_of(id).values():
            while game.status == RUNNING:
                game = self.games.submit(game.id, AnswerOverdue()).after
            self.ended.note({game.id: game})

    def run(self, id: str) -> Tournament:
        """The whole tournament, of bots."""
        for _ in range(MOST_LOOKS):
            tournament = self.look(id)
            if tournament.status not in ("open", "running"):
                return tournament
            if tournament.current and tournament.current.games:
                self.play(id)
            self.attend()
            self.wait(1000)
        raise AssertionError(f"the tournament does not end: {self.look(id)}")


@contextmanager
def hall(running_stores, kind: str = "embedded") -> Iterator[Hall]:
    with running_stores.opened(kind) as store:
        yield Hall(store)


def bots(count: int) -> list[str]:
    return [f"{BOT}:{number}" for number in range(1, count + 1)]


def by_hand(**options) -> Schedule:
    return Schedule(rule="by-hand", **options)
