"""Which games there are, and which expansions may be played together."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from rules.el_caballero.game import EL_CABALLERO
from rules.el_grande.game import EL_GRANDE
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from rules.texts import one_by_one, say

GAMES: dict[str, Game[Any, Any]] = {game.name: game for game in (EL_GRANDE, EL_CABALLERO)}

DEFAULT = next(iter(GAMES))
"""The game that is meant where none is named."""


def rules(game: str, expansions: tuple[str, ...] = ()) -> RuleSet:
    """The rules of a game with these expansions.

    >>> rules("el_grande", ("anniversary",)).name
    'el_grande+anniversary'
    >>> rules("chess")
    Traceback (most recent call last):
    rules.errors.Unreadable: there is no game chess: choose from el_grande, el_caballero
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
    if reason := GAMES[game].kept_apart(expansions):
        raise Unreadable(reason)
    return _build(game, frozenset(expansions))


@lru_cache(maxsize=256)
def rules_named(name: str) -> RuleSet:
    """The rules that stored games know by this name."""
    game, *expansions = name.split("+")
    return rules(game, tuple(expansions))


def game_named(name: str) -> Game[Any, Any]:
    """The game that these rules belong to."""
    return GAMES[rules_named(name).name.partition("+")[0]]


@cache
def _build(game: str, expansions: frozenset[str]) -> RuleSet:
    built: RuleSet = GAMES[game].rules(expansions)
    return built
