"""Options of the commands that play a game: which one, with which expansions, how long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rules.catalogue import DEFAULT, GAMES, rules
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet

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
        raise click.BadParameter(problem.sentence, param_hint="--expansion") from None


def agreed(game: Game, length: str) -> dict[str, str]:
    """The agreement before the start, or a refusal at the terminal."""
    lengths = game.options.get(LENGTH, LENGTHS[:1])
    if length not in lengths:
        raise click.BadParameter(f"{game.title} is {' or '.join(lengths)}, not {length}", param_hint="--length")
    return {LENGTH: length} if LENGTH in game.options else {}


def check_players(game: Game, players: int) -> None:
    """Refuse a number that the game is not for."""
    if players not in game.players:
        numbers = ", ".join(map(str, game.players))
        raise click.BadParameter(f"{game.title} is for {numbers} players, not {players}", param_hint="--players")
