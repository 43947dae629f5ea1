"""Plays for somebody who is not there: not well, but not against them either.

It looks at some legal answers, at what the player could see of their consequences, and takes the one that leaves the
player furthest ahead of the best opponent. It knows no game: only what every game tells.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.forms import Pick
from rules.kernel import Answer, Board, Command, Player, State, foreseen, options
from rules.simulation import random_command

CONSIDERED = 8
"""So many answers are drawn; the same one may come up twice."""


def autopilot(state: State[Board], player: Player, pick: Pick) -> Command:
    """An answer to what the player is asked. Chance is an argument: `pick(n)` is one of 0 … n-1."""
    [decision] = options(state, player)
    commands = [random_command(state, decision, pick) for _ in range(CONSIDERED)]
    return max(commands, key=lambda command: _lead(state, Answer(player, decision.id, command)))


def _lead(state: State[Board], answer: Answer) -> int:
    """How far ahead the player is, as far as they can see."""
    scores: Mapping[Player, int] = foreseen(state, answer).board.scores
    return scores[answer.player] - max(score for player, score in scores.items() if player != answer.player)
