"""One player's turn: draw caballeros, take an action card, use it, lay it aside."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
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
from rules.kernel import Choice, Command, Counts, Form, Number, Outcome, Player, Total
from rules.texts import Text, say, say_many

# Drawing


class DrawCaballeros(Step, frozen=True, tag="draw_caballeros"):
    """The player takes as many caballeros to court as the power card allows, or fewer."""

    by: Player
    kind = "draw"
    prompt = say("How many caballeros do you take to court?")

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
            say("take caballeros from your province"),
            {"from_province": Number(0, min(allowance, province))},
        )
        shortage = shortage_counts(board, player, allowance)
        if not shortage:
            return (plain,)
        from_both: dict[str, Field] = {"from_province": Choice((province,)), "from_regions": shortage}
        total = Total(("from_regions",), 1, allowance - province)
        return plain, Form("draw", say("take your whole province, and more from regions"), from_both, total)

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
        raise RuleBroken(not_a_number(from_province), "counts")
    if from_province > province:
        raise RuleBroken(
            say_many(
                "only {count} caballero in your province, not {wanted}",
                "only {count} caballeros in your province, not {wanted}",
                province,
                wanted=from_province,
            ),
            "draw",
        )
    if from_regions and from_province < province:
        raise RuleBroken(say("take your whole province before you take caballeros from regions"), "shortage")
    wanted = from_province + sum(from_regions.values())
    if wanted > allowance:
        raise RuleBroken(
            say_many(
                "at most {count} caballero, not {wanted}",
                "at most {count} caballeros, not {wanted}",
                allowance,
                wanted=wanted,
            ),
            "draw",
        )
    taken = take_from_regions(board, player, from_regions, COURT)
    if from_province:
        taken.insert(0, (PROVINCE, from_province))
    return tuple(CaballerosDrawn(player, key, number) for key, number in taken)


def not_a_number(count: int) -> Text:
    return say("{count} is not a number of caballeros", count=count)


def too_few_in_court(there: int, wanted: int) -> Text:
    return say_many(
        "only {count} caballero in your court, not {wanted}",
        "only {count} caballeros in your court, not {wanted}",
        there,
        wanted=wanted,
    )


# Taking a card


class TakeActionCard(Step, frozen=True, tag="take_action_card"):
    """The player takes one of the action cards that lie face up."""

    by: Player
    kind = "choose_card"
    prompt = say("Which action card do you take?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, ChooseActionCard)
        board = state.board
        card = next((card for card in board.face_up if design(board, card).stack == command.stack), None)
        if card is None:
            raise RuleBroken(say("no action card of stack {stack} lies face up", stack=command.stack), "choose_card")
        if holder := board.taken.get(card):
            raise RuleBroken(
                say("{player} has taken the card of stack {stack}", player=holder, stack=command.stack), "choose_card"
            )
        return Outcome((ActionCardTaken(player, card),), (UseCard(player, card), LayCardAside(player, card)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        labels = {design(state.board, card).stack: design(state.board, card).label for card in state.board.face_up}
        stacks = self._untaken(state)
        choice = Choice(stacks, tuple(labels[stack] for stack in stacks))
        return (Form("choose_action_card", say("take an action card"), {"stack": choice}),)

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
    """With the card taken the player places caballeros and performs the special action, in any order."""

    by: Player
    card: str
    done: tuple[str, ...] = ()
    kind = "menu"
    prompt = say("Place caballeros, perform the special action, or end your turn?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, EndTurn):
            return Outcome()
        kind = type(command).__struct_config__.tag
        part = state.board.rules.parts.get(kind)
        if part is None:
            raise RuleBroken(say("place, perform the special action, or end your turn"), "menu")
        if kind in self.done:
            raise RuleBroken(part.again, "never_split")
        outcome = part.begin(state, self, command)
        return Outcome(outcome.facts, (*outcome.then, replace(self, done=(*self.done, kind))))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        forms = [form for part in self._open_parts(state) for form in part.forms(state.board, self)]
        return (*forms, Form("end_turn", say("end your turn")))

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

    again: ClassVar[Text]
    """Why it is refused the second time."""

    def is_open(self, board: Board, turn: UseCard) -> bool:
        raise AssertionError(f"{type(self).__name__} does not say when it is open")

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        raise AssertionError(f"{type(self).__name__} does not say how it is done")

    def begin(self, state: State, turn: UseCard, command: Any) -> Outcome:
        raise AssertionError(f"{type(self).__name__} does not say what it does")


class Placement(Part):
    """Up to as many caballeros as the card shows go from court to the king's neighbours or the castillo."""

    again = say("the placement was done already in this turn")

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return count(board, COURT, turn.by) > 0

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        most = self._most(board, turn)
        spaces = Counts(dict.fromkeys(placement_spaces(board), most))
        text = say_many("place up to {count} caballero", "place up to {count} caballeros", most)
        return (Form("place", text, {"to": spaces}, Total(("to",), 1, most)),)

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
            raise RuleBroken(say("place at least one caballero, or leave the placement out"), "place")
        if number > (allowance := design(board, turn.card).stack):
            raise RuleBroken(
                say_many(
                    "this card places at most {count} caballero, not {wanted}",
                    "this card places at most {count} caballeros, not {wanted}",
                    allowance,
                    wanted=number,
                ),
                "place",
            )
        if number > (court := count(board, COURT, turn.by)):
            raise RuleBroken(too_few_in_court(court, number), "place")

    def _check_space(self, board: Board, space: str) -> None:
        check_enter(board, space)
        if space != CASTILLO and space not in placement_spaces(board):
            raise RuleBroken(say("{space} is not beside the king's region", space=space), "king_adjacency")


class SpecialPart(Part):
    """The special action of the card."""

    again = say("the special action was done already in this turn")

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
        asked, given = (str(struct.__struct_config__.tag) for struct in (kind, type(command)))
        raise RuleBroken(say("asked for {asked}, not {given}", asked=asked, given=given), "decision")
