"""One player's turn: draw caballeros, take an action card, use it, lay it aside."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    check_counts,
    check_enter,
    count,
    in_map_order,
    placement_spaces,
    take_from_regions,
    takeable,
)
from rules.el_grande.commands import ChooseActionCard, Draw, EndTurn, Place, Special
from rules.el_grande.deck import design
from rules.el_grande.facts import (
    ActionCardTaken,
    CaballerosDrawn,
    CaballerosPlaced,
    PowerCardPiled,
    TurnEnded,
)
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.el_grande.steps.special import begin_special
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import Choice, Command, Counts, Fact, Form, Number, Outcome, Player, State, Step, Total

# Drawing


class DrawCaballeros(Step, frozen=True, tag="draw_caballeros"):
    """How many caballeros do you take to court?"""

    by: Player
    kind = "draw"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, Draw)
        board = state.board
        facts = draw(board, player, self._allowance(board), command.from_province, command.from_regions)
        return Outcome((*facts, PowerCardPiled(player, board.power[player])))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        allowance, province = self._allowance(board), count(board, PROVINCE, player)
        plain = Form(
            "draw",
            "take caballeros from your province",
            {"from_province": Number(0, min(allowance, province))},
        )
        shortage = shortage_counts(board, player, allowance)
        if not shortage:
            return (plain,)
        from_both: dict[str, Field] = {"from_province": Choice((province,)), "from_regions": shortage}
        total = Total(("from_regions",), 1, allowance - province)
        return plain, Form("draw", "take your whole province, and more from regions", from_both, total)

    def default(self, state: State, player: Player) -> Command:
        return Draw(min(self._allowance(state.board), count(state.board, PROVINCE, player)))

    def forced(self, state: State, player: Player) -> Command | None:
        board = state.board
        if self._allowance(board) and (count(board, PROVINCE, player) or takeable(board, player)):
            return None
        return Draw()

    def _allowance(self, board: Board) -> int:
        return board.rules.power_cards[board.power[self.by]]


def shortage_counts(board: Board, player: Player, allowance: int) -> Counts | None:
    """Where caballeros may be taken from when the province is too small; None if it is not, or nothing is there."""
    if count(board, PROVINCE, player) >= allowance or not (limits := takeable(board, player)):
        return None
    return Counts(limits)


def draw(
    board: Board, player: Player, allowance: int, from_province: int, from_regions: dict[str, int]
) -> tuple[Fact, ...]:
    """Caballeros come to court: from the province, and from free regions only when the province is used up."""
    province = count(board, PROVINCE, player)
    if from_province < 0:
        raise RuleBroken(f"{from_province} is not a number of caballeros", "counts")
    if from_province > province:
        raise RuleBroken(f"only {province} caballeros in your province, not {from_province}", "draw")
    if from_regions and from_province < province:
        raise RuleBroken("take your whole province before you take caballeros from regions", "shortage")
    wanted = from_province + sum(from_regions.values())
    if wanted > allowance:
        raise RuleBroken(f"at most {allowance} caballeros, not {wanted}", "draw")
    taken = take_from_regions(board, player, from_regions, COURT)
    if from_province:
        taken.insert(0, (PROVINCE, from_province))
    return tuple(CaballerosDrawn(player, key, number) for key, number in taken)


# Taking a card


class TakeActionCard(Step, frozen=True, tag="take_action_card"):
    """Which action card do you take?"""

    by: Player
    kind = "choose_card"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, ChooseActionCard)
        board = state.board
        card = next((card for card in board.face_up if design(board, card).stack == command.stack), None)
        if card is None:
            raise RuleBroken(f"no action card of stack {command.stack} lies face up", "choose_card")
        if card in board.taken:
            raise RuleBroken(f"{board.taken[card]} has taken the card of stack {command.stack}", "choose_card")
        return Outcome((ActionCardTaken(player, card),), (UseCard(player, card), LayCardAside(player, card)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("choose_action_card", "take an action card", {"stack": Choice(self._untaken(state))}),)

    def default(self, state: State, player: Player) -> Command:
        return ChooseActionCard(self._untaken(state)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        untaken = self._untaken(state)
        return ChooseActionCard(untaken[0]) if len(untaken) == 1 else None

    def _untaken(self, state: State) -> tuple[int, ...]:
        board = state.board
        return tuple(sorted(design(board, card).stack for card in board.face_up if card not in board.taken))


# Using it


class UseCard(Step, frozen=True, tag="use_card"):
    """Place caballeros, perform the special action, or end your turn?"""

    by: Player
    card: str
    done: tuple[str, ...] = ()
    kind = "menu"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, EndTurn):
            return Outcome()
        kind = type(command).__struct_config__.tag
        part = state.board.rules.parts.get(kind)
        if part is None:
            raise RuleBroken("place, perform the special action, or end your turn", "menu")
        if kind in self.done:
            raise RuleBroken(f"{part.name} was done already in this turn", "never_split")
        outcome = part.begin(state, self, command)
        return Outcome(outcome.facts, (*outcome.then, replace(self, done=(*self.done, kind))))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        forms = [form for part in self._open_parts(state) for form in part.forms(state.board, self)]
        return (*forms, Form("end_turn", "end your turn"))

    def default(self, state: State, player: Player) -> Command:
        return EndTurn()

    def forced(self, state: State, player: Player) -> Command | None:
        """The turn ends by itself when nothing else is left to do."""
        return None if self._open_parts(state) else EndTurn()

    def _open_parts(self, state: State) -> list[Part]:
        parts = state.board.rules.parts
        return [part for kind, part in parts.items() if kind not in self.done and part.is_open(state.board, self)]


class Part:
    """Something a player may do once with the card taken."""

    name = ""

    def is_open(self, board: Board, turn: UseCard) -> bool:
        raise AssertionError(f"{type(self).__name__} does not say when it is open")

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        raise AssertionError(f"{type(self).__name__} does not say how it is done")

    def begin(self, state: State, turn: UseCard, command: Any) -> Outcome:
        raise AssertionError(f"{type(self).__name__} does not say what it does")


class Placement(Part):
    """Up to as many caballeros as the card shows go from court to the king's neighbours or the castillo."""

    name = "the placement"

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return count(board, COURT, turn.by) > 0

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        most = self._most(board, turn)
        spaces = Counts(dict.fromkeys(placement_spaces(board), most))
        return (
            Form("place", f"place up to {most} caballero{'s' * (most > 1)}", {"to": spaces}, Total(("to",), 1, most)),
        )

    def begin(self, state: State, turn: UseCard, command: Place) -> Outcome:
        board = state.board
        check_counts(command.to)
        self._check_number(board, turn, sum(command.to.values()))
        for space in command.to:
            self._check_space(board, space)
        spaces = in_map_order(board, command.to)
        return Outcome(tuple(CaballerosPlaced(turn.by, space, command.to[space]) for space in spaces))

    def _most(self, board: Board, turn: UseCard) -> int:
        return min(design(board, turn.card).stack, count(board, COURT, turn.by))

    def _check_number(self, board: Board, turn: UseCard, number: int) -> None:
        if number < 1:
            raise RuleBroken("place at least one caballero, or leave the placement out", "place")
        if number > (allowance := design(board, turn.card).stack):
            raise RuleBroken(f"this card places at most {allowance} caballeros, not {number}", "place")
        if number > (court := count(board, COURT, turn.by)):
            raise RuleBroken(f"only {court} caballeros in your court, not {number}", "place")

    def _check_space(self, board: Board, space: str) -> None:
        check_enter(board, space)
        if space != CASTILLO and space not in placement_spaces(board):
            raise RuleBroken(f"{space} is not beside the king's region", "king_adjacency")


class SpecialPart(Part):
    """The special action of the card."""

    name = "the special action"

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return replace(design(board, turn.card).special, by=turn.by).executable(board)

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        return replace(design(board, turn.card).special, by=turn.by).special_forms(board)

    def begin(self, state: State, turn: UseCard, command: Special) -> Outcome:
        special = design(state.board, turn.card).special
        return begin_special(state, turn.by, turn.card, special, command)


class LayCardAside(Step, frozen=True, tag="lay_card_aside"):
    """The card is discarded; a veto that was taken stays, and the king's card comes back next round."""

    by: Player
    card: str

    def run(self, state: State) -> Outcome:
        held = any(veto.card == self.card for veto in state.board.vetoes)
        returns = design(state.board, self.card).returns
        return Outcome((TurnEnded(self.by, () if held or returns else (self.card,)),))


def expect(command: Any, kind: type[Command]) -> None:
    """The answer must be of the kind that was asked for."""
    if not isinstance(command, kind):
        raise RuleBroken(
            f"asked for {kind.__struct_config__.tag}, not {type(command).__struct_config__.tag}", "decision"
        )
