"""A table in the middle of a game: a position, what is going on, and players who say their moves as text."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from rules.el_caballero.base import BASE
from rules.el_caballero.board import Board, Step
from rules.el_caballero.notation import parse_move, parse_position
from rules.el_caballero.steps.turns import TakeTurn
from rules.errors import RuleBroken
from rules.kernel import Answer, Command, Decision, Fact, TimeUp, begin, decision_id, fold, options, play, waiting

Happened = TypeVar("Happened", bound=Fact)


class Table:
    """Plays moves written as `red tile 24 1,0 r2`; checks on the way that folding the facts gives the same state, and
    that every fact leaves a sound position."""

    def __init__(self, board: Board, *steps: Step) -> None:
        self.facts, self.state = begin(board, *steps)
        self.history: tuple[Fact, ...] = self.facts

    def play(self, *lines: str) -> Table:
        """Each line is a player and a move; `red time_up` lets the time run out."""
        for line in lines:
            player, _, text = line.partition(" ")
            self.say(player, text if text == "time_up" else parse_move(text))
        return self

    def say(self, player: str, command: Command | str) -> Table:
        decision = decision_id(self.state, player)
        answer = TimeUp(player, decision) if isinstance(command, str) else Answer(player, decision, command)
        self.facts, after = play(self.state, answer)
        self.history += self.facts
        assert fold(self.state, self.facts) == after
        self.state = after
        return self

    def refusal(self, player: str, command: Command | str) -> RuleBroken:
        """How the rules refuse this move; fails if they accept it."""
        before = self.state
        try:
            self.say(player, parse_move(command) if isinstance(command, str) else command)
        except RuleBroken as refusal:
            assert self.state is before
            return refusal
        raise AssertionError(f"accepted: {command}")

    def refuses(self, line: str) -> str:
        """The rule that forbids this move."""
        player, _, text = line.partition(" ")
        return self.refusal(player, text).rule

    def decision(self, player: str = "red") -> Decision:
        [decision] = options(self.state, player)
        return decision

    def offered(self, player: str = "red") -> set[str]:
        """The kinds of answers this player may give now."""
        return {form.kind for form in self.decision(player).forms}

    def answers(self, kind: str, player: str = "red") -> list[dict[str, Any]]:
        """Every answer of this kind that is offered."""
        return [answer for form in self.decision(player).forms if form.kind == kind for answer in filled(form)]

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def asked(self) -> Any:
        """Which decision waits, and for whom; None when nothing is left to do."""
        return None if self.state.is_over else (self.state.agenda[0].asks(self.state), waiting(self.state))

    def happened(self, kind: type[Happened]) -> list[Happened]:
        """The facts of this kind, since the table was set."""
        return [fact for fact in self.history if isinstance(fact, kind)]


def filled(form: Any) -> list[dict[str, Any]]:
    """All answers that a form of choices and numbers allows."""
    answers: list[dict[str, Any]] = [{"kind": form.kind}]
    for name, field in form.fields.items():
        values = getattr(field, "values", None) or range(field.low, field.high + 1)
        answers = [{**answer, name: value} for answer in answers for value in values]
    return answers


def board(position: str, players: int = 2, **options: str) -> Board:
    """A position in the first round, unless it says otherwise."""
    parsed = parse_position(position, players, BASE, **options)
    return parsed if parsed.round else replace(parsed, round=1)


def turn(position: str, by: str = "red", power: int = 5, players: int = 2, **options: str) -> Table:
    """It is this player's turn, and nothing was done in it."""
    laid = board(position, players, **options)
    return Table(replace(laid, turn=by, power={**laid.power, by: power}), TakeTurn(by))
