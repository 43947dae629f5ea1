"""A tournament's table about which an arbiter has ruled."""

from typing import NamedTuple

from events.games import Games
from events.log.memory import MemoryLog
from events.table.commands import ForfeitAbsent, Play, Rewind, SeatAll, StopGame, SubstitutePlayer
from events.table.facts import TournamentTable
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.codec import codec_for
from rules.kernel import options

PLACE = TournamentTable("spring", round=2, table=7)
SEATS = {"red": "ana", "blue": "ben", "yellow": "cleo"}


class Ruled(NamedTuple):
    games: Games
    id: str

    @property
    def game(self) -> Game:
        return self.games.load(self.id)


def begun(time: TimeControl | None = None) -> Ruled:
    games = Games(MemoryLog())
    game = games.create("el_grande", len(SEATS), tournament=PLACE, time=time).id
    games.submit(game, SeatAll(SEATS))
    return Ruled(games, game)


def answered(table: Ruled) -> str:
    """The player who is asked first answers; gives the seat."""
    state = table.game.state
    seat = next(iter(table.game.asked))
    decision = options(state, seat)[0]
    table.games.submit(table.id, Play(codec_for(table.game.rules).answer(seat, decision.example())))
    return seat


def ruled() -> Ruled:
    table = begun()
    came = answered(table)
    first, second = (seat for seat in SEATS if seat != came)
    for command in (Rewind(2), SubstitutePlayer(first, "dan"), ForfeitAbsent(second), StopGame()):
        table.games.submit(table.id, command)
    return table
