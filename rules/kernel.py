"""The kernel: a decider on the outside, an agenda of steps on the inside.

    facts = decide(state, Answer(player, decision, command))
    state = fold(state, facts)

* A **fact** tells what happened, with the numbers. Applying it needs no rule: it adds, moves, removes.
* A **step** is what is going on: frozen data that knows whom it waits for, what follows from an answer, what
  follows when it waits for nobody, which answers it would accept, and what it does when time runs out.
* A **command** is what a player says. `Answer` adds who says it and which decision it answers, so that a double
  click cannot answer the next question.

`State` is a board (the game's own), the agenda (the first step is next) and the sealed answers. Only `StepTaken`
changes the agenda. Steps hold no secrets: what must stay hidden is on the board, or sealed.

`Board` and `RuleSet` are what the kernel and the layers above ask of any game. Facts, steps and states belong to the
board of one game: `Fact[Board]`, `Step[Board]`, `State[Board]`.

A toy, whole: two players say a number, the bigger one wins.

>>> class Numbers(Struct, frozen=True):
...     said: dict = {}
...     def consequences(self, state):
...         return ()
>>> class Said(Fact, tag="said"):
...     player: str
...     number: int
...     def apply(self, board):
...         return Numbers({**board.said, self.player: self.number})
>>> class Say(Command, tag="say"):
...     number: int
>>> class SayNumber(Step, tag="say_number"):
...     by: str
...     kind = "say_number"
...     prompt = say("Which number do you say?")
...     def waits_for(self, state):
...         return (self.by,)
...     def answer(self, state, player, command):
...         if command.number > 9:
...             raise RuleBroken(say("{number} is more than 9", number=command.number), "small_numbers")
...         return Outcome((Said(self.by, command.number),))
...     def forms(self, state, player):
...         return (Form("say", say("say a number"), {"number": Number(0, 9)}),)
...     def default(self, state, player):
...         return Say(0)
>>> state = State(Numbers(), (SayNumber("red"), SayNumber("blue")))
>>> [decision] = options(state, "red")
>>> decision.id, decision.example()
('0-red', {'decision': '0-red', 'kind': 'say', 'number': 0})
>>> facts, state = play(state, Answer("red", "0-red", Say(7)))
>>> state.board.said, [asked for asked in waiting(state)]
({'red': 7}, ['blue'])
>>> play(state, Answer("red", "0-red", Say(8)))
Traceback (most recent call last):
rules.errors.NotYourDecision: it is not red's turn to answer: waiting for blue
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, NotRequired, Protocol, TypedDict, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from rules.errors import NotYourDecision, RuleBroken
from rules.forms import Choice, Counts, Form, FormSchema, Number, Some, Total, Words
from rules.texts import ENGLISH, Catalogue, Names, Text, one_by_one, say

__all__ = [
    "EVERYTHING",
    "SPECTATOR",
    "STEP",
    "Answer",
    "AnswerSealed",
    "AnsweredForPlayer",
    "AnswersOpened",
    "Board",
    "Choice",
    "Command",
    "Counts",
    "Decision",
    "Fact",
    "Form",
    "Further",
    "Move",
    "Number",
    "Outcome",
    "Player",
    "Preview",
    "RuleBroken",
    "RuleSet",
    "SealDropped",
    "SecretStep",
    "Some",
    "State",
    "Step",
    "StepTaken",
    "TimeUp",
    "Total",
    "Words",
    "begin",
    "decide",
    "dry_run",
    "expect",
    "fold",
    "foreseen",
    "options",
    "play",
    "sent_along",
    "waiting",
]

Player = str
Late = tuple[Player, ...] | UnsetType
Viewer = str
"""A player, `SPECTATOR`, or `EVERYTHING` once the game is over."""

SPECTATOR = "spectator"
EVERYTHING = "everything"

STEP = "step"
"""The kind of answers of which several may be sent together."""

SETTLE_LIMIT = 1000
"""More steps than this without asking anybody is an error in the rules, not a long game."""

# The board of one game.
B = TypeVar("B", bound="Board")
B_co = TypeVar("B_co", bound="Board", covariant=True)


class Board(Protocol):
    """What is asked of any game's position: who plays by which rules, and how they stand."""

    @property
    def variant(self) -> str:
        """The name of the rules, as stored games know them."""

    @property
    def rules(self) -> RuleSet: ...

    @property
    def players(self) -> tuple[Player, ...]:
        """Clockwise by seat."""

    @property
    def scores(self) -> Mapping[Player, int]: ...

    @property
    def places(self) -> Mapping[Player, int]:
        """The final places; nothing before the end."""

    def consequences(self, state: State[Any]) -> tuple[Step[Any], ...]:
        """What must be decided at once after something has happened, before the game goes on."""


class RuleSet(Protocol):
    """What is asked of the rules of any game, with or without expansions."""

    @property
    def name(self) -> str:
        """The game, then its expansions, joined by `+`."""

    @property
    def facts(self) -> tuple[type[Fact[Any]], ...]: ...

    @property
    def steps(self) -> tuple[type[Step[Any]], ...]: ...

    @property
    def commands(self) -> tuple[type[Command], ...]: ...

    @property
    def upcasters(self) -> Mapping[Shape, Upcaster]:
        """How facts, steps and commands that were stored in older shapes are read."""

    @property
    def sentences(self) -> Mapping[str, Callable[[Any], Text]]:
        """A fact's stored name to the sentence that tells it."""

    @property
    def untold(self) -> tuple[str, ...]:
        """The stored names of facts that the position shows well enough."""

    @property
    def names(self) -> Mapping[str, Text]:
        """The ids that texts carry to what they are called."""

    @property
    def decisions(self) -> Mapping[str, tuple[type[Command], ...]]:
        """Every kind of decision that a game can ask for, with the commands that may answer it."""

    @property
    def interruptions(self) -> tuple[str, ...]:
        """The decisions that may come between two steps that were sent together."""

    @property
    def always_asked(self) -> tuple[str, ...]:
        """The decisions that are asked even when only one answer is legal: not asking would tell something."""

    @property
    def nothing_sealed(self) -> tuple[str, ...]:
        """The decisions at which no secret answer is left over from something earlier."""

    @property
    def finishing(self) -> tuple[str, ...]:
        """The commands that leave something undone. Random play is rare with them, so that games are rich and end."""

    @property
    def rare(self) -> tuple[str, ...]:
        """The commands that undo what a player has built, for nothing. Random play is rarer still with them."""

    @property
    def invariants(self) -> tuple[Invariant, ...]: ...

    @property
    def course(self) -> Course: ...


class Shape(NamedTuple):
    """A shape that stored data had: of a fact, step or command with this stored name, up to this schema."""

    kind: str
    schema: int
    name: str


FACT, STEP, COMMAND = "fact", "step", "command"

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns plain data of one shape into the next."""

Invariant = Callable[[Any, Any, Any], "str | None"]
"""Looks at the board before a fact, the fact, and the board after it, and says what is wrong."""

Course = Callable[[Any, Iterable[Any]], "str | None"]
"""Looks at the board at the end of a game and at all its facts, and says what is wrong."""


class Fact(Struct, Generic[B], frozen=True, tag_field="fact"):
    """Something that happened. `apply` returns the board after it."""

    def apply(self, board: B) -> B:
        raise AssertionError(f"{type(self).__name__} does not say how it changes the board")

    def seen_by(self, viewer: Viewer) -> Fact[B]:
        """This fact as the viewer may know it. A fact with something to hide masks itself."""
        return self

    @property
    def turns_up(self) -> bool:
        """Whether this tells anybody something that was hidden before: previews end here."""
        return False


class Command(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """What a player says."""


class Step(Struct, Generic[B], frozen=True, tag_field="step", omit_defaults=True):
    """Something that is going on. All five questions use the same predicates, and none changes anything."""

    kind: ClassVar[str] = ""
    """The name of the decision, for steps that ask."""
    prompt: ClassVar[Text | None] = None
    """The question, for steps that ask the same one always."""

    def waits_for(self, state: State[B]) -> tuple[Player, ...]:
        """Who is asked now. Nobody: the step runs by itself."""
        return ()

    def answer(self, state: State[B], player: Player, command: Any) -> Outcome:
        """What follows from this answer, or a `RuleBroken`."""
        raise AssertionError(f"{type(self).__name__} asks nobody")

    def run(self, state: State[B]) -> Outcome:
        """What follows when nobody is asked."""
        raise AssertionError(f"{type(self).__name__} only asks")

    def forms(self, state: State[B], player: Player) -> tuple[Form, ...]:
        """The ways this player may answer now."""
        raise AssertionError(f"{type(self).__name__} asks nobody")

    def default(self, state: State[B], player: Player) -> Command:
        """The answer when the player's time is up: always legal, always the same."""
        raise AssertionError(f"{type(self).__name__} asks nobody")

    def forced(self, state: State[B], player: Player) -> Command | None:
        """The only legal answer if there is just one and the rules do not insist on asking."""
        return None

    def asks(self, state: State[B]) -> str:
        """The name of the decision now pending."""
        return self.kind

    def question(self, state: State[B], player: Player) -> Text:
        """The decision as a sentence for people."""
        assert self.prompt, f"{type(self).__name__} does not say what it asks"
        return self.prompt

    def at_once(self, state: State[B], player: Player) -> int:
        """How many commands may be sent together (`Several`); 1 means one at a time."""
        return 1

    def further(self, state: State[B], player: Player, command: Any) -> Further | None:
        """What may be sent together with this legal answer; nothing if it stands alone."""
        return None


class Further(Struct, frozen=True):
    """How an answer can be continued before it is sent, if everything in it is let through."""

    forms: tuple[Form, ...]
    at_once: int
    """How many more commands may be sent along."""


if TYPE_CHECKING:
    AnyStep = Step[Any]
    AnyCommand = Command
else:

    class AnyStep(ABC):  # noqa: B024
        """Stands for any registered step when stored data is read back (`rules.codec`)."""

    class AnyCommand(ABC):  # noqa: B024
        """Stands for any registered command when stored data is read back (`rules.codec`)."""

    AnyStep.register(Step)
    AnyCommand.register(Command)


class Outcome(Struct, frozen=True):
    """What follows: facts, and the steps that take the place of the one just taken."""

    facts: tuple[Fact[Any], ...] = ()
    then: tuple[Step[Any], ...] = ()


class State(Struct, Generic[B_co], frozen=True):
    """Everything there is to know about a game between two commands."""

    board: B_co
    agenda: tuple[AnyStep, ...] = ()
    sealed: Mapping[Player, AnyCommand] = {}
    serial: int = 0
    late: Late = UNSET
    """Whose sealed answer is the default, because their time was up; not there if it is nobody's."""

    @property
    def is_over(self) -> bool:
        return not self.agenda


class Answer(Struct, frozen=True):
    """A command, who gives it, and which decision it answers."""

    player: Player
    decision: str
    command: Command


class TimeUp(Struct, frozen=True):
    """The player's time for this decision is over: the step's default is taken."""

    player: Player
    decision: str


# Facts about the agenda and the sealed answers


class StepTaken(Fact[Any], frozen=True, tag="step_taken"):
    """The steps in front of the last `keep` are done with; `then` come in their place."""

    keep: int
    then: tuple[AnyStep, ...]


class AnswerSealed(Fact[Any], frozen=True, tag="answer_sealed", omit_defaults=True):
    """The player has answered; nobody else may know what until it is opened."""

    player: Player
    answer: AnyCommand | None
    because: str = ""
    """`time_up` if it is the default: that would tell what was answered, so nobody else may know it either."""

    def seen_by(self, viewer: Viewer) -> Fact[Any]:
        return self if viewer in (self.player, EVERYTHING) else AnswerSealed(self.player, None)


class AnswersOpened(Fact[Any], frozen=True, tag="answers_opened", omit_defaults=True):
    """These players' sealed answers are shown to all, in one event."""

    answers: Mapping[Player, AnyCommand]
    late: tuple[Player, ...] = ()
    """Those whose answer is the default, because their time was up."""

    @property
    def turns_up(self) -> bool:
        return True


class SealDropped(Fact[Any], frozen=True, tag="seal_dropped"):
    """The player's sealed answer is done with and is not shown."""

    player: Player


class AnsweredForPlayer(Fact[Any], frozen=True, tag="answered_for_player"):
    """The answer that follows was not the player's: only one was legal, or time was up."""

    player: Player
    decision: str
    because: str

    def apply(self, board: Any) -> Any:
        return board


def late_player(fact: Fact[Any]) -> Player | None:
    """Whose time was up when this happened, if anybody's."""
    match fact:
        case AnsweredForPlayer(player, _, because) | AnswerSealed(player, _, because) if because == TIME_UP:
            return player
    return None


SEALS = (AnswerSealed, AnswersOpened, SealDropped)
ONLY_OPTION = "only_option"
TIME_UP = "time_up"


# Deciding


def begin(board: B, *agenda: Step[B]) -> tuple[tuple[Fact[B], ...], State[B]]:
    """Put the first steps on the agenda and go on until somebody is asked."""
    facts: list[Fact[B]] = []
    state = _settle(State(board, (_Begin(),)), Outcome((), agenda), facts)
    return tuple(facts), state


class _Begin(Step[Any], frozen=True, tag="begin"):
    """Stands before the first step."""


def play(state: State[B], answer: Answer | TimeUp) -> tuple[tuple[Fact[B], ...], State[B]]:
    """What follows from an answer, and the state after it. Raises a `Refused`; then nothing has changed."""
    step = _step_asked(state, answer)
    facts: list[Fact[B]] = []
    if isinstance(answer, TimeUp):
        outcome = _by_default(state, step, answer.player)
    else:
        outcome = step.answer(state, answer.player, answer.command)
    state = _settle(state, outcome, facts, answer.player)
    return tuple(facts), state


def _by_default(state: State[Board], step: AnyStep, player: Player) -> Outcome:
    """What follows when time is up. Of a secret answer nobody else learns that before it is opened."""
    outcome = step.answer(state, player, step.default(state, player))
    if not any(_seals(fact, player) for fact in outcome.facts):
        return Outcome((AnsweredForPlayer(player, step.asks(state), TIME_UP), *outcome.facts), outcome.then)
    facts = (replace(fact, because=TIME_UP) if _seals(fact, player) else fact for fact in outcome.facts)
    return Outcome(tuple(facts), outcome.then)


def _seals(fact: Fact[Any], player: Player) -> bool:
    return isinstance(fact, AnswerSealed) and fact.player == player


def decide(state: State[B], answer: Answer | TimeUp) -> tuple[Fact[B], ...]:
    """The facts that follow from an answer; `fold` applies them."""
    return play(state, answer)[0]


def fold(state: State[B], facts: Iterable[Fact[B]]) -> State[B]:
    """The state after these facts."""
    board, agenda, sealed, serial, late = state.board, state.agenda, state.sealed, state.serial, state.late
    for fact in facts:
        if isinstance(fact, StepTaken):
            agenda = fact.then + agenda[len(agenda) - fact.keep :]
            serial += 1
        elif isinstance(fact, SEALS):
            sealed, late = _after_seal(sealed, late, fact)
        else:
            board = fact.apply(board)
    return State(board, agenda, sealed, serial, late)


def _after_seal(sealed: Mapping[Player, Command], late: Late, fact: Fact[Any]) -> tuple[Mapping[Player, Command], Late]:
    match fact:
        case AnswerSealed(player, answer, because):
            assert answer is not None, "a masked fact cannot be applied"
            return {**sealed, player: answer}, (*(late or ()), player) if because == TIME_UP else late
        case AnswersOpened(answers):
            return _without(sealed, late, answers)
        case SealDropped(dropped):
            return _without(sealed, late, (dropped,))
    raise AssertionError(f"{fact} seals nothing")


def _without(
    sealed: Mapping[Player, Command], late: Late, players: Collection[Player]
) -> tuple[Mapping[Player, Command], Late]:
    """What is still sealed, and by whom too late."""
    kept = {player: answer for player, answer in sealed.items() if player not in players}
    return kept, tuple(player for player in late or () if player not in players) or UNSET


def _step_asked(state: State[Board], answer: Answer | TimeUp) -> AnyStep:
    """The step this answer is for; refuses others' and stale answers."""
    asked = waiting(state)
    if not asked:
        raise NotYourDecision(say("the game is over"))
    if answer.player not in asked:
        raise NotYourDecision(
            say(
                "it is not {player}'s turn to answer: waiting for {asked}",
                player=answer.player,
                asked=one_by_one(asked),
            )
        )
    if answer.decision != (pending := decision_id(state, answer.player)):
        raise NotYourDecision(
            say(
                "decision {decision} is not open: {player} is asked {pending}",
                decision=answer.decision,
                player=answer.player,
                pending=pending,
            )
        )
    return state.agenda[0]


def _settle(before: State[B], outcome: Outcome, facts: list[Fact[B]], answered: Player = "") -> State[B]:
    """Carry out the outcome, and go on until somebody has to be asked."""
    state = before
    for _ in range(SETTLE_LIMIT):
        if state.late:
            outcome = Outcome(tuple(_told_late(fact, state.late) for fact in outcome.facts), outcome.then)
        state = _carry_out(state, outcome)
        facts.extend(outcome.facts)
        following = _following(state)
        if following is None:
            break
        outcome = following
    else:
        raise AssertionError(f"nobody asked after {SETTLE_LIMIT} steps: {state.agenda[0]}")
    keep = _common_tail(before.agenda, state.agenda)
    if keep == len(before.agenda) == len(state.agenda):
        if waiting(state) == tuple(player for player in waiting(before) if player != answered):
            return state
        keep -= 1  # The same step asks anew: that is another decision.
    then = state.agenda[: len(state.agenda) - keep]
    facts.append(StepTaken(keep, then))
    return State(state.board, state.agenda, state.sealed, state.serial + 1, state.late)


def _told_late(fact: Fact[B], late: tuple[Player, ...]) -> Fact[B]:
    """Where answers are opened, it is told whose are defaults."""
    if not isinstance(fact, AnswersOpened):
        return fact
    return replace(fact, late=tuple(player for player in fact.answers if player in late))


def _carry_out(state: State[B], outcome: Outcome) -> State[B]:
    board, sealed, late = state.board, state.sealed, state.late
    for fact in outcome.facts:
        if isinstance(fact, SEALS):
            sealed, late = _after_seal(sealed, late, fact)
        else:
            board = fact.apply(board)
    after = State(board, outcome.then + state.agenda[1:], sealed, state.serial, late)
    if board is state.board:
        return after
    return State(board, board.consequences(after) + after.agenda, sealed, state.serial, late)


def _following(state: State[Board]) -> Outcome | None:
    """The next thing that happens by itself, if any."""
    if not state.agenda:
        return None
    step = state.agenda[0]
    asked = step.waits_for(state)
    if not asked:
        return step.run(state)
    for player in asked:
        command = step.forced(state, player)
        if command is not None:
            automatic = AnsweredForPlayer(player, step.asks(state), ONLY_OPTION)
            outcome = step.answer(state, player, command)
            return Outcome((automatic, *outcome.facts), outcome.then)
    return None


def _common_tail(before: tuple[AnyStep, ...], after: tuple[AnyStep, ...]) -> int:
    """How many steps at the end are untouched."""
    count = 0
    for old, new in zip(reversed(before), reversed(after), strict=False):
        if old is not new:
            break
        count += 1
    return count


# Asking


DecisionSchema = TypedDict(
    "DecisionSchema", {"$schema": str, "title": str, "anyOf": list[FormSchema], "x-at-once": NotRequired[int]}
)
DecisionSchema.__doc__ = """JSON Schema (2020-12) of all legal answers: every way to answer is one of `anyOf`. Up to
`x-at-once` answers of the kind `step` may be sent together, as `steps` of the kind `several`."""


class Decision(Struct, frozen=True):
    """A question that waits for one player: what it is, and every way to answer it."""

    id: str
    kind: str
    player: Player
    text: Text
    forms: tuple[Form, ...]
    default: Command
    at_once: int = 1

    def schema(self, catalogue: Catalogue = ENGLISH, names: Names = lambda _: None) -> DecisionSchema:
        """JSON Schema of a legal answer. What begins with `x-` is explained in `docs/decisions.md`."""
        schema: DecisionSchema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.text.rendered(catalogue, names),
            "anyOf": [form.schema(self.id, catalogue, names) for form in self.forms],
        }
        if self.at_once > 1:
            schema["x-at-once"] = self.at_once
        return schema

    def example(self) -> dict[str, Any]:
        """A legal answer."""
        return {"decision": self.id, **self.forms[0].example()}

    def size(self) -> int:
        """How many different answers are legal."""
        return sum(form.size() for form in self.forms)


class Move(Struct, Generic[B], frozen=True):
    """A decision, how it was answered, and what followed."""

    before: State[B]
    decision: Decision
    answer: Answer | TimeUp
    facts: tuple[Fact[B], ...]
    after: State[B]


def waiting(state: State[Board]) -> tuple[Player, ...]:
    """The players who are asked now. Nobody: the game is over."""
    return state.agenda[0].waits_for(state) if state.agenda else ()


def decision_id(state: State[Board], player: Player) -> str:
    """The name of the decision this player is asked now. It stays the same until that very decision is taken."""
    return decision_at(state.serial, player)


def decision_at(serial: int, player: Player) -> str:
    """The name of the decision this player is asked after so many changes of the agenda."""
    return f"{serial}-{player}"


def options(state: State[Board], viewer: Viewer) -> tuple[Decision, ...]:
    """The decisions that wait for this viewer. Other players' are not shown: they would reveal hands."""
    if viewer not in waiting(state):
        return ()
    step = state.agenda[0]
    return (
        Decision(
            id=decision_id(state, viewer),
            kind=step.asks(state),
            player=viewer,
            text=step.question(state, viewer),
            forms=step.forms(state, viewer),
            default=step.default(state, viewer),
            at_once=step.at_once(state, viewer),
        ),
    )


class Preview(Struct, frozen=True):
    """What a command would do: the facts as its player would see them, or why it is refused."""

    accepted: bool
    facts: tuple[Fact[Any], ...] = ()
    refusal: Text | None = None
    rule: str = ""
    further: Decision | None = None
    """The same question, narrowed to what may be sent along with this answer."""


def dry_run(state: State[Board], answer: Answer) -> Preview:
    """Try an answer without giving it.

    A preview never tells more than the player may know: facts that follow from hidden things (a card turned up, others'
    sealed answers opened or used) are only known once the answer is really given, so the preview ends before them.
    """
    try:
        facts = decide(state, answer)
    except RuleBroken as refusal:
        return Preview(False, refusal=refusal.text, rule=refusal.rule)
    except NotYourDecision as refusal:
        return Preview(False, refusal=refusal.text, rule=refusal.code)
    foreseeable = tuple(fact.seen_by(answer.player) for fact in _foreseeable(facts, answer.player))
    return Preview(True, foreseeable, further=sent_along(state, answer))


def sent_along(state: State[Board], answer: Answer) -> Decision | None:
    """The same question, narrowed to what may be sent together with this legal answer; nothing if it stands alone."""
    [decision] = options(state, answer.player)
    further = state.agenda[0].further(state, answer.player, answer.command)
    return replace(decision, forms=further.forms, at_once=further.at_once) if further else None


def foreseen(state: State[B], answer: Answer) -> State[B]:
    """The state after a legal answer, as far as its player can foresee it: a preview tells the same facts.

    Facts that the player may know only in part are applied whole. A reader who looks at nothing but what lies open
    learns no more than the preview tells.
    """
    return fold(state, _foreseeable(decide(state, answer), answer.player))


def _foreseeable(facts: Iterable[Fact[B]], player: Player) -> Iterator[Fact[B]]:
    """The facts before the first one that follows from hidden things."""
    return takewhile(lambda fact: not fact.turns_up and not _is_anothers_secret(fact, player), facts)


def _is_anothers_secret(fact: Fact[Any], player: Player) -> bool:
    """Whether somebody else's sealed answer is at work: what comes next may follow from it."""
    return isinstance(fact, (AnswerSealed, SealDropped)) and fact.player != player


def expect(command: Any, kind: type[Command]) -> None:
    """Refuse an answer that is not of the kind that was asked for."""
    if not isinstance(command, kind):
        asked, given = (str(struct.__struct_config__.tag) for struct in (kind, type(command)))
        raise RuleBroken(say("asked for {asked}, not {given}", asked=asked, given=given), "decision")


# Secret answers


class SecretStep(Step[B], Generic[B], frozen=True):
    """Everybody asked seals an answer; when the last one is sealed, the step opens them all and goes on.

    A step that must not open yet (somebody looks at them first, or something is scored before) returns the steps that
    follow from `sealed_by_all` without `AnswersOpened`; the answers stay sealed until a later step opens them.
    """

    def asked(self, state: State[B]) -> tuple[Player, ...]:
        """All players who take part, whether they have answered or not."""
        raise AssertionError(f"{type(self).__name__} does not say whom it asks")

    def check(self, state: State[B], player: Player, command: Any) -> None:
        """Raise `RuleBroken` if the player may not answer this."""
        raise AssertionError(f"{type(self).__name__} does not say what is legal")

    def sealed_by_all(self, state: State[B]) -> Outcome:
        """What follows when the last answer is sealed."""
        raise AssertionError(f"{type(self).__name__} does not say what follows")

    def waits_for(self, state: State[B]) -> tuple[Player, ...]:
        return tuple(player for player in self.asked(state) if player not in state.sealed)

    def answer(self, state: State[B], player: Player, command: Any) -> Outcome:
        self.check(state, player, command)
        return Outcome((AnswerSealed(player, command),), (self,))

    def run(self, state: State[B]) -> Outcome:
        return self.sealed_by_all(state)
