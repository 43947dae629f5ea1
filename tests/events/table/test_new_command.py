"""A command of a table needs its facts, itself, and its row in the list: here a test adds one, and nothing else."""

from collections.abc import Sequence
from random import Random
from typing import Self

import pytest

from events.audit import arbiter
from events.audit.export import export
from events.audit.verify import RULES, NotGenuine, verify
from events.errors import AnotherRequest, NotSeated, VersionChanged
from events.games import Games
from events.log.codec import Header
from events.log.memory import MemoryLog
from events.submission import Submission
from events.table import stored
from events.table.commands import COMMANDS, Join, Play, Start
from events.table.commands.base import PlayerCommand
from events.table.decide import Draft
from events.table.facts import TABLE_FACTS, TableFact
from events.table.narration import tell
from events.workers.hub import Commits, Hub
from rules.kernel import Fact, Player
from rules.simulation import random_answer, random_decision
from rules.texts import Text, say


class PlayerWaved(TableFact, frozen=True, tag="player_waved"):
    player: Player

    @property
    def sentence(self) -> Text:
        return say("{player} waves", player=self.player)


class Wave(PlayerCommand, frozen=True):
    """Greet the others."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [PlayerWaved()]:
                return cls(header.by)
        return None

    def decide(self, draft: Draft) -> None:
        draft.tell(PlayerWaved(draft.game.seat_of(self.account)))


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setattr(stored, "TABLE_FACTS", (*TABLE_FACTS, PlayerWaved))
    monkeypatch.setattr(arbiter, "COMMANDS", (*COMMANDS, Wave))
    stored.reader.cache_clear()
    yield
    stored.reader.cache_clear()


@pytest.fixture
def games() -> Games:
    return Games(MemoryLog())


@pytest.fixture
def game(games: Games) -> str:
    game = games.create("el_grande", 2, owner="ana").id
    for account in ("ana", "ben"):
        games.submit(game, Join(account))
    games.submit(game, Start("ana"))
    return game


def test_it_is_decided_stored_told_and_heard(games, game):
    with Hub(Commits(games)) as hub, hub.listening(game, after=4) as listener:
        waved = games.submit(game, Wave("ben"))
        [heard] = listener.next(seconds=5)
    assert waved.commit.facts == heard.facts == (PlayerWaved("blue"),)
    assert tell("el_grande", heard.facts) == ["blue waves"]
    assert Games(games.log).load(game) == waved.after


def test_it_is_given_once_under_its_key_and_only_on_top_of_the_version_it_is_meant_for(games, game):
    submission = Submission(by="ben", key="once", fingerprint=b"wave")
    first, again = (games.submit(game, Wave("ben"), submission) for _ in range(2))
    assert (again.commit, again.repeated) == (first.commit, True)
    with pytest.raises(AnotherRequest):
        games.submit(game, Wave("ben"), Submission(by="ben", key="once", fingerprint=b"another"))
    with pytest.raises(VersionChanged):
        games.submit(game, Wave("ben"), Submission(by="ben", expected=frozenset({3})))


def test_strangers_may_not_give_it(games, game):
    with pytest.raises(NotSeated):
        games.submit(game, Wave("eve"))


def test_a_finished_game_with_it_is_verified_by_its_row_in_the_list(games, game, monkeypatch):
    after, pick = games.submit(game, Wave("ben")).after, Random(1).randrange
    while not after.state.is_over:
        after = games.submit(game, Play(random_answer(after.state, random_decision(after.state, pick), pick))).after
    file = export(games, game, "everything")
    assert RULES in verify(file).checked
    monkeypatch.setattr(arbiter, "COMMANDS", COMMANDS)
    with pytest.raises(NotGenuine):
        verify(file)
