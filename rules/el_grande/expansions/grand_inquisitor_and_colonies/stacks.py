"""With hands of own action cards: a player may use a card of stack 6 or 7 in place of all else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.drawing import View
from rules.el_grande.board import Board, State, Step
from rules.el_grande.deck import design
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import UseStack
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import StackCardChosen, lately
from rules.el_grande.expansions.grand_inquisitor_and_colonies.tokens import PlaceTokens
from rules.el_grande.extension import RULES
from rules.el_grande.steps.turns import LayCardAside, UseCard, shown_number
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import any_of, say

NAMES = {"own": say("My own card"), "stack6": say("Stack 6"), "stack7": say("Stack 7")}
SHORTCUTS = {"own": "o", "stack6": "6", "stack7": "7"}
OWN = "own"
STACKS = {"stack6": 6, "stack7": 7}


def untaken(board: Board) -> dict[str, str]:
    """The cards of the stacks that can still be taken, by the word that chooses them."""
    lying = {design(board, card).stack: card for card in board.face_up if card not in board.taken}
    return {word: lying[stack] for word, stack in STACKS.items() if stack in lying}


def chosen(board: Board, player: Player) -> str:
    """The card of a stack that the player uses in this round, if any."""
    return next((deed.card for deed in lately(board).chosen if deed.player == player), "")


class ChooseStack(Step, frozen=True, tag="choose_stack"):
    """Before everything else in the turn: the own card, or one of the two that lie face up."""

    by: Player
    kind = "use_stack"
    prompt = say("Do you use your own card, or one of the table?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        """A veto that was used is the special action of the turn: nothing else can take its place."""
        board = state.board
        return (self.by,) if untaken(board) and not self._has_vetoed(board) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, UseStack)
        if command.choice == OWN:
            return Outcome()
        cards = untaken(state.board)
        if command.choice not in cards:
            raise RuleBroken(say("choose {choices}", choices=any_of((OWN, *cards))), "use_stack")
        return Outcome((StackCardChosen(player, cards[command.choice]),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        cards = untaken(board)
        labels = (say("your own card"), *(design(board, card).label for card in cards.values()))
        choices = Choice((OWN, *cards), labels, of="use_stack")
        words = Words(button=say("Use this card"))
        return (Form("use_stack", say("use your own card, or one of the table"), {"choice": choices}, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return UseStack(OWN)

    def _has_vetoed(self, board: Board) -> bool:
        return board.rules.has_acted(board, self.by)


class UseChosenCard(Step, frozen=True, tag="use_chosen_card"):
    """The player uses the card of a stack, or the own one."""

    by: Player

    def run(self, state: State) -> Outcome:
        board = state.board
        if card := chosen(board, self.by):
            return Outcome((), (PlaceTokens(self.by, card), UseCard(self.by, card), LayCardAside(self.by, card)))
        own = board.rules.hand_cards[board.power[self.by]]
        return Outcome((), (UseCard(self.by, own), LayCardAside(self.by, own)))


def allowance(former: Callable[[Board, UseCard], int]) -> Callable[[Board, UseCard], int]:
    """A card of a stack places the number that it shows."""
    return lambda board, turn: (shown_number if design(board, turn.card).stack else former)(board, turn)


def in_use(former: Callable[[View, Player], str]) -> Callable[[View, Player], str]:
    return lambda seen, player: _chosen(seen, player) or former(seen, player)


def places_in_use(former: Callable[[View, Player], int]) -> Callable[[View, Player], int]:
    def number(seen: View, player: Player) -> int:
        card = _chosen(seen, player)
        return RULES[seen["rules"]].cards[card].places if card else former(seen, player)

    return number


def _chosen(seen: View, player: Player) -> str:
    mine = seen["grand_inquisitor_and_colonies"]["stack_cards"]
    return str(mine.get(player, ""))
