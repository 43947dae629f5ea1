"""Bots: players that the service brings itself.

A bot knows what its player may know, and nothing more: it looks at legal answers, and at a consequence only up to the
first fact that turns up something hidden. The same state and the same chance give the same answer, so that any reader
of a finished game can decide every answer of a bot again. A bot of a released version therefore never plays otherwise;
one that plays better is another bot, with another name.

>>> from rules.catalogue import GAMES
>>> from rules.kernel import waiting
>>> game = GAMES["el_grande"]
>>> _, state = game.start(game.rules(), 2, b"an example")
>>> answer(BOTS["greedy"], state, waiting(state)[0], Chance(b"another"))
PlayPowerCard(value=9)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rules.catalogue import game_named
from rules.fairness import Chance
from rules.forms import Pick
from rules.kernel import Answer, Board, Command, Decision, Player, State, foreseen, options
from rules.simulation import random_command
from rules.texts import Text, say

CONSIDERED = 16
"""So many answers the greedy bot draws; the same one may come up twice."""

Choose = Callable[[State[Board], Decision, Pick], Command]
"""An answer to a decision. Chance is an argument: `pick(n)` is one of 0 … n-1."""


class Bot(Struct, frozen=True):
    name: str
    """As stored games call it."""
    title: str
    """As people call it."""
    strength: int
    """1 is the weakest; `hidalgo bench bots` measures it."""
    about: Text
    """How it plays, in a sentence."""
    choose: Choose


def answer(bot: Bot, state: State[Board], player: Player, chance: Chance) -> Command:
    """The bot's answer to the question of this player."""
    [decision] = options(state, player)
    return bot.choose(state, decision, chance.below)


def greedy_command(state: State[Board], decision: Decision, pick: Pick) -> Command:
    """Of some legal answers the one after which the player stands best."""
    commands = [random_command(state, decision, pick) for _ in range(CONSIDERED)]
    return max(commands, key=lambda command: _prospect(state, Answer(decision.player, decision.id, command)))


def _prospect(state: State[Board], answer: Answer) -> int:
    """How far ahead the player would be, as far as can be foreseen."""
    board = foreseen(state, answer).board
    outlook: Mapping[Player, int] = game_named(board.variant).outlook(board)
    return outlook[answer.player] - max(points for player, points in outlook.items() if player != answer.player)


def shrewd_command(state: State[Board], decision: Decision, pick: Pick) -> Command:
    """Of twice as many answers the one after which the player stands best, also with a view to later scorings."""
    commands = [random_command(state, decision, pick) for _ in range(2 * CONSIDERED)]
    return max(commands, key=lambda command: _advantage(state, Answer(decision.player, decision.id, command)))


def _advantage(state: State[Board], answer: Answer) -> int:
    """How much better the player would stand than the others do on the whole."""
    board = foreseen(state, answer).board
    game = game_named(board.variant)
    standing: Mapping[Player, int] = (game.standing or game.outlook)(board)
    return len(board.players) * standing[answer.player] - sum(standing[player] for player in board.players)


BOTS: Mapping[str, Bot] = {
    bot.name: bot
    for bot in (
        Bot("random", "Sancho", 1, say("gives any legal answer"), random_command),
        Bot(
            "greedy",
            "Alonso",
            2,
            say("looks one answer ahead, and takes the one after which its points and majorities are best"),
            greedy_command,
        ),
        Bot(
            "shrewd",
            "Leonor",
            3,
            say("looks one answer ahead as well, at more of them, and keeps caballeros for later scorings"),
            shrewd_command,
        ),
    )
}
"""All bots that can be seated, by their names; the weakest comes first."""

USUAL = "greedy"
"""The bot that is seated where none is named."""

STRENGTHS: Mapping[int, Text] = {1: say("beginner"), 2: say("medium"), 3: say("strong")}
