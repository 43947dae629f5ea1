"""Reading and writing facts, steps, commands and states as JSON, under their registered names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Union

import msgspec

from rules.catalogue import game_named, rules_named
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import (
    Answer,
    AnsweredForPlayer,
    AnswerSealed,
    AnswersOpened,
    AnyCommand,
    AnyStep,
    Command,
    Fact,
    Player,
    RuleSet,
    SealDropped,
    State,
    Step,
    StepTaken,
)
from rules.texts import say

LONGEST_NUMBER = 63
"""In bits: what every JSON reader can hold."""

KERNEL_FACTS = (StepTaken, AnswerSealed, AnswersOpened, SealDropped, AnsweredForPlayer)


def encode(value: Any) -> bytes:
    """Canonical JSON: the same value always gives the same bytes."""
    return msgspec.json.encode(value, order="sorted")


@cache
def codec_for(rules_name: str) -> Codec:
    """The reader for games with these rules."""
    return Codec(rules_name)


class Codec:
    """Reads what was stored, and what players send, for one set of rules."""

    def __init__(self, rules_name: str) -> None:
        self.rules = rules = rules_named(rules_name)
        self._board = _board(game_named(rules_name), rules)
        self._steps = _by_name(rules.steps)
        self._commands = _by_name(rules.commands)
        any_fact: Any = Union[(*KERNEL_FACTS, *rules.facts)]
        self._facts = msgspec.json.Decoder(list[any_fact], dec_hook=self.read_registered)

    def facts(self, text: bytes | str) -> list[Fact[Any]]:
        """The facts of a stored game."""
        return self._facts.decode(text)

    def state(self, text: bytes | str) -> State[Any]:
        """A stored state."""
        stored = msgspec.json.decode(text)
        return State(
            board=msgspec.convert(stored["board"], self._board),
            agenda=tuple(self.read_registered(AnyStep, step) for step in stored["agenda"]),
            sealed={player: self.stored_command(command) for player, command in stored["sealed"].items()},
            serial=stored["serial"],
            late=tuple(stored.get("late", ())) or msgspec.UNSET,
        )

    def stored_command(self, stored: Any) -> Command:
        """A command that was accepted earlier."""
        return self.read_registered(AnyCommand, stored)  # type: ignore[no-any-return]

    def command(self, said: Any) -> Command:
        """What a client sent, or `Unreadable`."""
        if not isinstance(said, Mapping):
            raise Unreadable(say("a command is an object with a kind and its fields"))
        try:
            return self.stored_command(_readable(said))
        except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as problem:
            raise Unreadable(say("not a command of this game: {problem}", problem=str(problem))) from None

    def answer(self, player: Player, said: Any) -> Answer:
        """What a client sent as a player, with the decision it answers, or `Unreadable`."""
        decision = said.get("decision") if isinstance(said, Mapping) else None
        if not isinstance(decision, str) or not decision.isprintable():
            raise Unreadable(say("name the decision that this answers"))
        fields = {name: value for name, value in said.items() if name != "decision"}
        return Answer(player, decision, self.command(fields))

    def read_registered(self, kind: Any, value: Any) -> Any:
        """A step or a command, by the name it is registered under."""
        names, tag = (self._steps, "step") if kind is AnyStep else (self._commands, "kind")
        known = names.get(str(value.get(tag))) if isinstance(value, dict) else None
        if known is None:
            raise msgspec.ValidationError(f"{tag} is none of {', '.join(names)}")
        return msgspec.convert(value, known, dec_hook=self.read_registered)


def _board(game: Game[Any, Any], rules: RuleSet) -> type[Any]:
    return game.board_of(rules) if game.board_of else game.board


def _by_name(kinds: Iterable[type[Step[Any]] | type[Command]]) -> dict[str, Any]:
    """Classes by the names they are stored under."""
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


def _readable(value: Any) -> Any:
    """JSON Schema counts 2.0 among the integers, and so do we. Half characters and endless numbers are refused."""
    if isinstance(value, str):
        value.encode()
        return value
    if isinstance(value, (list, tuple)):
        return [_readable(item) for item in value]
    if isinstance(value, Mapping):
        return {_readable(name): _readable(item) for name, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        raise msgspec.ValidationError(f"a number has more than {LONGEST_NUMBER} bits")
    return value


def seen_by(facts: Iterable[Fact[Any]], viewer: str) -> list[Fact[Any]]:
    """The facts as this viewer may know them."""
    return [fact.seen_by(viewer) for fact in facts]
