"""The king's card with its pardon, and special actions about the king and the Grandes."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    State,
    Step,
    count,
    enterable,
    king_region,
    name_of,
)
from rules.el_grande.commands import Special
from rules.el_grande.expansions.grandissimo.facts import PRISON, PrisonersPardoned, RevolutionBegan
from rules.el_grande.expansions.grandissimo.questions import grandes_outside, is_king_away, movable_grandes
from rules.el_grande.facts import GrandeMoved
from rules.el_grande.regions import CASTILLO
from rules.el_grande.steps.royal import MoveKing
from rules.el_grande.steps.special import CardStep, given
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, clauses, say


class MoveKingAndPardon(MoveKing, frozen=True, tag="move_king_and_pardon"):
    """The king moves to any other region, or all prisoners are pardoned, or both."""

    pardon: str = ""
    takes: ClassVar[tuple[str, ...]] = ("to", "pardon")

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        [move] = super().special_forms(board)
        if not prisoners(board):
            return (move,)
        places = enterable(board)
        pardon = Words(say("Pardon the prisoners"), say("Pardon them to {pardon}", pardon="{pardon}"))
        alone = Form("special", say("pardon the prisoners"), {"pardon": Choice(places, of="destination")}, words=pardon)
        return (move, alone, *(self._both(board, to) for to in self._reach(board)))

    def _both(self, board: Board, to: str) -> Form:
        places = tuple(place for place in (king_region(board), *enterable(board)) if place != to)
        fields = {"to": Choice((to,), of="king_goes"), "pardon": Choice(places, of="destination")}
        button = say("Move the King to {to}, pardon to {pardon}", to="{to}", pardon="{pardon}")
        text = say("move the king to {region} and pardon the prisoners", region=to)
        return Form("special", text, fields, words=Words(say("Move the King and pardon"), button))

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        if command.to is UNSET and command.pardon is UNSET:
            raise RuleBroken(say("move the king, pardon the prisoners, or both"), "fields")
        to = "" if command.to is UNSET else self._checked(board, command)
        pardon = "" if command.pardon is UNSET else str(command.pardon)
        if pardon:
            self._check_pardon(board, to, pardon)
        return (replace(self, to=to, pardon=pardon),)

    def _checked(self, board: Board, command: Special) -> str:
        [moved] = super().begun(board, command)
        assert isinstance(moved, MoveKing), f"not the king: {moved}"
        return moved.to

    def _check_pardon(self, board: Board, to: str, pardon: str) -> None:
        if not prisoners(board):
            raise RuleBroken(say("there are no prisoners"), "pardon")
        places = {king_region(board), *enterable(board)} - {to or king_region(board)}
        if pardon not in places:
            raise RuleBroken(say("no prisoner can go to {place}", place=pardon), "pardon")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        parts = []
        if self.to:
            parts.append(super().deed(board, announced))
        if self.pardon:
            parts.append(say("all prisoners go to {place}", place=name_of(board, self.pardon)))
        return clauses(parts)

    def run(self, state: State) -> Outcome:
        board, facts = state.board, []
        if self.to:
            facts.append(board.rules.move_king(board, self.to))
        if self.pardon:
            facts.append(PrisonersPardoned(self.by, self.pardon, prisoners(board)))
        return Outcome(tuple(facts))


def prisoners(board: Board) -> dict[Player, int]:
    return {player: number for player in board.players if (number := count(board, PRISON, player))}


class NameGrande(CardStep, frozen=True):
    """Something happens to the Grande of a player who is named."""

    player: Player = ""
    takes: ClassVar[tuple[str, ...]] = ("player",)
    named: ClassVar[Text]
    button: ClassVar[Text]

    def candidates(self, board: Board) -> tuple[Player, ...]:
        raise AssertionError(f"{type(self).__name__} does not say whose Grande it may be")

    def executable(self, board: Board) -> bool:
        return bool(self.candidates(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(self.named, self.button)
        fields = {"player": Choice(self.candidates(board), of="grande")}
        return (Form("special", self.named, fields, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        player = given(command.player, say("this needs the player whose Grande it is"))
        if player not in self.candidates(board):
            raise RuleBroken(say("the Grande of {player} cannot be chosen", player=player), "grande")
        return (replace(self, player=player),)


class Revolt(NameGrande, frozen=True, tag="revolt"):
    """The king goes into the castillo; a Grande acts for him until after the next general scoring."""

    named: ClassVar[Text] = say("Name a deputy")
    button: ClassVar[Text] = say("{player}'s Grande acts for the King", player="{player}")

    def candidates(self, board: Board) -> tuple[Player, ...]:
        return () if is_king_away(board) else grandes_outside(board)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the king goes into the castillo, and {player}'s Grande acts for him", player=self.player)

    def run(self, state: State) -> Outcome:
        return Outcome((RevolutionBegan(CASTILLO, self.player, state.board.king),))


class LockUpGrande(NameGrande, frozen=True, tag="lock_up_grande"):
    """A Grande outside the king's region goes into the castillo, and is at home there."""

    named: ClassVar[Text] = say("Send a Grande into the castillo")
    button: ClassVar[Text] = say("{player}'s Grande goes into the castillo", player="{player}")

    def candidates(self, board: Board) -> tuple[Player, ...]:
        return movable_grandes(board)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player}'s Grande goes into the castillo", player=self.player)

    def run(self, state: State) -> Outcome:
        return Outcome((GrandeMoved(self.player, CASTILLO),))


STEPS = (MoveKingAndPardon, Revolt, LockUpGrande)
