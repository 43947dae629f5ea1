"""Scorings: the new regions, those with black caballeros, and the one that was marked a round before."""

from __future__ import annotations

from typing import ClassVar

from rules.el_grande.board import Board, State, Step, check_region, count, name_of, next_round
from rules.el_grande.commands import Special
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    BLACK,
    InquisitorTaken,
    MarkerReturned,
    SpaceMarked,
    colonies,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import REGIONS
from rules.el_grande.regions import CASTILLO
from rules.el_grande.scoring import score
from rules.el_grande.steps.scorings import ScoreSpaces
from rules.el_grande.steps.special import CardStep, given
from rules.kernel import Choice, Command, Form, Outcome, Words, fold
from rules.texts import Text, say


class ScoreNewRegions(ScoreSpaces, frozen=True, tag="score_new_regions"):
    """France, the ship, America and Africa are scored."""

    name: ClassVar[Text] = say("Score the new regions")

    def spaces(self, board: Board) -> tuple[str, ...]:
        return tuple(REGIONS)


class ScoreBlack(ScoreSpaces, frozen=True, tag="score_black"):
    """Take the Grand Inquisitor; then every region with black caballeros is scored."""

    name: ClassVar[Text] = say("Score regions with black caballeros")

    def spaces(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in board.rules.regions if count(board, region, BLACK))

    def run(self, state: State) -> Outcome:
        if colonies(state.board).inquisitor == self.by:
            return super().run(state)
        taken = InquisitorTaken(self.by)
        scored = super().run(fold(state, (taken,)))
        return Outcome((taken, *scored.facts))


class MarkSpace(CardStep, frozen=True, tag="mark_space"):
    """A region or the castillo is marked, and scored at the end of the next round."""

    space: str = ""
    takes: ClassVar[tuple[str, ...]] = ("space",)

    def executable(self, board: Board) -> bool:
        return not colonies(board).marked

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        spaces = Choice((*board.rules.regions, CASTILLO), of="space")
        words = Words(say("Mark a region"), say("Mark {space}", space="{space}"))
        text = say("mark a region to be scored at the end of the next round")
        return (Form("special", text, {"space": spaces}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        space = given(command.space, say("this needs a space to score"))
        if space != CASTILLO:
            check_region(board, space)
        return (MarkSpace(self.by, space),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{space} is marked to be scored in the next round", space=name_of(board, self.space))

    def run(self, state: State) -> Outcome:
        return Outcome((SpaceMarked(self.by, self.space),))


class ScoreMarked(Step, frozen=True, tag="score_marked"):
    """At the end of a round the space is scored that was marked in an earlier one."""

    def run(self, state: State) -> Outcome:
        mine = colonies(state.board)
        is_due = mine.marked and mine.marked_in < state.board.round
        return Outcome((score(state.board, mine.marked), MarkerReturned())) if is_due else Outcome()


class ScoreLastMarked(Step, frozen=True, tag="score_last_marked"):
    """What was marked in the last round is scored after everything else."""

    def run(self, state: State) -> Outcome:
        mine = colonies(state.board)
        is_due = mine.marked and next_round(state.board, state.board.round) is None
        return Outcome((score(state.board, mine.marked), MarkerReturned())) if is_due else Outcome()
