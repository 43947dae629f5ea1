"""Gold and goods: brought by cards, claimed by caballeros, delivered in Spain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from rules.el_grande.board import Board, Fact, State, Step, marks_of, name_of, slot_of, space_of
from rules.el_grande.commands import VetoResponse
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import Claim
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    GOLD,
    GOODS,
    ActionStopped,
    TokenClaimed,
    TokenDelivered,
    TokenLost,
    TokensBrought,
    colonies,
    supply,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.pieces import able, found
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import COLONY, is_carrier, token_of
from rules.el_grande.movement import Event
from rules.el_grande.steps.special import VETO, CardStep, SpecialAction
from rules.el_grande.steps.turns import FreeAction
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, say, say_many

POINTS = {GOLD: 6, GOODS: 4}
"""What a token brings where it is delivered."""

SHOWN = {
    "gi_execute_action": (0, 1),
    "gi_plagiarist": (0, 1),
    "gi_free_will": (1, 0),
    "gi_scoring_black": (0, 1),
    "gi_transport": (1, 2),
    "gi_limit_board_a": (0, 1),
    "gi_limit_board_b": (1, 0),
    "gi_limit_board_c": (1, 1),
    "gi_scoring_delayed": (0, 1),
    "gi_conspiracy": (1, 1),
}
"""Cards to the gold and goods that they bring. No source that we know prints them: they add up to the supply."""


# Bringing them in


def brought(board: Board, card: str) -> tuple[int, int]:
    """The gold and goods that a card brings now: as far as the supply lasts."""
    gold, goods = SHOWN.get(card, (0, 0))
    return min(gold, supply(board, GOLD)), min(goods, supply(board, GOODS))


class PlaceTokens(Step, frozen=True, tag="place_tokens"):
    """The tokens that a card shows come into the colonies, as the first step of its special action."""

    by: Player
    card: str

    def run(self, state: State) -> Outcome:
        if not any(brought(state.board, self.card)):
            return Outcome()
        return Outcome((), (TokenWindow(self.by, self.card, (BringTokens(self.by, self.card),)),))


class TokenWindow(SpecialAction, frozen=True, tag="token_window"):
    """A veto against the tokens stops the whole special action."""

    def _answer_window(self, state: State, player: Player, command: Any) -> Outcome:
        outcome = super()._answer_window(state, player, command)
        if isinstance(command, VetoResponse) and command.answer == VETO:
            return Outcome((*outcome.facts, ActionStopped(self.by, self.card)), outcome.then)
        return outcome

    def _carried_out(self, outcome: Outcome, state: State) -> Outcome:
        """Tokens alone are no performance."""
        return self._advance(outcome, state)


class BringTokens(CardStep, frozen=True, tag="bring_tokens"):
    """Gold comes to America, goods to Africa."""

    card: str = ""

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        gold, goods = brought(board, self.card)
        return say(
            "{gold} gold come to {america}, {goods} goods to {africa}",
            gold=gold,
            goods=goods,
            america=name_of(board, COLONY[GOLD]),
            africa=name_of(board, COLONY[GOODS]),
        )

    def run(self, state: State) -> Outcome:
        gold, goods = brought(state.board, self.card)
        return Outcome((TokensBrought(self.by, self.card, gold, goods),))


# Claiming


def may_claim(board: Board, owner: Player, key: str) -> bool:
    """One token each; not the viceroy, and not one who carries anything else."""
    return not is_carrier(key) and slot_of(key) != "viceroy" and not marks_of(key)


class ClaimToken(FreeAction):
    """A caballero in a colony takes a token that lies there."""

    between_steps: ClassVar[bool] = True

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        names = tuple(name for token in COLONY for name in self._names(board, player, token))
        if not names:
            return ()
        words = Words(say("Claim a token"), say("Claim a token: {piece}", piece="{piece}"))
        return (Form("claim", say("claim a token"), {"piece": Choice(names, of="own_piece")}, words=words),)

    def _names(self, board: Board, player: Player, token: str) -> Iterator[str]:
        if colonies(board).unclaimed.get(token, 0):
            for name, _, _ in able(board, player, COLONY[token], may_claim):
                yield name

    def begin(self, state: State, player: Player, command: Claim) -> Outcome:
        board = state.board
        owner, exact = found(board, player, command.piece, may_claim)
        token = next((token for token, colony in COLONY.items() if colony == space_of(exact)), "")
        if not token or not colonies(board).unclaimed.get(token, 0):
            raise RuleBroken(say("no token lies in {region}", region=space_of(exact)), "tokens")
        return Outcome((TokenClaimed(player, owner, exact, token),))


# Delivering


def deliveries(board: Board, event: Event) -> Iterator[Fact]:
    """Tokens that come to Spain bring points at once; those that leave the map are lost."""
    for going in event:
        token = token_of(going.source)
        if not token or token_of(going.target):
            continue
        space = space_of(going.target)
        for _ in range(going.count):
            if space not in board.rules.region_order:
                yield TokenLost(going.owner, token)
            else:
                yield TokenDelivered(gets(board, going.owner), going.owner, token, POINTS[token])


def gets(board: Board, owner: Player) -> Player:
    """The player who scores for this owner's caballeros; nobody, while nobody holds the black ones."""
    return owner if owner in board.players else board.rules.holder(board, owner)


# Telling


def tokens(gold: int, goods: int) -> Text:
    """
    >>> str(tokens(1, 2)), str(tokens(0, 1))
    ('1 gold and 2 goods', '1 goods')
    """
    if not gold:
        return say_many("{count} goods", "{count} goods", goods)
    if not goods:
        return say("{count} gold", count=gold)
    return say("{gold} gold and {goods} goods", gold=gold, goods=goods)
