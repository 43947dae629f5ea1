"""The Grand Inquisitor, and the black caballeros that belong to the player who holds him."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import UNSET

from rules.el_grande.board import Board, State, Step, count, space_of
from rules.el_grande.commands import Special
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import AskInquisitor
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    BLACK,
    InquisitorTaken,
    InquisitorUsed,
    colonies,
    lately,
)
from rules.el_grande.facts import CaballerosDrawn, CaballerosPlaced
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import COURT, PROVINCE
from rules.el_grande.steps.intrigue import MoveCaballeros
from rules.el_grande.steps.special import CardStep
from rules.el_grande.steps.turns import FreeAction
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, say

WHO = "grand_inquisitor"
DRAW, PLACE = "draw", "place"
MOST_BLACK_MOVES = 2


def holder(board: Board, owner: Player) -> Player:
    """The black caballeros are the Grand Inquisitor's."""
    return colonies(board).inquisitor


class HolyInquisition(CardStep, frozen=True, tag="holy_inquisition"):
    """Take the Grand Inquisitor, then move up to two black caballeros."""

    name: ClassVar[Text] = say("Take the Grand Inquisitor")

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        return TakeInquisitor(self.by), MoveBlack(self.by, total=MOST_BLACK_MOVES, foreign=0)


class TakeInquisitor(CardStep, frozen=True, tag="take_inquisitor"):
    """The Grand Inquisitor goes to the actor, wherever it is."""

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes the Grand Inquisitor", player=self.by)

    def run(self, state: State) -> Outcome:
        if colonies(state.board).inquisitor == self.by:
            return Outcome()
        return Outcome((InquisitorTaken(self.by),))


class MoveBlack(MoveCaballeros, frozen=True, tag="move_black"):
    """Black caballeros move to other free regions or into the castillo, one at a time."""

    prompt = say("Which black caballero do you move, and where to?")

    def _owners(self, board: Board, region: str) -> Iterator[Player]:
        return (owner for owner in super()._owners(board, region) if owner == BLACK)

    def _check_owner(self, board: Board, owner: str) -> None:
        super()._check_owner(board, owner)
        if owner != BLACK:
            raise RuleBroken(say("this card moves black caballeros only"), "players")


class ExtraCaballero(FreeAction):
    """Once in a round the holder brings a caballero to court, or sends one from court to a place beside the king."""

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        return tuple(self._forms(board, player)) if self._may(board, player) else ()

    def _forms(self, board: Board, player: Player) -> Iterator[Form]:
        who, name = Choice((WHO,), of="inquisitor"), say("Grand Inquisitor")
        if count(board, PROVINCE, player):
            words = Words(name, say("Grand Inquisitor: one to court"))
            fields = {"who": who, "do": Choice((DRAW,), of="inquisitor")}
            yield Form("character", say("bring a caballero to court by the Grand Inquisitor"), fields, words=words)
        if count(board, COURT, player):
            words = Words(name, say("Grand Inquisitor: one to {to}", to="{to}"))
            to = Choice(board.rules.beside_king(board), of="placement")
            fields = {"who": who, "do": Choice((PLACE,), of="inquisitor"), "to": to}
            yield Form("character", say("place a caballero by the Grand Inquisitor"), fields, words=words)

    def _may(self, board: Board, player: Player) -> bool:
        return colonies(board).inquisitor == player and player not in lately(board).asked

    def begin(self, state: State, player: Player, command: AskInquisitor) -> Outcome:
        board = state.board
        if command.who != WHO or command.do not in (DRAW, PLACE):
            raise RuleBroken(say("the Grand Inquisitor draws or places a caballero"), "fields")
        if not self._may(board, player):
            raise RuleBroken(say("the Grand Inquisitor does nothing for you now"), "inquisitor")
        used = InquisitorUsed(player)
        if command.do == DRAW:
            if command.to is not UNSET:
                raise RuleBroken(say("it goes to your court: name no place to go to"), "fields")
            if not count(board, PROVINCE, player):
                raise RuleBroken(say("there is no caballero in your province"), "inquisitor")
            return Outcome((used, CaballerosDrawn(player, PROVINCE, 1)))
        if command.to is UNSET:
            raise RuleBroken(say("this needs a place to go to"), "fields")
        if not count(board, COURT, player):
            raise RuleBroken(say("there is no caballero in your court"), "inquisitor")
        if command.to not in board.rules.beside_king(board):
            raise RuleBroken(
                say("{space} is not beside the king's region", space=space_of(command.to)), "king_adjacency"
            )
        placed = carried_out(
            board,
            (Going(player, COURT, command.to),),
            lambda gone: CaballerosPlaced(gone.owner, gone.target, gone.count),
        )
        return Outcome((used, *placed))
