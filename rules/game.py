"""What a game brings: everything that the layers above ask of it, in one value.

Every game puts its `Game` together in a module of its own, such as `rules/el_grande/game.py`; `rules/catalogue.py`
lists them. Answers that an expansion may change belong to the rules (`RuleSet`), all others to the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from rules.drawing import Drawing
from rules.kernel import B, Command, Fact, Move, Player, RuleSet, State, Viewer
from rules.texts import ENGLISH, Catalogue, Text

R = TypeVar("R", bound=RuleSet)


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


class Show(Protocol):
    """Shows a position as one viewer may see it, with its texts in the catalogue's language."""

    def __call__(self, state: State[Any], viewer: Viewer, catalogue: Catalogue = ENGLISH, /) -> dict[str, Any]: ...


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
    rulebook: Callable[[R, Catalogue], dict[str, Any]]
    """The material of the game, as plain data in the catalogue's language: everything that does not change while it
    is played."""
    notation: Notation[B, R]
    drawing: Drawing
    coverage: Coverage[B, R]

    apart: Mapping[frozenset[str], Text] = {}
    """Expansions that cannot be played together, and the reason."""

    def rules(self, expansions: Collection[str] = ()) -> R:
        """The rules with these expansions, known to the boards that follow them."""
        built = self.base
        for name, expand in self.expansions.items():
            if name in expansions:
                built = expand(built)
        return self.register(built)

    def kept_apart(self, expansions: Iterable[str]) -> Text | None:
        """Why these expansions cannot be played together; nothing if they can."""
        chosen = frozenset(expansions)
        return next((reason for excluded, reason in self.apart.items() if excluded <= chosen), None)

    def combinations(self, expansions: Collection[str]) -> Iterator[tuple[str, ...]]:
        """Every set of these expansions that can be played, the smallest first."""
        for size in range(len(expansions) + 1):
            yield from (chosen for chosen in combinations(expansions, size) if not self.kept_apart(chosen))
