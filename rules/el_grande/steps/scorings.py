"""Special scorings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from rules.el_grande.board import Board, SecretStep, State, Step, check_region, clockwise_from, name_of
from rules.el_grande.commands import Special
from rules.el_grande.regions import CASTILLO
from rules.el_grande.scoring import least_crowded, most_crowded, regions_worth, score
from rules.el_grande.steps.disks import check_disk, disk_form, home_or_first, sealed_disks
from rules.el_grande.steps.special import CardStep, given
from rules.kernel import AnswersOpened, Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, all_of, say, say_many


class ScoreSpaces(CardStep, frozen=True, tag="score_spaces"):
    """These spaces are scored. Which ones, a card says by a selection of its own."""

    name: ClassVar[Text] = say("Score these regions")

    def spaces(self, board: Board) -> tuple[str, ...]:
        raise AssertionError(f"{type(self).__name__} does not say what is scored")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return scored(board, self.spaces(board))

    def run(self, state: State) -> Outcome:
        return Outcome(tuple(score(state.board, space) for space in self.spaces(state.board)))


def scored(board: Board, spaces: tuple[str, ...]) -> Text:
    if not spaces:
        return say("no region is scored")
    return say_many(
        "{spaces} is scored",
        "{spaces} are scored",
        len(spaces),
        spaces=all_of(name_of(board, space) for space in spaces),
    )


class ScoreWorth(ScoreSpaces, frozen=True, tag="score_worth"):
    """Every region whose first rank is worth one of these values is scored."""

    values: tuple[int, ...] = ()

    def spaces(self, board: Board) -> tuple[str, ...]:
        return regions_worth(board, *self.values)


class ScoreMostCrowded(ScoreSpaces, frozen=True, tag="score_most_crowded"):
    """The regions with the most caballeros are scored."""

    def spaces(self, board: Board) -> tuple[str, ...]:
        return most_crowded(board)


class ScoreLeastCrowded(ScoreSpaces, frozen=True, tag="score_least_crowded"):
    """The regions with the fewest caballeros, but not empty, are scored."""

    def spaces(self, board: Board) -> tuple[str, ...]:
        return least_crowded(board)


class ScoreOpenCastillo(ScoreSpaces, frozen=True, tag="score_open_castillo"):
    """The castillo is opened and scored; its caballeros go back inside."""

    name: ClassVar[Text] = say("Score the castillo")

    def spaces(self, board: Board) -> tuple[str, ...]:
        return (CASTILLO,)


class ScoreFirstPlaces(CardStep, frozen=True, tag="score_first_places"):
    """In all regions only a sole leader scores."""

    name: ClassVar[Text] = say("Score first places")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("first places are scored in all regions")

    def run(self, state: State) -> Outcome:
        board = state.board
        return Outcome(tuple(score(board, region, ranks=1) for region in board.rules.regions))


class ScoreChosen(CardStep, frozen=True, tag="score_chosen"):
    """One region, or the castillo, is scored."""

    space: str = ""
    takes: ClassVar[tuple[str, ...]] = ("space",)

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        spaces = Choice((*board.rules.regions, CASTILLO), of="space")
        words = Words(say("Score a region"), say("Score {space}", space="{space}"))
        return (Form("special", say("score one region or the castillo"), {"space": spaces}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        space = given(command.space, say("this needs a space to score"))
        if space != CASTILLO:
            check_region(board, space)
        return (ScoreChosen(self.by, space),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return scored(board, (self.space,))

    def run(self, state: State) -> Outcome:
        return Outcome((score(state.board, self.space),))


class ScoreSecretly(CardStep, SecretStep, frozen=True, tag="score_secretly"):
    """Every player secretly chooses a region; those that only one player chose are scored."""

    name: ClassVar[Text] = say("Score secretly")
    kind = "disk_scoring"
    prompt = say("Which region shall be scored? It counts only if no other player chooses it.")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("every player secretly chooses a region to be scored")

    def details(self, state: State) -> Mapping[str, Any]:
        return {"asked": self.asked(state)}

    def asked(self, state: State) -> tuple[Player, ...]:
        return clockwise_from(state.board, self.by)

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, state.board.rules.region_order)

    def sealed_by_all(self, state: State) -> Outcome:
        """Beginning with the actor, regions that only one player chose are scored, each with a veto window."""
        disks = sealed_disks(state, self.asked(state))
        chosen = Counter(disk.region for disk in disks.values())
        scored = tuple(ScoreChosen(self.by, disk.region) for disk in disks.values() if chosen[disk.region] == 1)
        return Outcome((AnswersOpened(disks),), scored)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("have this region scored"), state.board.rules.region_order)

    def default(self, state: State, player: Player) -> Command:
        return home_or_first(state.board, player, state.board.rules.region_order)
