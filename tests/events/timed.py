"""Tables at which time counts, and time passes when a test says so."""

import random
from functools import cache

from msgspec import to_builtins

from events.decider import Outage
from events.errors import NothingDue
from events.games import Games
from events.log import GameLog, priorities
from events.log.memory import MemoryLog
from events.repository import Accepted
from events.submission import Submission
from events.table.calendar import DAY, Calendar
from events.table.clock import Clock, remaining
from events.table.commands import (
    AnswerOverdue,
    Join,
    Move,
    Pause,
    Resign,
    Resume,
    Return,
    Start,
    TakeBack,
    TakeVacation,
)
from events.table.game import Game
from events.table.time_control import BOT, FORFEIT, TimeControl
from rules.kernel import options
from rules.simulation import random_command

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
START = 1_777_888_800_000

PEOPLE = {"red": "ana", "blue": "ben", "yellow": "cleo", "green": "dora", "brown": "eva"}


EVERYTHING_AGREED = TimeControl(
    bank_ms=10 * MINUTE,
    increment_ms=10 * SECOND,
    cap_ms=12 * MINUTE,
    delay_ms=2 * SECOND,
    limit_ms=5 * MINUTE,
    calendar=Calendar("Europe/Madrid", "22:00", "08:00", (6,), vacation_days=5),
    strikes=2,
    policy=BOT,
)


@cache
def eventful() -> "Timed":
    """A game to its end in which everything happens that can happen to time."""
    table = Timed(EVERYTHING_AGREED, 4, seed=7, rules="el_grande+anniversary")
    table.wait(3 * SECOND).move()
    table.run_out()
    table.wait(MINUTE).outage(HOUR).wait(SECOND).move()
    table.outage(MINUTE).time_up()
    for seat in table.game.players:
        table.wait(SECOND).games.submit(table.id, Pause(table.account_on(seat)))
    table.wait(HOUR).games.submit(table.id, Resume("ben"))
    table.games.submit(table.id, Pause("olga", is_admin=True))
    table.wait(HOUR).move()
    table.games.submit(table.id, Resume("olga", is_admin=True))
    away = table.asked[0]
    table.games.submit(table.id, TakeVacation(table.account_on(away), 2))
    table.wait(DAY).move()
    late = table.asked[0]
    for _ in range(2):
        table.move_until(late).run_out()
    table.move_until(late).run_out()
    table.games.submit(table.id, Return(table.account_on(late)))
    for _ in range(2):
        table.move_until(late).run_out()
    table.move_until(late).wait(SECOND).move(late)
    table.games.submit(table.id, Resign(table.account_on(late)))
    table.wait(SECOND).move_of_a_player()
    table.wait(SECOND).take_back(table.game.answers[-1].by)
    table.wait(SECOND).move_of_a_player()
    others = [seat for seat in table.game.players if seat not in (table.game.answers[-1].by, late)]
    wanted = next(seat for seat in others if table.game.last_answer(seat))
    for seat in (wanted, *(seat for seat in table.game.players if seat not in (wanted, late))):
        table.take_back(seat, wanted)
    return table.finish()


@cache
def decided() -> "Timed":
    """A game that is over before its end: one was late too often, one resigned, one is left."""
    table = Timed(TimeControl(bank_ms=MINUTE, strikes=1, policy=FORFEIT), 3, seed=8)
    table.run_out()
    for _ in range(5):
        if table.game.unattended.keys() & table.game.asked.keys():
            table.time_up()
        else:
            table.wait(SECOND).move()
    leaving = next(seat for seat in table.game.players if seat not in table.game.forfeited)
    table.games.submit(table.id, Resign(table.account_on(leaving)))
    assert table.game.status == "over"
    return table


class Timed:
    """A running game, the people at its table, and a clock on the wall."""

    def __init__(
        self,
        control: TimeControl | None,
        players: int = 3,
        *,
        seed: int = 1,
        rules: str = "el_grande",
        log: GameLog | None = None,
        length: str = "short",
        may_resign: bool = True,
        may_take_back: bool = True,
    ) -> None:
        self.now = START
        self.outages: list[Outage] = []
        self.log = log or MemoryLog()
        self.draw = random.Random(f"secrets {seed}").randbytes
        self.pick = random.Random(f"answers {seed}").randrange
        self.games = self.another_process()
        created = self.games.create(
            rules,
            players,
            {"game_length": length},
            time=control,
            may_resign=may_resign,
            may_take_back=may_take_back,
            game=f"timed {seed}",
        )
        self.id = created.id
        self.names = 0
        for seat in created.players:
            self.games.submit(
                self.id, Join(self.account_on(seat), seat=seat, nonce=f"{seat} {seed}"), Submission(key=self.name())
            )
        self.games.submit(self.id, Start(), Submission(key="start"))

    def another_process(self) -> Games:
        return Games(self.log, lambda: self.now, self.draw, lambda: tuple(self.outages))

    def name(self) -> str:
        """For a command: the same ones in every run."""
        self.names += 1
        return f"command {self.names}"

    @staticmethod
    def account_on(seat: str) -> str:
        return PEOPLE[seat]

    @property
    def game(self) -> Game:
        return self.games.load(self.id)

    @property
    def asked(self) -> list[str]:
        return list(self.game.asked)

    @property
    def facts(self) -> tuple:
        """What the last commit tells."""
        return self.games.commits(self.id)[-1].facts

    @property
    def fact_names(self) -> list[str]:
        """What the last commit tells of the table, by name."""
        return [fact.__struct_config__.tag for fact in self.facts if type(fact).__module__ == "events.table.facts"]

    @property
    def clock(self) -> Clock:
        clock = self.game.clock
        assert clock, "time does not count here"
        return clock

    @property
    def deadline(self) -> int:
        """When the log has it that the game needs attention, whatever its priority."""
        return priorities.due(self.id, self.log.deadline(self.id)).at

    def left(self, seat: str) -> int:
        return remaining(self.clock, seat, self.now)

    def bank(self, seat: str) -> int:
        return self.clock.hands[seat].bank_ms

    def strikes(self, seat: str) -> int:
        return self.clock.hands[seat].strikes

    # What happens

    def wait(self, milliseconds: int) -> "Timed":
        self.now += milliseconds
        return self

    def answer(self, seat: str) -> dict:
        """Something legal that this player might say now."""
        state = self.game.state
        [decision] = options(state, seat)
        return {"decision": decision.id, **to_builtins(random_command(state, decision, self.pick))}

    def move(self, seat: str = "") -> Accepted:
        seat = seat or self.asked[0]
        return self.games.submit(self.id, Move(self.account_on(seat), self.answer(seat)), Submission(key=self.name()))

    def move_of_a_player(self) -> "Timed":
        """The clock answers for seats that are played automatically, until a player moves."""
        while set(self.game.asked) & set(self.game.unattended):
            self.time_up()
        self.move()
        return self

    def take_back(self, seat: str, of: str = "") -> Accepted:
        return self.games.submit(self.id, TakeBack(self.account_on(seat), of), Submission(key=self.name()))

    def move_until(self, seat: str) -> "Timed":
        """The others move, without losing time, until this player is asked first."""
        for _ in range(500):
            if self.asked[0] == seat:
                return self
            self.move()
        raise AssertionError(f"{seat} is never asked")

    def time_up(self) -> Accepted | None:
        """What the clock does now; None if nothing is due."""
        try:
            return self.games.submit(self.id, AnswerOverdue())
        except NothingDue:
            return None

    def run_out(self) -> Accepted:
        """Wait until a player's time is over, and for what becomes of it."""
        self.now = max(self.now, self.game.attention_at)
        taken = self.time_up()
        assert taken, "no player was late"
        return taken

    def outage(self, milliseconds: int) -> "Timed":
        """No process serves for so long."""
        self.outages.append(Outage(since=self.now, until=self.now + milliseconds))
        return self.wait(milliseconds)

    def finish(self) -> "Timed":
        """Players who are there move, the clock answers for the others, to the end."""
        for _ in range(20_000):
            game = self.game
            if game.status != "running":
                return self
            if set(game.asked) & set(game.unattended):
                self.time_up()
            else:
                self.move()
        raise AssertionError("the game does not end")
