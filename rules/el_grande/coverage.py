"""What random games should come by: the special action of every card, carried out, declined and vetoed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.el_grande.board import Board, Fact, State
from rules.el_grande.extension import Rules
from rules.el_grande.facts import EFFECTS, SpecialActionBegan, SpecialActionVetoed, TurnEnded
from rules.el_grande.steps.special import SpecialAction
from rules.el_grande.steps.turns import SpecialPart, UseCard
from rules.kernel import Move, TimeUp

EXECUTED, DECLINED, VETOED = "executed", "declined", "vetoed"


def cards_with(rules: Rules) -> Iterator[str]:
    """The cards that have a special action: it can be carried out, declined or vetoed."""
    return (name for name, card in rules.cards.items() if card.special)


def special_actions(move: Move[Board]) -> Iterator[tuple[str, str]]:
    """What this move shows of special actions: the way, and the card."""
    for card in _declined(move):
        yield DECLINED, card
    yield from _performed(_card_performed(move.before), move.facts)


def _declined(move: Move[Board]) -> Iterator[str]:
    """The cards whose special action was possible and left out for good."""
    step, board = move.before.agenda[0], move.before.board
    if not isinstance(step, UseCard) or not _leaves(step, move):
        return
    part = board.rules.parts["special"]
    if isinstance(part, SpecialPart) and "special" not in step.done:
        yield from map(_design, part.executable(board, step))


def _leaves(step: UseCard, move: Move[Board]) -> bool:
    """Whether the rest of the card is left undone by this move."""
    if isinstance(move.answer, TimeUp):
        return isinstance(move.decision.default, step.ending)
    return isinstance(move.answer.command, step.ending)


def _performed(performed: str | None, facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """Follow the special action through these facts, to the end of the turn at most."""
    for fact in facts:
        match fact:
            case SpecialActionBegan(_, card, _):
                performed = _design(card)
            case SpecialActionVetoed(_, _, card, _):
                yield VETOED, _design(card)
                return
            case TurnEnded():
                return
        if performed and isinstance(fact, EFFECTS):
            yield EXECUTED, performed
            return


def _card_performed(state: State) -> str | None:
    """The card whose special action is under way."""
    return next((_design(step.card) for step in state.agenda if isinstance(step, SpecialAction)), None)


def _design(card: str) -> str:
    """Copies of a card differ by a suffix.

    >>> _design("s2_veto-1")
    's2_veto'
    """
    return card.partition("-")[0]
