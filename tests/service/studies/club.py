"""A club that studies its games: Ana and Ben play, Cid owns the study."""

from collections.abc import Iterator
from contextlib import contextmanager

from events.games import Games
from events.log.memory import MemoryLog
from events.log.service_secret import ServiceSecret
from events.repository import now_ms
from events.store import Store
from events.submission import Submission
from events.table.commands import Join, Resign, Start
from replay.studies import Studies
from replay.study.commands import AddChapter, SetMember, StudyCommand, WriteComment
from service.accounts import Accounts
from service.games.broadcast import Broadcast
from service.services import study_service
from service.studies.study_list import StudyFilter

PEOPLE = ("ana", "ben", "cid", "dan", "eve")


class Club:
    """Games and studies are kept in memory, the index and presence in a store."""

    def __init__(self, store: Store, now=now_ms, studies: Studies | None = None, games: Games | None = None) -> None:
        self.store = store
        self.games = games or Games(MemoryLog())
        self.studies = studies or Studies(MemoryLog(), now)
        self.service = study_service(
            store, self.studies, self.games, Broadcast(self.games), Accounts(store), ServiceSecret(store)
        )
        self.index, self.worker = self.service.index, self.service.worker

    def running(self, *players: str, **agreed) -> str:
        game = self.games.create("el_grande", 2, owner=(players or PEOPLE)[0], **agreed).id
        for account in players or PEOPLE[:2]:
            self.games.submit(game, Join(account, invited=True))
        self.games.submit(game, Start((players or PEOPLE)[0]))
        return game

    def finished(self, *players: str, **agreed) -> str:
        return self.end(self.running(*players, **agreed))

    def end(self, game: str) -> str:
        self.games.submit(game, Resign(next(iter(self.games.load(game).seats.values()))))
        return game

    def study(self, *chapters: str, by: str = "cid", title: str = "Club games", visibility: str = "public") -> str:
        """A study of these games."""
        study = self.service.create(by, title, visibility, Submission()).id
        for number, game in enumerate(chapters, start=1):
            self.do(study, AddChapter(by, f"Chapter {number}", game, "spectator"))
        return study

    def do(self, study: str, command: StudyCommand, **circumstances):
        access = self.service.look(study, command.account)
        return self.service.submit(access, command, Submission(**circumstances))

    def write(self, study: str, text: str, chapter: str = "k1", by: str = "cid", node: str = "2"):
        return self.do(study, WriteComment(by, chapter, node, text))

    def join(self, study: str, *members: str, role: str = "contributor") -> None:
        for member in members:
            self.do(study, SetMember("cid", member, role))

    def look(self, study: str, account: str | None = "cid", key: str = ""):
        return self.service.look(study, account, key)

    def found(self, account: str | None = None, **wanted) -> list[str]:
        """The titles that an account finds."""
        return [study.title for study in self.service.find(StudyFilter(**wanted), account).studies]


@contextmanager
def club(running_stores, kind: str = "embedded") -> Iterator[Club]:
    with running_stores.opened(kind) as store:
        yield Club(store)
