"""A bot at a table: it sits down, answers its decisions, and stays until the end."""

from __future__ import annotations

import time
from collections.abc import Callable

from service.bots.choosing import Bot, Table
from service.client import Game, Hidalgo, NotYourDecision

Tell = Callable[[str], None]


def sit_down(hidalgo: Hidalgo, game: str, seat: str | None = None, invitation: str | None = None) -> Game:
    """The game, with the bot at it: where it sat before, or on a free seat."""
    found = None if invitation else hidalgo.game(game)
    if found and found.mine and seat in (None, found.mine):
        return found
    return hidalgo.join(game, seat, invitation=invitation)


def play(table: Table, bot: Bot, *, pace: float = 0, pause: float = 1, tell: Tell = lambda line: None) -> Game:
    """Play until the game is over. The client's `retry_for` limits the time that the service may be away."""
    version = _answer(table, bot, pace, tell)
    for commit in table.hidalgo.stream(table.game, after=version, pause=pause):
        if commit.version > version:
            version = _answer(table, bot, pace, tell)
    return table.hidalgo.game(table.game)


def _answer(table: Table, bot: Bot, pace: float, tell: Tell) -> int:
    """Answer until no decision is left; gives the version that was last looked at."""
    while asked := table.hidalgo.decisions(table.game):
        time.sleep(pace)
        try:
            answer = bot(table, asked[0])
            for line in table.hidalgo.move(table.game, **answer).story:
                tell(line)
        except NotYourDecision:
            continue  # Answered meanwhile: by the clock, or by ourselves before an answer got lost.
    return asked.version
