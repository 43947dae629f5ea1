"""What a game brings: everything that the layers above ask of it, in one value.

Every game puts its `Game` together in a module of its own, such as `rules/el_grande/game.py`; `rules/catalogue.py`
lists them. Answers that an expansion may change belong to the rules (`RuleSet`), all others to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from rules.ahead import Offer
from rules.assumptions import Assumptions
from rules.drawing import Drawing
from rules.errors import Unreadable
from rules.guide import Guide
from rules.kernel import B, Command, Fact, Move, Player, RuleSet, State, Viewer
from rules.landmarks import Landmarks
from rules.picture import Picture
from rules.texts import ENGLISH, Catalogue, Text, any_of, one_by_one, say

R = TypeVar("R", bound=RuleSet)


Check = Callable[[str], None]


def agreed(
    possible: Mapping[str, tuple[str, ...]], options: Mapping[str, str], others: Mapping[str, Check] = {}
) -> dict[str, str]:
    """What was agreed before the start, or `Unreadable`; where nothing was said, the first value counts.

    An option that takes `others` beside its values has a check, which refuses what does not fit.

    >>> agreed({"game_length": ("full", "short"), "mode": ("basic", "advanced")}, {"mode": "advanced"})
    {'game_length': 'full', 'mode': 'advanced'}
    """
    for name, value in options.items():
        if name not in possible:
            raise Unreadable(
                say("there is no option {name}: choose from {names}", name=name, names=one_by_one(possible))
            )
        if value in possible[name]:
            continue
        if name in others:
            others[name](value)
        else:
            raise Unreadable(
                say("{name} is {values}, not {value}", name=name, values=any_of(possible[name]), value=value)
            )
    return {name: options.get(name, values[0]) for name, values in possible.items()}


class Notation(Struct, Generic[B, R], frozen=True):
    """Positions and moves as text, for tests, terminals and notes."""

    position: Callable[[B], str]
    parse_position: Callable[..., B]
    """The board that `position` has written: `parse_position(text, players, rules, **options)`, or `Unreadable`."""
    move: Callable[[Command], str]
    parse_move: Callable[[str, R], Command]
    """The command that `move` has written, or `Unreadable`."""
    names: Mapping[str, tuple[str, ...]]
    """What people call things, in every language: any of these names may stand for the key."""
    called: Callable[[str], str | None]
    """The name of what a key stands for; nothing if it is no key."""


class Coverage(Struct, Generic[B, R], frozen=True):
    """What random games should come by beside every decision: each of these things, in each of these ways."""

    heading: str
    """What the things are, in a word or two."""
    things: Callable[[R], Iterable[str]]
    ways: tuple[str, ...]
    shown: Callable[[Move[B]], Iterable[tuple[str, str]]]
    """The ways and things that a move shows."""


class About(Struct, frozen=True):
    """An expansion, for people who choose it."""

    title: Text
    text: Text
    """What it brings, in a sentence or two."""


class Selection(Struct, frozen=True):
    """So many of some things: what an option takes beside its values, by their numbers, such as `1,2,5`."""

    size: int
    things: tuple[About, ...]
    """In the order of their numbers, from 1 on."""


class Promises(Struct, frozen=True):
    """How fast the rules are at least, measured in random games of four; times in milliseconds.

    Half as fast as measured (docs/performance.md): a change that makes them twice as slow is seen.
    """

    agreed: Mapping[str, str] = {}
    """What was agreed for those games: the longest ones."""
    move: float = 0.028
    """An answer, decided and applied: the median."""
    slow_move: float = 0.22
    """The same, at the 99th percentile."""
    fold: float = 2.4
    """A stored game, decoded and folded: the median."""
    options: float = 0.12
    """All ways to answer the largest decision."""
    games: float = 56
    """So many random games a second."""


EXPANDED = Promises(move=0.1, slow_move=0.75, fold=4.2, options=2.4, games=15)
"""With whatever expansions: half as fast as the slowest set."""


class Show(Protocol):
    """Shows a position as one viewer may see it, with its texts in the catalogue's language.

    The type that it returns, a typed dictionary, is the schema of positions."""

    def __call__(self, state: State[Any], viewer: Viewer, catalogue: Catalogue = ENGLISH, /) -> Mapping[str, Any]: ...


class Game(Struct, Generic[B, R], frozen=True):
    """A game: its rules, how it is set up, and how it is shown."""

    name: str
    """What stored games call it."""
    title: str
    version: int
    """Grows by one with every correction of a rule. A stored commit says by which version it was decided."""

    # Rules
    base: R
    expansions: Mapping[str, Callable[[R], R]]
    """By name, in the order in which they are applied."""
    register: Callable[[R], R]
    """Makes rules known to the boards that follow them."""

    # The table
    seats: tuple[Player, ...]
    players: tuple[int, ...]
    options: Mapping[str, tuple[str, ...]]
    """What can be agreed before the start; the first value is the default."""
    board: type[B]
    empty_table: Callable[..., B]
    """The board before anything has happened: `empty_table(rules, players, **options)`, or `Unreadable`."""
    start: Callable[..., tuple[tuple[Fact[B], ...], State[B]]]
    """A new game: `start(rules, players, seed, **options)`."""
    chance: tuple[type[Fact[B]], ...]
    """The facts of the start that chance decided: they follow from the seed alone."""

    # Showing
    view: Show
    """The position as one viewer may see it."""
    rulebook: Callable[[R, Catalogue], Mapping[str, Any]]
    """The material of the game, as plain data in the catalogue's language: everything that does not change while it
    is played. Its type is the schema of the material, too."""
    notation: Notation[B, R]
    drawing: Drawing
    picture: Picture
    landmarks: Landmarks
    coverage: Coverage[B, R]
    outlook: Callable[[B], Mapping[Player, int]] = lambda board: board.scores
    """How the players would stand if the game ended now, by nothing but what all of them see."""
    standing: Callable[[B], Mapping[Player, int]] | None = None
    """How well the players stand with a view to the rest of the game, in a measure of its own: points and what makes
    points later. By nothing but what all of them can know; without it, the outlook is all that bots go by."""

    guide: Guide = {}
    """What people are told about each kind of decision."""
    ahead: tuple[Offer, ...] = ()
    """The questions that a player may answer before they are asked."""

    promises: Promises = Promises()
    expanded: Promises = EXPANDED
    """Those with expansions."""

    assumptions: Assumptions = Assumptions()
    """What people may take for granted about hidden things, where they ask what would have been."""

    about: Mapping[str, About] = {}
    """What each expansion is called, and brings."""
    board_of: Callable[[R], type[B]] | None = None
    """The board of these rules, where expansions keep things of their own on it; else it is the same for all."""
    further_options: Callable[[R], Mapping[str, tuple[str, ...]]] = lambda rules: {}
    """What else can be agreed for games by these rules."""
    selections: Callable[[R], Mapping[str, Selection]] = lambda rules: {}
    """Those of them that are also agreed on by choosing so many of some things."""
    further_chance: Callable[[R], tuple[type[Fact[Any]], ...]] = lambda rules: ()
    """The facts of the start, beside those of all games, that chance decides in games by these rules."""
    views: Callable[[R], Mapping[str, Show]] = lambda rules: {}
    """The name of an expansion to what a viewer may see of it, in positions under that name."""

    apart: Mapping[frozenset[str], Text] = {}
    """Expansions that cannot be played together, and the reason."""
    warned: Mapping[frozenset[str], Text] = {}
    """Expansions that should rather not be played together, and the reason."""

    def rules(self, expansions: Collection[str] = ()) -> R:
        """The rules with these expansions, known to the boards that follow them."""
        built = self.base
        for name, expand in self.expansions.items():
            if name in expansions:
                built = expand(built)
        return self.register(built)

    def chance_of(self, rules: R) -> tuple[type[Fact[Any]], ...]:
        """The facts of the start that chance decides in games by these rules."""
        return (*self.chance, *self.further_chance(rules))

    def options_with(self, expansions: Collection[str]) -> dict[str, tuple[str, ...]]:
        """What can be agreed for a game with these expansions."""
        return {**self.options, **self.further_options(self.rules(expansions))}

    def selections_with(self, expansions: Collection[str]) -> Mapping[str, Selection]:
        """What is chosen from among many things for a game with these expansions, by its option."""
        return self.selections(self.rules(expansions))

    def takes(self, expansions: Collection[str], option: str, value: str) -> bool:
        """Whether this can be agreed for games with these expansions: a value that is listed, or another that fits."""
        try:
            self.empty_table(self.rules(expansions), self.players[0], **{option: value})
        except Unreadable:
            return False
        return True

    def kept_apart(self, expansions: Iterable[str]) -> Text | None:
        """Why these expansions cannot be played together; nothing if they can."""
        chosen = frozenset(expansions)
        return next((reason for excluded, reason in self.apart.items() if excluded <= chosen), None)

    def combinations(self, expansions: Collection[str]) -> Iterator[tuple[str, ...]]:
        """Every set of these expansions that can be played, the smallest first."""
        for size in range(len(expansions) + 1):
            yield from (chosen for chosen in combinations(expansions, size) if not self.kept_apart(chosen))
