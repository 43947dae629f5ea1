"""Tables at which bots play, and time passes when a test says so."""

import random
from functools import cache

from events.games import Games
from events.log import priorities
from events.log.memory import MemoryLog
from events.table.commands import AnswerOverdue, Join, Move, SeatBot, Start
from events.table.time_control import TimeControl
from rules.kernel import options

START = 1_777_888_800_000
CONTROL = TimeControl(bank_ms=600_000, increment_ms=5_000)
PACE = 1000


class BotTable:
    """Ana, who owns the table, and two bots."""

    def __init__(self, bots=("greedy", "random"), time: TimeControl | None = None, people=("ana",)) -> None:
        self.now = START
        draw = random.Random("bots").randbytes
        self.games = Games(MemoryLog(), now=lambda: self.now, draw=draw)
        seats = len(bots) + len(people)
        self.id = self.games.create("el_grande", seats, {"game_length": "short"}, owner="ana", time=time).id
        for account in people:
            self.games.submit(self.id, Join(account, is_bot=account != "ana"))
        for bot in bots:
            self.games.submit(self.id, SeatBot("ana", bot, pace_ms=PACE))
        self.game = self.games.submit(self.id, Start("ana")).after

    def bots_answer(self):
        """The bots' answers, each after its pace, until a person is asked."""
        answers = []
        while set(self.game.asked) <= set(self.game.bots) and self.game.status == "running":
            self.now = self.game.attention_at
            answers.append(self.games.submit(self.id, AnswerOverdue()))
            self.game = answers[-1].after
        return answers

    def move(self, account="ana"):
        [decision] = options(self.game.state, self.game.seat_of(account))
        self.game = self.games.submit(self.id, Move(account, decision.example())).after

    def finish(self):
        while self.game.status == "running":
            self.bots_answer()
            if self.game.status == "running":
                self.now += 3000
                self.move(next(self.game.seats[seat] for seat in self.game.asked if seat not in self.game.bots))
        return self

    @property
    def deadline(self):
        return priorities.due(self.id, self.games.log.deadline(self.id))


@cache
def finished_with_bots() -> BotTable:
    return BotTable(("greedy",), CONTROL, ("ana", "robot")).finish()
