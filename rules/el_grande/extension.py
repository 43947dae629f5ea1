"""Where an expansion plugs in.

An expansion is a function from rules to rules: it takes a `Rules` and returns one with some answers replaced.
The base game never asks which expansion is played; it asks its rules.

>>> from rules.catalogue import rules
>>> rules("el_grande").strength
()
>>> [function.__name__ for function in rules("el_grande", ("anniversary",)).strength]
['carries_flag']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.kernel import Command, Player, Shape, Upcaster
from rules.texts import Text

if TYPE_CHECKING:
    from rules.el_grande.board import Board, Fact, State, Step
    from rules.el_grande.deck import ActionCard
    from rules.el_grande.facts import Award
    from rules.el_grande.regions import Region
    from rules.el_grande.steps.turns import Part

Points = tuple[int, int, int]


@dataclass(frozen=True)
class Rules:
    """Every answer that an expansion may change."""

    name: str
    """What stored games call these rules: the game, then its expansions, joined by `+`."""

    # Material
    regions: Mapping[str, Region]
    castillo_points: Points
    scoreboards: Mapping[str, Points]
    cards: Mapping[str, ActionCard]
    power_cards: Mapping[int, int]
    """Value of a power card to the caballeros it brings to court."""
    rounds: Mapping[str, tuple[int, ...]]
    """Length of the game to the rounds that are played."""
    scoring_rounds: tuple[int, ...]
    ranks: Mapping[int, int]
    """Number of players to the number of ranks that score."""
    pieces: Mapping[str, int]
    """How many caballeros each player has at home, in court and in the province at the start."""

    # The course of the game
    setup: tuple[Callable[[Board], tuple[Fact, ...]], ...]
    """What happens after the base set-up."""
    turn: tuple[Callable[[Player], Step], ...]
    """The steps of one player's turn."""
    parts: Mapping[str, Part]
    """What a player may do with the card taken, by the command that begins it."""
    general_scoring: tuple[Callable[[], Step], ...]
    consequences: tuple[Callable[[State], tuple[Step, ...]], ...]
    """What must be decided at once after anything has happened, before the game goes on."""

    decisions: tuple[str, ...]
    """Every kind of decision that a game can ask for."""
    interruptions: tuple[str, ...]
    """Those that may come between two steps of a special action."""
    always_asked: tuple[str, ...]
    """Those that are asked even when only one answer is legal: not asking would tell something."""
    nothing_sealed: tuple[str, ...]
    """Those at which no secret answer is left over from something earlier."""
    finishing: tuple[str, ...]
    """The commands that leave something undone. Random play is rare with them."""

    # Questions
    king_region: Callable[[Board], str]
    move_king: Callable[[Board, str], Fact]
    """What happens when the king is sent to a region."""
    veto_holders: Callable[[Board, Player], tuple[Player, ...]]
    """Who may stop a special action of this player, in the order of asking."""
    arrival: Callable[[Board, str, str], str]
    """What a piece, named by its key, is called after it has gone to a space."""
    strength: tuple[Callable[[Board, str, Player], int], ...]
    """What breaks a tie between equal numbers of caballeros."""
    bonuses: tuple[Callable[[Board, str, Player], Award | None], ...]
    """What the sole leader of a space earns beside the table."""

    # Names of stored data, and what must always hold
    facts: tuple[type[Fact], ...]
    steps: tuple[type[Step], ...]
    commands: tuple[type[Command], ...]
    upcasters: Mapping[Shape, Upcaster]
    """How facts, steps and commands that were stored in older shapes are read."""
    sentences: Mapping[str, Callable[[Any], Text]]
    """A fact's stored name to the sentence that tells it."""
    untold: tuple[str, ...]
    """The stored names of facts that the position shows well enough."""
    names: Mapping[str, Text]
    """The ids that texts carry (seats, places, cards…) to what they are called."""
    signs: Mapping[str, str]
    """What marks a piece, as in its key, to the sign it is drawn with."""
    invariants: tuple[Callable[[Board, Fact, Board], str | None], ...]
    """Each looks at the boards before and after a fact and says what is wrong."""
    course: Callable[[Board, Iterable[Fact]], str | None]
    """Looks at the end of a game and at all its facts, and says what is wrong."""

    @property
    def region_order(self) -> tuple[str, ...]:
        return tuple(self.regions)


RULES: dict[str, Rules] = {}
"""Rules by name, so that a board can say which ones it follows."""


def register(rules: Rules) -> Rules:
    """Make these rules known under their name."""
    RULES[rules.name] = rules
    return rules
