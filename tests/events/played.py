"""Games that were played at random, the same every time."""

import random
from functools import cache
from itertools import count

from events.buckets import USUAL
from events.games import Games
from events.log.memory import MemoryLog
from events.submission import Submission, plain_name
from events.table.commands import AddNonce, Join, Play, RemovePlayer, Start
from rules.simulation import random_answer, random_decision


def tables(seed=0, naming=plain_name, buckets=USUAL) -> Games:
    """Games in memory, with a clock that ticks once a command and secrets that are no secret."""
    return Games(
        MemoryLog(buckets), count(1_700_000_000_000).__next__, random.Random(f"secrets {seed}").randbytes, naming=naming
    )


def play(games, players=2, *, moves=None, rules="el_grande", nonces=("red",), game="", seed=1, **options):
    """A game of so many moves, or to its end. Gives its name. An option that is None is left to the rules."""
    agreed = {name: value for name, value in {"game_length": "short", **options}.items() if value is not None}
    table = games.create(rules, players, agreed, game=game or f"game {seed}")
    for player in nonces:
        games.submit(table.id, AddNonce(player, f"{player} says 7 – “ñ\n”"))
    games.submit(table.id, Start(), Submission(key="start"))
    play_on(games, table.id, random.Random(f"{seed} {players}").randrange, moves)
    return table.id


def play_on(games, game, pick, moves=None, key="move"):
    """A game that has begun, so many moves on or to its end."""
    for number in count() if moves is None else range(moves):
        if (state := games.load(game).state).is_over:
            break
        games.submit(
            game, Play(random_answer(state, random_decision(state, pick), pick)), Submission(key=f"{key} {number}")
        )


def with_a_removed_player(games) -> str:
    """A finished game from whose table a player was removed before it began. Gives its name."""
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="ana", game="game 1").id
    before: list[Join | RemovePlayer] = [Join("ana"), Join("eve"), RemovePlayer("ana", "eve"), Join("ben")]
    for number, command in enumerate(before):
        games.submit(game, command, Submission(command.account, f"sit {number}", b"a request"))
    games.submit(game, Start("ana"), Submission(key="start"))
    play_on(games, game, random.Random("removed").randrange)
    return game


@cache
def finished(players=2, rules="el_grande", seed=1, nonces=("red",), length="short") -> tuple[Games, str]:
    """A finished game: where it is, and its name."""
    games = tables(seed)
    return games, play(games, players, rules=rules, seed=seed, nonces=nonces, game_length=length)


@cache
def running(players=3, moves=40, rules="el_grande", seed=1) -> tuple[Games, str]:
    """A game that goes on."""
    games = tables(seed)
    return games, play(games, players, rules=rules, seed=seed, moves=moves)
