"""Special actions about the king, the Grandes, the scoreboards, power cards, the court and the veto."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    check_region,
    count,
    free_regions,
    is_taboo,
    king_region,
    movable_scoreboards,
    name_of,
    neighbours,
    next_round,
    nothing_enters,
    scoreboard_targets,
    takeable,
)
from rules.el_grande.commands import Special
from rules.el_grande.facts import GrandeMoved, PowerCardRecovered, ScoreboardMoved, VetoTaken
from rules.el_grande.regions import CASTILLO, PROVINCE
from rules.el_grande.steps.special import CardStep, SpecialAction, given
from rules.el_grande.steps.turns import draw, shortage_counts
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Total, Words
from rules.texts import Text, say, say_many


class MoveKing(CardStep, frozen=True, tag="move_king"):
    """The king moves to a neighbouring region, or to any other."""

    anywhere: bool = False
    to: str = ""
    takes: ClassVar[tuple[str, ...]] = ("to",)

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(say("Move the King"), say("Move the King to {to}", to="{to}"))
        return (Form("special", say("move the king"), {"to": Choice(self._reach(board), of="king_goes")}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        to = given(command.to, say("this needs a region to go to"))
        check_region(board, to)
        if to == king_region(board):
            raise RuleBroken(say("the king is in {region} already", region=to), "must_change")
        if to not in self._reach(board):
            raise RuleBroken(say("the king cannot reach {region} in one step", region=to), "king_step")
        return (MoveKing(self.by, self.anywhere, to),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the king moves to {region}", region=name_of(board, self.to))

    def run(self, state: State) -> Outcome:
        return Outcome((state.board.rules.move_king(state.board, self.to),))

    def _reach(self, board: Board) -> tuple[str, ...]:
        reach = free_regions(board) if self.anywhere else neighbours(board, king_region(board))
        return tuple(region for region in reach if board.rules.regions[region].admits_king)


class MoveGrande(CardStep, frozen=True, tag="move_grande"):
    """The actor's Grande moves to another free region, its new home."""

    to: str = ""
    takes: ClassVar[tuple[str, ...]] = ("to",)

    def executable(self, board: Board) -> bool:
        return board.grandes[self.by] in free_regions(board)

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(say("Move your Grande"), say("Move your Grande to {to}", to="{to}"))
        regions = Choice(self._reach(board), of="grande_goes")
        return (Form("special", say("move your Grande"), {"to": regions}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        to = given(command.to, say("this needs a region to go to"))
        check_region(board, to)
        if is_taboo(board, to):
            raise RuleBroken(nothing_enters(to), "taboo")
        if to not in self._reach(board):
            raise RuleBroken(say("your Grande is in {region} already", region=to), "must_change")
        return (MoveGrande(self.by, to),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player}'s Grande moves to {region}", player=self.by, region=name_of(board, self.to))

    def run(self, state: State) -> Outcome:
        return Outcome((GrandeMoved(self.by, self.to),))

    def _reach(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in free_regions(board) if region != board.grandes[self.by])


class MoveScoreboard(CardStep, frozen=True, tag="move_scoreboard"):
    """A scoreboard comes into play or moves; never into or out of the king's region."""

    scoreboard: str = ""
    to: str = ""
    takes: ClassVar[tuple[str, ...]] = ("board", "to")

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        fields = {
            "board": Choice(movable_scoreboards(board), of="scoreboard"),
            "to": Choice(scoreboard_targets(board), of="scoreboard_goes"),
        }
        words = Words(say("Lay a scoreboard"), say("Lay {board} on {to}", board="{board}", to="{to}"))
        return (Form("special", say("put a scoreboard on a space"), fields, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        scoreboard = given(command.board, say("this needs a board"))
        to = given(command.to, say("this needs a space to go to"))
        if scoreboard not in board.rules.scoreboards:
            raise RuleBroken(say("there is no scoreboard {name}", name=scoreboard), "scoreboards")
        if scoreboard not in movable_scoreboards(board):
            raise RuleBroken(
                say("{scoreboard} lies in the king's region: nothing leaves it", scoreboard=scoreboard), "taboo"
            )
        if to != CASTILLO:
            check_region(board, to)
        if is_taboo(board, to):
            raise RuleBroken(nothing_enters(to), "taboo")
        if to not in scoreboard_targets(board):
            raise RuleBroken(say("a scoreboard lies on {space} already", space=to), "one_scoreboard")
        return (MoveScoreboard(self.by, scoreboard, to),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        scoreboard, space = name_of(board, self.scoreboard), name_of(board, self.to)
        return say("{scoreboard} goes to {space}", scoreboard=scoreboard, space=space)

    def run(self, state: State) -> Outcome:
        return Outcome((ScoreboardMoved(self.scoreboard, self.to),))


class RecoverPowerCard(CardStep, frozen=True, tag="recover_power_card"):
    """One of the actor's played power cards returns to the hand; nobody else learns which."""

    takes: ClassVar[tuple[str, ...]] = ("value",)
    secret: ClassVar[tuple[str, ...]] = ("value",)

    def executable(self, board: Board) -> bool:
        return bool(board.piles[self.by])

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        pile = Choice(tuple(sorted(board.piles[self.by])), of="power_card")
        button, note = say("Take {value} back", value="{value}"), say("only you will know which")
        words = Words(say("Take a card back"), button, note)
        return (Form("special", say("take a played power card back"), {"value": pile}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        if command.value is UNSET:
            raise RuleBroken(say("this needs the value of a power card"), "fields")
        if command.value not in board.piles[self.by]:
            raise RuleBroken(say("power card {value} is not on your played pile", value=command.value), "recover")
        return (self,)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes a power card back into the hand", player=self.by)

    def run(self, state: State) -> Outcome:
        chosen = state.sealed[self.by]
        assert isinstance(chosen, Special), "the card was chosen when the action began"
        assert isinstance(chosen.value, int), "the card was chosen when the action began"
        return Outcome((PowerCardRecovered(self.by, chosen.value),))


class DrawToCourt(CardStep, frozen=True, tag="draw_to_court"):
    """Two own caballeros come to court; only when the province is too small may the rest come from regions."""

    amount: int = 2
    from_regions: dict[str, int] = {}
    takes: ClassVar[tuple[str, ...]] = ("from_regions",)

    def executable(self, board: Board) -> bool:
        return bool(count(board, PROVINCE, self.by) or takeable(board, self.by))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        name = say("Bring to court")
        from_province = Form("special", say("bring caballeros from your province to court"), words=Words(name, name))
        shortage = shortage_counts(board, self.by, self.amount)
        if not shortage:
            return (from_province,)
        total = Total(("from_regions",), 1, self.amount - count(board, PROVINCE, self.by))
        text = say("bring caballeros to court, from regions too")
        words = Words(name, say("Bring to court, {count} from regions", count="{count}"))
        return from_province, Form("special", text, {"from_regions": shortage}, total, words)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        from_regions = command.from_regions if isinstance(command.from_regions, dict) else {}
        action = DrawToCourt(self.by, self.amount, from_regions)
        action._facts(board)
        return (action,)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say_many(
            "{player} takes {count} caballero to court",
            "{player} takes {count} caballeros to court",
            min(self.amount, count(board, PROVINCE, self.by)) + sum(self.from_regions.values()),
            player=self.by,
        )

    def run(self, state: State) -> Outcome:
        return Outcome(self._facts(state.board))

    def _facts(self, board: Board) -> tuple[Fact, ...]:
        from_province = min(self.amount, count(board, PROVINCE, self.by))
        return draw(board, self.by, self.amount, from_province, self.from_regions)


class TakeVeto(CardStep, frozen=True, tag="take_veto"):
    """The card stays in front of the actor until the end of the next round that is played."""

    name: ClassVar[Text] = say("Take the veto")
    card: str = ""

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes a veto", player=self.by)

    def run(self, state: State) -> Outcome:
        board, action = state.board, state.agenda[0]
        assert isinstance(action, SpecialAction), f"no special action takes a veto: {action}"
        return Outcome((VetoTaken(self.by, action.card, next_round(board, board.round) or board.round),))
