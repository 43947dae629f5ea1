"""Which games there are, and which expansions may be played together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from rules.el_grande.base import BASE
from rules.el_grande.board import COLOURS, Board
from rules.el_grande.expansions.anniversary import anniversary
from rules.el_grande.extension import Rules, register
from rules.el_grande.setup import CHANCE, OPTIONS, PLAYERS, empty_table, start
from rules.el_grande.view import view
from rules.errors import Unreadable
from rules.kernel import Fact, Player, State, Viewer
from rules.texts import one_by_one, say


class Game(Struct, frozen=True):
    """What the layers above need to know of a game: how to set it up, read it back and show it."""

    title: str
    base: Rules
    expansions: Mapping[str, Callable[[Rules], Rules]]
    """By name, in the order in which they are applied."""
    seats: tuple[Player, ...]
    players: tuple[int, ...]
    options: Mapping[str, tuple[str, ...]]
    """What can be agreed before the start; the first value is the default."""
    board: type[Struct]
    empty_table: Callable[..., Struct]
    start: Callable[..., tuple[tuple[Fact[Any], ...], State[Any]]]
    view: Callable[[State[Any], Viewer], dict[str, Any]]
    chance: tuple[type[Fact[Any]], ...]
    """The facts of the start that chance decided: they follow from the seed alone."""


GAMES = {
    "el_grande": Game(
        title="El Grande",
        base=BASE,
        expansions={"anniversary": anniversary},
        seats=COLOURS,
        players=PLAYERS,
        options=OPTIONS,
        board=Board,
        empty_table=empty_table,
        start=start,
        view=view,
        chance=CHANCE,
    )
}


def rules(game: str, expansions: tuple[str, ...] = ()) -> Rules:
    """The rules of a game with these expansions.

    >>> rules("el_grande", ("anniversary",)).name
    'el_grande+anniversary'
    >>> rules("chess")
    Traceback (most recent call last):
    rules.errors.Unreadable: there is no game chess: choose from el_grande
    """
    if game not in GAMES:
        raise Unreadable(say("there is no game {game}: choose from {games}", game=game, games=one_by_one(GAMES)))
    for expansion in expansions:
        if expansion not in GAMES[game].expansions:
            raise Unreadable(
                say(
                    "{game} has no expansion {expansion}: choose from {expansions}",
                    game=game,
                    expansion=expansion,
                    expansions=one_by_one(GAMES[game].expansions),
                )
            )
    return _build(game, frozenset(expansions))


def rules_named(name: str) -> Rules:
    """The rules that stored games know by this name."""
    game, *expansions = name.split("+")
    return rules(game, tuple(expansions))


def game_named(name: str) -> Game:
    """The game that these rules belong to."""
    return GAMES[rules_named(name).name.partition("+")[0]]


@cache
def _build(game: str, expansions: frozenset[str]) -> Rules:
    built = GAMES[game].base
    for name, expand in GAMES[game].expansions.items():
        if name in expansions:
            built = expand(built)
    return register(built)
