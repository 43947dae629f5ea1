"""The turn: placement from the province and onto ships, special actions that may be stopped, and second cards."""

from __future__ import annotations

from typing import ClassVar

from rules.el_grande.board import Board, Fact, State, Step
from rules.el_grande.commands import Special
from rules.el_grande.deck import design
from rules.el_grande.expansions.grandissimo.facts import (
    ConscriptsPlaced,
    SecondCardLaidAside,
    SecondCardUsed,
    mine,
)
from rules.el_grande.expansions.grandissimo.questions import is_conscripting, is_stopped, kept_cards, own_ships
from rules.el_grande.regions import COURT, PROVINCE
from rules.el_grande.steps.special import CardStep
from rules.el_grande.steps.turns import Part, Placement, SpecialPart, UseCard
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import say

# Parts


class WidePlacement(Placement):
    """Caballeros may go onto own ships, and conscripts come from the province."""

    def source(self, board: Board, turn: UseCard) -> str:
        return PROVINCE if is_conscripting(board, turn) else COURT

    def placed(self, board: Board, turn: UseCard, space: str, number: int) -> Fact:
        if is_conscripting(board, turn):
            return ConscriptsPlaced(turn.by, space, number)
        return super().placed(board, turn, space, number)

    def check_space(self, board: Board, turn: UseCard, space: str) -> None:
        if space not in own_ships(board, turn.by):
            super().check_space(board, turn, space)


class StoppableSpecial(SpecialPart):
    """Nobody performs a special action after another player has stopped them."""

    def actions(self, board: Board, turn: UseCard) -> dict[str, CardStep]:
        return {} if is_stopped(board, turn.by) else super().actions(board, turn)

    def chosen(self, board: Board, turn: UseCard, command: Special) -> tuple[str, CardStep]:
        if is_stopped(board, turn.by):
            raise RuleBroken(say("special actions are stopped for the rest of this round"), "stopped")
        return super().chosen(board, turn, command)


class UseHeld(Command, frozen=True, tag="use_held"):
    card: str


class KeptCardPart(Part):
    """A second card that was kept is used as a whole, in a later turn."""

    again = say("that card was used already")

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return bool(self._cards(board, turn))

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        cards = self._cards(board, turn)
        labels = tuple(design(board, card).label for card in cards)
        fields = {"card": Choice(cards, labels, of="kept_action_card")}
        words = Words(say("Use a kept card"), say("Use {card}", card="{card}"))
        return (Form("use_held", say("use the card that you have kept"), fields, words=words),)

    def begin(self, state: State, turn: UseCard, command: UseHeld) -> Outcome:
        if command.card not in self._cards(state.board, turn):
            raise RuleBroken(say("{card} is no card that you have kept for now", card=command.card), "use_held")
        return use_second(turn.by, command.card)

    def _cards(self, board: Board, turn: UseCard) -> tuple[str, ...]:
        """Not in the turn in which it was taken."""
        return tuple(card for card in kept_cards(board, turn.by) if card not in board.taken)


# Second cards


class EndCard(Command, frozen=True, tag="end_card"):
    """Leave the rest of the second card undone."""


END_CARD = Form("end_card", say("be done with this card"), words=Words(button=say("Done with this card")))


class UseSecondCard(UseCard, frozen=True, tag="use_second_card"):
    """The second card is used like the first, within the same turn."""

    kind = "second_menu"
    prompt = say("With the second card: place caballeros, perform the special action, or be done with it?")
    ending: ClassVar[type[Command]] = EndCard

    def end(self, *, is_in_doubt: bool) -> Form:
        return END_CARD


class LaySecondCardAside(Step, frozen=True, tag="lay_second_card_aside"):
    by: Player
    card: str

    def run(self, state: State) -> Outcome:
        board = state.board
        stays = self.card in board.taken or board.rules.stays(board, self.card)
        return Outcome((SecondCardLaidAside(self.by, self.card, () if stays else (self.card,)),))


class BeginSecondCard(Step, frozen=True, tag="begin_second_card"):
    """A second card that was just taken is used now."""

    by: Player

    def run(self, state: State) -> Outcome:
        card = mine(state.board).second
        return use_second(self.by, card) if card else Outcome()


def use_second(player: Player, card: str) -> Outcome:
    return Outcome((SecondCardUsed(player, card),), (UseSecondCard(player, card), LaySecondCardAside(player, card)))


STEPS = (UseSecondCard, LaySecondCardAside, BeginSecondCard)
