"""Answers to decisions: given, taken back, given up for good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from events.errors import NotNow, TooLate
from events.log.codec import Header
from events.table import clock
from events.table.answers import GivenAnswer
from events.table.clock import Clock
from events.table.commands.base import (
    CLOCK,
    PlayerCommand,
    TableCommand,
    running_seat,
)
from events.table.decide import Draft
from events.table.facts import (
    RESIGNED,
    ClockSet,
    GameDecided,
    Hand,
    MoveTakenBack,
    SeatForfeited,
    SeatTakenBack,
    TakeBackWanted,
)
from events.table.game import Game
from rules.codec import codec_for
from rules.kernel import Answer, Fact, Player, TimeUp
from rules.texts import say


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
        return game.seat_of(self.account)

    def decide(self, draft: Draft) -> None:
        game = draft.game
        seat = game.seat_of(self.account)
        check_in_time(game, seat, self.decision)
        answer = codec_for(game.rules).answer(seat, self.payload)
        if seat in game.unattended:
            draft.tell(SeatTakenBack(seat))
        draft.play(answer)


class TakeBack(PlayerCommand, frozen=True):
    """Take back one's own last answer, while no other was given since and it turned nothing up; else if all agree.

    A player agrees by wanting the answer `of` the seat that has asked to be taken back.
    """

    interrupts = True

    of: Player = ""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [TakeBackWanted(_, of), *_]:
                return cls(header.by, of)
            case [MoveTakenBack()]:
                return cls(header.by)
        return None

    def decide(self, draft: Draft) -> None:
        game, seat = draft.game, running_seat(draft.game, self.account)
        if not game.may_take_back:
            raise NotNow(say("this table has agreed that no move is taken back"))
        of = self.of or seat
        answer = game.last_answer(of)
        if not answer:
            raise NotNow(say("there is no answer that could be taken back"))
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
            raise NotNow(say("you have asked for that already: the others must agree"))
        if of != seat and of != asked:
            raise NotNow(say("{player} has not asked to take a move back", player=of))
        if asked and of != asked:
            raise NotNow(say("{player} has asked to take a move back: the others must agree, or play on", player=asked))


AT_ONCE, IF_AGREED, AGREE = "at_once", "if_agreed", "agree"
WAYS_BACK = (AT_ONCE, IF_AGREED, AGREE)
"""A player may take the last answer back at once, may ask the others, or may agree to what another player has asked."""


def way_back(game: Game, seat: Player) -> str:
    """What the player on this seat may do about taking back now; empty if nothing."""
    if not game.is_running or not game.may_take_back or seat in game.forfeited:
        return ""
    if game.take_back:
        return "" if seat in game.take_back else AGREE
    answer = game.last_answer(seat)
    if not answer:
        return ""
    return AT_ONCE if answer == game.answers[-1] and not answer.turned_up else IF_AGREED


class Resign(PlayerCommand, frozen=True):
    """Leave for good: the seat comes last, the others play on."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatForfeited(because=because), *_] if because == RESIGNED:
                return cls(header.by)
        return None

    def decide(self, draft: Draft) -> None:
        seat = running_seat(draft.game, self.account)
        if not draft.game.may_resign:
            raise NotNow(say("this table has agreed that no player resigns"))
        forfeit(draft, seat, RESIGNED)


def forfeit(draft: Draft, player: Player, because: str) -> None:
    """A player leaves for good; with one left, the game is over."""
    draft.tell(SeatForfeited(player, because))
    if len(draft.game.players) - len(draft.game.forfeited) <= 1:
        draft.tell(GameDecided())


def take_back(draft: Draft, answer: GivenAnswer) -> None:
    """The board is as it was before the answer. A withdrawn question costs no time; the player's clock goes on."""
    clocks, withdrawn = draft.game.clock, draft.game.asked
    draft.tell(MoveTakenBack(answer.by, answer.version))
    if not clocks:
        return
    restore_clocks(draft, clocks, withdrawn, {answer.by: answer.hand})


def restore_clocks(
    draft: Draft, clocks: Clock, withdrawn: Mapping[Player, str], given: Mapping[Player, Hand | None]
) -> None:
    """The clocks of players whose answers were undone are as they were; players who are asked again have time again."""
    asked = draft.game.asked
    hands = {player: clock.at_rest(clocks, player) for player in {**withdrawn, **asked}}
    hands |= {player: hand for player, hand in given.items() if hand}
    for player in asked:
        hands[player] = clock.started(clocks, player, hands[player], draft.game.at)
    draft.tell(ClockSet(hands))


def check_in_time(game: Game, seat: Player, decision: str) -> None:
    if seat in game.forfeited:
        raise NotNow(say("you have left this game for good"))
    if game.clock and game.clock.ran_out.get(seat) == decision:
        raise TooLate(
            say(
                "your time for decision {decision} was over before your answer came: its default was taken",
                decision=decision,
            )
        )
