"""The position as one viewer may see it: the one door through which a state leaves the core.

Everything lies open but the order of the stack. The classes say what is in it; `rules.schemas` describes positions by
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from rules.el_caballero.board import (
    Board,
    Card,
    State,
    contacts,
    reserve,
    slot,
)
from rules.el_caballero.geometry import DIRECTIONS, DIRECTIONS_OF
from rules.el_caballero.scoring import Standing, standings
from rules.el_caballero.steps.turns import TakeTurn
from rules.el_caballero.tiles import TILES, edges
from rules.kernel import EVERYTHING, Player, Viewer, waiting
from rules.texts import ENGLISH, Catalogue

Counts = dict[Player, int]


class TileFaceUp(TypedDict):
    """A sector tile that can be placed."""

    tile: int
    edges: str
    """Land (`L`) or sea (`S`) to the north, east, south and west before it is turned."""
    symbol: str
    """`gold`, `fish` or nothing."""


class TileOnMap(TypedDict):
    at: str
    tile: int
    rotation: int
    """Quarter turns clockwise."""
    edges: str
    """As it lies: to the north, east, south and west."""
    symbol: str
    symbol_edge: int
    """A direction of the section that shows the symbol."""


class CardOnMap(TypedDict):
    """A Caballero card."""

    at: str
    owner: Player
    face: str
    rotation: int
    numbers: tuple[int, ...]
    """To the north, east, south and west."""
    land: tuple[int, ...]
    """The directions in which it meets land: those numbers count."""
    ships: tuple[int, ...]
    """The directions in which ships lie."""
    castle: bool
    grande: bool


class RegionOnMap(TypedDict):
    """Land or sea that hangs together."""

    kind: str
    at: str
    """The cell after which it is named, with the direction below."""
    dir: int
    value: int
    tiles: int
    symbols: int
    closed: bool
    open_sides: int
    """How many of its sides meet no tile."""
    sides: tuple[str, ...]
    """All its sides, as `x,y:direction`."""
    counts: Mapping[Player, int]
    """Caballeros on land, ships at sea."""
    points: Mapping[Player, int]
    """What it would bring if it were scored now."""
    governor: Player | None


class Question(TypedDict):
    kind: str
    """The kind of the decision."""
    players: tuple[Player, ...]
    """The seats that are asked."""


class TurnLeft(TypedDict):
    """How often the actions of the turn can still be taken."""

    supply: int
    tiles: int
    caballeros: int
    ships: int
    castles: int
    grande: int


class Position(TypedDict):
    """The position as one viewer may see it."""

    rules: str
    players: tuple[Player, ...]
    """Clockwise."""
    mode: str
    """`basic` or `advanced`."""
    round: int
    """0 before the first."""
    tiles: list[TileOnMap]
    cards: list[CardOnMap]
    regions: list[RegionOnMap]
    courts: Mapping[Player, int]
    reserves: Counts
    """The Caballero cards of each player that are neither on the map nor in court."""
    fleets: Mapping[Player, int]
    """The ships in each court."""
    governors_left: Mapping[Player, int]
    grandes: Mapping[Player, str]
    """The cell of each Grande; empty while it is in court. No player has one in the basic game."""
    ships: int
    """In the general supply."""
    castles: int
    """In the general supply."""
    visible: list[TileFaceUp]
    stack: int | tuple[int, ...]
    """How many tiles are left; once the game is over, the tiles themselves."""
    hands: Mapping[Player, tuple[int, ...]]
    power: Mapping[Player, int]
    """The power cards played in this round."""
    history: Mapping[Player, tuple[int, ...]]
    """All power cards played, in order."""
    scores: Mapping[Player, int]
    first: Player
    """The player who plays a power card first."""
    turn: Player
    """The player whose turn it is; empty if it is nobody's."""
    queue: tuple[Player, ...]
    """The players whose turns come after that."""
    left: TurnLeft | None
    """Null if it is nobody's turn."""
    places: Mapping[Player, int]
    """The final places, once the game is over."""
    waiting: Question | None
    """Null once the game is over."""
    over: bool


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> Position:
    """Plain data for this viewer. After the end everything is open to everyone."""
    board: Board = state.board
    return {
        "rules": board.variant,
        "players": board.players,
        "mode": board.mode,
        "round": board.round,
        "tiles": [_tile(board, cell) for cell in board.map.tiles],
        "cards": [_card(board, cell, card) for cell, card in board.cards.items()],
        "regions": [_region(one, len(board.players)) for one in standings(board)],
        "courts": board.courts,
        "reserves": {player: reserve(board, player) for player in board.courts},
        "fleets": board.fleets,
        "governors_left": board.governors_left,
        "grandes": board.grandes,
        "ships": board.ships,
        "castles": board.castles,
        "visible": [{"tile": tile, "edges": TILES[tile].edges, "symbol": TILES[tile].symbol} for tile in board.visible],
        "stack": board.stack if state.is_over or viewer == EVERYTHING else len(board.stack),
        "hands": board.hands,
        "power": board.power,
        "history": board.history,
        "scores": board.scores,
        "first": board.first,
        "turn": board.turn,
        "queue": board.queue,
        "left": _left(state),
        "places": board.places,
        "waiting": _asked(state),
        "over": state.is_over,
    }


def _tile(board: Board, cell: str) -> TileOnMap:
    sector = board.map.tiles[cell]
    tile = TILES[sector.tile]
    return {
        "at": cell,
        "tile": sector.tile,
        "rotation": sector.rotation,
        "edges": edges(sector.tile, sector.rotation),
        "symbol": tile.symbol,
        "symbol_edge": (tile.symbol_edge + sector.rotation) % 4,
    }


def _card(board: Board, cell: str, card: Card) -> CardOnMap:
    return {
        "at": cell,
        "owner": card.owner,
        "face": card.face,
        "rotation": card.rotation,
        "numbers": tuple(map(card.shows, DIRECTIONS)),
        "land": DIRECTIONS_OF[contacts(board, cell).land],
        "ships": card.ships,
        "castle": card.castle,
        "grande": card.grande,
    }


def _region(one: Standing, players: int) -> RegionOnMap:
    region = one.region
    at, direction = region.site
    return {
        "kind": region.kind,
        "at": at,
        "dir": direction,
        "value": region.value,
        "tiles": len(region.cells),
        "symbols": region.symbols,
        "closed": region.is_closed,
        "open_sides": region.gaps,
        "sides": tuple(sorted(slot(*side) for side in region.sides)),
        "counts": one.counts,
        "points": one.points(players),
        "governor": one.governor,
    }


def _left(state: State) -> TurnLeft | None:
    turn = next((step for step in state.agenda if isinstance(step, TakeTurn)), None)
    if turn is None:
        return None
    return {
        "supply": turn.left(state.board, "supply"),
        "tiles": turn.left(state.board, "tiles"),
        "caballeros": turn.left(state.board, "caballeros"),
        "ships": turn.left(state.board, "ships"),
        "castles": turn.left(state.board, "castles"),
        "grande": turn.left(state.board, "grande") if state.board.grandes else 0,
    }


def _asked(state: State) -> Question | None:
    if state.is_over:
        return None
    step = state.agenda[0]
    return {"kind": step.asks(state), "players": waiting(state)}
