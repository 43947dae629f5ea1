"""Where an expansion plugs in.

An expansion is a function from rules to rules: it takes a `Rules` and returns one that is extended (`extend`).
The base game never asks which expansion is played; it asks its rules.

>>> from rules.catalogue import rules
>>> rules("el_grande").strength
()
>>> [function.__name__ for function in rules("el_grande", ("anniversary",)).strength]
['carries_flag']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, defstruct

from rules.drawing import View
from rules.fairness import Chance
from rules.game import Check, Selection, Show
from rules.kernel import Command, Player, Shape, Upcaster
from rules.picture import Beat, Card, Control, Figure, Sprite
from rules.texts import Text

if TYPE_CHECKING:
    from rules.el_grande.board import Board, Fact, State, Step
    from rules.el_grande.deck import ActionCard
    from rules.el_grande.facts import Award
    from rules.el_grande.movement import Event
    from rules.el_grande.picture.geography import Overseas
    from rules.el_grande.regions import Region
    from rules.el_grande.scoring import Unit
    from rules.el_grande.steps.turns import FreeAction, Part, UseCard

Points = tuple[int, int, int]
Arrival = Callable[["Board", str, str], str]


@dataclass(frozen=True)
class Rules:
    """Every answer that an expansion may change."""

    name: str
    """What stored games call these rules: the game, then its expansions, joined by `+`."""

    # Material
    board: type[Board]
    """The table with everything that an expansion keeps on it (`with_room_for`)."""
    regions: Mapping[str, Region]
    castillo_points: Points
    scoreboards: Mapping[str, Points]
    cards: Mapping[str, ActionCard]
    power_cards: Mapping[int, int]
    """Value of a power card to the caballeros it brings to court."""
    hand_cards: Mapping[int, str]
    """Value of a power card to the action card that it is at the same time, where it is one."""
    rounds: Mapping[str, tuple[int, ...]]
    """Length of the game to the rounds that are played."""
    scoring_rounds: tuple[int, ...]
    ranks: Mapping[int, int]
    """Number of players to the number of ranks that score."""
    places: tuple[str, ...]
    """Where caballeros can be beside the map, the courts and the provinces."""
    pieces: Mapping[str, int]
    """How many caballeros each player has at home, in court and in the province at the start."""
    neutral: tuple[str, ...]
    """The owners of caballeros that are no player's."""
    slots: tuple[str, ...]
    """What places within a space are called where a caballero may differ from its fellows, the plainest first."""
    uncounted: tuple[str, ...]
    """Those of them where a caballero counts for no majority."""
    carried: tuple[str, ...]
    """What caballeros may carry, the plainest first; other marks stay with their piece."""

    options: Mapping[str, tuple[str, ...]]
    """What else can be agreed before the start; the first value is the default."""
    other_values: Mapping[str, Check]
    """Options that take other values, too, to what refuses those that do not fit."""
    selections: Mapping[str, Selection]
    """Options whose other values are chosen among things with numbers."""

    # Chance
    chance: tuple[type[Fact], ...]
    """The further facts that follow from the seed."""
    set_apart: int
    """How many region cards are drawn between the king's and those of the homes."""
    drawn: Callable[[tuple[str, ...]], tuple[Fact, ...]]
    """What follows from the region cards set apart."""
    dealt: Callable[[tuple[str, ...], Chance, Mapping[str, str]], tuple[str, ...]]
    """A stack as it lies face down, of these cards: what was agreed may matter."""
    possible: Callable[[Board, tuple[str, ...], Mapping[str, str]], tuple[str, ...]]
    """The cards that may lie in a stack, as far as everybody knows: they are more than those that do, where the box
    keeps some unseen."""

    # The course of the game
    setup: tuple[Callable[[Board], tuple[Fact, ...]], ...]
    """What happens after the base set-up."""
    opening: tuple[Callable[[], Step], ...]
    """What is decided before the first round."""
    bid: Callable[[Player], Step]
    """How a player takes part in the order of turns."""
    before_turns: tuple[Callable[[], Step], ...]
    """What comes between the order of turns and the first of them."""
    turn: tuple[Callable[[Player], Step], ...]
    """The steps of one player's turn."""
    taken: tuple[Callable[[Player, str], Step], ...]
    """What comes right after an action card was taken, before it is used."""
    after_part: tuple[Callable[[Player], Step], ...]
    """What comes after every part of a turn."""
    free_actions: Mapping[str, FreeAction]
    """What a player may do at any time of the own turn between its parts, by the command that does it."""
    parts: Mapping[str, Part]
    """What a player may do with the card taken, by the command that begins it."""
    duties: tuple[str, ...]
    """Those of them that may be compulsory."""
    general_scoring: tuple[Callable[[], Step], ...]
    round_end: tuple[Callable[[], Step], ...]
    """What comes at the end of every round, before a general scoring."""
    consequences: tuple[Callable[[State], tuple[Step, ...]], ...]
    """What must be decided at once after anything has happened, before the game goes on."""

    decisions: Mapping[str, tuple[type[Command], ...]]
    """Every kind of decision that a game can ask for, with the commands that may answer it."""
    interruptions: tuple[str, ...]
    """Those that may come between two steps of a special action."""
    always_asked: tuple[str, ...]
    """Those that are asked even when only one answer is legal: not asking would tell something."""
    nothing_sealed: tuple[str, ...]
    """Those at which no secret answer is left over from something earlier."""
    finishing: tuple[str, ...]
    """The commands that leave something undone. Random play is rare with them."""
    rare: tuple[str, ...]
    """The commands that undo what a player has built, for nothing. Random play is rarer still with them."""

    # Questions
    steps_of_turn: Callable[[Board, Player], tuple[Step, ...]]
    """What happens when it is this player's turn."""
    king_region: Callable[[Board], str]
    move_king: Callable[[Board, str], Fact]
    """What happens when the king is sent to a region."""
    veto_holders: Callable[[Board, Player], tuple[Player, ...]]
    """Who may stop a special action of this player, in the order of asking."""
    has_acted: Callable[[Board, Player], bool]
    """Whether the special action of the player's turn was used before the turn."""
    performed: Callable[[Board, Player, str], tuple[Fact, ...]]
    """What follows when something of this player's special action of a card has been carried out."""
    stays: Callable[[Board, str], bool]
    """Whether a card stays in front of its player when the turn is over."""
    allowance: Callable[[Board, UseCard], int]
    """How many caballeros may be placed with the card in use."""
    placement: Callable[[Board, UseCard], tuple[str, ...]]
    """Where they may go."""
    free_placement: Callable[[Board, Player], tuple[str, ...]]
    """Where the player's caballeros may go from court if the king does not matter."""
    beside_king: Callable[[Board], tuple[str, ...]]
    """Where a placement may go as the king stands."""
    destinations: Callable[[Board, str], tuple[str, ...]]
    """Where a special action may send a piece that is named by its key."""
    arrival: Arrival
    """What a piece, named by its key, is called after it has gone to a space."""
    arrivals: Callable[[Board, Event], Event]
    """The same for all pieces that go together."""
    aftermath: tuple[Callable[[Board, Event], Iterable[Fact]], ...]
    """What follows at once after pieces have gone together, each to where it has arrived."""
    strength: tuple[Callable[[Board, str, Player], int], ...]
    """What breaks a tie between equal numbers of caballeros."""
    holder: Callable[[Board, str], Player]
    """Whose the caballeros of a neutral owner are now; nobody's if it is empty."""
    counted: Callable[[Board, str, Player], int]
    """How many caballeros count for a player in a space."""
    bonuses: tuple[Callable[[Board, str, Player], Award | None], ...]
    """What the sole leader of a space earns beside the table."""
    extras: tuple[Callable[[Board, str], Iterable[Award]], ...]
    """What is earned in a space whoever leads there."""
    units: Callable[[Board], tuple[Unit, ...]]
    """What is scored in a general scoring after the castillo, in order, and how often it counts."""

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
    symbols: Mapping[str, str]
    """Markup of further pieces, by name: what marks a piece of a seat goes by `<mark>-<seat>`."""
    overseas: tuple[Overseas, ...]
    """What the ground has beyond Spain."""
    taboo_shown: Callable[[View], str]
    """The region that is drawn as taboo."""
    beats: tuple[Callable[[Fact, View, View], Iterable[Beat]], ...]
    """What is seen of further facts."""
    sprites: tuple[Callable[[View], Iterable[Sprite]], ...]
    """What else stands on it."""
    controls: Mapping[str, Control]
    """How further kinds of things are shown and picked, by their kind."""
    views: Mapping[str, Show]
    """The name of an expansion to what a viewer may see of it; the type that it returns is its schema."""
    clauses: Mapping[str, Clause]
    """The first word of a clause of positions as text to how it is written and read."""
    faces: Mapping[str, Face]
    """Cards to how they look."""
    table_cards: Callable[[View], Iterable[Card]]
    """The cards that lie open on the table."""
    in_use: Callable[[View, Player], str]
    """The card that this player uses in the present turn."""
    places_in_use: Callable[[View, Player], int]
    """How many caballeros the player may place with it."""
    figures: tuple[Callable[[View, Player], Iterable[Figure]], ...]
    """Further numbers beside a player."""
    invariants: tuple[Callable[[Board, Fact, Board], str | None], ...]
    """Each looks at the boards before and after a fact and says what is wrong. They can be `restated` by name."""
    course: Callable[[Board, Iterable[Fact]], str | None]
    """Looks at the end of a game and at all its facts, and says what is wrong."""

    @property
    def region_order(self) -> tuple[str, ...]:
        """The regions that have a region card and are on the secret disk."""
        return tuple(name for name, region in self.regions.items() if region.on_disk)


class Face(Struct, frozen=True):
    """How a card looks where there is little room: a sign, a title of three words at most, and a line."""

    icon: str
    title: Text
    text: Text


class Clause(Struct, frozen=True):
    """A part of a position as text that an expansion brings: `word rest: body`."""

    written: Callable[[Board], Iterator[str]]
    """All such clauses of a board."""
    read: Callable[[Board, str, str], Board]
    """The board with one more of them, by what stands before the colon and after it."""


def extend(rules: Rules, name: str, **more: Any) -> Rules:
    """The rules with one more expansion.

    Lists grow, and mappings merge. A question, such as `allowance`, is given as a function from its former answer to
    its new one, so that expansions which change the same question can be played together.

    >>> from rules.el_grande.base import BASE
    >>> pilgrims = extend(
    ...     BASE,
    ...     "pilgrims",
    ...     interruptions=("prayer",),
    ...     scoreboards={"board_100": (1, 0, 0)},
    ...     allowance=lambda former: lambda board, turn: former(board, turn) + 1,
    ... )
    >>> pilgrims.name, pilgrims.interruptions, list(pilgrims.scoreboards)
    ('el_grande+pilgrims', ('veto', 'prayer'), ['board_840', 'board_400', 'board_100'])
    """
    changes = {field: _grown(getattr(rules, field), addition) for field, addition in more.items()}
    return replace(rules, name=f"{rules.name}+{name}", **changes)


def _grown(former: Any, more: Any) -> Any:
    if isinstance(former, tuple):
        return former + tuple(more)
    if isinstance(former, Mapping):
        return {**former, **more}
    return more(former)


def restated(invariants: Iterable[Any], *others: Any) -> tuple[Any, ...]:
    """The invariants with these in place of those that have the same name.

    >>> def scores_never_fall(before, fact, after): ...
    >>> from rules.el_grande.base import BASE
    >>> scores_never_fall in restated(BASE.invariants, scores_never_fall)
    True
    """
    by_name = {invariant.__name__: invariant for invariant in invariants}
    unknown = [other.__name__ for other in others if other.__name__ not in by_name]
    assert not unknown, f"no such invariants: {unknown}"
    return tuple({**by_name, **{other.__name__: other for other in others}}.values())


@cache
def with_room_for(board: type[Board], name: str, kind: type[Struct]) -> type[Board]:
    """The table with one more thing on it, in which an expansion keeps what is its own: `getattr(board, name)`.

    The same things make the same class, however often rules are put together: boards of two classes are never equal.
    """
    room = defstruct("Board", [(name, kind, kind())], bases=(board,), frozen=True, module=kind.__module__)
    return cast("type[Board]", room)


def inserted(steps: Iterable[Any], *more: Any, before: Any) -> tuple[Any, ...]:
    """The steps with more of them right before one.

    >>> inserted(("castillo", "regions"), "moves", before="regions")
    ('castillo', 'moves', 'regions')
    """
    whole = tuple(steps)
    at = whole.index(before)
    return (*whole[:at], *more, *whole[at:])


RULES: dict[str, Rules] = {}
"""Rules by name, so that a board can say which ones it follows."""


def register(rules: Rules) -> Rules:
    """Make these rules known under their name."""
    RULES[rules.name] = rules
    return rules
