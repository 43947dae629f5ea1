"""Commands at a table: frozen values. `permit` says who may give one, `decide` what follows from it.

`permit` looks at nothing but the author's place at the table; it is asked first, so that a refusal tells strangers
nothing about a private game. `decide` writes facts into a `Draft`, or refuses.

>>> from events.decider import Context
>>> from events.table.decide import decide
>>> from events.table.game import Game
>>> from rules.kernel import State
>>> table = Game("g", "el_grande", ("red", "blue"), {}, "", 1, "", State(None))
>>> decide(table, Join("ana", nonce="a word"), Context(at=0)).facts
(SeatTaken(player='red', who='ana'), NonceAdded(player='red', nonce='a word'))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from events.errors import NoSuchGame, NotNow, NotPermitted, TooLate
from events.log import chain
from events.table import clock
from events.table.calendar import DAY
from events.table.clock import Clock
from events.table.decide import Draft
from events.table.facts import (
    AGREEMENT,
    ORGANISER,
    AutopilotAnswered,
    ClockSet,
    ClocksPaused,
    ClocksResumed,
    GameAborted,
    GameDecided,
    GameStarted,
    MoveTakenBack,
    NonceAdded,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SeatTakenBack,
    TakeBackWanted,
    TimeRanOut,
    VacationTaken,
)
from events.table.game import ABORTED, OPEN, RUNNING, Game, GivenAnswer
from events.table.time_control import BOT, FORFEIT
from rules import catalogue
from rules.autopilot import autopilot
from rules.codec import codec_for
from rules.errors import Unreadable
from rules.fairness import Chance
from rules.kernel import Answer, Player, TimeUp

TABLE = "table"
"""The author of commits that belong to no account."""

CLOCK = "clock"
"""The author of answers for players who are late or away."""


class TableCommand(Struct, frozen=True):
    """Something that is wanted at a table."""

    @property
    def decision(self) -> str:
        """The decision that this answers, if it answers one."""
        return ""

    def author(self, game: Game) -> str:
        """The author of the commit."""
        return TABLE

    def permit(self, game: Game) -> None:
        """Refuses an author who may not give this command, however far the game has come."""

    def decide(self, draft: Draft) -> None:
        """Writes down what follows, or refuses."""
        raise AssertionError(f"{type(self).__name__} does not say what follows")


class AccountCommand(TableCommand, frozen=True):
    """A command of an account that the game is visible to."""

    who: str

    def author(self, game: Game) -> str:
        return self.who

    def permit(self, game: Game) -> None:
        check_visible(game, self.who)


class PlayerCommand(AccountCommand, frozen=True):
    """A command of an account that sits at the table."""

    def permit(self, game: Game) -> None:
        super().permit(game)
        game.seat_of(self.who)


class OwnerCommand(TableCommand, frozen=True):
    """A command of the account that owns the table; a table without an owner obeys any."""

    who: str = ""

    def permit(self, game: Game) -> None:
        if not game.owner:
            return
        check_visible(game, self.who)
        if self.who != game.owner:
            raise NotPermitted("only the owner of the table may do this")


# Before the start


class Join(AccountCommand, frozen=True):
    """Take a free seat, the first one if none is named, and perhaps add to the game's chance."""

    seat: str = ""
    nonce: str = ""
    invited: bool = False
    """An invitation opens a private table."""

    def permit(self, game: Game) -> None:
        if not self.invited:
            super().permit(game)

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_open(game)
        if self.who in game.seats.values():
            raise NotNow("you sit at this table already")
        seat = self._free_seat(game)
        draft.tell(SeatTaken(seat, self.who))
        if self.nonce and seat not in game.nonces:
            draft.tell(NonceAdded(seat, self.nonce))

    def _free_seat(self, game: Game) -> Player:
        free = [seat for seat in game.players if seat not in game.seats]
        if not free:
            raise NotNow("all seats are taken")
        if self.seat and self.seat not in game.players:
            raise Unreadable(f"this table has no seat {self.seat}: choose from {', '.join(free)}")
        if self.seat and self.seat not in free:
            raise NotNow(f"the seat {self.seat} is taken: choose from {', '.join(free)}")
        return self.seat or free[0]


class Leave(PlayerCommand, frozen=True):
    """Leave the seat before the game begins."""

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        draft.tell(SeatLeft(draft.game.seat_of(self.who), self.who))


class Abort(OwnerCommand, frozen=True):
    """Clear the table before the game begins."""

    def author(self, game: Game) -> str:
        return self.who or TABLE

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        draft.tell(GameAborted())


class AddNonce(TableCommand, frozen=True):
    """Add to the game's chance before it starts."""

    player: Player
    nonce: str

    def author(self, game: Game) -> str:
        return self.player

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        if self.player not in draft.game.players:
            raise Unreadable(f"this table has no seat {self.player}")
        if self.player in draft.game.nonces:
            raise NotNow(f"{self.player} has added to the game's chance already")
        draft.tell(NonceAdded(self.player, self.nonce))


class Start(OwnerCommand, frozen=True):
    """Fix the seed and set the table. Where accounts play, every seat must be taken."""

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_open(game)
        if (game.owner or game.seats) and (free := len(game.players) - len(game.seats)):
            raise NotNow(f"{free} of {len(game.players)} seats are still free")
        draft.tell(GameStarted())
        seed = chain.seed(draft.secret, game.nonces)
        rules = catalogue.rules_named(game.rules)
        draft.move(*catalogue.game_named(game.rules).start(rules, len(game.players), seed, **game.options))


# Moves


class Play(TableCommand, frozen=True):
    """An answer for a seat, whichever account sits there."""

    answer: Answer | TimeUp

    @property
    def decision(self) -> str:
        return self.answer.decision

    def author(self, game: Game) -> str:
        return self.answer.player if isinstance(self.answer, Answer) else CLOCK

    def decide(self, draft: Draft) -> None:
        draft.play(self.answer)


class Move(PlayerCommand, frozen=True):
    """The answer of an account at the table, as it was sent. A player who was away is back."""

    payload: Mapping[str, Any]

    @property
    def decision(self) -> str:
        return str(self.payload["decision"])

    def author(self, game: Game) -> str:
        return game.seat_of(self.who)

    def decide(self, draft: Draft) -> None:
        game = draft.game
        seat = game.seat_of(self.who)
        check_in_time(game, seat, self.decision)
        answer = codec_for(game.rules).answer(seat, self.payload)
        if seat in game.unattended:
            draft.tell(SeatTakenBack(seat))
        draft.play(answer)


class TakeBack(PlayerCommand, frozen=True):
    """Take back one's own last answer, while no other was given since and it turned nothing up; else if all agree.

    A player agrees by wanting the answer `of` the seat that has asked to be taken back.
    """

    of: Player = ""

    def decide(self, draft: Draft) -> None:
        game, seat = draft.game, running_seat(draft.game, self.who)
        if not game.may_take_back:
            raise NotNow("at this table it was agreed that no move is taken back")
        of = self.of or seat
        answer = game.last_answer(of)
        if not answer:
            raise NotNow("there is no answer that could be taken back")
        if of == seat and answer == game.answers[-1] and not answer.turned_up:
            take_back(draft, answer)
            return
        self._check_request(game, seat, of)
        draft.tell(TakeBackWanted(seat, of))
        if set(draft.game.take_back) >= {player for player in game.players if player not in game.unattended}:
            take_back(draft, answer)

    def _check_request(self, game: Game, seat: Player, of: Player) -> None:
        asked = game.take_back[0] if game.take_back else ""
        if seat in game.take_back:
            raise NotNow("you have asked for that already: the others must agree")
        if of != seat and of != asked:
            raise NotNow(f"{of} has not asked to take a move back")
        if asked and of != asked:
            raise NotNow(f"{asked} has asked to take a move back: the others must agree, or play on")


class Resign(PlayerCommand, frozen=True):
    """Leave for good: the seat comes last, the others play on."""

    def decide(self, draft: Draft) -> None:
        seat = running_seat(draft.game, self.who)
        if not draft.game.may_resign:
            raise NotNow("at this table it was agreed that nobody resigns")
        forfeit(draft, seat, "resigned")


# Time


class AnswerOverdue(TableCommand, frozen=True):
    """Answer for the first player whose seat is played automatically, or whose time is over. In a pause for none."""

    def author(self, game: Game) -> str:
        return CLOCK

    def decide(self, draft: Draft) -> None:
        game = draft.game
        if game.status != RUNNING or (game.clock and game.clock.paused):
            return
        if away := [player for player in game.asked if player in game.unattended]:
            answer_automatically(draft, away[0])
        elif game.clock and (late := game.clock.expired(game.at)):
            answer_late(draft, late[0])


class Return(PlayerCommand, frozen=True):
    """Play again after the seat was played automatically."""

    def decide(self, draft: Draft) -> None:
        seat = running_seat(draft.game, self.who)
        if seat not in draft.game.unattended:
            raise NotNow("nobody plays your seat but you")
        draft.tell(SeatTakenBack(seat))


class ClockCommand(AccountCommand, frozen=True):
    """A command about all clocks: of a player, or of an organiser, who runs the table without a seat at it."""

    is_admin: bool = False

    def is_organiser(self, game: Game) -> bool:
        return self.who not in game.seats.values() and (self.is_admin or self.who == game.owner)

    def permit(self, game: Game) -> None:
        if not self.is_organiser(game):
            super().permit(game)
            game.seat_of(self.who)


class Pause(ClockCommand, frozen=True):
    """Stop the clocks: at once for an organiser, or when all who play have asked for it."""

    def decide(self, draft: Draft) -> None:
        clocks = running_clock(draft.game)
        if clocks.paused:
            raise NotNow("the clocks stand still already")
        if self.is_organiser(draft.game):
            draft.tell(ClocksPaused(ORGANISER))
            return
        seat = running_seat(draft.game, self.who)
        if all_want_a_pause(draft.game, (*clocks.want_pause, seat)):
            draft.tell(PauseWanted(seat), ClocksPaused(AGREEMENT))
        elif seat in clocks.want_pause:
            raise NotNow("you have asked for a pause already")
        else:
            draft.tell(PauseWanted(seat))


class Resume(ClockCommand, frozen=True):
    """Let time run again. A pause by agreement is ended by any player, an organiser's only by an organiser."""

    def decide(self, draft: Draft) -> None:
        paused = running_clock(draft.game).paused
        if not paused:
            raise NotNow("the clocks run already")
        if not self.is_organiser(draft.game):
            running_seat(draft.game, self.who)
            if paused == ORGANISER:
                raise NotNow("an organiser has stopped the clocks, and only an organiser can let them run")
        draft.tell(ClocksResumed())


class TakeVacation(PlayerCommand, frozen=True):
    """Be away from now on, for some of the days that were agreed."""

    days: int

    def decide(self, draft: Draft) -> None:
        game = draft.game
        seat, clocks = running_seat(game, self.who), running_clock(game)
        away = clocks.away.get(seat, ())
        if away and away[-1][1] > game.at:
            raise NotNow("you are away already")
        left = clock.days_left(clocks, seat)
        if not 1 <= self.days <= left:
            raise NotNow(f"{left} days of your vacation are left")
        draft.tell(VacationTaken(seat, game.at, game.at + self.days * DAY))


# What follows for a seat


def answer_automatically(draft: Draft, player: Player) -> None:
    game = draft.game
    decision = game.asked[player]
    if game.unattended[player] != BOT:
        draft.play(TimeUp(player, decision))
        return
    # The chance of the autopilot was fixed with that of the shuffles: it cannot have been chosen since.
    chance = Chance(chain.autopilot_seed(draft.secret, game.nonces, decision))
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


def take_back(draft: Draft, answer: GivenAnswer) -> None:
    """The board is as it was before the answer. A withdrawn question costs no time; the player's clock goes on."""
    clocks, withdrawn = draft.game.clock, draft.game.asked
    draft.tell(MoveTakenBack(answer.by, answer.version))
    if not clocks:
        return
    hands = {player: clock.at_rest(clocks, player) for player in {**withdrawn, **draft.game.asked}}
    if answer.hand:
        hands[answer.by] = answer.hand
    for player in draft.game.asked:
        hands[player] = clock.started(clocks, player, hands[player], draft.game.at)
    draft.tell(ClockSet(hands))


def forfeit(draft: Draft, player: Player, because: str) -> None:
    """A player leaves for good; with one left, the game is over."""
    draft.tell(SeatForfeited(player, because))
    if len(draft.game.players) - len(draft.game.forfeited) <= 1:
        draft.tell(GameDecided())


def all_want_a_pause(game: Game, wanted: Iterable[Player]) -> bool:
    return set(wanted) >= {player for player in game.players if player not in game.unattended}


# What must hold


def check_visible(game: Game, who: str | None) -> None:
    """A private game does not exist for strangers."""
    if not game.is_visible_to(who):
        raise NoSuchGame(f"there is no game {game.id}")


def check_open(game: Game) -> None:
    if game.status == ABORTED:
        raise NotNow("the table was cleared before the game began")
    if game.status != OPEN:
        raise NotNow("the game has begun")


def check_in_time(game: Game, seat: Player, decision: str) -> None:
    if seat in game.forfeited:
        raise NotNow("you have left this game for good")
    if game.clock and game.clock.ran_out.get(seat) == decision:
        raise TooLate(f"your time for decision {decision} was over before your answer came: its default was taken")


def running_seat(game: Game, who: str) -> Player:
    """The seat of an account that plays."""
    seat = game.seat_of(who)
    if game.status != RUNNING:
        raise NotNow("the game does not run")
    if seat in game.forfeited:
        raise NotNow("you have left this game for good")
    return seat


def running_clock(game: Game) -> Clock:
    if game.status != RUNNING or not game.clock:
        raise NotNow("no clock runs in this game")
    return game.clock
