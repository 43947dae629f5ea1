"""The rules of El Caballero as one value: material, prices, limits, and what the layers above ask of any rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from rules.kernel import Command, Shape, Upcaster
from rules.texts import Text

if TYPE_CHECKING:
    from rules.el_caballero.board import Board, Fact, Step
    from rules.el_caballero.steps.actions import Action
    from rules.el_caballero.tiles import Tile


class Mode(Struct, frozen=True):
    """The basic or the advanced game: its length, and the material of each player and of all together."""

    rounds: int
    scoring_rounds: tuple[int, ...]
    cards: int
    """Caballero cards of each player."""
    ships: int
    castles: int
    governors: int = 0
    grandes: int = 0


class PowerCard(Struct, frozen=True):
    """How many Caballeros a power card brings to court, and how many sector tiles its player must place."""

    heads: int
    tiles: int = 1


@dataclass(frozen=True)
class Rules:
    """Everything that a position does not say."""

    name: str
    """What stored games call these rules."""

    # Material
    tiles: Mapping[int, Tile]
    power_cards: Mapping[int, PowerCard]
    modes: Mapping[str, Mode]
    court: int
    """Caballeros of each player at the start."""
    visible: int
    """So many tiles lie face up when a round begins."""
    costs: Mapping[str, int]
    """What an action costs, by its command, if that does not depend on a number."""
    limits: Mapping[str, int]
    """How often the actions that share a counter can be taken in a turn."""

    # The course of the game
    actions: Mapping[str, Action]
    """What a player may do in a turn, by command."""
    decisions: Mapping[str, tuple[type[Command], ...]]
    interruptions: tuple[str, ...]
    always_asked: tuple[str, ...]
    nothing_sealed: tuple[str, ...]
    finishing: tuple[str, ...]
    rare: tuple[str, ...]

    # Names of stored data, and what must always hold
    facts: tuple[type[Fact], ...]
    steps: tuple[type[Step], ...]
    commands: tuple[type[Command], ...]
    upcasters: Mapping[Shape, Upcaster]
    sentences: Mapping[str, Callable[[Any], Text]]
    untold: tuple[str, ...]
    names: Mapping[str, Text]
    invariants: tuple[Callable[[Board, Fact, Board], str | None], ...]
    course: Callable[[Board, Iterable[Fact]], str | None]


RULES: dict[str, Rules] = {}
"""Rules by name, so that a board can say which ones it follows."""


def register(rules: Rules) -> Rules:
    """Make these rules known under their name."""
    RULES[rules.name] = rules
    return rules
