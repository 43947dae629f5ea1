"""Bots at a table of a real service."""

import sysconfig
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.bots import BOTS, Bot, Table, play
from service.client import Decision, Game, Hidalgo

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))


@contextmanager
def guests(url: str, count: int, **how: Any) -> Iterator[list[Hidalgo]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Hidalgo(url, **how)).guest() for _ in range(count)]


@dataclass(frozen=True)
class Play:
    """A table with a bot on each seat."""

    game: Game
    tables: Sequence[Table]
    bots: Sequence[Bot]

    def to_the_end(self, **how: Any) -> Game:
        """All bots play, each in a thread of its own."""
        with ThreadPoolExecutor(len(self.tables)) as threads:
            ends = [threads.submit(play, *seat, **how) for seat in zip(self.tables, self.bots, strict=True)]
            games = [end.result() for end in ends]
        assert {game.status for game in games} == {"over"}
        return games[0]


def seated(players: Sequence[Hidalgo], bots: Sequence[str], seed: int = 1, **fields: Any) -> Play:
    """A game that has begun."""
    host, *others = players
    game = host.create_game(players=len(players), **fields)
    for other in others:
        other.join(game)
    host.start(game)
    seats = [(player, player.game(game).mine or "") for player in players]
    tables = [Table(player, game.id, seat, Random(f"{seed} {seat}")) for player, seat in seats]
    return Play(game, tables, [fitting(BOTS[name]) for name in bots])


def fitting(bot: Bot) -> Bot:
    """The same bot; whatever it answers must fit the schema of the question."""

    def answer(table: Table, decision: Decision) -> Mapping[str, Any]:
        answer = bot(table, decision)
        if answer["kind"] != "several":
            Draft202012Validator(decision.schema).validate(answer)
        return answer

    return answer


def checked(hidalgo: Hidalgo, game: Game) -> int:
    """The number of moves, after making sure that none is missing and none was taken twice."""
    commits = list(hidalgo.events(game))
    assert [commit.version for commit in commits] == list(range(1, game.version + 1))
    decisions = Counter(commit.decision for commit in commits if commit.decision)
    assert [decision for decision, times in decisions.items() if times > 1] == []
    return len(decisions)


def short(**options: str) -> Mapping[str, str]:
    return {"game_length": "short", **options}
