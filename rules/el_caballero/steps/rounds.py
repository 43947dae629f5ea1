"""The round: turn up tiles, bid, take turns, end it; and the end of the game."""

from __future__ import annotations

from typing import Any

from rules.el_caballero.board import State, Step, mode_of
from rules.el_caballero.commands import PlayPowerCard
from rules.el_caballero.facts import (
    GameEnded,
    PowerCardPlayed,
    RoundBegan,
    RoundEnded,
    ScoringBegan,
    TurnBegan,
    TurnOrderSet,
)
from rules.el_caballero.scoring import scores
from rules.el_caballero.steps.turns import TakeTurn
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.seats import clockwise_from, final_places
from rules.texts import say


class BeginRound(Step, frozen=True, tag="begin_round"):
    """Tiles are turned up until five lie open; then power cards are played, clockwise from the first player."""

    number: int

    def run(self, state: State) -> Outcome:
        board = state.board
        missing = board.rules.visible - len(board.visible)
        bids = tuple(Bid(player) for player in clockwise_from(board.players, board.first))
        return Outcome((RoundBegan(self.number, board.stack[:missing]),), (*bids, OrderTurns(), EndRound(self.number)))


PLAY = Words(button=say("Play {value}", value="{value}"))


class Bid(Step, frozen=True, tag="bid"):
    """The player plays a power card that no player has played in this round; it is out of the game then."""

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
        cards = Choice(self._playable(state), of="power_card")
        return (Form("play_power_card", say("play a power card"), {"value": cards}, words=PLAY),)

    def default(self, state: State, player: Player) -> Command:
        return PlayPowerCard(min(self._playable(state)))

    def forced(self, state: State, player: Player) -> Command | None:
        playable = self._playable(state)
        return PlayPowerCard(playable[0]) if len(playable) == 1 else None

    def _playable(self, state: State) -> tuple[int, ...]:
        played = state.board.power.values()
        return tuple(value for value in state.board.hands[self.by] if value not in played)


class OrderTurns(Step, frozen=True, tag="order_turns"):
    """Turns go by descending power card."""

    def run(self, state: State) -> Outcome:
        power = state.board.power
        order = tuple(sorted(power, key=power.__getitem__, reverse=True))
        return Outcome((TurnOrderSet(order),), (NextTurn(),))


class NextTurn(Step, frozen=True, tag="next_turn"):
    """The next player in the queue has a turn."""

    def run(self, state: State) -> Outcome:
        if not state.board.queue:
            return Outcome()
        player = state.board.queue[0]
        return Outcome((TurnBegan(player),), (TakeTurn(player), self))


class EndRound(Step, frozen=True, tag="end_round"):
    """The player with the last turn begins the next round; after some rounds everything is scored."""

    number: int

    def run(self, state: State) -> Outcome:
        board = state.board
        mode = mode_of(board)
        facts = (RoundEnded(self.number, min(board.power, key=board.power.__getitem__)),)
        then: tuple[Step, ...] = (EndGame(),) if self.number == mode.rounds else (BeginRound(self.number + 1),)
        if self.number not in mode.scoring_rounds:
            return Outcome(facts, then)
        return Outcome((*facts, ScoringBegan(self.number)), (ScoreRegions(), *then))


class ScoreRegions(Step, frozen=True, tag="score_regions"):
    """All regions are scored, each once."""

    def run(self, state: State) -> Outcome:
        return Outcome(tuple(scores(state.board)))


class EndGame(Step, frozen=True, tag="end_game"):
    """The highest score wins; players who tie for it share the win."""

    def run(self, state: State) -> Outcome:
        return Outcome((GameEnded(final_places(state.board.scores)),))
