"""One player's turn: actions in any order, some limited, one compulsory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from rules.el_caballero.board import ADVANCED, Board, State, Step, cards_of
from rules.el_caballero.commands import EndTurn
from rules.el_caballero.facts import TurnEnded
from rules.el_caballero.steps.actions import WORDS, Action, remark
from rules.el_caballero.steps.sectors import can_place, mildest
from rules.el_caballero.steps.supply import allowance
from rules.errors import RuleBroken
from rules.kernel import Command, Form, Outcome, Player, Words
from rules.texts import Text, say, say_many

TILES = "tiles"

USED_UP = {
    "supply": say("you have taken your supply in this turn"),
    TILES: say("you have placed your sector tiles in this turn"),
    "caballeros": say("you have placed or increased two cards in this turn"),
    "ships": say("you have bought two ships in this turn"),
    "castles": say("you have built two castles in this turn"),
    "grande": say("your Grande has moved in this turn"),
}


class TakeTurn(Step, frozen=True, tag="take_turn"):
    """The player takes actions in any order, lays the sector tiles that the power card asks for, and ends the turn."""

    by: Player
    used: Mapping[str, int] = {}
    """How often the actions of each counter were taken."""
    kind = "turn"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def question(self, state: State, player: Player) -> Text:
        owed = self.left(state.board, TILES) if self.owes_tile(state.board) else 0
        if not owed:
            return say("What do you do, or do you end your turn?")
        return say_many(
            "What do you do? {count} sector tile is still to be placed",
            "What do you do? {count} sector tiles are still to be placed",
            owed,
        )

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        board = state.board
        if isinstance(command, EndTurn):
            if self.owes_tile(board):
                raise RuleBroken(say("place a sector tile before you end your turn"), "compulsory")
            return Outcome((TurnEnded(player),))
        action = self._action(board, command)
        counters = action.counters(command)
        for counter in counters:
            if self.left(board, counter) < 1:
                raise RuleBroken(USED_UP[counter], "limit")
        facts = action.facts(board, player, command)
        return Outcome(facts, (self._after(counters),))

    def _action(self, board: Board, command: Any) -> Action:
        action = board.rules.actions.get(str(type(command).__struct_config__.tag))
        if action is None:
            raise RuleBroken(say("take an action of your turn, or end it"), "decision")
        if action.is_advanced and board.mode != ADVANCED:
            raise RuleBroken(say("governors and Grandes belong to the advanced game"), "advanced")
        return action

    def _after(self, counters: Iterable[str]) -> TakeTurn:
        if not counters:
            return self
        used = dict(self.used)
        for counter in counters:
            used[counter] = used.get(counter, 0) + 1
        return replace(self, used=used)

    def left(self, board: Board, counter: str) -> int:
        """How often the actions of this counter can still be taken."""
        limit = tiles_owed(board, self.by) if counter == TILES else board.rules.limits[counter]
        return limit - self.used.get(counter, 0)

    def owes_tile(self, board: Board) -> bool:
        """Whether a tile must still be placed, and can be."""
        return self.left(board, TILES) > 0 and can_place(board, self.by)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        forms: list[Form] = []
        for action in self._open(board):
            for form in action.forms(board, player):
                counters = action.counters_of(form)
                if all(self.left(board, counter) > 0 for counter in counters):
                    forms.append(self._told(board, form, counters))
        if not self.owes_tile(board):
            forms.append(Form("end_turn", say("end your turn"), words=END))
        return tuple(forms)

    def _told(self, board: Board, form: Form, counters: Iterable[str]) -> Form:
        """With what it costs, and how often it can still be done in this turn."""
        if form.kind not in WORDS:
            return form
        left = min((self.left(board, counter) for counter in counters), default=0)
        return replace(form, words=remark(board, form.kind, left))

    def _open(self, board: Board) -> Iterable[Action]:
        """The actions of the mode whose own counter is not used up."""
        for action in board.rules.actions.values():
            if action.is_advanced and board.mode != ADVANCED:
                continue
            if not action.counter or self.left(board, action.counter) > 0:
                yield action

    def default(self, state: State, player: Player) -> Command:
        return mildest(state.board, player) if self.owes_tile(state.board) else EndTurn()

    def forced(self, state: State, player: Player) -> Command | None:
        """The turn ends by itself when nothing else is left to do. A card on the map can always be taken off it."""
        board = state.board
        if cards_of(board, player) or self.owes_tile(board):
            return None
        if self.left(board, "supply") > 0 and allowance(board, player) > 0:
            return None
        return EndTurn() if len(self.forms(state, player)) == 1 else None


END = Words(say("End turn"), say("End turn"))


def tiles_owed(board: Board, player: Player) -> int:
    return board.rules.power_cards[board.power[player]].tiles
