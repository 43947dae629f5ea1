"""Rulings of a tournament about one of its games, given by the service: no account may give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from events.errors import NotNow, NotPermitted
from events.log.codec import Header
from events.table.answers import MOST_REWOUND, GivenAnswer
from events.table.commands.base import TableCommand
from events.table.commands.moves import forfeit, restore_clocks
from events.table.decide import Draft
from events.table.facts import (
    ABSENT,
    BOT_PREFIX,
    AnswersUndone,
    GameStopped,
    SeatForfeited,
    SeatHandedOver,
    SeatTakenBack,
)
from events.table.game import RUNNING, Game
from rules.errors import Unreadable
from rules.kernel import Fact, Player
from rules.texts import one_by_one, say


class RulingCommand(TableCommand, frozen=True):
    """A decision of an arbiter, which only the table of a tournament knows."""

    def permit(self, game: Game) -> None:
        check_tournament(game)


class SubstitutePlayer(RulingCommand, frozen=True):
    """Another account plays on for the one on a seat, which loses the seat at once. Clocks go on."""

    seat: Player
    account: str
    is_bot: bool = False
    """Whether the account has declared that a program plays for it."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatHandedOver(seat, _, account, is_bot), *_]:
                return cls(seat, account, is_bot)
        return None

    def decide(self, draft: Draft) -> None:
        self._check(draft.game)
        draft.tell(SeatHandedOver(self.seat, draft.game.seats[self.seat], self.account, self.is_bot))
        if draft.game.clock and self.seat in draft.game.clock.automated:
            draft.tell(SeatTakenBack(self.seat))

    def _check(self, game: Game) -> None:
        check_tournament(game)
        if game.status != RUNNING:
            raise NotNow(say("the game is not running"))
        if self.seat not in game.players:
            raise Unreadable(say("the seats of this table are {seats}", seats=one_by_one(game.players)))
        if self.seat in game.forfeited:
            raise NotNow(say("{player} has left this game for good", player=self.seat))
        if not self.account or self.account.startswith(BOT_PREFIX):
            raise Unreadable(say("a substitute is an account"))
        if self.account in game.seats.values():
            raise NotNow(say("the substitute sits at this table already"))


class Rewind(RulingCommand, frozen=True):
    """The game goes on from an earlier step, as long as it runs and remembers it.

    Players get back the clocks that they had then. What was turned up since is known to all; a game that is over has
    shown its secret, and can only be played again.
    """

    version: int

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [AnswersUndone(version), *_]:
                return cls(version)
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_tournament(game)
        undone = undone_answers(game, self.version)
        clocks, withdrawn = game.clock, game.asked
        draft.tell(AnswersUndone(self.version))
        if clocks:
            restore_clocks(draft, clocks, withdrawn, {answer.by: answer.hand for answer in reversed(undone)})


def undone_answers(game: Game, version: int) -> tuple[GivenAnswer, ...]:
    """The answers that would be undone, or a refusal."""
    if game.status != RUNNING:
        raise NotNow(say("the game is not running"))
    undone = tuple(answer for answer in game.answers if answer.version > version)
    if not undone or undone[0].version != version + 1:
        raise NotNow(say("the game can go back to the step before one of its last {most} answers", most=MOST_REWOUND))
    return undone


class ForfeitAbsent(RulingCommand, frozen=True):
    """A player has not come: the seat comes last, the others play on."""

    seat: Player

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatForfeited(seat, because), *_] if because == ABSENT:
                return cls(seat)
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_tournament(game)
        if game.status != RUNNING:
            raise NotNow(say("the game is not running"))
        if self.seat not in game.players:
            raise Unreadable(say("the seats of this table are {seats}", seats=one_by_one(game.players)))
        if self.seat in game.came or self.seat in game.forfeited:
            raise NotNow(say("{player} has come, or is out of the game already", player=self.seat))
        forfeit(draft, self.seat, ABSENT)


class StopGame(RulingCommand, frozen=True):
    """The tournament does not wait any longer: the players are placed by their present scores."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [GameStopped(), *_]:
                return cls()
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_tournament(game)
        if game.status != RUNNING:
            raise NotNow(say("the game is not running"))
        scores = game.state.board.scores
        draft.tell(
            GameStopped({player: 1 + sum(other > mine for other in scores.values()) for player, mine in scores.items()})
        )


def check_tournament(game: Game) -> None:
    """At other tables there is no arbiter."""
    if not game.tournament:
        raise NotPermitted(say("only the table of a tournament has an arbiter"))
