"""A table in the middle of a game: a position, what is going on, and players who say their moves as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from rules.codec import codec_for, encode
from rules.el_grande.base import BASE
from rules.el_grande.board import Board
from rules.el_grande.extension import Rules
from rules.el_grande.notation import _clauses_of_the_map, parse_move, parse_position
from rules.el_grande.steps.turns import LayCardAside, UseCard
from rules.errors import RuleBroken
from rules.kernel import (
    Answer,
    Command,
    Decision,
    Fact,
    State,
    Step,
    TimeUp,
    begin,
    decision_id,
    fold,
    options,
    play,
    waiting,
)

VECTORS = Path(__file__).parent / "vectors"


Happened = TypeVar("Happened", bound=Fact)


class Table:
    """Plays moves written as `red place granada 2`; checks on the way that folding the facts gives the same state."""

    def __init__(self, board: Board, *steps: Step) -> None:
        empty = State(board)
        self.facts, self.state = begin(board, *steps)
        assert fold(empty, self.facts[:-1]).board == self.state.board
        self.history: tuple[Fact, ...] = self.facts

    def play(self, *lines: str) -> Table:
        """Each line is a player and a move; `red time_up` lets the time run out."""
        for line in lines:
            player, _, text = line.partition(" ")
            self._answer(player, text)
        return self

    def _answer(self, player: str, text: str) -> None:
        before = self.state
        decision = decision_id(before, player)
        answer = TimeUp(player, decision) if text == "time_up" else Answer(player, decision, self._command(text))
        self.facts, self.state = play(before, answer)
        self.history += self.facts
        name = before.board.variant
        assert fold(before, codec_for(name).facts(encode(self.facts))) == self.state

    def _command(self, text: str) -> Command:
        return parse_move(text, self.board.rules)

    def refusal(self, line: str) -> RuleBroken:
        """How the rules refuse this move; fails if they accept it."""
        before = self.state
        try:
            self.play(line)
        except RuleBroken as refusal:
            assert self.state is before
            return refusal
        raise AssertionError(f"accepted: {line}")

    def refuses(self, line: str) -> str:
        """The rule that forbids this move."""
        return self.refusal(line).rule

    def decision(self, player: str) -> Decision:
        [decision] = options(self.state, player)
        return decision

    def offered(self, player: str) -> set[str]:
        """The kinds of answers this player may give now."""
        return {form.kind for form in self.decision(player).forms}

    def choices(self, player: str, field: str) -> list[str]:
        """What this player may name in a field of the answer."""
        fields: list[Any] = [form.fields[field] for form in self.decision(player).forms if field in form.fields]
        return [str(value) for choice in fields for value in getattr(choice, "values", ()) or choice.limits]

    @property
    def board(self) -> Board:
        board: Board = self.state.board
        return board

    @property
    def position(self) -> str:
        """What stands on the map, in courts and provinces."""
        return "; ".join(_clauses_of_the_map(self.board))

    def where(self, space: str) -> dict[str, int]:
        """How many caballeros of each player are in a space."""
        counts = dict(self.board.cubes[space])
        for piece in self.board.marked:
            if piece.at.split("+")[0] == space:
                counts[piece.owner] = counts.get(piece.owner, 0) + 1
        return counts

    @property
    def scores(self) -> dict[str, int]:
        return {player: score for player, score in self.board.scores.items() if score}

    @property
    def asked(self) -> Any:
        """Which decision waits, and for whom; None when nothing is left to do."""
        if self.state.is_over:
            return None
        return self.state.agenda[0].asks(self.state), waiting(self.state)

    def happened(self, kind: type[Happened]) -> list[Happened]:
        """The facts of this kind, since the table was set."""
        return [fact for fact in self.history if isinstance(fact, kind)]


def vectors(name: str) -> list[dict[str, Any]]:
    """A table of worked examples."""
    examples: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return examples


def table(position: str, *steps: Step, players: int = 4, rules: Rules = BASE, **options: str) -> Table:
    """A table with this position on which these steps are going on."""
    board = parse_position(position, players, rules, **options)
    return Table(board if board.round else replace(board, round=1), *steps)


def turn_with(card: str, position: str, by: str = "red", **options: object) -> Table:
    """It is this player's turn, and he has taken this action card."""
    board = parse_position(position, **{"players": 4, **options})  # type: ignore[arg-type]
    board = replace(board, round=board.round or 1, turn=by, face_up=(card,), taken={card: by})
    return Table(board, UseCard(by, card), LayCardAside(by, card))
