"""King incognito: in an opponent's turn, between two parts of it, the king may come to the region of a card held face
down."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import Board, State, Step, has_done, king_region
from rules.el_grande.expansions.grandissimo.facts import INCOGNITO, IncognitoPassed, KingCameIncognito, mine
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import Text, any_of, say

USE, PASS, PASS_TURN = "use", "pass", "pass_turn"
ANSWERS = {
    USE: say("the king comes now"),
    PASS: say("not now"),
    PASS_TURN: say("not in this turn"),
}


class React(Command, frozen=True, tag="react"):
    answer: str


class AskIncognito(Step, frozen=True, tag="ask_incognito"):
    """The holder is always asked, also while the king is there already: not asking would tell the region."""

    during: Player
    kind = "incognito"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        holders = (holder for holder in held(state.board) if holder != self.during)
        return tuple(holder for holder in holders if not has_done(state.board, holder, f"pass>{self.during}"))

    def run(self, state: State) -> Outcome:
        return Outcome()

    def question(self, state: State, player: Player) -> Text:
        return say("It is {player}'s turn. Does the King come incognito?", player=self.during)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, React)
        answers = self._answers(state.board, player)
        if command.answer not in answers:
            if command.answer == USE:
                raise RuleBroken(say("the king is in that region already"), "must_change")
            raise RuleBroken(say("answer {answers}", answers=any_of(answers)), "react")
        if command.answer == USE:
            return Outcome((KingCameIncognito(held(state.board)[player], player),))
        return Outcome((IncognitoPassed(player, self.during, command.answer == PASS_TURN),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        answers = self._answers(state.board, player)
        choice = Choice(answers, tuple(ANSWERS[answer] for answer in answers), of="incognito")
        words = Words(button=say("Answer"))
        return (Form("react", say("let the king come, or pass"), {"answer": choice}, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return React(PASS_TURN)

    def _answers(self, board: Board, player: Player) -> tuple[str, ...]:
        is_elsewhere = held(board)[player] != king_region(board)
        return (USE, PASS, PASS_TURN) if is_elsewhere else (PASS, PASS_TURN)


def held(board: Board) -> dict[Player, str]:
    return dict(mine(board).hidden.get(INCOGNITO, {}))


STEPS = (AskIncognito,)
