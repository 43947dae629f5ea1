"""Setting up the table. All chance of a game is spent here, in a fixed order, so that a seed reproduces it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.el_caballero.board import ADVANCED, BASIC, COLOURS, Board, Fact, State, mode_of
from rules.el_caballero.extension import Rules
from rules.el_caballero.facts import FirstPlayerDrawn, StackShuffled, StartTileDrawn, TableLaid
from rules.el_caballero.steps.rounds import BeginRound
from rules.errors import Unreadable
from rules.fairness import Chance
from rules.game import agreed
from rules.kernel import Player, begin, fold
from rules.texts import say

OPTIONS = {"mode": (BASIC, ADVANCED)}
"""What can be agreed before the start; the first value is the default."""

PLAYERS = (2, 3, 4)

CHANCE = (StartTileDrawn, StackShuffled, FirstPlayerDrawn)
"""The facts that follow from the seed."""


def empty_table(rules: Rules, players: int, **options: str) -> Board:
    """The board before anything has happened."""
    if players not in PLAYERS:
        raise Unreadable(say("El Caballero is for 2 to 4 players, not {players}", players=players))
    return Board(rules.name, COLOURS[:players], agreed(OPTIONS, options)["mode"])


def start(rules: Rules, players: int, seed: bytes, **options: str) -> tuple[tuple[Fact, ...], State]:
    """A new game: the facts of its set-up, and the state in which the first player is asked."""
    table = State(empty_table(rules, players, **options))
    facts = (laid(table.board), *deal(rules, table.board.players, Chance(seed)))
    following, state = begin(fold(table, facts).board, BeginRound(1))
    return facts + following, state


def laid(board: Board) -> Fact:
    """What every player and the general supply have at the start."""
    rules, mode = board.rules, mode_of(board)
    return TableLaid(tuple(rules.power_cards), rules.court, mode.ships, mode.castles, mode.governors, mode.grandes)


def deal(rules: Rules, players: Sequence[Player], chance: Chance) -> tuple[Fact, ...]:
    """All tiles are shuffled, and the first plain one begins the map; the others are shuffled again; then the first
    player is drawn."""
    tiles = chance.shuffled(tuple(rules.tiles))
    first = next(tile for tile in tiles if not rules.tiles[tile].symbol)
    stack = chance.shuffled([tile for tile in tiles if tile != first])
    return StartTileDrawn(first), StackShuffled(stack), FirstPlayerDrawn(players[chance.below(len(players))])
