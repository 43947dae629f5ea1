"""Options of the commands that play a game: which one, with which expansions, how long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

import click

from rules.catalogue import DEFAULT, GAMES, rules
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from rules.texts import Text, any_of, one_by_one, say
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


def agreements(
    game: Game, length: Sequence[str], chosen: Sequence[str], expansions: Sequence[str] = ()
) -> tuple[dict[str, str], ...]:
    """Every agreement before the start that was asked for, or a refusal at the terminal.

    `chosen` has options as `name=value`; the value `all` stands for every one in turn.
    """
    values: dict[str, tuple[str, ...]] = {}
    for name, _, value in (one.partition("=") for one in chosen):
        options = game.options_with(expansions)
        known = options.get(name, ())
        if not known or (value != ALL and not game.takes(expansions, name, value)):
            unfit = _unfit(options, name, value)
            raise click.BadParameter(rendered(unfit), param_hint="--option")
        values[name] = known if value == ALL else (value,)
    each = (dict(zip(values, picked, strict=True)) for picked in product(*values.values()))
    return tuple({**agreed(game, one), **more} for more in each for one in length)


def _unfit(options: Mapping[str, Collection[str]], name: str, value: str) -> Text:
    if name in options:
        return say("{name} is {values}, not {value}", name=name, values=any_of(options[name]), value=value)
    return say("there is no option {name}: choose from {names}", name=name, names=one_by_one(options))


ALL = "all"

option_option: Callable[[Any], Any] = click.option(
    "--option",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="What is agreed before the start; `all` is every value in turn. May be repeated.",
)


def check_players(game: Game, players: int) -> None:
    """Refuse a number that the game is not for."""
    if players not in game.players:
        numbers = one_by_one(game.players)
        unfit = say("{game} is for {numbers} players, not {players}", game=game.title, numbers=numbers, players=players)
        raise click.BadParameter(rendered(unfit), param_hint="--players")
