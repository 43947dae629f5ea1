"""The turn: placement by the caballero card, and the special action that goes with the rank."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import Board, State, has_done
from rules.el_grande.commands import Special
from rules.el_grande.deck import design
from rules.el_grande.expansions.king_and_intrigue.facts import VetoGivenUp
from rules.el_grande.expansions.king_and_intrigue.ranks import caballero_cards, may_choose, shared_card
from rules.el_grande.expansions.king_and_intrigue.rounds import VETO
from rules.el_grande.steps.special import CardStep
from rules.el_grande.steps.turns import NOT_NOW, SpecialPart, UseCard
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Outcome, Player
from rules.texts import any_of, say

OWN = "own"
USES = {"ki_king": "king", "ki_intrigue": "intrigue"}
"""The shared cards by the word that chooses them; any other card is the own one."""


class RankedSpecial(SpecialPart):
    """The King card for the first, the Intrigue card for the last, the own action for all others.

    With two or three players the first and the last may choose their own action.
    """

    def actions(self, board: Board, turn: UseCard) -> dict[str, CardStep]:
        if has_vetoed(board, turn.by):
            return {}
        cards = tuple(filter(None, (shared_card(board, turn.by), self._own(board, turn))))
        specials = {card: design(board, card).special for card in cards}
        return {card: replace(special, by=turn.by) for card, special in specials.items() if special}

    def _own(self, board: Board, turn: UseCard) -> str:
        is_free = may_choose(board) or not shared_card(board, turn.by)
        return turn.card if is_free else ""

    def is_compulsory(self, board: Board, turn: UseCard) -> bool:
        """First and last could always have used a card that allows to do nothing."""
        return not shared_card(board, turn.by) and super().is_compulsory(board, turn)

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        if len(self.actions(board, turn)) == 1:
            return super().forms(board, turn)
        return tuple(
            replace(form, fields={"use": Choice((use_of(card),)), **form.fields})
            for card, action in self.executable(board, turn).items()
            for form in action.special_forms(board)
        )

    def begin(self, state: State, turn: UseCard, command: Special) -> Outcome:
        outcome = super().begin(state, turn, command)
        card, _ = self.chosen(state.board, turn, command)
        if card != turn.card and any(veto.player == turn.by for veto in state.board.vetoes):
            return Outcome((VetoGivenUp(turn.by, VETO), *outcome.facts), outcome.then)
        return outcome

    def chosen(self, board: Board, turn: UseCard, command: Special) -> tuple[str, CardStep]:
        cards = {use_of(card): (card, action) for card, action in self.actions(board, turn).items()}
        if not cards:
            raise RuleBroken(NOT_NOW, "executable")
        if command.use is UNSET and len(cards) == 1:
            return next(iter(cards.values()))
        if command.use not in cards:
            raise RuleBroken(say("choose what you use: {uses}", uses=any_of(f"“{use}”" for use in cards)), "use")
        return cards[str(command.use)]

    def fields(self, command: Special) -> Special:
        return replace(command, use=UNSET)


def use_of(card: str) -> str:
    """
    >>> use_of("ki_king"), use_of("ki_100")
    ('king', 'own')
    """
    return USES.get(card, OWN)


def has_vetoed(board: Board, player: Player) -> bool:
    """A veto that was used before the own turn is the special action of that turn."""
    if board.rules.hand_cards[board.power[player]] != VETO:
        return False
    is_usable = may_choose(board) or not shared_card(board, player)
    return is_usable and not any(veto.player == player for veto in board.vetoes)


def number_of_rank(former: Callable[[Board, UseCard], int]) -> Callable[[Board, UseCard], int]:
    """The caballero card of the player's rank tells how many caballeros may be placed."""
    return lambda board, turn: caballero_cards(board.power)[turn.by]


def freed_placement(
    former: Callable[[Board, UseCard], tuple[str, ...]],
) -> Callable[[Board, UseCard], tuple[str, ...]]:
    """A placement that was freed may go to any free region, or into the castillo."""

    def spaces(board: Board, turn: UseCard) -> tuple[str, ...]:
        is_freed = has_done(board, turn.by, turn.card)
        return board.rules.free_placement(board, turn.by) if is_freed else former(board, turn)

    return spaces
