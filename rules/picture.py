"""A table drawn for browsers and image files: a ground that never changes, and sprites that stand on it.

A game brings its own ground, symbols and scenes; a renderer knows no game: a sprite is a symbol at a point, with
its texts filled in. A thing keeps its key from scene to scene, so that it is seen to move.

In markup, `~` stands before the name of every id: the renderer puts the name of the drawing in its place, so that many
drawings share a page. `<text data-text="0"></text>` is filled with the first text of the sprite.
"""

# ruff: noqa: E501 - outlines are long

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.drawing import View
from rules.kernel import Fact, Player
from rules.texts import Text, Value

Point = tuple[float, float]


SHAPES = {
    "red": "M-16-21H16Q21-21 21-16V16Q21 21 16 21H-16Q-21 21-21 16V-16Q-21-21-16-21Z",
    "blue": "M0-23.5A23.5 23.5 0 1 1 0 23.5A23.5 23.5 0 1 1 0-23.5Z",
    "yellow": "M-3.2-26.6Q0-29.6 3.2-26.6L26.6-3.2Q29.6 0 26.6 3.2L3.2 26.6Q0 29.6-3.2 26.6L-26.6 3.2Q-29.6 0-26.6-3.2Z",
    "green": "M-17-21H17Q21.5-21 21.5-16.5V0C21.5 12 12 20 3 26.2Q0 28.2-3 26.2C-12 20-21.5 12-21.5 0V-16.5Q-21.5-21-17-21Z",
    "brown": "M-12-22.5H12Q14.6-22.5 15.9-20.3L26.2-2.3Q27.5 0 26.2 2.3L15.9 20.3Q14.6 22.5 12 22.5H-12Q-14.6 22.5-15.9 20.3L-26.2 2.3Q-27.5 0-26.2-2.3L-15.9-20.3Q-14.6-22.5-12-22.5Z",
}
"""One silhouette for each seat, so that colour is never alone: a square, a circle, a diamond, a shield, a hexagon."""


class Sprite(Struct, frozen=True, omit_defaults=True):
    """A symbol on the ground."""

    key: str
    """The name of the thing: it stays the same while the thing moves and changes."""
    symbol: str
    layer: str
    x: float = 0
    y: float = 0
    style: str = ""
    """Classes of its own, beside those of the symbol."""
    texts: tuple[Value, ...] = ()
    stands_for: str = ""
    """What decisions call it, if that is not its key: a thing that moves keeps its key, but not its place."""


class Place(Struct, frozen=True):
    """A space of the ground, which can be looked at and chosen."""

    key: str
    """As decisions call it. The symbols `area-`, `legal-`, `barred-` and `focus-` of this key draw on all of it."""
    short: str
    """Its name where there is little room."""
    centre: Point
    slots: Mapping[int, tuple[Point, ...]]
    """Where the pieces of each seat stand, by the number of seats."""
    shortcut: str = ""
    """The key of a keyboard that leads there."""
    shape: str = ""
    """The word that stands for its key in the names of those symbols, which are drawn around its centre then."""


PLACE, PIECE, HAND, CARD, DIAL, TILE, NUMBER, ANSWER, TURN = (
    "place", "piece", "hand", "card", "dial", "tile", "number", "answer", "turn",
)  # fmt: skip
CONTROLS = (PLACE, PIECE, HAND, CARD, DIAL, TILE, NUMBER, ANSWER, TURN)
"""How a value can be picked: a space, a piece, a card in the hand or on the table, a space on a dial, a tile, a number
on a stepper, an answer on a button of its own, a way to turn what was picked, in its place."""


class Control(Struct, frozen=True, omit_defaults=True):
    """How things of one kind (`x-of`) are shown and picked.

    In templates, `{value}` is the value, `{seat}` the player who is asked, and other names are fields of the answer."""

    kind: str
    thing: str = "{value}"
    """Of a piece: the key of its sprite. Fields with the same template are picked together."""
    by: str = "key"
    """Of a card: the part of it that is the value."""
    symbol: str = ""
    """Of a tile, or of what is turned: the symbol that it is drawn as, a template as well."""
    faces: Mapping[str, tuple[str, ...]] = {}
    """Of a tile: the texts that its symbol is filled with."""
    takes: str = ""
    """The sprite of the pile that has one less with every one picked."""
    puts: str = ""
    """The sprite of the pile that has one more."""
    lifts: str = ""
    """The sprite of the piece that goes there."""
    starts_full: bool = False
    """Of a number: whether it begins at its maximum."""
    names: Mapping[str, Text] = {}
    """Of answers: the words on their buttons."""
    icons: Mapping[str, str] = {}
    """Of answers and tiles: the signs beside their words."""
    shortcuts: Mapping[str, str] = {}
    """Of answers: the keys of a keyboard that give them."""


class Ground(Struct, frozen=True):
    """What lies under all scenes of a game, and the symbols they are made of. All of it is trusted markup of ours."""

    view: tuple[float, float, float, float]
    """The view box: left, top, width, height."""
    markup: str
    symbols: Mapping[str, str]
    layers: tuple[str, ...]
    """From the bottom up."""
    spaces: Mapping[str, Point] = {}
    """The spaces that can be pointed at, in the order of the map, and where an arrow to each of them ends."""
    places: tuple[Place, ...] = ()
    tokens: Mapping[Player, str] = {}
    """The symbol of a single piece of each seat."""
    controls: Mapping[str, Control] = {}
    """How things are picked, by their kind."""


class Card(Struct, frozen=True, omit_defaults=True):
    """A card that lies open, or in a hand that the viewer may see."""

    key: str
    title: Value
    text: Value = ""
    detail: Value = ""
    """All that it says, where there is room for it."""
    icon: str = ""
    pips: int = 0
    seat: Player = ""
    """The player who has taken it."""
    state: str = ""
    symbol: str = ""
    """The symbol of the ground that it looks like, beside its icon or in place of it."""
    stack: int = 0
    """The stack that it lies on, where there are several."""


class Figure(Struct, frozen=True, omit_defaults=True):
    """A number beside a player, with its sign and its meaning."""

    icon: str
    value: Value
    label: Text


class Panel(Struct, frozen=True, omit_defaults=True):
    """What lies in front of a player."""

    seat: Player
    score: int
    played: str = ""
    """The card that decides the player's place in the order of the round."""
    note: Value = ""
    turn: int = 0
    """The place in the order of the round, from 1 on; 0 before it is known."""
    state: str = ""
    """`acting`, `asked`, or `done` with the round's turn."""
    figures: tuple[Figure, ...] = ()
    hand: tuple[Card, ...] | None = None
    """Nothing if the viewer may not see it."""


class Round(Struct, frozen=True, omit_defaults=True):
    """A round of the game's course: `done`, `now` or `ahead`, and whether everything is scored after it."""

    number: int
    state: str
    scores: bool = False


class Scene(Struct, frozen=True, omit_defaults=True):
    """A position as one viewer may see it, ready to be drawn."""

    sprites: tuple[Sprite, ...]
    panels: tuple[Panel, ...] = ()
    cards: tuple[Card, ...] = ()
    rounds: tuple[Round, ...] = ()
    view: tuple[float, float, float, float] | None = None
    """The part of the ground that is looked at; nothing: all of it. A map that grows brings its own."""
    places: tuple[Place, ...] = ()
    """The spaces of this position, where the ground has none of its own."""

    def framed(self, ground: Ground) -> Ground:
        """The ground as this scene looks at it."""
        changes = {name: value for name in ("view", "places") if (value := getattr(self, name))}
        return replace(ground, **changes) if changes else ground


MOVE, SCORE, TURN_UP = "move", "score", "turn_up"
BEATS = (MOVE, SCORE, TURN_UP)


class Beat(Struct, frozen=True, omit_defaults=True):
    """Something that is seen to happen between two scenes: something moves, a space is scored, cards are turned up."""

    kind: str
    symbol: str = ""
    start: Point | Player | None = None
    """Where it comes from: a point of the ground, or what lies in front of a player."""
    end: Point | Player | None = None
    text: str = ""
    space: str = ""
    spots: tuple[Point, ...] = ()
    """Of a space that is made of several cells: their centres, where the symbol is drawn."""
    points: Mapping[Player, int] = {}
    together: bool = False
    """Whether it happens at the same time as others like it, before it and after it."""


class Headline(Struct, frozen=True):
    """A position in one sentence, and the part of it that stands out."""

    text: Text
    stress: Text


class Picture(Struct, frozen=True):
    """How a game is drawn in browsers and image files. Nothing is drawn that the view does not show."""

    ground: Callable[[Any], Ground]
    """The ground for the game with these rules."""
    scene: Callable[[View], Scene]
    spaces: Callable[[View], Mapping[str, Text]]
    """Every space in a sentence: what it is worth, and what stands there."""
    words: Callable[[View], tuple[Text, ...]]
    """The scene in words, space by space, for readers who do not see it."""
    beats: Callable[[Fact[Any], View, View], Iterable[Beat]]
    """What is seen of a fact, between the views before and after its commit."""
    thumbnail: Callable[[View], Iterable[Sprite]]
    """What of the scene is seen from afar: nothing that is there to be read."""
    headline: Callable[[View], Headline]
