"""Cards that are held: execute an action, plagiarist, free will."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import Board, Deed, Fact, State, Step, held_by, in_free_regions
from rules.el_grande.commands import Special
from rules.el_grande.deck import design
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import React, UseHeld, special_of
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    ActionPerformed,
    CardCopied,
    CardExecuted,
    CardHeld,
    HeldCardSpent,
    colonies,
    lately,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.limit_board import FillLimitBoard
from rules.el_grande.expansions.grand_inquisitor_and_colonies.tokens import PlaceTokens, brought
from rules.el_grande.steps.intrigue import MoveCaballeros
from rules.el_grande.steps.royal import TakeVeto
from rules.el_grande.steps.special import CardStep, SpecialAction, begin_special
from rules.el_grande.steps.turns import NOT_NOW, FreeAction, SpecialPart, UseCard
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import Text, say

EXECUTE, PLAGIARIST, FREE_WILL = "gi_execute_action", "gi_plagiarist", "gi_free_will"
USE, PASS = "use", "pass"
MOVES_OF_FREE_WILL = 2


class HoldCard(CardStep, frozen=True, tag="hold_card"):
    """The card stays in front of the actor, to be used later."""

    card: str = ""
    name: ClassVar[Text] = say("Keep the card")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} keeps the card for later", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((CardHeld(self.by, self.card),))


# Performing another card


def performed(state: State, by: Player, card: str, command: Special) -> Outcome:
    """The special action of a card, without its placement; the tokens that it shows come first."""
    action = action_of(state.board, by, card)
    outcome = begin_special(state, by, card, action, command)
    if not any(brought(state.board, card)):
        return outcome
    return Outcome((), (PlaceTokens(by, card), PerformCard(by, card, command)))


def action_of(board: Board, by: Player, card: str) -> CardStep:
    special = design(board, card).special
    assert special, f"{card} has no special action"
    return replace(special, by=by)


class PerformCard(Step, frozen=True, tag="perform_card"):
    """The special action begins after its tokens have come, unless it was stopped before."""

    by: Player
    card: str
    command: Special

    def run(self, state: State) -> Outcome:
        if Deed(self.by, self.card) in lately(state.board).stopped:
            return Outcome()
        return begin_special(state, self.by, self.card, action_of(state.board, self.by, self.card), self.command)


def forms_of(board: Board, by: Player, card: str) -> tuple[Form, ...]:
    """The ways to perform it now; none if it cannot be."""
    special = design(board, card).special
    action = replace(special, by=by) if special else None
    return action.special_forms(board) if action and action.executable(board) else ()


def told_once(board: Board, by: Player, card: str) -> tuple[Fact, ...]:
    """In the own turn it is remembered of which cards something was carried out."""
    is_known = Deed(by, card) in lately(board).performed
    return (ActionPerformed(by, card),) if by == board.turn and board.face_up and not is_known else ()


# Execute an action card


def targets(board: Board, player: Player) -> Iterator[str]:
    """Cards that lie face up, that nobody has taken, and whose special action the player can perform."""
    for card in board.face_up:
        if card not in board.taken and design(board, card).stack and forms_of(board, player, card):
            yield card


class ExecuteLater(HoldCard, frozen=True, tag="execute_later"):
    """The card stays in front of the actor; or it is used at once (`InquisitorsSpecial`)."""


def executed(state: State, by: Player, target: str, command: Special) -> Outcome:
    """The special action of a card that nobody has taken; it can be taken no more."""
    if target not in targets(state.board, by):
        raise RuleBroken(say("the special action of {card} cannot be performed now", card=target), "executable")
    outcome = performed(state, by, target, command)
    return Outcome((CardExecuted(by, target), *outcome.facts), outcome.then)


PLAIN = SpecialPart()


class SpecialWithCards(SpecialPart):
    """The special action of a card; of one that executes others, at once or later."""

    def __init__(self, former: SpecialPart) -> None:
        self.former = former

    def is_compulsory(self, board: Board, turn: UseCard) -> bool:
        return self._part(board, turn).is_compulsory(board, turn)

    def actions(self, board: Board, turn: UseCard) -> dict[str, CardStep]:
        is_stopped = Deed(turn.by, turn.card) in lately(board).stopped
        return {} if is_stopped else self._part(board, turn).actions(board, turn)

    def _part(self, board: Board, turn: UseCard) -> SpecialPart:
        """Cards of stacks are used as always, whatever is done with others."""
        return PLAIN if design(board, turn.card).stack else self.former

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        if not self.actions(board, turn):
            return ()
        forms = self._part(board, turn).forms(board, turn)
        if turn.card != EXECUTE:
            return forms
        at_once = (
            replace(form, fields={"card": Choice((card,), of="card"), **form.fields})
            for card in targets(board, turn.by)
            for form in forms_of(board, turn.by, card)
        )
        return (*forms, *at_once)

    def begin(self, state: State, turn: UseCard, command: Special) -> Outcome:
        if not self.actions(state.board, turn):
            raise RuleBroken(NOT_NOW, "executable")
        if turn.card == EXECUTE and isinstance(command.card, str):
            return executed(state, turn.by, command.card, special_of(command, "card"))
        return self._part(state.board, turn).begin(state, turn, command)

    def chosen(self, board: Board, turn: UseCard, command: Special) -> tuple[str, CardStep]:
        return self._part(board, turn).chosen(board, turn, command)

    def default(self, board: Board, turn: UseCard) -> Command:
        return self._part(board, turn).default(board, turn)


class UseHeldCard(FreeAction):
    """A card that executes others, and was held, is used."""

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        if colonies(board).held.get(EXECUTE) != player:
            return ()
        return tuple(
            replace(
                form,
                kind="use_held",
                fields={"card": Choice((EXECUTE,), of="held"), "target": Choice((card,), of="card"), **form.fields},
            )
            for card in targets(board, player)
            for form in forms_of(board, player, card)
        )

    def begin(self, state: State, player: Player, command: UseHeld) -> Outcome:
        if command.card != EXECUTE or colonies(state.board).held.get(EXECUTE) != player:
            raise RuleBroken(say("you hold no such card"), "held")
        if command.target is UNSET:
            raise RuleBroken(say("name the card that you execute"), "fields")
        outcome = executed(state, player, str(command.target), special_of(command, "card", "target"))
        return Outcome((self._spent(state.board, player), *outcome.facts), outcome.then)

    def _spent(self, board: Board, player: Player) -> Fact:
        """A card of the present turn is laid aside with it."""
        return HeldCardSpent(player, EXECUTE, is_laid_aside=EXECUTE not in board.taken)


# Plagiarist


class Plagiarise(Step, frozen=True, tag="plagiarise"):
    """After an opponent's turn the holder may perform a special action again that was performed in it."""

    of: Player
    kind = "plagiarise"
    prompt = say("Do you perform the special action again that you have just seen?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        board = state.board
        player = self._holder(board)
        return (player,) if player and self._copyable(board, player) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, React)
        if command.answer == PASS:
            if special_of(command, "answer").choices():
                raise RuleBroken(say("to pass, name nothing else"), "fields")
            return Outcome()
        if command.answer != USE:
            raise RuleBroken(say("use the card, or pass"), "fields")
        if command.card not in self._copyable(state.board, player):
            raise RuleBroken(say("name a special action that was performed in this turn"), "executable")
        card = str(command.card)
        outcome = performed(state, player, card, special_of(command, "answer", "card"))
        spent = HeldCardSpent(player, PLAGIARIST)
        return Outcome((spent, CardCopied(player, card), *outcome.facts), (*outcome.then, FillLimitBoard(player)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        let_pass = Form(
            "react", say("let it pass"), {"answer": Choice((PASS,), of="held")}, words=Words(button=say("Pass"))
        )
        copies = (
            replace(
                form,
                kind="react",
                fields={"answer": Choice((USE,), of="held"), "card": Choice((card,), of="card"), **form.fields},
            )
            for card in self._copyable(state.board, player)
            for form in forms_of(state.board, player, card)
        )
        return (*copies, let_pass)

    def default(self, state: State, player: Player) -> Command:
        return React(answer=PASS)

    def _holder(self, board: Board) -> Player:
        holder = colonies(board).held.get(PLAGIARIST, "")
        return "" if holder == self.of else holder

    def _copyable(self, board: Board, player: Player) -> list[str]:
        cards = (deed.card for deed in lately(board).performed if deed.player == self.of)
        return [card for card in cards if can_be_copied(board, card) and forms_of(board, player, card)]


def can_be_copied(board: Board, card: str) -> bool:
    """Neither a veto, nor a card that is held, nor what has no effect outside of the own turn."""
    special = design(board, card).special
    return special is not None and not isinstance(special, (HoldCard, TakeVeto)) and not special.before_placement


# Free will


class UseFreeWill(Step, frozen=True, tag="use_free_will"):
    """Before the regions are scored the holder may move two own caballeros; then the card leaves."""

    def run(self, state: State) -> Outcome:
        board = state.board
        player = colonies(board).held.get(FREE_WILL)
        if not player:
            return Outcome()
        leaves = LayFreeWillAside(player)
        if not any(in_free_regions(board, owner) for owner in held_by(board, player)):
            return Outcome((), (leaves,))
        moves = MoveCaballeros(player, total=MOVES_OF_FREE_WILL, foreign=0)
        return Outcome((), (SpecialAction(player, FREE_WILL, (moves,)), leaves))


class LayFreeWillAside(Step, frozen=True, tag="lay_free_will_aside"):
    """The card leaves, used or not."""

    by: Player

    def run(self, state: State) -> Outcome:
        return Outcome((HeldCardSpent(self.by, FREE_WILL),))
