"""The length of a log: moves come to an end by the rules of a game, but what players do around them does not.

A table at which players come and go, and a game that is paused or taken back without end, takes no more of that; it can
still be started, played, resigned and cleared. A seat is left, and clocks run again, only as often as before. A game of
five players has about 500 commits.
"""

from __future__ import annotations

from events.errors import NotNow
from events.table.commands import Join, SeatBot, TableCommand
from events.table.decider import GameDecider
from events.table.game import Game
from rules.texts import say

MOST_BEFORE_THE_START = 1000
MOST_WITH_INTERRUPTIONS = 5000


class BoundedGames(GameDecider):
    """Games whose logs do not grow without end."""

    def permit(self, state: Game, command: TableCommand) -> None:
        super().permit(state, command)
        check_length(state, command)


def check_length(game: Game, command: TableCommand) -> None:
    """Refuses a command that could be given for ever, where the log is long enough."""
    if isinstance(command, Join | SeatBot) and game.version >= MOST_BEFORE_THE_START:
        raise NotNow(say("too many have come and gone at this table: make another one"))
    if command.interrupts and game.version >= MOST_WITH_INTERRUPTIONS:
        raise NotNow(say("this game was interrupted too often: from now on it can only be played to its end"))
