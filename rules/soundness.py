"""What must hold in every game of every combination: an inspector follows a game and says what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.catalogue import game_named
from rules.codec import codec_for, encode
from rules.errors import Refused
from rules.kernel import Answer, Board, Decision, Fact, Move, State, TimeUp, decide, fold


class Violation(Exception):
    """The rules have broken one of their own promises."""

    def __init__(self, sentence: str, fact: Fact[Any] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fact = fact


class Inspector:
    """Follows one game from the empty table to its end. `count` is the number of facts seen so far."""

    def __init__(self, table: State[Board]) -> None:
        self.table = self.state = table
        self.facts: list[Fact[Any]] = []

    @property
    def count(self) -> int:
        return len(self.facts)

    def begin(self, facts: Iterable[Fact[Any]], after: State[Board]) -> None:
        """Look at the set-up."""
        self._follow(facts, after)

    def move(self, move: Move[Any]) -> None:
        """Look at a decision, and at what followed from its answer."""
        check_decision(move.before, move.decision)
        check_notation(move.before.board, move.answer)
        self._follow(move.facts, move.after)

    def end(self) -> None:
        """Look at the game as a whole."""
        check_course(self.state.board, self.facts)
        self._check_stored_game()

    def _follow(self, facts: Iterable[Fact[Any]], after: State[Board]) -> None:
        for fact in facts:
            self.facts.append(fact)
            following = fold(self.state, (fact,))
            check_fact(self.state.board, fact, following.board)
            self.state = following
        if self.state != after:
            raise Violation("folding the facts gives another state than playing them")

    def _check_stored_game(self) -> None:
        """What is read back from the store is the same game."""
        stored = codec_for(self.table.board.variant).facts(encode(self.facts))
        if stored != self.facts:
            raise Violation("the facts change when they are written and read back")
        if fold(self.table, stored) != self.state:
            raise Violation("folding the stored facts gives another state than playing them")


def check_fact(before: Board, fact: Fact[Any], after: Board) -> None:
    for invariant in after.rules.invariants:
        if wrong := invariant(before, fact, after):
            raise Violation(f"{invariant.__name__}: {wrong}", fact)


def check_decision(state: State[Board], decision: Decision) -> None:
    """There is something to choose, and running out of time is always possible."""
    rules, asked = state.board.rules, f"{decision.player} is asked {decision.kind}"
    if state.sealed and decision.kind in rules.nothing_sealed:
        raise Violation(f"{asked} while {dict(state.sealed)} is still sealed")
    size = decision.size()
    if size == 0:
        raise Violation(f"{asked}, and nothing can be answered")
    if size == 1 and decision.kind not in rules.always_asked:
        raise Violation(f"{asked}, with just one legal answer: {decision.example()}")
    try:
        decide(state, TimeUp(decision.player, decision.id))
    except Refused as refusal:
        raise Violation(f"{asked}, and the default {decision.default} is refused: {refusal}") from None


def check_notation(board: Board, answer: Answer | TimeUp) -> None:
    """A move can be written down and read back."""
    if not isinstance(answer, Answer):
        return
    notation = game_named(board.variant).notation
    written = notation.move(answer.command)
    if notation.parse_move(written, board.rules) != answer.command:
        raise Violation(f"{answer.command} is another move when it is written down: {written}")


def check_course(board: Board, facts: Iterable[Fact[Any]]) -> None:
    """The game went as a whole game goes."""
    if wrong := board.rules.course(board, facts):
        raise Violation(wrong)
