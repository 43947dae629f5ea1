"""What random games should come by: the special action of every card, carried out, declined and vetoed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.el_grande.board import Board, Fact, State
from rules.el_grande.commands import EndTurn
from rules.el_grande.facts import (
    CaballerosDrawn,
    CaballerosMoved,
    CaballerosPlaced,
    CaballerosReturned,
    GrandeMoved,
    KingMoved,
    PowerCardRecovered,
    ScoreboardMoved,
    SpaceScored,
    SpecialActionBegan,
    SpecialActionVetoed,
    TurnEnded,
    VetoTaken,
)
from rules.el_grande.steps.special import SpecialAction
from rules.el_grande.steps.turns import UseCard
from rules.kernel import Move, TimeUp

EXECUTED, DECLINED, VETOED = "executed", "declined", "vetoed"

EFFECTS = (
    CaballerosDrawn,
    CaballerosMoved,
    CaballerosPlaced,
    CaballerosReturned,
    GrandeMoved,
    KingMoved,
    PowerCardRecovered,
    ScoreboardMoved,
    SpaceScored,
    VetoTaken,
)


def special_actions(move: Move[Board]) -> Iterator[tuple[str, str]]:
    """What this move shows of special actions: the way, and the card."""
    if card := _declined(move):
        yield DECLINED, card
    yield from _performed(_card_performed(move.before), move.facts)


def _declined(move: Move[Board]) -> str | None:
    """The card whose special action was possible and left out for good."""
    step = move.before.agenda[0]
    leaves = isinstance(move.answer, TimeUp) or isinstance(move.answer.command, EndTurn)
    if isinstance(step, UseCard) and leaves and any(form.kind == "special" for form in move.decision.forms):
        return _design(step.card)
    return None


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
