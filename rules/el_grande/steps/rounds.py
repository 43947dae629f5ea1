"""The round: turn up cards, bid, take turns, end it."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import Board, State, Step, clockwise_from, next_round
from rules.el_grande.commands import PlayPowerCard
from rules.el_grande.deck import design
from rules.el_grande.facts import (
    GameEnded,
    GeneralScoringBegan,
    PowerCardPlayed,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnOrderSet,
)
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.seats import final_places
from rules.texts import say


class BeginRound(Step, frozen=True, tag="begin_round"):
    """The top cards are turned up; the first bidder begins, then clockwise."""

    number: int

    def run(self, state: State) -> Outcome:
        board = state.board
        turned_up = [stack[0] for stack in board.stacks]
        always_up = [name for name, card in board.rules.cards.items() if card.returns]
        bids = tuple(board.rules.bid(player) for player in clockwise_from(board, board.first))
        return Outcome(
            (RoundBegan(self.number, (*turned_up, *always_up)),), (*bids, OrderTurns(), EndRound(self.number))
        )


PLAY = Words(button=say("Play {value}", value="{value}"))


class Bid(Step, frozen=True, tag="bid"):
    """The player plays a power card that nobody else has played in this round."""

    by: Player
    kind = "power"
    prompt = say("Which power card do you play?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, PlayPowerCard)
        if command.value not in state.board.hands[player]:
            raise RuleBroken(say("power card {value} is not in your hand", value=command.value), "power")
        if command.value in state.board.power.values():
            raise RuleBroken(say("power card {value} was already played in this round", value=command.value), "power")
        return Outcome((PowerCardPlayed(player, command.value),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        cards = Choice(self.playable(state), of="power_card")
        return (Form("play_power_card", say("play a power card"), {"value": cards}, words=PLAY),)

    def default(self, state: State, player: Player) -> Command:
        return PlayPowerCard(self.playable(state)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        playable = self.playable(state)
        return PlayPowerCard(playable[0]) if len(playable) == 1 else None

    def playable(self, state: State) -> tuple[int, ...]:
        played = state.board.power.values()
        return tuple(value for value in state.board.hands[self.by] if value not in played)


class OrderTurns(Step, frozen=True, tag="order_turns"):
    """Turns go by descending power card."""

    def run(self, state: State) -> Outcome:
        power = state.board.power
        order = tuple(sorted(power, key=power.__getitem__, reverse=True))
        first = tuple(step() for step in state.board.rules.before_turns)
        return Outcome((TurnOrderSet(order),), (*first, NextTurn()))


class NextTurn(Step, frozen=True, tag="next_turn"):
    """The next player in the queue has a turn."""

    def run(self, state: State) -> Outcome:
        if not state.board.queue:
            return Outcome()
        player = state.board.queue[0]
        return Outcome((TurnBegan(player),), (*state.board.rules.steps_of_turn(state.board, player), self))


def one_by_one(board: Board, player: Player) -> tuple[Step, ...]:
    """A turn has all its steps, in order."""
    return tuple(step(player) for step in board.rules.turn)


class EndRound(Step, frozen=True, tag="end_round"):
    """Leftover cards and old vetoes are discarded; after some rounds everything is scored."""

    number: int

    def run(self, state: State) -> Outcome:
        board = state.board
        facts = (RoundEnded(self.number, _leftovers(board), self._lapsed(board), board.turn),)
        following = next_round(board, self.number)
        then: tuple[Step, ...] = (EndGame(),) if following is None else (BeginRound(following),)
        before = tuple(step() for step in board.rules.round_end)
        if self.number not in board.rules.scoring_rounds:
            return Outcome(facts, (*before, *then))
        scoring = tuple(step() for step in board.rules.general_scoring)
        return Outcome((*facts, GeneralScoringBegan(self.number)), (*before, *scoring, *then))

    def _lapsed(self, board: Board) -> tuple[str, ...]:
        return tuple(veto.card for veto in board.vetoes if veto.until <= self.number)


def _leftovers(board: Board) -> tuple[str, ...]:
    """Face-up cards that nobody took, but for those that come back."""
    return tuple(card for card in board.face_up if card not in board.taken and not design(board, card).returns)


class EndGame(Step, frozen=True, tag="end_game"):
    """The highest score wins; players who tie for it share the win."""

    def run(self, state: State) -> Outcome:
        return Outcome((GameEnded(final_places(state.board.scores)),))
