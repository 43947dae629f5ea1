"""A table at the very beginning of a game, and players who let their time run out."""

from __future__ import annotations

from itertools import takewhile

from msgspec.structs import replace

from rules.el_grande.facts import RoundBegan
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.setup import empty_table, start
from rules.el_grande.steps.rounds import BeginRound
from rules.kernel import State, fold, waiting
from tests.rules.el_grande.table import Table


def opening(
    players: int = 4,
    seed: bytes = b"opening",
    first: str = "red",
    expansions: tuple[str, ...] = (),
    **options: str,
) -> Table:
    """A new game: the cards of the first round lie face up, and `first` is asked to bid."""
    followed = EL_GRANDE.rules(expansions)
    facts, _ = start(followed, players, seed, **options)
    dealt = takewhile(lambda fact: not isinstance(fact, RoundBegan), facts)
    board = fold(State(empty_table(followed, players, **options)), dealt).board
    return Table(replace(board, first=first), BeginRound(followed.rounds[board.game_length][0]))


def let_time_run(game: Table, rounds: int = 9) -> Table:
    """Nobody answers any more, until so many more rounds have ended (and been scored) or the game is over."""
    last = [*game.board.rules.rounds[game.board.game_length], 0]
    end = last[min(last.index(game.board.round) + rounds, len(last) - 1)]
    while not game.state.is_over and game.board.round != end:
        game.play(f"{waiting(game.state)[0]} time_up")
    return game
