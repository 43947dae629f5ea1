"""Ships: bought, moved, taken back to court, and put to sea again."""

from __future__ import annotations

from collections.abc import Iterable

from rules.el_caballero.board import Board, Fact, contacts, free_slots, region_of_slot, ships_of, slot
from rules.el_caballero.commands import BuyShip, DeployShip, MoveShip, ReturnShip
from rules.el_caballero.facts import ShipBought, ShipDeployed, ShipMoved, ShipReturned
from rules.el_caballero.steps.actions import (
    COMPASS,
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
from rules.el_caballero.tiles import SEA
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player
from rules.texts import Text, say

Slots = Iterable[tuple[str, int]]


class Buy(Action, frozen=True):
    """A ship of the general supply goes to a side of an own card that meets sea, or to an own governor of a sea."""

    kind = "buy_ship"
    counter = "ships"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        if not board.ships or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return slot_forms(self.kind, say("buy a ship"), free_slots(board, by))

    def facts(self, board: Board, by: Player, command: BuyShip) -> tuple[Fact, ...]:
        if not board.ships:
            raise RuleBroken(say("the general supply has no ship left"), "ships")
        check_free(board, by, command.at, command.direction)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (ShipBought(by, command.at, command.direction, cost),)


class Deploy(Action, frozen=True):
    """A ship of the court goes to sea again."""

    kind = "deploy_ship"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        if not board.fleets[by] or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return slot_forms(self.kind, say("put a ship of your court to sea"), free_slots(board, by))

    def facts(self, board: Board, by: Player, command: DeployShip) -> tuple[Fact, ...]:
        if not board.fleets[by]:
            raise RuleBroken(say("there is no ship in your court"), "ships")
        check_free(board, by, command.at, command.direction)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (ShipDeployed(by, command.at, command.direction, cost),)


class Move(Action, frozen=True):
    """An own ship goes to another free place."""

    kind = "move_ship"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        if not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        sources, targets = _by_direction(ships_of(board, by)), _by_direction(free_slots(board, by))
        return tuple(
            form(
                self.kind,
                say("move a ship"),
                from_=cells(ships, "moved_ship"),
                from_dir=_towards(source, "moved_ship"),
                at=cells(free, "ship_cell"),
                dir=_towards(target, "direction"),
            )
            for source, ships in sources.items()
            for target, free in targets.items()
        )

    def facts(self, board: Board, by: Player, command: MoveShip) -> tuple[Fact, ...]:
        check_ship(board, by, command.source, command.source_direction)
        check_free(board, by, command.at, command.direction)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        source, source_direction = command.source, command.source_direction
        return (ShipMoved(by, source, source_direction, command.at, command.direction, cost),)


class TakeBack(Action, frozen=True):
    """An own ship goes back to court, for nothing."""

    kind = "return_ship"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        return slot_forms(self.kind, say("take a ship back to court"), ships_of(board, by), "own_ship")

    def facts(self, board: Board, by: Player, command: ReturnShip) -> tuple[Fact, ...]:
        check_ship(board, by, command.at, command.direction)
        return (ShipReturned(by, command.at, command.direction),)


def slot_forms(kind: str, text: Text, slots: Slots, of: str = "ship_cell") -> tuple[Form, ...]:
    """One form for every direction: the cells where the place in this direction may be named."""
    return tuple(
        form(kind, text, at=cells(sites, of), dir=_towards(direction, "own_ship" if of == "own_ship" else "direction"))
        for direction, sites in _by_direction(slots).items()
    )


def _by_direction(slots: Slots) -> dict[int, list[str]]:
    sites: dict[int, list[str]] = {}
    for cell, direction in slots:
        sites.setdefault(direction, []).append(cell)
    return dict(sorted(sites.items()))


def _towards(direction: int, of: str) -> Choice:
    return Choice((direction,), (COMPASS[direction],), of)


# What may be named


def check_free(board: Board, by: Player, at: str, direction: int) -> None:
    """A place for a ship of this player, with none there."""
    check_cell(at)
    check_direction(direction)
    if at in board.map.tiles:
        _check_governor(board, by, at, direction)
        there = board.governors[slot(at, direction)].ship
    else:
        card = own_card(board, by, at)
        if not contacts(board, at).sea >> direction & 1:
            raise RuleBroken(say("the card at {cell} meets no sea on that side", cell=at), "slot")
        there = direction in card.ships
    if there:
        raise RuleBroken(say("a ship lies there already"), "slot")


def check_ship(board: Board, by: Player, at: str, direction: int) -> None:
    """A ship of this player lies there."""
    check_cell(at)
    check_direction(direction)
    if at not in board.map.tiles:
        own_card(board, by, at)
    if (at, direction) not in ships_of(board, by):
        raise RuleBroken(say("no ship of yours lies there"), "slot")


def _check_governor(board: Board, by: Player, at: str, direction: int) -> None:
    governor = board.governors.get(slot(at, direction))
    if governor is None or governor.owner != by:
        raise RuleBroken(say("no governor of yours stands there"), "slot")
    if region_of_slot(board, slot(at, direction)).kind != SEA:
        raise RuleBroken(say("a governor of land takes no ship"), "slot")
