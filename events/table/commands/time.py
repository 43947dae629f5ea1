"""Time: late players, players who are away, pauses, vacations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from events.errors import NotNow
from events.log import chain
from events.log.codec import Header
from events.table import clock
from events.table.calendar import DAY
from events.table.clock import Clock
from events.table.commands.base import (
    CLOCK,
    TABLE,
    AccountCommand,
    PlayerCommand,
    TableCommand,
    running_seat,
)
from events.table.commands.moves import forfeit
from events.table.decide import Draft
from events.table.facts import (
    AGREEMENT,
    ORGANISER,
    AutopilotAnswered,
    BotAnswered,
    ClocksPaused,
    ClocksResumed,
    PauseWanted,
    SeatAutomated,
    SeatTakenBack,
    TimeRanOut,
    VacationTaken,
)
from events.table.game import RUNNING, Game
from events.table.time_control import BOT, FORFEIT
from rules.autopilot import autopilot
from rules.bots import BOTS
from rules.bots import answer as bot_answer
from rules.fairness import Chance
from rules.kernel import Answer, Fact, Player, TimeUp
from rules.texts import say, say_many


class AnswerOverdue(TableCommand, frozen=True):
    """Answer for the first player whose seat is played automatically, or whose time is over. In a pause for none."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        return cls() if header.by == CLOCK and not header.decision else None

    def author(self, game: Game) -> str:
        return CLOCK

    def decide(self, draft: Draft) -> None:
        game = draft.game
        if game.status != RUNNING or (game.clock and game.clock.paused):
            return
        if away := [player for player in game.asked if player in game.unattended]:
            answer_automatically(draft, min(away, key=game.pace))
        elif game.clock and (late := game.clock.expired(game.at)):
            answer_late(draft, late[0])


class Return(PlayerCommand, frozen=True):
    """Play again after the seat was played automatically."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatTakenBack()]:
                return cls(header.by)
        return None

    def decide(self, draft: Draft) -> None:
        seat = running_seat(draft.game, self.account)
        if seat not in draft.game.unattended:
            raise NotNow(say("your seat is not played automatically"))
        draft.tell(SeatTakenBack(seat))


class ClockCommand(AccountCommand, frozen=True):
    """A command about all clocks: of a player, or of an organiser, who runs the table without a seat at it. A
    tournament's table is run by the service, which has no account."""

    account: str = ""
    is_admin: bool = False

    def author(self, game: Game) -> str:
        return self.account or TABLE

    def is_organiser(self, game: Game) -> bool:
        return self.account not in game.seats.values() and (self.is_admin or self.account == game.owner)

    def permit(self, game: Game) -> None:
        if not self.is_organiser(game):
            super().permit(game)
            game.seat_of(self.account)


class Pause(ClockCommand, frozen=True):
    """Stop the clocks: at once for an organiser, or when all who play have asked for it."""

    interrupts = True

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [PauseWanted(), *_]:
                return cls(header.by)
            case [ClocksPaused()]:
                return cls(header.by, is_admin=True)
        return None

    def decide(self, draft: Draft) -> None:
        clocks = running_clock(draft.game)
        if clocks.paused:
            raise NotNow(say("the clocks stand still already"))
        if self.is_organiser(draft.game):
            draft.tell(ClocksPaused(ORGANISER))
            return
        seat = running_seat(draft.game, self.account)
        if all_want_a_pause(draft.game, (*clocks.want_pause, seat)):
            draft.tell(PauseWanted(seat), ClocksPaused(AGREEMENT))
        elif seat in clocks.want_pause:
            raise NotNow(say("you have asked for a pause already"))
        else:
            draft.tell(PauseWanted(seat))


class Resume(ClockCommand, frozen=True):
    """Let time run again. A pause by agreement is ended by any player, an organiser's only by an organiser."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [ClocksResumed()]:
                return cls(header.by, is_admin=True)
        return None

    def decide(self, draft: Draft) -> None:
        paused = running_clock(draft.game).paused
        if not paused:
            raise NotNow(say("the clocks run already"))
        if not self.is_organiser(draft.game):
            running_seat(draft.game, self.account)
            if paused == ORGANISER:
                raise NotNow(say("an organiser has stopped the clocks, and only an organiser can let them run"))
        draft.tell(ClocksResumed())


class TakeVacation(PlayerCommand, frozen=True):
    """Be away from now on, for some of the days that were agreed."""

    days: int

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [VacationTaken(_, since, until)]:
                return cls(header.by, (until - since) // DAY)
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        seat, clocks = running_seat(game, self.account), running_clock(game)
        away = clocks.away.get(seat, ())
        if away and away[-1][1] > game.at:
            raise NotNow(say("you are away already"))
        left = clock.days_left(clocks, seat)
        if not 1 <= self.days <= left:
            raise NotNow(
                say_many("{count} day of your vacation is left", "{count} days of your vacation are left", left)
            )
        draft.tell(VacationTaken(seat, game.at, game.at + self.days * DAY))


def answer_automatically(draft: Draft, player: Player) -> None:
    game = draft.game
    decision = game.asked[player]
    if game.unattended[player] != BOT:
        draft.play(TimeUp(player, decision))
        return
    # The chance of bots was fixed with that of the shuffles: it cannot have been chosen since.
    chance = Chance(chain.autopilot_seed(draft.secret, game.nonces, decision))
    if bot := game.bots.get(player):
        draft.tell(BotAnswered(player, bot.name))
        draft.play(Answer(player, decision, bot_answer(BOTS[bot.name], game.state, player, chance)))
    else:
        draft.tell(AutopilotAnswered(player))
        draft.play(Answer(player, decision, autopilot(game.state, player, chance.below)))


def answer_late(draft: Draft, player: Player) -> None:
    """The default is taken; and after too many times in a row, what was agreed for that."""
    assert draft.game.clock, "no player is late where time does not count"
    control, strikes = draft.game.clock.control, draft.game.clock.hands[player].strikes + 1
    decision = draft.game.asked[player]
    draft.tell(TimeRanOut(player, decision))
    draft.play(TimeUp(player, decision))
    if draft.game.status != RUNNING or not control.strikes or strikes < control.strikes:
        return
    if control.policy == FORFEIT:
        forfeit(draft, player, "time")
    else:
        draft.tell(SeatAutomated(player, control.policy))


def all_want_a_pause(game: Game, wanted: Iterable[Player]) -> bool:
    return set(wanted) >= {player for player in game.players if player not in game.unattended}


def running_clock(game: Game) -> Clock:
    if game.status != RUNNING or not game.clock:
        raise NotNow(say("no clock runs in this game"))
    return game.clock
