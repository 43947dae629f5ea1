"""What random games of El Grande came by: every card carried out, declined and vetoed; every decision timed out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.el_grande.commands import EndTurn
from rules.el_grande.extension import Rules
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
from rules.kernel import Fact, State, TimeUp
from rules.simulation import Move

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


@dataclass
class Coverage:
    """How often each card was carried out, declined and vetoed, and each decision reached and timed out."""

    executed: Counter[str] = field(default_factory=Counter)
    declined: Counter[str] = field(default_factory=Counter)
    vetoed: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    timed_out: Counter[str] = field(default_factory=Counter)

    def counts(self) -> dict[str, Counter[str]]:
        return vars(self)

    def add(self, other: Coverage) -> None:
        for name, counter in self.counts().items():
            counter.update(other.counts()[name])

    def move(self, move: Move) -> None:
        """Count what this move shows."""
        self.reached[move.decision.kind] += 1
        if isinstance(move.answer, TimeUp):
            self.timed_out[move.decision.kind] += 1
        if card := _declined(move):
            self.declined[card] += 1
        self._look_at(_card_performed(move.before), move.facts)

    def missing(self, cards: Iterable[str], decisions: Iterable[str]) -> list[str]:
        """What should have come up and has not."""
        by_card = [("executed", self.executed), ("declined", self.declined), ("vetoed", self.vetoed)]
        by_decision = [("reached", self.reached), ("timed out", self.timed_out)]
        never = [f"{card} was never {what}" for card in cards for what, count in by_card if not count[card]]
        return never + [
            f"{kind} was never {what}" for kind in decisions for what, count in by_decision if not count[kind]
        ]

    def _look_at(self, performed: str | None, facts: Iterable[Fact]) -> None:
        """Follow the special action through these facts, to the end of the turn at most."""
        for fact in facts:
            match fact:
                case SpecialActionBegan(_, card, _):
                    performed = _design(card)
                case SpecialActionVetoed(_, _, card, _):
                    self.vetoed[_design(card)] += 1
                    return
                case TurnEnded():
                    return
            if performed and isinstance(fact, EFFECTS):
                self.executed[performed] += 1
                return


def decisions(rules: Iterable[Rules]) -> list[str]:
    """Every kind of decision of these rules."""
    return list(dict.fromkeys(kind for each in rules for kind in each.decisions))


def cards(rules: Iterable[Rules]) -> list[str]:
    """Every action card of these rules."""
    return list(dict.fromkeys(card for each in rules for card in each.cards))


def _declined(move: Move) -> str | None:
    """The card whose special action was possible and left out for good."""
    step = move.before.agenda[0]
    leaves = isinstance(move.answer, TimeUp) or isinstance(move.answer.command, EndTurn)
    if isinstance(step, UseCard) and leaves and any(form.kind == "special" for form in move.decision.forms):
        return _design(step.card)
    return None


def _card_performed(state: State) -> str | None:
    """The card whose special action is under way."""
    return next((_design(step.card) for step in state.agenda if isinstance(step, SpecialAction)), None)


def _design(card: str) -> str:
    """Copies of a card differ by a suffix.

    >>> _design("s2_veto-1")
    's2_veto'
    """
    return card.partition("-")[0]
