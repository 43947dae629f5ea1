"""Castles, which protect a Caballero card."""

from __future__ import annotations

from rules.el_caballero.board import Board, Fact, cards_of
from rules.el_caballero.commands import BuildCastle, MoveCastle
from rules.el_caballero.facts import CastleBuilt, CastleMoved
from rules.el_caballero.steps.actions import Action, can_pay, cells, check_pay, cost_of, form, own_card
from rules.errors import RuleBroken
from rules.kernel import Form, Player
from rules.texts import say


class Build(Action, frozen=True):
    """A castle of the general supply goes on an own card without one."""

    kind = "build_castle"
    counter = "castles"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        sites = _without_castle(board, by)
        if not sites or not board.castles or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return (form(self.kind, say("build a castle"), at=cells(sites, "own_card")),)

    def facts(self, board: Board, by: Player, command: BuildCastle) -> tuple[Fact, ...]:
        if not board.castles:
            raise RuleBroken(say("the general supply has no castle left"), "castles")
        check_without_castle(board, by, command.at)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (CastleBuilt(by, command.at, cost),)


class Move(Action, frozen=True):
    """A castle goes from one own card to another."""

    kind = "move_castle"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        castles = [cell for cell, card in cards_of(board, by).items() if card.castle]
        sites = _without_castle(board, by)
        if not castles or not sites or not can_pay(board, by, cost_of(board, self.kind)):
            return ()
        return (form(self.kind, say("move a castle"), from_=cells(castles, "own_castle"), at=cells(sites, "own_card")),)

    def facts(self, board: Board, by: Player, command: MoveCastle) -> tuple[Fact, ...]:
        if not own_card(board, by, command.source).castle:
            raise RuleBroken(say("no castle stands at {cell}", cell=command.source), "castles")
        check_without_castle(board, by, command.at)
        cost = cost_of(board, self.kind)
        check_pay(board, by, cost)
        return (CastleMoved(by, command.source, command.at, cost),)


def _without_castle(board: Board, by: Player) -> list[str]:
    return [cell for cell, card in cards_of(board, by).items() if not card.castle]


def check_without_castle(board: Board, by: Player, at: str) -> None:
    if own_card(board, by, at).castle:
        raise RuleBroken(say("a castle stands at {cell} already", cell=at), "castles")
