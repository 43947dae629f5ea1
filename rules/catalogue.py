"""Which games there are, and which expansions may be played together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from msgspec import Struct

from rules.el_grande.base import BASE
from rules.el_grande.expansions.anniversary import anniversary
from rules.el_grande.extension import Rules, register
from rules.errors import Unreadable


class Game(Struct, frozen=True):
    """A game: its base rules, and the expansions by name, in the order in which they are applied."""

    base: Rules
    expansions: Mapping[str, Callable[[Rules], Rules]]


GAMES = {"el_grande": Game(BASE, {"anniversary": anniversary})}


def rules(game: str, expansions: tuple[str, ...] = ()) -> Rules:
    """The rules of a game with these expansions.

    >>> rules("el_grande", ("anniversary",)).name
    'el_grande+anniversary'
    >>> rules("chess")
    Traceback (most recent call last):
    rules.errors.Unreadable: there is no game chess: choose from el_grande
    """
    if game not in GAMES:
        raise Unreadable(f"there is no game {game}: choose from {', '.join(GAMES)}")
    for expansion in expansions:
        if expansion not in GAMES[game].expansions:
            known = ", ".join(GAMES[game].expansions)
            raise Unreadable(f"{game} has no expansion {expansion}: choose from {known}")
    return _build(game, frozenset(expansions))


def rules_named(name: str) -> Rules:
    """The rules that stored games know by this name."""
    game, *expansions = name.split("+")
    return rules(game, tuple(expansions))


@cache
def _build(game: str, expansions: frozenset[str]) -> Rules:
    built = GAMES[game].base
    for name, expand in GAMES[game].expansions.items():
        if name in expansions:
            built = expand(built)
    return register(built)
