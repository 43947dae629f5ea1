"""Options of the commands that play a game: which one, with which expansions, how long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rules.catalogue import DEFAULT, GAMES, rules
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from rules.texts import any_of, one_by_one, say
from service.language import rendered

LENGTH = "game_length"
"""The name of this option in games that come in several lengths."""

LENGTHS = tuple(dict.fromkeys(length for game in GAMES.values() for length in game.options.get(LENGTH, ())))
FEWEST = min(min(game.players) for game in GAMES.values())
MOST = max(max(game.players) for game in GAMES.values())

game_option: Callable[[Any], Any] = click.option(
    "--game",
    type=click.Choice(list(GAMES)),
    default=DEFAULT,
    show_default=True,
    is_eager=True,  # What else may be chosen depends on the game.
    help="What is played.",
)


def rules_for(game: str, expansions: tuple[str, ...]) -> RuleSet:
    """The rules with these expansions, or a refusal at the terminal."""
    try:
        return rules(game, expansions)
    except Unreadable as problem:
        raise click.BadParameter(rendered(problem.text), param_hint="--expansion") from None


def agreed(game: Game, length: str) -> dict[str, str]:
    """The agreement before the start, or a refusal at the terminal."""
    lengths = game.options.get(LENGTH, LENGTHS[:1])
    if length not in lengths:
        unfit = say("{game} is {lengths}, not {length}", game=game.title, lengths=any_of(lengths), length=length)
        raise click.BadParameter(rendered(unfit), param_hint="--length")
    return {LENGTH: length} if LENGTH in game.options else {}


def check_players(game: Game, players: int) -> None:
    """Refuse a number that the game is not for."""
    if players not in game.players:
        numbers = one_by_one(game.players)
        unfit = say("{game} is for {numbers} players, not {players}", game=game.title, numbers=numbers, players=players)
        raise click.BadParameter(rendered(unfit), param_hint="--players")
