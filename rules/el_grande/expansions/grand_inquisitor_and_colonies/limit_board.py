"""The limit board: only caballeros on its spaces count in its region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    State,
    Step,
    check_counts,
    check_region,
    clockwise_from,
    free_regions,
    is_taboo,
    marked_in,
    name_of,
    nothing_enters,
    owners,
    plainness,
    slot_of,
)
from rules.el_grande.commands import Special
from rules.el_grande.expansions.grand_inquisitor_and_colonies.commands import Fill
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    LimitBoardFilled,
    LimitBoardMoved,
    colonies,
    unseated,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    there as number_at,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import (
    FRANCIA,
    SPACES_OF_THE_LIMIT_BOARD,
    free_spaces,
)
from rules.el_grande.steps.special import CardStep, given
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import Choice, Command, Counts, Form, Outcome, Player, Total, Words, expect
from rules.texts import Text, say, say_many

Pieces = Mapping[str, int]
"""Caballeros by owner and exact key."""


# Filling it


def beside(board: Board) -> dict[str, int]:
    """The caballeros beside the limit board, the plainest first."""
    region = colonies(board).limit
    found: dict[str, int] = {}
    for owner in owners(board):
        keys = [key for key in marked_in(board, region, owner) if slot_of(key) == "beside"]
        for key in sorted(dict.fromkeys(keys), key=lambda key: plainness(board, key)):
            found[f"{owner}/{key}"] = keys.count(key)
    return found


class FillLimitBoard(Step, frozen=True, tag="fill_limit_board"):
    """Free spaces are filled with caballeros that stand beside the board: the Grand Inquisitor's holder chooses."""

    by: Player
    """The player who chooses while nobody holds the Grand Inquisitor."""
    kind = "limit_fill"
    prompt = say("Which caballeros take the free spaces of the limit board?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        board = state.board
        pieces = beside(board)
        if not pieces or self._number(board) == sum(pieces.values()) or len(pieces) == 1 or not self._number(board):
            return ()
        return (colonies(board).inquisitor or self.by or board.turn,)

    def run(self, state: State) -> Outcome:
        """Nothing to choose: all of them fit, or they are all alike."""
        pieces, number = beside(state.board), self._number(state.board)
        if not number:
            return Outcome()
        taken = pieces if number == sum(pieces.values()) else dict.fromkeys(pieces, number)
        return Outcome((LimitBoardFilled(taken),))

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, Fill)
        board = state.board
        check_pieces(beside(board), command.pieces, self._number(board))
        return Outcome((LimitBoardFilled(in_order(beside(board), command.pieces), player),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        number = self._number(board)
        pieces = Counts({key: min(limit, number) for key, limit in beside(board).items()}, of="named_piece")
        text = say_many("fill {count} space of the limit board", "fill {count} spaces of the limit board", number)
        words = Words(button=say("Take {count} onto the limit board", count="{count}"))
        return (Form("fill", text, {"pieces": pieces}, Total(("pieces",), number, number), words),)

    def default(self, state: State, player: Player) -> Command:
        return Fill(first_of(state.board, player, beside(state.board), self._number(state.board)))

    def _number(self, board: Board) -> int:
        return min(free_spaces(board), sum(beside(board).values()))


def check_pieces(there_are: Pieces, named: Pieces, number: int) -> None:
    check_counts(named)
    for key, wanted in named.items():
        if wanted > (there := there_are.get(key, 0)):
            raise RuleBroken(
                say("not {wanted} caballeros at {key}, but {there}", wanted=wanted, key=key, there=there),
                "as_many_as_there_are",
            )
    if (chosen := sum(named.values())) != number:
        raise RuleBroken(
            say("name exactly {number} caballeros, not {chosen}", number=number, chosen=chosen), "limit_board"
        )


def in_order(there_are: Pieces, named: Pieces) -> dict[str, int]:
    return {key: named[key] for key in there_are if key in named}


def first_of(board: Board, by: Player, there_are: Pieces, number: int) -> dict[str, int]:
    """Own caballeros first (the black ones of the holder after them), then clockwise, then the others."""
    first = (by, *(owner for owner in board.rules.neutral if board.rules.holder(board, owner) == by))
    order = dict.fromkeys((*first, *clockwise_from(board, by), *board.rules.neutral))
    chosen: dict[str, int] = {}
    for owner in order:
        for key, limit in there_are.items():
            if key.startswith(f"{owner}/") and (taken := min(limit, number)):
                chosen[key] = taken
                number -= taken
    return chosen


# Moving it


class MoveLimitBoard(CardStep, frozen=True, tag="move_limit_board"):
    """The limit board goes to another region; if not all caballeros there fit, the actor chooses who does."""

    to: str = ""
    pieces: dict[str, int] = {}
    takes: ClassVar[tuple[str, ...]] = ("to", "pieces")

    def executable(self, board: Board) -> bool:
        return not is_taboo(board, colonies(board).limit) and bool(self._reach(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(self._forms(board))

    def _forms(self, board: Board) -> Iterator[Form]:
        """All regions where everybody fits together; one form for every other."""
        words = Words(say("Move the limit board"), say("Move the limit board to {to}", to="{to}"))
        text = say("move the limit board")
        if roomy := tuple(region for region in self._reach(board) if not self._is_choice(board, region)):
            yield Form("special", text, {"to": Choice(roomy, of="space")}, words=words)
        spaces = SPACES_OF_THE_LIMIT_BOARD[len(board.players)]
        for region in self._reach(board):
            if self._is_choice(board, region):
                counts = Counts({key: min(spaces, n) for key, n in standing(board, region).items()}, of="named_piece")
                fields: dict[str, Field] = {"to": Choice((region,), of="space"), "pieces": counts}
                yield Form("special", text, fields, Total(("pieces",), spaces, spaces), words)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        to = given(command.to, say("this needs a region to go to"))
        check_region(board, to)
        if is_taboo(board, to):
            raise RuleBroken(nothing_enters(to), "taboo")
        if to == FRANCIA:
            raise RuleBroken(say("the limit board does not go to {region}", region=to), "limit_board")
        if to not in self._reach(board):
            raise RuleBroken(say("the limit board is in {region} already", region=to), "must_change")
        pieces = command.pieces if isinstance(command.pieces, dict) else {}
        if not self._is_choice(board, to):
            if command.pieces is not UNSET:
                raise RuleBroken(say("nothing is left to choose there: name no caballeros"), "fields")
        else:
            check_pieces(standing(board, to), pieces, SPACES_OF_THE_LIMIT_BOARD[len(board.players)])
        return (replace(self, to=to, pieces=in_order(standing(board, to), pieces)),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the limit board goes to {region}", region=name_of(board, self.to))

    def run(self, state: State) -> Outcome:
        pieces = standing(state.board, self.to)
        spaces = SPACES_OF_THE_LIMIT_BOARD[len(state.board.players)]
        if sum(pieces.values()) > spaces:
            pieces = self.pieces or first_of(state.board, self.by, pieces, spaces)
        return Outcome((LimitBoardMoved(self.to, pieces),))

    def _reach(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in free_regions(board) if region not in (FRANCIA, colonies(board).limit))

    def _is_choice(self, board: Board, region: str) -> bool:
        """Whether not all fit, and they are not all alike."""
        pieces = standing(board, region)
        return sum(pieces.values()) > SPACES_OF_THE_LIMIT_BOARD[len(board.players)] and len(pieces) > 1


def standing(board: Board, region: str) -> dict[str, int]:
    """The caballeros of a region that are on no special place."""
    return {
        f"{owner}/{key}": number_at(board, owner, key)
        for owner in owners(board)
        for key in unseated(board, region, owner)
    }
