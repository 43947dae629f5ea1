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
    slot_of,
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
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import COURT, PROVINCE
from rules.el_grande.steps.special import CardStep, begin_special
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import Choice, Command, Counts, Form, Number, Outcome, Player, Total, Words, expect
from rules.texts import Text, say, say_many

# Free actions


class FreeAction:
    """Something a player may do at any time of the own turn, between its parts: it belongs to none of them."""

    between_steps: ClassVar[bool] = False
    """Whether it may be done between two steps of the own special action as well."""

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        """How it may be done now; in no way if it cannot."""
        raise AssertionError(f"{type(self).__name__} does not say how it is done")

    def begin(self, state: State, player: Player, command: Any) -> Outcome:
        raise AssertionError(f"{type(self).__name__} does not say what it does")


def free_forms(board: Board, player: Player) -> tuple[Form, ...]:
    """What the player may do now beside what is asked."""
    actions = board.rules.free_actions
    return tuple(form for action in actions.values() for form in action.forms(board, player)) if actions else ()


def done_freely(state: State, player: Player, command: Any, step: Step) -> Outcome | None:
    """What follows from a free action; the step that was asked waits for it. None if the command is no such action."""
    action = state.board.rules.free_actions.get(type(command).__struct_config__.tag)
    if action is None:
        return None
    outcome = action.begin(state, player, command)
    return Outcome(outcome.facts, (*outcome.then, step))


# Drawing


class DrawCaballeros(Step, frozen=True, tag="draw_caballeros"):
    """The player takes as many caballeros to court as the power card allows, or fewer."""

    by: Player
    kind = "draw"
    prompt = say("How many caballeros do you take to court?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if (freely := done_freely(state, player, command, self)) is not None:
            return freely
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
            {"from_province": Number(0, min(allowance, province), of=PROVINCE)},
            words=(words := take_words(board, player)),
        )
        shortage = shortage_counts(board, player, allowance)
        free = free_forms(board, player)
        if not shortage:
            return (plain, *free)
        whole = Choice((province,), of=PROVINCE)
        from_both: dict[str, Field] = {"from_province": whole, "from_regions": shortage}
        total = Total(("from_regions",), 1, allowance - province)
        both = Form("draw", say("take your whole province, and more from regions"), from_both, total, words)
        return (plain, both, *free)

    def default(self, state: State, player: Player) -> Command:
        return Draw(min(self._allowance(state.board), count(state.board, PROVINCE, player)))

    def forced(self, state: State, player: Player) -> Command | None:
        board = state.board
        if self._allowance(board) and (count(board, PROVINCE, player) or takeable(board, player)):
            return None
        if free_forms(board, player):
            return None
        return Draw()

    def _allowance(self, board: Board) -> int:
        return board.rules.power_cards[board.power[self.by]]


def shortage_counts(board: Board, player: Player, allowance: int) -> Counts | None:
    """Where caballeros may be taken from when the province is too small; None if it is not, or nothing is there."""
    if count(board, PROVINCE, player) >= allowance or not (limits := takeable(board, player)):
        return None
    return Counts(limits, of="own_piece")


def take_words(board: Board, player: Player) -> Words:
    return Words(button=say("Take {count}", count="{count}"), note=court_of(board, player))


def court_of(board: Board, player: Player) -> Text:
    return say("court of {count}", count=count(board, COURT, player))


def draw(
    board: Board, player: Player, allowance: int, from_province: int, from_regions: dict[str, int]
) -> tuple[Fact, ...]:
    """Caballeros come to court: from the province, and from free regions only when the province is used up."""
    province = count(board, PROVINCE, player)
    if from_province < 0:
        raise RuleBroken(not_a_number(from_province), "counts")
    if from_province > province:
        raise RuleBroken(too_few_in_province(province, from_province), "draw")
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


def too_few(source: str, there: int, wanted: int) -> Text:
    """There are not so many caballeros in the court or the province."""
    return too_few_in_court(there, wanted) if source == COURT else too_few_in_province(there, wanted)


def too_few_in_province(there: int, wanted: int) -> Text:
    return say_many(
        "only {count} caballero in your province, not {wanted}",
        "only {count} caballeros in your province, not {wanted}",
        there,
        wanted=wanted,
    )


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
        if (freely := done_freely(state, player, command, self)) is not None:
            return freely
        expect(command, ChooseActionCard)
        board = state.board
        card = next((card for card in board.face_up if design(board, card).stack == command.stack), None)
        if card is None:
            raise RuleBroken(say("no action card of stack {stack} lies face up", stack=command.stack), "choose_card")
        if holder := board.taken.get(card):
            raise RuleBroken(
                say("{player} has taken the card of stack {stack}", player=holder, stack=command.stack), "choose_card"
            )
        taken = (step(player, card) for step in board.rules.taken)
        return Outcome((ActionCardTaken(player, card),), (*taken, UseCard(player, card), LayCardAside(player, card)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        labels = {design(state.board, card).stack: design(state.board, card).label for card in state.board.face_up}
        stacks = self._untaken(state)
        choice = Choice(stacks, tuple(labels[stack] for stack in stacks), of="action_card")
        words = Words(button=say("Take {stack}", stack="{stack}"))
        form = Form("choose_action_card", say("take an action card"), {"stack": choice}, words=words)
        return (form, *free_forms(state.board, player))

    def default(self, state: State, player: Player) -> Command:
        return ChooseActionCard(self._untaken(state)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        untaken = self._untaken(state)
        is_choice = len(untaken) != 1 or free_forms(state.board, player)
        return None if is_choice else ChooseActionCard(untaken[0])

    def _untaken(self, state: State) -> tuple[int, ...]:
        board = state.board
        return tuple(sorted(design(board, card).stack for card in board.face_up if card not in board.taken))


# Using it


END = Words(button=say("End turn"))
END_EARLY = Words(button=say("End turn"), confirm=say("You have done nothing with this card. End your turn?"))
END_AT_ONCE = Form("end_turn", say("end your turn"), words=END)
END_IN_DOUBT = Form("end_turn", say("end your turn"), words=END_EARLY)


class UseCard(Step, frozen=True, tag="use_card"):
    """With the card taken the player places caballeros and performs the special action, in any order."""

    by: Player
    card: str
    done: tuple[str, ...] = ()
    kind = "menu"
    prompt = say("Place caballeros, perform the special action, or end your turn?")
    ending: ClassVar[type[Command]] = EndTurn
    """What leaves the rest of the card undone."""

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, self.ending):
            return self._ended(state)
        if (freely := done_freely(state, player, command, self)) is not None:
            return freely
        rules, kind = state.board.rules, type(command).__struct_config__.tag
        part = rules.parts.get(kind)
        if part is None:
            raise RuleBroken(say("place, perform the special action, or end your turn"), "menu")
        if kind in self.done:
            raise RuleBroken(part.again, "never_split")
        outcome = part.begin(state, self, command)
        further = (step(self.by) for step in rules.after_part)
        done = (*self.done, kind, *part.closed(state.board, self, command))
        return Outcome(outcome.facts, (*outcome.then, *further, replace(self, done=done)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board, parts = state.board, 0
        forms: list[Form] = []
        for kind, part in board.rules.parts.items():
            if kind not in self.done and (ways := part.open_forms(board, self)):
                forms.extend(ways)
                parts += 1
        forms.extend(free_forms(board, player))
        if not self._duty(board):
            forms.append(self.end(is_in_doubt=not self.done and parts > 1))
        return tuple(forms)

    def end(self, *, is_in_doubt: bool) -> Form:
        """The way to leave the rest undone."""
        return END_IN_DOUBT if is_in_doubt else END_AT_ONCE

    def default(self, state: State, player: Player) -> Command:
        """The turn ends, but what must be done is done before."""
        duty = self._duty(state.board)
        return duty.default(state.board, self) if duty else self.ending()

    def forced(self, state: State, player: Player) -> Command | None:
        """The turn ends by itself when nothing else is left to do; the only thing that is left and must be is done."""
        if free_forms(state.board, player):
            return None
        parts = self._open_parts(state)
        if not parts:
            return self.ending()
        duty = self._duty(state.board) if len(parts) == 1 else None
        return duty.default(state.board, self) if duty and _is_no_choice(duty.forms(state.board, self)) else None

    def _ended(self, state: State) -> Outcome:
        if self._duty(state.board):
            raise RuleBroken(say("the special action of this card is compulsory: perform it first"), "compulsory")
        return Outcome()

    def _open_parts(self, state: State) -> list[Part]:
        parts = state.board.rules.parts
        return [part for kind, part in parts.items() if kind not in self.done and part.is_open(state.board, self)]

    def _duty(self, board: Board) -> Part | None:
        """What must be done before the turn may end."""
        for kind in board.rules.duties:
            part = board.rules.parts[kind]
            if kind not in self.done and part.is_compulsory(board, self) and part.is_open(board, self):
                return part
        return None


def _is_no_choice(forms: tuple[Form, ...]) -> bool:
    return len(forms) == 1 and forms[0].size() == 1


class Part:
    """Something a player may do once with the card taken."""

    again: ClassVar[Text]
    """Why it is refused the second time."""

    def is_open(self, board: Board, turn: UseCard) -> bool:
        raise AssertionError(f"{type(self).__name__} does not say when it is open")

    def is_compulsory(self, board: Board, turn: UseCard) -> bool:
        """Whether the turn may not end before it is done, while it is open; only asked of `Rules.duties`."""
        raise AssertionError(f"{type(self).__name__} does not say when it is compulsory")

    def default(self, board: Board, turn: UseCard) -> Command:
        """How it is done when it must be and the player does not say."""
        raise AssertionError(f"{type(self).__name__} is never compulsory")

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        raise AssertionError(f"{type(self).__name__} does not say how it is done")

    def open_forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        """How it may be done now; in no way if it is not open."""
        return self.forms(board, turn) if self.is_open(board, turn) else ()

    def closed(self, board: Board, turn: UseCard, command: Any) -> tuple[str, ...]:
        """The other parts that are given up by doing this one."""
        return ()

    def begin(self, state: State, turn: UseCard, command: Any) -> Outcome:
        raise AssertionError(f"{type(self).__name__} does not say what it does")


class Placement(Part):
    """Up to as many caballeros as the card shows go from court to the king's neighbours or the castillo."""

    again = say("the placement was done already in this turn")

    def source(self, board: Board, turn: UseCard) -> str:
        """Where the caballeros come from."""
        return COURT

    def placed(self, board: Board, turn: UseCard, space: str, number: int) -> Fact:
        return CaballerosPlaced(turn.by, space, number)

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return count(board, self.source(board, turn), turn.by) > 0

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        most = self._most(board, turn)
        room = {space: 1 if slot_of(space) else most for space in board.rules.placement(board, turn)}
        spaces = Counts(room, of="placement")
        text = say_many("place up to {count} caballero", "place up to {count} caballeros", most)
        words = Words(say("Place"), say("Place {count}", count="{count}"), court_of(board, turn.by))
        return (Form("place", text, {"to": spaces}, Total(("to",), 1, most), words),)

    def begin(self, state: State, turn: UseCard, command: Place) -> Outcome:
        board = state.board
        check_counts(command.to)
        self._check_number(board, turn, sum(command.to.values()))
        for space in command.to:
            self.check_space(board, turn, space)
            if slot_of(space) and command.to[space] > 1:
                raise RuleBroken(say("there is room for one caballero at {place}", place=space), "place")
        source, spaces = self.source(board, turn), in_map_order(board, command.to)
        going = (Going(turn.by, source, space, command.to[space]) for space in spaces)
        return Outcome(carried_out(board, going, lambda gone: self.placed(board, turn, gone.target, gone.count)))

    def _most(self, board: Board, turn: UseCard) -> int:
        return min(board.rules.allowance(board, turn), count(board, self.source(board, turn), turn.by))

    def _check_number(self, board: Board, turn: UseCard, number: int) -> None:
        if number < 1:
            raise RuleBroken(say("place at least one caballero, or leave the placement out"), "place")
        if number > (allowance := board.rules.allowance(board, turn)):
            raise RuleBroken(
                say_many(
                    "this card places at most {count} caballero, not {wanted}",
                    "this card places at most {count} caballeros, not {wanted}",
                    allowance,
                    wanted=number,
                ),
                "place",
            )
        if number > (there := count(board, source := self.source(board, turn), turn.by)):
            raise RuleBroken(too_few(source, there, number), "place")

    def check_space(self, board: Board, turn: UseCard, space: str) -> None:
        check_enter(board, space)
        if space not in board.rules.placement(board, turn):
            raise RuleBroken(say("{space} is not beside the king's region", space=space), "king_adjacency")


NOT_NOW = say("this special action cannot be carried out now")
PLACED = str(Place.__struct_config__.tag)


class SpecialPart(Part):
    """The special action of the card."""

    again = say("the special action was done already in this turn")

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return bool(self.executable(board, turn))

    def is_compulsory(self, board: Board, turn: UseCard) -> bool:
        return design(board, turn.card).compulsory

    def default(self, board: Board, turn: UseCard) -> Command:
        [action] = self.executable(board, turn).values()
        return action.usual(board)

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        return tuple(form for action in self.executable(board, turn).values() for form in action.special_forms(board))

    def open_forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        return self.forms(board, turn)

    def begin(self, state: State, turn: UseCard, command: Special) -> Outcome:
        card, action = self.chosen(state.board, turn, command)
        if not is_executable(state.board, turn, action):
            raise RuleBroken(NOT_NOW, "executable")
        return begin_special(state, turn.by, card, action, self.fields(command))

    def fields(self, command: Special) -> Special:
        """What the special action itself is told."""
        return command

    def closed(self, board: Board, turn: UseCard, command: Special) -> tuple[str, ...]:
        _, action = self.chosen(board, turn, command)
        return action.closes

    def actions(self, board: Board, turn: UseCard) -> dict[str, CardStep]:
        """The special actions among which the player may choose, by card."""
        special = design(board, turn.card).special
        return {turn.card: replace(special, by=turn.by)} if special else {}

    def executable(self, board: Board, turn: UseCard) -> dict[str, CardStep]:
        """Those that can be carried out now."""
        actions = self.actions(board, turn)
        return {card: action for card, action in actions.items() if is_executable(board, turn, action)}

    def chosen(self, board: Board, turn: UseCard, command: Special) -> tuple[str, CardStep]:
        """The special action that a command begins, and its card."""
        for card, action in self.actions(board, turn).items():
            return card, action
        raise RuleBroken(NOT_NOW, "executable")


def is_executable(board: Board, turn: UseCard, action: CardStep) -> bool:
    return action.executable(board) and not (action.before_placement and PLACED in turn.done)


def shown_number(board: Board, turn: UseCard) -> int:
    """How many caballeros the card in use places."""
    return design(board, turn.card).places


def beside_the_king(board: Board, turn: UseCard) -> tuple[str, ...]:
    """A placement goes beside the king, or into the castillo."""
    return board.rules.beside_king(board)


class LayCardAside(Step, frozen=True, tag="lay_card_aside"):
    """The card is discarded, with any other that the player has used up; a veto that was taken stays, and the king's
    card comes back next round."""

    by: Player
    card: str

    def run(self, state: State) -> Outcome:
        board = state.board
        used = (card for card, player in board.taken.items() if player == self.by)
        laid = (card for card in used if not board.rules.stays(board, card) and not design(board, card).returns)
        return Outcome((TurnEnded(self.by, tuple(laid)),))
