"""Free travel: from the ship at the start of the own turn, and back aboard at any time of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.el_grande.board import Board, Fact, State, Step, is_taboo, space_of
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import OpenDone, Sail
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import CaballeroSailed, fresh, there
from rules.el_grande.expansions.grand_inquisitor_and_colonies.pieces import able, found
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import (
    AFRICA,
    AMERICA,
    SHIP,
    free_slots,
    is_carrier,
)
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.steps.turns import FreeAction
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import say

SAIL = Words(say("Sail"), say("Sail: {piece} to {to}", piece="{piece}", to="{to}"))
OPEN_DONE = Form("open_done", say("nothing else leaves the ship"), words=Words(button=say("Go on")))


def may_travel(board: Board, owner: Player, key: str) -> bool:
    """Who has arrived in an earlier round."""
    return there(board, owner, key) > fresh(board, owner, key)


def ports(board: Board, key: str) -> tuple[str, ...]:
    """Where the ship brings a caballero: to a colony, or to a coast of Spain where the king is not."""
    regions = board.rules.regions
    coasts = (name for name in board.rules.region_order if regions[name].coastal and not is_taboo(board, name))
    return (*coasts, AMERICA, *_slots(board, key, AMERICA), AFRICA)


def aboard(board: Board, key: str) -> tuple[str, ...]:
    """The ways to be aboard again."""
    return (SHIP, *_slots(board, key, SHIP))


def _slots(board: Board, key: str, region: str) -> tuple[str, ...]:
    """Special places are not for those who carry tokens."""
    return () if is_carrier(key) else free_slots(board, region)


def _sailed(board: Board, player: Player, owner: Player, exact: str, to: str) -> tuple[Fact, ...]:
    return carried_out(
        board,
        (Going(owner, exact, to),),
        lambda gone: CaballeroSailed(player, gone.owner, gone.source, gone.target),
    )


class LeaveShip(Step, frozen=True, tag="leave_ship"):
    """At the start of the turn caballeros leave the ship that came aboard in an earlier round, as many as wanted."""

    by: Player
    kind = "ship_departure"
    prompt = say("Which of your caballeros leave the ship, and where to?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if any(True for _ in able(state.board, self.by, SHIP, may_travel)) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, OpenDone):
            return Outcome()
        expect(command, Sail)
        board = state.board
        owner, exact = found(board, player, command.piece, may_travel)
        if space_of(exact) != SHIP or command.to not in ports(board, exact):
            raise RuleBroken(say("no ship brings a caballero from {piece} to {to}", piece=exact, to=command.to), "sail")
        return Outcome(_sailed(board, player, owner, exact, command.to), (self,))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        ways = (sail_form(name, ports(board, exact)) for name, _, exact in able(board, player, SHIP, may_travel))
        return (*ways, OPEN_DONE)

    def default(self, state: State, player: Player) -> Command:
        return OpenDone()


def sail_form(name: str, targets: tuple[str, ...]) -> Form:
    fields = {"piece": Choice((name,), of="own_piece"), "to": Choice(targets, of="destination")}
    return Form("sail", say("sail from {place}", place=name), fields, words=SAIL)


class ComeAboard(FreeAction):
    """A caballero that came to a colony in an earlier round goes back to the ship."""

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        return tuple(self._forms(board, player))

    def _forms(self, board: Board, player: Player) -> Iterator[Form]:
        for colony in (AMERICA, AFRICA):
            for name, _, exact in able(board, player, colony, may_travel):
                yield sail_form(name, aboard(board, exact))

    def begin(self, state: State, player: Player, command: Sail) -> Outcome:
        board = state.board
        owner, exact = found(board, player, command.piece, may_travel)
        if space_of(exact) not in (AMERICA, AFRICA) or command.to not in aboard(board, exact):
            raise RuleBroken(
                say("a caballero at {piece} cannot travel to {to} now", piece=exact, to=command.to), "sail"
            )
        return Outcome(_sailed(board, player, owner, exact, command.to))
