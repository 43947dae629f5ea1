"""The schemas of everything that clients can meet of the rules: facts, commands, moves, steps, decisions, positions.

They are made of the registered classes, for every game in the catalogue with all its expansions: a new fact, card or
game needs nothing here. What belongs to one game begins with its name (`ElGrandeKingMovedFact`); what all games share
does not. What two games tag alike is one of both (`PlayPowerCardMove`), so that a tag is enough to tell the members of
a union apart. The unions over all games are `Command`, `Move`, `Step`, `Decision`, `Position` and `RuleBook`; facts are
put together where those of the table are known (`events.table.schemas`). Positions and rule books are described by the
types that a game's `view` and `rulebook` return.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict, get_type_hints

from rules.catalogue import GAMES
from rules.codec import KERNEL_FACTS
from rules.game import Game
from rules.kernel import AnyCommand, AnyStep, Command, DecisionSchema, Fact, Player, RuleSet, Step
from rules.shapes import Schema, Shapes, camel, merged, reference, tag_of, union, union_of_games

SUFFIXES = ((Fact, "Fact"), (Command, "Command"), (Step, "Step"))


class ExpansionAbout(TypedDict):
    """An expansion, for people who choose it."""

    title: str
    text: str
    """What it brings, in a sentence or two."""


class ExpansionsApart(TypedDict):
    """Expansions that cannot be played together."""

    expansions: list[str]
    reason: str


class ExpansionsWarned(TypedDict):
    """Expansions that can be played together, but should rather not."""

    expansions: list[str]
    reason: str


class SelectedThing(TypedDict):
    """Something that can be chosen before the start."""

    number: int
    title: str
    text: str
    """What it brings, in a sentence or two."""


class SelectionOf(TypedDict):
    """What else an option takes: the numbers of so many of these things, in any order, such as `1,2,5`."""

    size: int
    things: list[SelectedThing]


class GameRules(TypedDict):
    """A game that can be played."""

    game: str
    title: str
    expansions: list[str]
    """Expansions that there are."""
    about: dict[str, ExpansionAbout]
    """What each of them is called, and brings."""
    apart: list[ExpansionsApart]
    warned: list[ExpansionsWarned]
    players: tuple[int, ...]
    """For how many players."""
    options: Mapping[str, tuple[str, ...]]
    """The possible agreements; the first value is the default."""
    options_of: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Those that an expansion adds."""
    selections_of: Mapping[str, Mapping[str, SelectionOf]]
    """Those of them that take other values, too: so many of some things."""


class ChosenRules(GameRules):
    rules: str
    """The game and the chosen expansions."""
    seats: tuple[Player, ...]
    """The seats, clockwise."""


class MentionedPlayer(TypedDict):
    """A player in a sentence."""

    seat: Player
    name: str


class AskedQuestion(TypedDict):
    """A question that waits for you, and the schema of its answers."""

    id: str
    seat: Player
    text: str
    """The question, for people."""
    parts: list[str | MentionedPlayer]
    """The same in parts: players are set apart, so that they can go by the names that they have at the table."""
    schema: DecisionSchema
    at_once: int
    """How many steps may be sent together."""


class ShownDecision(AskedQuestion):
    """A question that waits for you, with everything a program needs to answer it."""

    kind: str
    example: Any
    """An answer that is legal: it can be sent as it is."""
    default: Any
    """The answer that is given for you when your time is up."""


def definitions() -> dict[str, Schema]:
    """Schemas by name."""
    games = [GameSchemas(game) for game in GAMES.values()]
    shapes = Shapes(schema_name, {AnyStep: ("Step", ()), AnyCommand: ("Command", ())})
    for kind in (*KERNEL_FACTS, GameRules):
        shapes.define(kind)
    shapes.definitions["GameRules"]["properties"]["game"]["enum"] = list(GAMES)
    found = dict(shapes.definitions)
    for game in games:
        found |= game.definitions()
    return (
        found
        | union_of_games("Command", "kind", [each for game in games for each in game.commands])
        | union_of_games("Move", "kind", [each for game in games for each in game.moves])
        | union_of_games("Step", "step", [each for game in games for each in game.steps])
        | union_of_games("Decision", "kind", [each for game in games for each in game.decisions])
        | union_of_games("Position", "rules", [(name, game.position) for game in games for name in game.rules])
        | union_of_games("RuleBook", "game", [(game.name, game.rulebook) for game in games])
    )


def facts() -> list[tuple[str, Schema]]:
    """The facts of all games and those that they share: the name of each, and a reference."""
    shared = [(tag_of(fact), reference(schema_name(fact))) for fact in KERNEL_FACTS]
    return [*shared, *(each for game in GAMES.values() for each in GameSchemas(game).facts)]


def schema_name(kind: Any, prefix: str = "") -> str:
    """What has a stored name is called by it; a class may be renamed, and clients need not know."""
    suffix = next((suffix for base, suffix in SUFFIXES if issubclass(kind, base)), "")
    name = camel(tag_of(kind)) if suffix else kind.__name__
    return prefix + name + suffix


class GameSchemas:
    """The schemas of one game, with all its expansions."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.name = game.name
        self._game = game
        self._prefix = camel(game.name)
        self._variants: list[RuleSet] = [game.rules(chosen) for chosen in game.combinations(tuple(game.expansions))]
        self._steps = _each(rules.steps for rules in self._variants)
        self._commands = _each(rules.commands for rules in self._variants)
        self._facts = _each(rules.facts for rules in self._variants)
        self._decisions = {kind: each for rules in self._variants for kind, each in rules.decisions.items()}
        self._views = {name: show for rules in self._variants for name, show in game.views(rules).items()}

    # References, by name

    @property
    def rules(self) -> list[str]:
        """The names of the game with each set of expansions."""
        return [rules.name for rules in self._variants]

    @property
    def commands(self) -> list[tuple[str, Schema]]:
        return [(tag_of(kinds[0]), reference(name)) for name, kinds in self._said_alike().items()]

    @property
    def steps(self) -> list[tuple[str, Schema]]:
        return [(tag_of(kind), reference(self._name(kind))) for kind in self._steps]

    @property
    def facts(self) -> list[tuple[str, Schema]]:
        return [(tag_of(kind), reference(self._name(kind))) for kind in self._facts]

    @property
    def moves(self) -> list[tuple[str, Schema]]:
        return self._moves(kinds[0] for kinds in self._said_alike().values())

    @property
    def decisions(self) -> list[tuple[str, Schema]]:
        return [(kind, reference(self._decision_name(kind))) for kind in self._decisions]

    @property
    def position(self) -> Schema:
        return reference(self._name(_result(self._game.view)))

    @property
    def rulebook(self) -> Schema:
        return reference(self._name(_result(self._game.rulebook)))

    # Definitions

    def definitions(self) -> dict[str, Schema]:
        shapes = Shapes(self._name, {AnyStep: ("Step", self._steps), AnyCommand: ("Command", self._commands)})
        for kind in (*self._facts, *self._steps, *self._commands, _result(self._game.view)):
            shapes.define(kind)
        self._define_rulebook(shapes)
        for name, kinds in self._said_alike().items():
            shapes.definitions[name] = self._together(shapes, kinds)
        moves = {
            self._move_name(kinds[0]): self._move(self._together(shapes, kinds))
            for kinds in self._said_alike().values()
        }
        position = shapes.definitions[self._name(_result(self._game.view))]
        position["properties"]["rules"]["enum"] = self.rules
        for expansion, show in self._views.items():
            position["properties"][expansion] = shapes.define(_result(show))
        return shapes.definitions | moves | self._decision_definitions()

    def _said_alike(self) -> dict[str, list[type[Command]]]:
        """Commands by the name of their schema: expansions that are never played together may use a word alike."""
        alike: dict[str, list[type[Command]]] = {}
        for kind in self._commands:
            alike.setdefault(self._name(kind), []).append(kind)
        return alike

    def _together(self, shapes: Shapes, kinds: Sequence[type[Command]]) -> Schema:
        """What is said alike, as one; what it means is told for each expansion that says it."""
        objects = [shapes.object(kind) for kind in kinds]
        whole = together(objects)
        if len(kinds) == 1:
            return whole
        told = (
            f"{self._brought_by(kind)}: {each.get('description', '')}"
            for kind, each in zip(kinds, objects, strict=True)
        )
        return {**whole, "description": " ".join(told)}

    def _brought_by(self, command: type[Command]) -> str:
        """The expansion that brings a command."""
        alone = {name: self._game.rules((name,)).commands for name in self._game.expansions}
        return next(str(self._game.about[name].title) for name, commands in alone.items() if command in commands)

    def _define_rulebook(self, shapes: Shapes) -> None:
        """What is said of any game, and the material of this one."""
        material = _result(self._game.rulebook)
        book = merged(shapes.object(ChosenRules), shapes.object(material))
        book["properties"]["game"] = {"const": self.name}
        book["properties"]["rules"]["enum"] = self.rules
        shapes.definitions[self._name(material)] = book

    @staticmethod
    def _move(command: Schema) -> Schema:
        decision = {"type": "string", "description": "The decision that this answers."}
        whole = merged({"properties": {"decision": decision}, "required": ["decision"]}, command)
        return {**command, **whole, "additionalProperties": False}

    def _decision_definitions(self) -> dict[str, Schema]:
        shapes = Shapes(schema_name, {})
        question, shown = shapes.define(AskedQuestion), shapes.object(ShownDecision)
        found = {kind: self._decision(question, shown, kind) for kind in self._decisions}
        return {self._decision_name(kind): schema for kind, schema in found.items()} | shapes.definitions

    def _decision(self, question: Schema, shown: Schema, kind: str) -> Schema:
        """A question, with its answers narrowed to those of its kind."""
        moves = self._moves(self._decisions[kind])
        answer = moves[0][1] if len(moves) == 1 else union("kind", moves)
        narrowed = {name: {**shown["properties"][name], **answer} for name in ("example", "default")}
        own = {"kind": {"const": kind}, **narrowed}
        answers = {"type": "object", "properties": own, "required": list(own)}
        return {"description": shown["description"], "allOf": [question, answers]}

    def _moves(self, commands: Iterable[type[Command]]) -> list[tuple[str, Schema]]:
        return [(tag_of(kind), reference(self._move_name(kind))) for kind in commands]

    # Names

    def _move_name(self, kind: type[Command]) -> str:
        return f"{self._prefix}{camel(tag_of(kind))}Move"

    def _decision_name(self, kind: str) -> str:
        return f"{self._prefix}{camel(kind)}Decision"

    def _name(self, kind: Any) -> str:
        return schema_name(kind, self._prefix)


def together(schemas: Iterable[Schema]) -> Schema:
    """One object that has the fields of all; it needs those that every one of them needs."""
    first, *others = schemas
    for other in others:
        needed = [name for name in first["required"] if name in other["required"]]
        first = {**merged(first, other), "description": first.get("description", ""), "required": needed}
    return first


def _each(kinds: Iterable[Iterable[Any]]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(kind for some in kinds for kind in some))


def _result(function: Any) -> Any:
    """The type that a function returns."""
    return get_type_hints(function)["return"]
