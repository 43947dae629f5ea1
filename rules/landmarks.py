"""Landmarks of a game: where a round, a turn or a scoring begins, and who leads where. Each game knows its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rules.drawing import View
from rules.kernel import Fact, Player, State
from rules.texts import Text, Value

ROUND, TURN, SCORING, SCORED, END = "round", "turn", "scoring", "scored", "end"
KINDS = (ROUND, TURN, SCORING, SCORED, END)
"""A round begins; a turn; the scoring of everything. A space was scored. The game is over."""


class Landmark(Struct, frozen=True, omit_defaults=True):
    """Something that readers look for."""

    kind: str
    number: int = 0
    """Of the round."""
    seat: Player = ""
    space: str = ""
    points: Mapping[Player, int] = {}
    name: Value = ""
    """What the space is called, if the rules have no name for it."""


class Lead(Struct, frozen=True):
    """A space, and the players with the most pieces in it: several if they tie, none if it is empty or closed."""

    space: str
    short: str
    players: tuple[Player, ...]
    name: Text | None = None
    """What it is called, if the rules have no name for it."""


class Brief(Struct, frozen=True):
    """A fact in few words, for a list of what happened."""

    text: Text | None
    """Nothing if the fact is not said at all."""
    more: Text | None = None
    """How it goes on in the same line, after another fact of its group."""
    group: str = ""
    seat: Player = ""
    """The player whose line it is."""


UNSAID = Brief(None)


class Landmarks(Struct, frozen=True):
    """What a game brings for readers who look back at it."""

    of: Callable[[Fact[Any]], Landmark | None]
    leads: Callable[[State[Any], View], tuple[Lead, ...]]
    """The majorities in a position, as far as the view shows it."""
    brief: Callable[[Fact[Any], Sequence[Fact[Any]]], Brief | None] = lambda fact, facts: None
    """A fact among those of its commit, in few words; nothing if its sentence says it."""
    title: Callable[[Any, str], Text | None] = lambda rules, id: None
    """What a card or a tile is called in few words."""
