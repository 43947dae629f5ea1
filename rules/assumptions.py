"""Assumptions: what may be taken for granted about things that are hidden, where people ask "what if".

A game says as data what can be assumed in a position, and which facts would follow. Nothing is assumed silently: an
assumption has a sentence, and is told to everybody who looks at what follows from it.

Answers that were given in secret are the same in all games: any other legal answer may be assumed in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations, islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.errors import RuleBroken, Unreadable
from rules.fairness import Chance
from rules.forms import Choice, Form, Some
from rules.kernel import AnswerSealed, Board, Command, Fact, Player, SealDropped, SecretStep, State, options
from rules.texts import Text, Value, one_by_one, say

AS_IT_IS = "as_it_is"
"""The value of what is not assumed."""

SEALED = "sealed-"
"""Before the seat whose secret answer is assumed to be another."""

MOST_ANSWERS = 200
"""So many other answers are offered; others can be assumed all the same."""


Agreed = Mapping[str, str]
"""What the players have agreed before the start: it is known to all."""
NOTHING: Agreed = {}


class Alternative(Struct, frozen=True):
    """A value that can be assumed."""

    value: Any
    text: Value


class Assumption(Struct, frozen=True):
    """Something hidden, and what may be assumed of it."""

    id: str
    text: Text
    """What it is."""
    alternatives: tuple[Alternative, ...]
    """The first one is `AS_IT_IS`."""
    numbers: tuple[int, int] | None = None
    """Whole numbers between these two are values as well."""


class Assumptions(Struct, frozen=True):
    """What can be assumed in a game, beside secret answers."""

    offered: Callable[[State[Any]], tuple[Assumption, ...]] = lambda state: ()
    facts: Callable[[State[Any], str, Any, Agreed], tuple[Fact[Any], ...]] = lambda state, id, value, agreed: ()
    """What follows from an assumption that is offered; `Unreadable` if it has no such value. Nothing of it depends on
    what is hidden: it would be told by what comes to light later."""
    sentence: Callable[[str, Any], Text | None] = lambda id, value: None
    """What is assumed, for everybody."""


ReadCommand = Callable[[Mapping[str, Any]], Command]


def offered(game: Assumptions, state: State[Any]) -> tuple[Assumption, ...]:
    """Everything that can be assumed in a position."""
    return (*game.offered(state), *(_secret(state, player) for player in replaceable(state)))


def assumed(
    game: Assumptions, state: State[Any], id: str, value: Any, read: ReadCommand, agreed: Agreed = NOTHING
) -> tuple[Fact[Any], ...]:
    """The facts that follow when this is assumed; a refusal, if it cannot be, or is so already."""
    if id not in {assumption.id for assumption in offered(game, state)}:
        raise Unreadable(say("nothing can be assumed here about {id}", id=id))
    if value == AS_IT_IS:
        raise RuleBroken(say("it is so already: nothing would change"), "assumptions")
    if id.startswith(SEALED):
        return _other_answer(state, id.removeprefix(SEALED), value, read)
    return game.facts(state, id, value, agreed)


def sentence(game: Assumptions, id: str, value: Any) -> Text:
    """What is assumed, for everybody."""
    if id.startswith(SEALED) and isinstance(value, Mapping):
        parts = chain.from_iterable(_words(part) for name, part in value.items() if name != "kind")
        answer = one_by_one(list(parts) or [str(value.get("kind"))])
        return say("assumed: {player} has secretly chosen {answer}", player=id.removeprefix(SEALED), answer=answer)
    return game.sentence(id, value) or say("something hidden is assumed to be otherwise")


# Orders of what lies face down


SHUFFLES = (1, 1_000_000)
OFFERED = 5
"""So many orders are offered by their numbers; others can be named."""


def shuffled_orders(id: str, text: Text, as_dealt: Alternative) -> Assumption:
    """What lies face down is shuffled anew, in an order that goes by a number."""
    orders = (Alternative(number, say("order {number}", number=number)) for number in range(1, OFFERED + 1))
    return Assumption(id, text, (as_dealt, *orders), SHUFFLES)


def order(value: Any) -> Chance:
    """The chance of the order with this number, or `Unreadable`."""
    low, high = SHUFFLES
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Unreadable(say("an order is a number from {low} to {high}", low=low, high=high))
    return Chance(b"hidalgo assumed order" + value.to_bytes(8, "big"))


# Secret answers


def replaceable(state: State[Any]) -> tuple[Player, ...]:
    """The players whose secret answer is sealed while others are still asked for theirs."""
    step = state.agenda[0] if state.agenda else None
    return (
        tuple(player for player in step.asked(state) if player in state.sealed) if isinstance(step, SecretStep) else ()
    )


def _unsealed(state: State[Any], player: Player) -> State[Board]:
    """As if the player had not answered yet."""
    sealed = {other: answer for other, answer in state.sealed.items() if other != player}
    return replace(state, sealed=sealed)


def _secret(state: State[Any], player: Player) -> Assumption:
    [decision] = options(_unsealed(state, player), player)
    as_set = Alternative(AS_IT_IS, say("as it was"))
    others = chain.from_iterable(map(_answers, decision.forms))
    found = [alternative for alternative, _ in zip(others, range(MOST_ANSWERS), strict=False)]
    return Assumption(SEALED + player, say("the secret choice of {player}", player=player), (as_set, *found))


def _answers(form: Form) -> Iterator[Alternative]:
    """All ways to fill in a form that has nothing but choices and sets."""
    choices = {name: _values(field) for name, field in form.fields.items() if isinstance(field, (Choice, Some))}
    if len(choices) < len(form.fields):
        return
    for values in product(*choices.values()):
        answer = {"kind": form.kind, **dict(zip(choices, values, strict=True))}
        yield Alternative(answer, one_by_one(chain.from_iterable(map(_words, values))) if values else form.text)


def _values(field: Choice | Some) -> Iterable[Any]:
    """What can stand in a field; of sets not more than can be offered."""
    if isinstance(field, Choice):
        return field.values
    sets = (combinations(field.values, number) for number in range(field.low, field.high + 1))
    return map(list, islice(chain.from_iterable(sets), MOST_ANSWERS))


def _words(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _other_answer(state: State[Any], player: Player, value: Any, read: ReadCommand) -> tuple[Fact[Any], ...]:
    if not isinstance(value, Mapping):
        raise Unreadable(say("a secret choice is an answer, as the decision has it"))
    before = _unsealed(state, player)
    command = read(value)
    before.agenda[0].answer(before, player, command)  # refuses what is not legal
    return SealDropped(player), AnswerSealed(player, command)
