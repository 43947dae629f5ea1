"""Special actions: how a card's action begins, and how it can be stopped half-way.

`CardStep` is the step a card brings along. `SpecialAction` wraps it and opens the veto windows; no card mentions the
veto. A card only says where it may be cut:

* `BEFORE`: the step is announced as a whole, and holders of a veto are asked before it begins;
* `AFTER`: every single answer of the actor is announced, and holders are asked before it is carried out;
* `NEVER`: part of something that was already let through.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType, convert
from msgspec.structs import replace

from rules.el_grande.board import Board, Fact, State, Step, name_of
from rules.el_grande.commands import Several, Special, Stop, TakeStep, VetoResponse
from rules.el_grande.facts import (
    SpecialActionAllowed,
    SpecialActionBegan,
    SpecialActionVetoed,
    StepAnnounced,
)
from rules.errors import RuleBroken
from rules.kernel import (
    AnswerSealed,
    AnyCommand,
    AnyStep,
    Choice,
    Command,
    Form,
    Further,
    Outcome,
    Player,
    SealDropped,
    Words,
    fold,
)
from rules.texts import Text, any_of, say

BEFORE, AFTER, NEVER = "before", "after", "never"
ALLOW, ALLOW_REST, VETO = "allow", "allow_rest", "veto"
STEP = str(TakeStep.__struct_config__.tag)
ANSWERS = {
    ALLOW: say("let this pass"),
    ALLOW_REST: say("let the whole special action pass"),
    VETO: say("stop this and the rest of the special action"),
}


class CardStep(Step, frozen=True):
    """A step that begins as a card's special action. In the table of cards nobody performs it yet: `by` is empty."""

    by: Player = ""

    name: ClassVar[Text] = say("Use the card")
    """The action in a few words, with a verb."""
    takes: ClassVar[tuple[str, ...]] = ()
    """What the `special` command may carry."""
    secret: ClassVar[tuple[str, ...]] = ()
    """Those of the fields that nobody else may know."""
    closes: ClassVar[tuple[str, ...]] = ()
    """The other parts of the turn that are given up when it begins."""
    before_placement: ClassVar[bool] = False
    """Whether it must come before the placement, which it changes."""

    def executable(self, board: Board) -> bool:
        return True

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        """The ways to begin it now."""
        return (Form("special", say("perform the special action"), words=Words(self.name, self.name)),)

    def usual(self, board: Board) -> Special:
        """How it begins when it must and the actor does not say how."""
        return convert(self.special_forms(board)[0].example(), Special)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        """The steps that follow from the choices, or a refusal."""
        return (self,)

    def window(self, board: Board) -> str:
        """Where this step may be vetoed."""
        return BEFORE

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        """What is going to happen, as everybody may know it: all of it, or what was announced of it."""
        raise AssertionError(f"{type(self).__name__} does not say what it does")

    def details(self, state: State) -> Mapping[str, Any]:
        """What everybody may know of it, besides what it carries."""
        return {}


def begin_special(state: State, by: Player, card: str, prototype: CardStep, command: Special) -> Outcome:
    """Announce a card's special action, and put it on the agenda."""
    action = replace(prototype, by=by)
    if not action.executable(state.board):
        raise RuleBroken(say("this special action cannot be carried out now"), "executable")
    choices = command.choices()
    for name in choices:
        if name not in action.takes:
            raise RuleBroken(say("this special action takes no {field}", field=name), "fields")
    body = action.begun(state.board, command)
    told = {name: value for name, value in choices.items() if name not in action.secret}
    facts: tuple[Fact, ...] = (SpecialActionBegan(by, card, told),)
    if action.secret:
        facts += (AnswerSealed(by, command),)
    return Outcome(facts, (SpecialAction(by, card, body),) if body else ())


class SpecialAction(Step, frozen=True, tag="special_action"):
    """A special action under way: its remaining steps, and the veto window that is open, if any.

    One special action never holds another: a card that performs a second card puts that card's steps into its own body,
    so that one veto stops both.
    """

    by: Player
    card: str
    body: tuple[AnyStep, ...]
    asking: tuple[Player, ...] = ()
    allowing: tuple[Player, ...] = ()
    announced: AnyCommand | None = None
    cleared: bool = False

    def asks(self, state: State) -> str:
        return "veto" if self.asking else self.body[0].asks(state)

    def waits_for(self, state: State) -> tuple[Player, ...]:
        if self.asking:
            return self.asking[:1]
        if self.announced is not None or self._queue(state) is not None or self._window_opens(state):
            return ()
        return self.body[0].waits_for(state)

    def run(self, state: State) -> Outcome:
        if self.announced is not None:
            return self._carried_out(self.body[0].answer(state, self.by, self.announced), state)
        if (queue := self._queue(state)) is not None:
            return self._take_queued(state, queue.steps)
        if self._window_opens(state):
            return Outcome((), (replace(self, asking=self.holders(state)),))
        return self._carried_out(self.body[0].run(state), state)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if self.asking:
            return self._answer_window(state, player, command)
        if (freely := self._done_freely(state, player, command)) is not None:
            return freely
        if not isinstance(command, Several):
            return self._take(state, player, command)
        self._check_several(state, command)
        if len(command.steps) == 1:
            return self._take(state, player, command.steps[0])
        return self._take_and_queue(state, command.steps)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        if self.asking:
            answers = Choice(tuple(ANSWERS), tuple(ANSWERS.values()), "veto", ((VETO, say("Spend the veto?")),))
            return (Form("veto_response", say("let it pass, or stop the special action"), {"answer": answers}),)
        return (*self.body[0].forms(state, player), *self._free_forms(state, player))

    def default(self, state: State, player: Player) -> Command:
        return VetoResponse(ALLOW) if self.asking else self.body[0].default(state, player)

    def forced(self, state: State, player: Player) -> Command | None:
        return None if self.asking else self.body[0].forced(state, player)

    def question(self, state: State, player: Player) -> Text:
        if self.asking:
            return say("{deed}. Do you veto this?", deed=self.deed(state.board))
        return self.body[0].question(state, player)

    def at_once(self, state: State, player: Player) -> int:
        return 1 if self.asking else self.body[0].at_once(state, player)

    def further(self, state: State, player: Player, command: Any) -> Further | None:
        """Ruling 35: more steps of the same action, each on the position that the ones before it leave."""
        sent = command.steps if isinstance(command, Several) else (command,)
        if self.asking or not all(isinstance(single, TakeStep) for single in sent):
            return None
        after, steps = self._after_steps(state, sent)
        if self.body[0].at_once(state, player) <= len(sent) or not (steps and steps[0].waits_for(after)):
            return None
        forms = tuple(form for form in steps[0].forms(after, player) if form.kind == STEP)
        return Further(forms, steps[0].at_once(after, player))

    def deed(self, board: Board) -> Text:
        """What is under way: whose card, and what is next."""
        card, step = name_of(board, self.card), self.body[0]
        if not isinstance(step, CardStep):
            return say("{player} performs {card}", player=self.by, card=card)
        deed = step.deed(board, self.announced)
        return say("{player} performs {card}: {deed}", player=self.by, card=card, deed=deed)

    # Veto windows

    def holders(self, state: State) -> tuple[Player, ...]:
        """Who is asked: every other holder of a veto who has not let the whole action pass."""
        holders: tuple[Player, ...] = state.board.rules.veto_holders(state.board, self.by)
        return tuple(player for player in holders if player not in self.allowing)

    def _cut(self, board: Board) -> str:
        step = self.body[0]
        return step.window(board) if isinstance(step, CardStep) else NEVER

    def _window_opens(self, state: State) -> bool:
        return not self.cleared and self._cut(state.board) == BEFORE and bool(self.holders(state))

    def _answer_window(self, state: State, player: Player, command: Any) -> Outcome:
        if not isinstance(command, VetoResponse) or command.answer not in ANSWERS:
            raise RuleBroken(say("answer {answers}", answers=any_of(ANSWERS)), "veto")
        if command.answer == VETO:
            spent = min((veto for veto in state.board.vetoes if veto.player == player), key=lambda v: v.until)
            vetoed = SpecialActionVetoed(player, self.by, self.card, spent.card)
            return Outcome((vetoed, *self._unsealed(state)))
        rest = command.answer == ALLOW_REST
        asking = self.asking[1:]
        return Outcome(
            (SpecialActionAllowed(player, rest),),
            (
                replace(
                    self,
                    asking=asking,
                    allowing=(*self.allowing, player) if rest else self.allowing,
                    cleared=not asking,
                ),
            ),
        )

    # What may be done between the steps

    def _done_freely(self, state: State, player: Player, command: Any) -> Outcome | None:
        action = state.board.rules.free_actions.get(type(command).__struct_config__.tag)
        if action is None or not self._is_between_own_steps(state, player) or not action.between_steps:
            return None
        outcome = action.begin(state, player, command)
        return Outcome(outcome.facts, (*outcome.then, self))

    def _free_forms(self, state: State, player: Player) -> tuple[Form, ...]:
        actions = state.board.rules.free_actions
        if not actions or not self._is_between_own_steps(state, player):
            return ()
        return tuple(
            form for action in actions.values() if action.between_steps for form in action.forms(state.board, player)
        )

    def _is_between_own_steps(self, state: State, player: Player) -> bool:
        """Whether the player whose turn it is chooses the next step of the own special action."""
        is_own = player == self.by == state.board.turn and bool(state.board.face_up)
        return is_own and self.body[0].asks(state) == STEP

    # Steps sent one by one or several at once

    def _take(self, state: State, player: Player, command: Any) -> Outcome:
        """Carry out one answer, or announce it first when somebody may veto it."""
        outcome = self.body[0].answer(state, player, command)
        # Sealing an empty queue keeps others from telling whether more steps were sent along.
        nothing_else = AnswerSealed(self.by, Several(()))
        if holders := self._holders_to_ask(state, command):
            facts = (nothing_else, StepAnnounced(self.by, command))
            return Outcome(facts, (replace(self, asking=holders, announced=command),))
        following = self._advance(outcome, state) if isinstance(command, Stop) else self._carried_out(outcome, state)
        if not (isinstance(command, TakeStep) and self._others_are_asked_after(state, outcome)):
            return following
        return Outcome((nothing_else, *following.facts), following.then)

    def _take_and_queue(self, state: State, steps: tuple[TakeStep, ...]) -> Outcome:
        """Take the first step and seal the others until their time comes."""
        outcome = self._take(state, self.by, steps[0])
        facts = [fact for fact in outcome.facts if not isinstance(fact, AnswerSealed)]
        return Outcome((AnswerSealed(self.by, Several(steps[1:])), *facts), outcome.then)

    def _take_queued(self, state: State, steps: tuple[TakeStep, ...]) -> Outcome:
        """The next step that was sent along; if the position has changed under it, the rest is forgotten."""
        forget = Outcome((SealDropped(self.by),), (self,))
        if not steps:
            return forget
        try:
            return self._take_and_queue(state, steps)
        except RuleBroken:
            return forget

    def _others_are_asked_after(self, state: State, outcome: Outcome) -> bool:
        """Whether something must be decided at once, before the next step."""
        after = fold(state, outcome.facts)
        return bool(outcome.facts and after.board.consequences(after))

    def _queue(self, state: State) -> Several | None:
        queue = state.sealed.get(self.by)
        return queue if isinstance(queue, Several) else None

    def _holders_to_ask(self, state: State, command: Any) -> tuple[Player, ...]:
        if isinstance(command, Stop) or self._cut(state.board) != AFTER:
            return ()
        return self.holders(state)

    def _check_several(self, state: State, command: Several) -> None:
        """Ruling 35: steps sent together are checked as a whole before the first is announced."""
        if self.body[0].at_once(state, self.by) < 2:
            raise RuleBroken(say("one answer at a time here"), "several")
        if not command.steps:
            raise RuleBroken(say("name at least one step"), "several")
        self._after_steps(state, command.steps)

    def _after_steps(self, state: State, sent: tuple[TakeStep, ...]) -> tuple[State, tuple[AnyStep, ...]]:
        """The position if all of these are let through, and what could be done then."""
        steps: tuple[AnyStep, ...] = self.body[:1]
        for number, single in enumerate(sent, start=1):
            if not steps:
                raise RuleBroken(say("step {number} is one too many", number=number), "several")
            outcome = steps[0].answer(state, self.by, single)
            state, steps = fold(state, outcome.facts), outcome.then
        return state, steps

    def _advance(self, outcome: Outcome, state: State) -> Outcome:
        """Go on with the body; when it is empty, the special action is over."""
        if outcome.then and outcome.then[0] is self.body[0]:
            return Outcome(outcome.facts, (self,))
        body = outcome.then + self.body[1:]
        if not body:
            return Outcome((*outcome.facts, *self._unsealed(state)))
        return Outcome(outcome.facts, (SpecialAction(self.by, self.card, body, allowing=self.allowing),))

    def _carried_out(self, outcome: Outcome, state: State) -> Outcome:
        """Go on after something of the special action has been done."""
        further = state.board.rules.performed(state.board, self.by, self.card)
        return self._advance(Outcome((*outcome.facts, *further), outcome.then) if further else outcome, state)

    def _unsealed(self, state: State) -> tuple[Fact, ...]:
        """Forget what the actor had sealed for this action."""
        return (SealDropped(self.by),) if isinstance(state.sealed.get(self.by), (Several, Special)) else ()


def given(value: str | UnsetType, missing: Text) -> str:
    """A field that this action needs."""
    if value is UNSET:
        raise RuleBroken(missing, "fields")
    assert isinstance(value, str)
    return value


__all__ = ["AFTER", "BEFORE", "NEVER", "CardStep", "SpecialAction", "begin_special", "given"]
