"""A Grande goes into the castillo, and out of it in the next general scoring."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET

from rules.el_grande.board import Board, State, Step, free_regions, name_of
from rules.el_grande.commands import Special
from rules.el_grande.facts import GrandeMoved
from rules.el_grande.regions import CASTILLO
from rules.el_grande.steps.special import CardStep
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, say


class Conspire(CardStep, frozen=True, tag="conspire"):
    """One Grande, of any player, goes from a free region into the castillo."""

    whose: Player = ""
    takes: ClassVar[tuple[str, ...]] = ("player",)

    def executable(self, board: Board) -> bool:
        return bool(self._players(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(say("A Grande into the castillo"), say("{player}'s Grande into the castillo", player="{player}"))
        players = Choice(self._players(board), of="seat")
        return (Form("special", say("put a Grande into the castillo"), {"player": players}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        if command.player is UNSET:
            raise RuleBroken(say("name the player whose Grande it is"), "fields")
        if command.player not in board.players:
            raise RuleBroken(say("there is no player at this table called {name}", name=command.player), "players")
        if command.player not in self._players(board):
            raise RuleBroken(say("{player}'s Grande cannot be moved now", player=command.player), "taboo")
        return (Conspire(self.by, str(command.player)),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player}'s Grande goes to {region}", player=self.whose, region=name_of(board, CASTILLO))

    def run(self, state: State) -> Outcome:
        return Outcome((GrandeMoved(self.whose, CASTILLO),))

    def _players(self, board: Board) -> tuple[Player, ...]:
        free = free_regions(board)
        return tuple(player for player in board.players if board.grandes[player] in free)
