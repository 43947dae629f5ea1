"""Commands at a table: frozen values. `permit` refuses an author who may not give one, `decide` says what follows.

`permit` looks at nothing but the author's place at the table; it is asked first, so that a refusal tells strangers
nothing about a private game. `decide` writes facts into a `Draft`, or refuses. `read_back` is for the arbiter: it reads
the command back from a commit, so that it can be decided again.

>>> from events.decider import Context
>>> from events.table.decide import decide
>>> from events.table.game import Game
>>> from rules.kernel import State
>>> table = Game("g", "el_grande", ("red", "blue"), {}, "", 1, "", State(None))
>>> decide(table, Join("ana", nonce="a word"), Context(at=0)).facts
(SeatTaken(player='red', who='ana'), NonceAdded(player='red', nonce='a word'))
"""

from __future__ import annotations

from events.table.commands.base import CLOCK, TABLE, TableCommand, check_open, check_visible
from events.table.commands.moves import Move, Play, Resign, TakeBack
from events.table.commands.rulings import ForfeitAbsent, Rewind, StopGame, SubstitutePlayer
from events.table.commands.seats import Abort, AddNonce, Join, Leave, RemovePlayer, SeatAll, SeatBot, Start, free_seat
from events.table.commands.time import AnswerOverdue, Pause, Resume, Return, TakeVacation

COMMANDS: tuple[type[TableCommand], ...] = (
    AnswerOverdue,
    Join,
    SeatBot,
    RemovePlayer,
    Leave,
    AddNonce,
    Abort,
    Start,
    SeatAll,
    TakeBack,
    Return,
    Pause,
    Resume,
    TakeVacation,
    Resign,
    SubstitutePlayer,
    Rewind,
    ForfeitAbsent,
    StopGame,
)
"""All commands that a commit tells of; an answer to a decision is told by its consequences alone."""

__all__ = [
    "CLOCK",
    "COMMANDS",
    "TABLE",
    "Abort",
    "AddNonce",
    "AnswerOverdue",
    "ForfeitAbsent",
    "Join",
    "Leave",
    "Move",
    "Pause",
    "Play",
    "RemovePlayer",
    "Resign",
    "Resume",
    "Return",
    "Rewind",
    "SeatAll",
    "SeatBot",
    "Start",
    "StopGame",
    "SubstitutePlayer",
    "TableCommand",
    "TakeBack",
    "TakeVacation",
    "check_open",
    "check_visible",
    "free_seat",
]
