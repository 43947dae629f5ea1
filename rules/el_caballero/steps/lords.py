"""Governors and Grandes, in the advanced game."""

from __future__ import annotations

from rules.el_caballero.board import IN_COURT, Board, Fact, cards_of, closed_regions, region_of_slot
from rules.el_caballero.commands import MoveGrande, PlaceGovernor, PlaceGrande
from rules.el_caballero.facts import GovernorPlaced, GrandeMoved, GrandePlaced
from rules.el_caballero.steps.actions import (
    Action,
    can_pay,
    cells,
    check_cell,
    check_direction,
    check_pay,
    cost_of,
    form,
    own_card,
)
from rules.el_caballero.steps.caballeros import left_behind
from rules.el_caballero.steps.ships import slot_forms
from rules.errors import RuleBroken
from rules.kernel import Form, Player
from rules.texts import say


class Govern(Action, frozen=True):
    """A closed region without a governor gets one: of any player, first come, first served."""

    kind = "place_governor"
    is_advanced = True

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        if not board.governors_left[by] or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        sides = [side for region in closed_regions(board) for side in region.sides]
        return slot_forms(self.kind, say("place a governor"), sides, "region_side")

    def facts(self, board: Board, by: Player, command: PlaceGovernor) -> tuple[Fact, ...]:
        check_cell(command.at)
        check_direction(command.direction)
        region = board.map.chart.regions.get((command.at, command.direction))
        if region is None:
            raise RuleBroken(say("no sector tile lies at {cell}", cell=command.at), "governor")
        if not region.is_closed:
            raise RuleBroken(say("that region is not closed: one of its sides meets no tile"), "governor")
        if any(region_of_slot(board, key).anchor == region.anchor for key in board.governors):
            raise RuleBroken(say("that region has a governor"), "governor")
        if not board.governors_left[by]:
            raise RuleBroken(say("you have no governor left"), "governor")
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (GovernorPlaced(by, *region.site, region.kind, cost),)


class Ennoble(Action, frozen=True):
    """The Grande goes from the court to any own card."""

    kind = "place_grande"
    is_advanced = True

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        own = cards_of(board, by)
        if not own or board.grandes[by] != IN_COURT or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return (form(self.kind, say("place your Grande on a card"), at=cells(own, "own_card")),)

    def facts(self, board: Board, by: Player, command: PlaceGrande) -> tuple[Fact, ...]:
        if board.grandes[by] != IN_COURT:
            raise RuleBroken(say("your Grande is on the map: move it"), "grande")
        own_card(board, by, command.at)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (GrandePlaced(by, command.at, cost),)


class MoveLord(Action, frozen=True):
    """Once in a turn the Grande goes to another own card. The card it leaves is eliminated if it meets much land."""

    kind = "move_grande"
    counter = "grande"
    is_advanced = True

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        source = board.grandes[by]
        others = [cell for cell in cards_of(board, by) if cell != source]
        if source == IN_COURT or not others or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return (form(self.kind, say("move your Grande to another card"), at=cells(others, "own_card")),)

    def facts(self, board: Board, by: Player, command: MoveGrande) -> tuple[Fact, ...]:
        source = board.grandes[by]
        if source == IN_COURT:
            raise RuleBroken(say("your Grande is in court: place it"), "grande")
        own_card(board, by, command.at)
        if command.at == source:
            raise RuleBroken(say("your Grande stands there already"), "grande")
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (GrandeMoved(by, source, command.at, cost, left_behind(board, by)),)
