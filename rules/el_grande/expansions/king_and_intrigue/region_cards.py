"""Region cards that are held face down: their regions count twice in the next general scoring."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from rules.el_grande.board import Board, State, Step, check_region
from rules.el_grande.commands import Special
from rules.el_grande.expansions.king_and_intrigue.facts import (
    RegionCardsReturned,
    RegionCardsShown,
    RegionCardTaken,
    held,
)
from rules.el_grande.scoring import Unit
from rules.el_grande.steps.special import CardStep, given
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Words
from rules.texts import Text, say

FACTOR = 2
"""How often the points of a region count whose card is held, bonuses included."""


class TakeRegionCard(CardStep, frozen=True, tag="take_region_card"):
    """The actor takes a region card that nobody holds, and keeps it face down."""

    takes: ClassVar[tuple[str, ...]] = ("region",)
    secret: ClassVar[tuple[str, ...]] = ("region",)

    def executable(self, board: Board) -> bool:
        return bool(pool(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        regions = Choice(pool(board), of="space")
        button, note = say("Double {region}", region="{region}"), say("only you will know which")
        text = say("choose a region that counts twice in the next general scoring")
        return (Form("special", text, {"region": regions}, words=Words(say("Double a region"), button, note)),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        region = given(command.region, say("this needs a region"))
        check_region(board, region)
        if region not in pool(board):
            raise RuleBroken(say("the card of {region} is held by a player already", region=region), "region_cards")
        return (self,)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes a region card in secret", player=self.by)

    def run(self, state: State) -> Outcome:
        chosen = state.sealed[self.by]
        assert isinstance(chosen, Special), "the region was chosen when the action began"
        return Outcome((RegionCardTaken(self.by, str(chosen.region)),))


def pool(board: Board) -> tuple[str, ...]:
    """The region cards that nobody holds."""
    taken = {region for regions in held(board).values() for region in regions}
    return tuple(region for region in board.rules.region_order if region not in taken)


class ShowRegionCards(Step, frozen=True, tag="show_region_cards"):
    """Before the regions are scored, all region cards that are held are turned up."""

    def run(self, state: State) -> Outcome:
        cards = held(state.board)
        return Outcome((RegionCardsShown(cards),) if cards else ())


class ReturnRegionCards(Step, frozen=True, tag="return_region_cards"):
    """After the scoring they go back."""

    def run(self, state: State) -> Outcome:
        return Outcome((RegionCardsReturned(),) if held(state.board) else ())


def doubled(former: Callable[[Board], tuple[Unit, ...]]) -> Callable[[Board], tuple[Unit, ...]]:
    """A region whose card is held counts twice."""

    def units(board: Board) -> tuple[Unit, ...]:
        chosen = {region for regions in held(board).values() for region in regions}
        return tuple(
            replace(unit, factor=unit.factor * FACTOR) if unit.space in chosen else unit for unit in former(board)
        )

    return units
