"""Positions and moves as text, for tests, terminals and notes.

A position is a list of clauses, each one thing on the table; what is not mentioned is absent. Tiles are written as
their number and their quarter turns, cards as face, quarter turns and what stands on them:

>>> text = "tiles: 0,0=16 1,0=6r3; cards red: 0,-1=high1+castle; court red: 2; power: red 9; turn red"
>>> board = parse_position(text, players=2)
>>> board.map.tiles["1,0"], board.cards["0,-1"].castle, board.castles
(Sector(tile=6, rotation=3), True, 11)
>>> position(board)
'tiles: 0,0=16 1,0=6r3; cards red: 0,-1=high1+castle; court red: 2; power: red 9; turn red'

A move is a word and what it needs. Directions are N, E, S and W:

>>> parse_move("tile 24 1,0 r2"), parse_move("ship 2,0 W")
(PlaceTile(tile=24, at='1,0', rotation=2), BuyShip(at='2,0', direction=3))
>>> move(parse_move("move_ship 2,0 W > 3,0 N"))
'move_ship 2,0 W > 3,0 N'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_caballero.base import BASE
from rules.el_caballero.board import COLOURS, IN_COURT, Board, Card, Governor, mode_of, parse_slot
from rules.el_caballero.commands import (
    BuildCastle,
    BuyShip,
    DeployShip,
    EndTurn,
    IncreaseCaballero,
    MoveCastle,
    MoveGrande,
    MoveShip,
    PlaceCaballero,
    PlaceGovernor,
    PlaceGrande,
    PlaceTile,
    PlayPowerCard,
    ReturnCaballero,
    ReturnShip,
    TakeSupply,
)
from rules.el_caballero.extension import Rules
from rules.el_caballero.geometry import DIRECTIONS, FACES, OPPOSITE, is_cell, neighbours
from rules.el_caballero.map import Map, Sector
from rules.el_caballero.setup import empty_table
from rules.el_caballero.tiles import LAND_SIDES, edges
from rules.errors import Unreadable
from rules.kernel import Command, Player
from rules.texts import say

COMPASS = "NESW"

# Positions


def parse_position(text: str, players: int = len(COLOURS), rules: Rules = BASE, **options: str) -> Board:
    """The board a text describes."""
    board = empty_table(rules, players, **options)
    mode = mode_of(board)
    board = replace(
        board,
        hands=dict.fromkeys(board.players, ()),
        history=dict.fromkeys(board.players, ()),
        courts=dict.fromkeys(board.players, 0),
        fleets=dict.fromkeys(board.players, 0),
        scores=dict.fromkeys(board.players, 0),
        governors_left=dict.fromkeys(board.players, mode.governors),
        grandes=dict.fromkeys(board.players, IN_COURT) if mode.grandes else {},
        ships=mode.ships,
        castles=mode.castles,
    )
    for clause in filter(None, (part.strip() for part in text.split(";"))):
        board = _with_clause(board, clause)
    return board


def position(board: Board) -> str:
    """The text of a board, everything on it included: `parse_position` reads it back."""
    return "; ".join((*_clauses_of_the_map(board), *_clauses_of_players(board), *_clauses_of_the_round(board)))


def _clauses_of_the_map(board: Board) -> Iterator[str]:
    if board.map.tiles:
        yield f"tiles: {' '.join(f'{cell}={_sector(sector)}' for cell, sector in board.map.tiles.items())}"
    for player in board.players:
        if cards := [f"{cell}={_card(card)}" for cell, card in board.cards.items() if card.owner == player]:
            yield f"cards {player}: {' '.join(cards)}"
    for player in board.players:
        if governors := [_governor(key, one) for key, one in board.governors.items() if one.owner == player]:
            yield f"governors {player}: {' '.join(governors)}"


def _clauses_of_players(board: Board) -> Iterator[str]:
    for player in board.players:
        if court := board.courts[player]:
            yield f"court {player}: {court}"
        if fleet := board.fleets[player]:
            yield f"fleet {player}: {fleet}"
        for name, cards in (("hand", board.hands), ("history", board.history)):
            if values := cards[player]:
                yield f"{name} {player}: {_words(values)}"
    if any(board.scores.values()):
        yield f"scores: {_pairs({player: score for player, score in board.scores.items() if score})}"
    if board.power:
        yield f"power: {_pairs(board.power)}"


def _clauses_of_the_round(board: Board) -> Iterator[str]:
    for name, tiles in (("visible", board.visible), ("stack", board.stack)):
        if tiles:
            yield f"{name}: {_words(tiles)}"
    for name, left in (("ships", board.ships), ("castles", board.castles)):
        if left != _left(board, name):
            yield f"{name} {left}"
    for name in ("round", "first", "turn"):
        if value := getattr(board, name):
            yield f"{name} {value}"
    if board.queue:
        yield f"queue: {_words(board.queue)}"
    if board.places:
        yield f"places: {_pairs(board.places)}"


def _left(board: Board, name: str) -> int:
    """What the general supply holds if nothing is missing."""
    if name == "castles":
        return mode_of(board).castles - sum(card.castle for card in board.cards.values())
    at_sea = sum(len(card.ships) for card in board.cards.values()) + sum(one.ship for one in board.governors.values())
    return mode_of(board).ships - at_sea - sum(board.fleets.values())


def _words(values: Any) -> str:
    return " ".join(map(str, values))


def _pairs(items: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in items.items())


def _sector(sector: Sector) -> str:
    return f"{sector.tile}r{sector.rotation}" if sector.rotation else str(sector.tile)


def _card(card: Card) -> str:
    ships = "".join(f"+ship{direction}" for direction in card.ships)
    return f"{card.face}{card.rotation}{'+castle' * card.castle}{'+grande' * card.grande}{ships}"


def _governor(key: str, governor: Governor) -> str:
    return f"{key}{'+ship' * governor.ship}"


def _with_clause(board: Board, clause: str) -> Board:
    """The board with one more thing on it."""
    head, colon, body = (part.strip() for part in clause.partition(":"))
    word, _, rest = head.partition(" ")
    try:
        return _CLAUSES[word](board, rest, body) if colon else _with_word(board, word, rest)
    except (KeyError, ValueError, IndexError):
        raise Unreadable(say("not part of a position: {clause}", clause=clause)) from None


def _with_word(board: Board, word: str, rest: str) -> Board:
    if word in ("round", "ships", "castles"):
        return replace(board, **{word: int(rest)})
    if word not in ("first", "turn"):
        raise KeyError(word)
    return replace(board, **{word: _player(board, rest)})


def _player(board: Board, name: str) -> Player:
    if name not in board.players:
        raise KeyError(name)
    return name


def _with_tiles(board: Board, _: str, body: str) -> Board:
    for item in body.split():
        cell, _, written = item.partition("=")
        tile, _, rotation = written.partition("r")
        sector = Sector(int(tile), int(rotation or 0))
        _check_fits(board.map, _cell(board, cell), sector)
        board = replace(board, map=board.map.laid(cell, sector))
    return board


def _check_fits(map: Map, cell: str, sector: Sector) -> None:
    if (sector.tile, sector.rotation) not in LAND_SIDES:
        raise ValueError(sector)
    sides = edges(sector.tile, sector.rotation)
    for direction, other in enumerate(neighbours(cell)):
        if other in map.tiles:
            there = map.tiles[other]
            if edges(there.tile, there.rotation)[OPPOSITE[direction]] != sides[direction]:
                raise ValueError(f"{cell} does not match {other}")


def _cell(board: Board, cell: str) -> str:
    if not is_cell(cell) or cell in board.cards or cell in board.map.tiles:
        raise ValueError(cell)
    return cell


CARD = re.compile(r"(low|high)([0-3])((?:\+(?:castle|grande|ship[0-3]))*)")


def _with_cards(board: Board, player: str, body: str) -> Board:
    for item in body.split():
        cell, _, written = item.partition("=")
        found = CARD.fullmatch(written)
        if found is None:
            raise ValueError(item)
        face, rotation, marks = found.groups()
        board = _with_card(board, _cell(board, cell), _player(board, player), face, int(rotation), marks.split("+")[1:])
    return board


def _with_card(board: Board, cell: str, owner: Player, face: str, rotation: int, marks: list[str]) -> Board:
    ships = tuple(sorted(int(mark[-1]) for mark in marks if mark.startswith("ship")))
    has_castle, has_grande = "castle" in marks, "grande" in marks
    if has_grande and board.grandes[owner] != IN_COURT:
        raise ValueError(f"{owner} has one Grande")
    return replace(
        board,
        cards={**board.cards, cell: Card(owner, face, rotation, ships, has_castle, has_grande)},
        grandes={**board.grandes, owner: cell} if has_grande else board.grandes,
        ships=board.ships - len(ships),
        castles=board.castles - has_castle,
    )


def _with_governors(board: Board, player: str, body: str) -> Board:
    owner = _player(board, player)
    for item in body.split():
        key, _, ship = item.partition("+")
        if parse_slot(key) not in board.map.chart.regions or ship not in ("", "ship"):
            raise ValueError(item)
        board = replace(
            board,
            governors={**board.governors, key: Governor(owner, bool(ship))},
            governors_left={**board.governors_left, owner: board.governors_left[owner] - 1},
            ships=board.ships - bool(ship),
        )
    return board


def _with_fleet(board: Board, player: str, body: str) -> Board:
    fleets = {**board.fleets, _player(board, player): int(body)}
    return replace(board, fleets=fleets, ships=board.ships - int(body))


def _number(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `court red: 5`."""
    return lambda board, player, body: replace(
        board, **{field: {**getattr(board, field), _player(board, player): int(body)}}
    )


def _numbers(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `hand red: 1 2 3`."""
    return lambda board, player, body: replace(
        board, **{field: {**getattr(board, field), _player(board, player): tuple(map(int, body.split()))}}
    )


def _mapping(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `scores: red 12, blue 3`."""

    def read(board: Board, _: str, body: str) -> Board:
        pairs = (item.split() for item in body.split(","))
        named = {_player(board, player): int(number) for player, number in pairs}
        return replace(board, **{field: {**getattr(board, field), **named}})

    return read


def _tiles(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `visible: 4 5 6`."""
    return lambda board, _, body: replace(board, **{field: tuple(_tile(number) for number in body.split())})


def _tile(number: str) -> int:
    if int(number) not in BASE.tiles:
        raise KeyError(number)
    return int(number)


def _with_queue(board: Board, _: str, body: str) -> Board:
    return replace(board, queue=tuple(_player(board, player) for player in body.split()))


_CLAUSES: dict[str, Callable[[Board, str, str], Board]] = {
    "tiles": _with_tiles,
    "cards": _with_cards,
    "governors": _with_governors,
    "court": _number("courts"),
    "fleet": _with_fleet,
    "hand": _numbers("hands"),
    "history": _numbers("history"),
    "scores": _mapping("scores"),
    "power": _mapping("power"),
    "places": _mapping("places"),
    "visible": _tiles("visible"),
    "stack": _tiles("stack"),
    "queue": _with_queue,
}

# Moves


def move(command: Command) -> str:
    """A command as text."""
    match command:
        case PlayPowerCard(value):
            return f"power {value}"
        case TakeSupply(amount):
            return f"supply {amount}"
        case PlaceTile(tile, at, rotation):
            return f"tile {tile} {at} r{rotation}"
        case PlaceCaballero(at, face, rotation, grande):
            with_grande = "" if grande is UNSET else f" {grande}"
            return f"card {at} {face} r{rotation}{with_grande}"
        case IncreaseCaballero(at, value):
            return f"increase {at} {value}"
        case MoveShip(source, source_direction, at, direction):
            return f"move_ship {source} {COMPASS[source_direction]} > {at} {COMPASS[direction]}"
        case MoveCastle(source, at):
            return f"move_castle {source} > {at}"
        case EndTurn():
            return "end"
    word = next(word for word, kind in (*_AT_A_SIDE.items(), *_AT_A_CELL.items()) if isinstance(command, kind))
    if word in _AT_A_SIDE:
        return f"{word} {command.at} {COMPASS[command.direction]}"  # type: ignore[attr-defined]
    return f"{word} {command.at}"  # type: ignore[attr-defined]


def parse_move(text: str, rules: Rules = BASE) -> Command:
    """The command that a text describes, or `Unreadable`."""
    word, *rest = text.split()[:10] or [""]
    try:
        return _parse_plainly(word, rest) if word in (*_AT_A_SIDE, *_AT_A_CELL) else _MOVES[word](rest)
    except (KeyError, ValueError, IndexError):
        raise Unreadable(say("not a move: {text}", text=text.strip() or say("nothing"))) from None


def _parse_plainly(word: str, words: list[str]) -> Command:
    """A move of one side, or of one cell."""
    kind: type[Command] = _AT_A_SIDE.get(word) or _AT_A_CELL[word]
    if word in _AT_A_SIDE:
        return kind(*_side(words))
    [cell] = words
    return kind(cell)


def _side(words: list[str]) -> tuple[str, int]:
    cell, direction = words
    return cell, DIRECTIONS[COMPASS.index(direction)]


def _rotation(word: str) -> int:
    if not word.startswith("r"):
        raise ValueError(word)
    return int(word[1:])


def _only_number(words: list[str]) -> int:
    [number] = words
    return int(number)


def _parse_tile(words: list[str]) -> Command:
    tile, at, rotation = words
    return PlaceTile(int(tile), at, _rotation(rotation))


def _parse_card(words: list[str]) -> Command:
    at, face, rotation, *grande = words
    if face not in FACES or len(grande) > 1:
        raise ValueError(face)
    return PlaceCaballero(at, face, _rotation(rotation), *grande)


def _parse_increase(words: list[str]) -> Command:
    at, value = words
    return IncreaseCaballero(at, int(value))


def _parse_move_ship(words: list[str]) -> Command:
    source, target = _from_and_to(words)
    return MoveShip(*_side(source), *_side(target))


def _parse_move_castle(words: list[str]) -> Command:
    [source], [target] = _from_and_to(words)
    return MoveCastle(source, target)


def _from_and_to(words: list[str]) -> tuple[list[str], list[str]]:
    arrow = words.index(">")
    return words[:arrow], words[arrow + 1 :]


def _parse_end(words: list[str]) -> Command:
    if words:
        raise ValueError(words)
    return EndTurn()


_AT_A_SIDE: dict[str, Any] = {
    "ship": BuyShip,
    "deploy": DeployShip,
    "return_ship": ReturnShip,
    "governor": PlaceGovernor,
}
_AT_A_CELL: dict[str, Any] = {
    "castle": BuildCastle,
    "return": ReturnCaballero,
    "grande": PlaceGrande,
    "move_grande": MoveGrande,
}
_MOVES: dict[str, Callable[[list[str]], Command]] = {
    "power": lambda words: PlayPowerCard(_only_number(words)),
    "supply": lambda words: TakeSupply(_only_number(words)),
    "tile": _parse_tile,
    "card": _parse_card,
    "increase": _parse_increase,
    "move_ship": _parse_move_ship,
    "move_castle": _parse_move_castle,
    "end": _parse_end,
}


def called(key: str) -> str | None:
    """Cells and tiles have no names beside their own."""
    return None
