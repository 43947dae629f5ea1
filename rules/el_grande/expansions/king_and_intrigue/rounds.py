"""The round: cards are played from the hands, ranks are dealt, and every player uses the card played."""

from __future__ import annotations

from rules.el_grande.board import Board, Fact, State, Step
from rules.el_grande.expansions.king_and_intrigue.facts import CaballeroCardsDealt
from rules.el_grande.expansions.king_and_intrigue.opening import label
from rules.el_grande.expansions.king_and_intrigue.ranks import (
    INTRIGUE,
    KING,
    caballero_cards,
    may_choose,
    ranked,
)
from rules.el_grande.facts import ActionCardTaken, TurnEnded, VetoTaken
from rules.el_grande.steps.rounds import PLAY, Bid
from rules.el_grande.steps.turns import UseCard
from rules.kernel import Choice, Form, Outcome, Player
from rules.texts import say

VETO = "ki_040"


class BidCard(Bid, frozen=True, tag="bid_card"):
    """The player plays a card face up, of a value that nobody else has played in this round."""

    prompt = say("Which of your action cards do you play?")

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        values = self.playable(state)
        cards = Choice(values, tuple(label(state.board, value) for value in values), of="power_card")
        return (Form("play_power_card", say("play an action card"), {"value": cards}, words=PLAY),)


class DealRanks(Step, frozen=True, tag="deal_ranks"):
    """The highest card brings the King card, the lowest the Intrigue card; caballero cards go by rank."""

    def run(self, state: State) -> Outcome:
        board = state.board
        order = ranked(board.power)
        taken = ActionCardTaken(order[0], KING), ActionCardTaken(order[-1], INTRIGUE)
        return Outcome((CaballeroCardsDealt(caballero_cards(board.power)), *taken, *_vetoes(board, order)))


def _vetoes(board: Board, order: tuple[Player, ...]) -> tuple[Fact, ...]:
    """The veto counts from now on, if it is its player's own action or may become it."""
    return tuple(
        VetoTaken(player, VETO, board.round)
        for player in (order if may_choose(board) else order[1:-1])
        if board.rules.hand_cards[board.power[player]] == VETO
    )


class UsePlayedCard(Step, frozen=True, tag="use_played_card"):
    """The player uses the card played in this round."""

    by: Player

    def run(self, state: State) -> Outcome:
        board = state.board
        card = board.rules.hand_cards[board.power[self.by]]
        return Outcome((), (UseCard(self.by, card), LeaveCard(self.by)))


class LeaveCard(Step, frozen=True, tag="leave_card"):
    """The card stays face up before the player, and is never used again."""

    by: Player

    def run(self, state: State) -> Outcome:
        return Outcome((TurnEnded(self.by, ()),))
