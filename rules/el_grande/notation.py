"""Positions and moves as text, for tests, terminals and notes.

A position is a list of clauses, each one thing on the table; what is not mentioned is absent:

>>> board = parse_position("king granada; aragon: red 3, blue 1; court: red 5; grandes: red aragon; scores: red 12")
>>> board.king, board.cubes["aragon"], board.scores["red"]
('granada', {'red': 3, 'blue': 1}, 12)
>>> position(board)
'king granada; aragon: red 3, blue 1; court: red 5; grandes: red aragon; scores: red 12'

A move is a word and what it needs:

>>> parse_move("place granada 2, castillo 1")
Place(to={'granada': 2, 'castillo': 1})
>>> move(parse_move("step blue aragon > castillo"))
'step blue aragon > castillo'

Commands that only an expansion knows are written as their kind and their fields in order: `pass_flag aragon`. The rules
say which ones there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin

from msgspec import UNSET, ValidationError, convert
from msgspec.structs import fields, replace

from rules.el_grande.base import BASE
from rules.el_grande.board import COLOURS, Board, Piece, Veto, in_order, is_marked, owners, space_of
from rules.el_grande.commands import (
    COMMANDS,
    ChooseActionCard,
    Draw,
    EndTurn,
    Place,
    PlayPowerCard,
    Return,
    SetDisk,
    Several,
    Special,
    Stop,
    TakeStep,
    VetoResponse,
)
from rules.el_grande.extension import Rules
from rules.el_grande.names import place
from rules.el_grande.regions import CASTILLO, COURT, NAMES, PROVINCE
from rules.el_grande.setup import empty_table
from rules.errors import Unreadable
from rules.kernel import Command
from rules.texts import say

# Names


def called(key: str) -> str | None:
    """
    >>> called("castilla_la_nueva"), called("granada+flag"), called("court")
    ('New Castile', 'Granada (flag)', None)
    """
    return str(place(key)) if space_of(key) in NAMES else None


# Positions

UNIONS = (Union, UnionType)

PLAYERS_FIELDS = ("grandes", "scores", "power", "places")
"""What every player has one of."""


def parse_position(text: str, players: int = len(COLOURS), rules: Rules = BASE, **options: str) -> Board:
    """The board a text describes."""
    board = empty_table(rules, players, **options)
    nothing: Mapping[str, tuple[int, ...]] = dict.fromkeys(board.players, ())
    board = replace(
        board,
        cubes={space: {} for space in (*rules.regions, CASTILLO, COURT, PROVINCE, *rules.places)},
        scores=dict.fromkeys(board.players, 0),
        hands=nothing,
        piles=nothing,
        history=nothing,
    )
    for clause in filter(None, (part.strip() for part in text.split(";"))):
        board = _with_clause(board, clause)
    return board


def position(board: Board) -> str:
    """The text of a board, everything on it included: `parse_position` reads it back."""
    return "; ".join(_clauses(board))


def _clauses(board: Board) -> Iterator[str]:
    yield from _clauses_of_the_map(board)
    yield from _clauses_of_players(board)
    yield from _clauses_of_cards(board)
    yield from _clauses_of_the_round(board)
    for clause in board.rules.clauses.values():
        yield from clause.written(board)


def _clauses_of_the_map(board: Board) -> Iterator[str]:
    if board.king:
        yield f"king {board.king}"
    for space, counts in board.cubes.items():
        marked = [
            f"{piece.owner}{piece.at.removeprefix(space)}" for piece in board.marked if space_of(piece.at) == space
        ]
        if cubes := [f"{owner} {counts[owner]}" for owner in owners(board) if owner in counts] + marked:
            yield f"{space}: {', '.join(cubes)}"
    if board.grandes:
        yield f"grandes: {_pairs(board.grandes)}"
    if board.scoreboards:
        yield f"scoreboards: {_pairs(board.scoreboards)}"


def _clauses_of_players(board: Board) -> Iterator[str]:
    if any(board.scores.values()):
        yield f"scores: {_pairs({player: score for player, score in board.scores.items() if score})}"
    for name, cards in (("hand", board.hands), ("pile", board.piles), ("history", board.history)):
        for player, values in cards.items():
            if values:
                yield f"{name} {player}: {' '.join(map(str, values))}"
    if board.power:
        yield f"power: {_pairs(board.power)}"


def _clauses_of_cards(board: Board) -> Iterator[str]:
    for number, stack in enumerate(board.stacks, start=1):
        yield f"stack {number}: {' '.join(stack)}"
    if board.face_up:
        yield f"face_up: {' '.join(board.face_up)}"
    if board.taken:
        yield f"taken: {_pairs(board.taken)}"
    if board.discards:
        yield f"discards: {' '.join(board.discards)}"
    for veto in board.vetoes:
        yield f"veto {veto.player}: {veto.card} {veto.until}"


def _clauses_of_the_round(board: Board) -> Iterator[str]:
    for name in ("round", "first", "turn"):
        if value := getattr(board, name):
            yield f"{name} {value}"
    if board.queue:
        yield f"queue: {' '.join(board.queue)}"
    if board.places:
        yield f"places: {_pairs(board.places)}"


def _pairs(items: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in items.items())


def _with_clause(board: Board, clause: str) -> Board:
    """The board with one more thing on it."""
    head, colon, body = (part.strip() for part in clause.partition(":"))
    word, _, rest = head.partition(" ")
    try:
        if not colon:
            return _with_word(board, word, rest)
        if word in board.cubes:
            return _with_cubes(board, word, body)
        further = board.rules.clauses.get(word)
        return further.read(board, rest, body) if further else _CLAUSES[word](board, rest, body)
    except (KeyError, ValueError, IndexError):
        raise Unreadable(say("not part of a position: {clause}", clause=clause)) from None


def _with_word(board: Board, word: str, rest: str) -> Board:
    if word == "round":
        return replace(board, round=int(rest))
    known = {"king": (*board.rules.regions, CASTILLO), "first": board.players, "turn": board.players}[word]
    if rest not in known:
        raise KeyError(rest)
    return replace(board, **{word: rest})


def _with_cubes(board: Board, space: str, body: str) -> Board:
    counts: dict[str, int] = {}
    marked = list(board.marked)
    for item in _items(body):
        owner, _, number = item.partition(" ")
        if is_marked(owner):
            name = space_of(owner)
            marked.append(Piece(_owner(board, name), space + owner.removeprefix(name)))
        else:
            counts[_owner(board, owner)] = int(number)
    return replace(board, cubes={**board.cubes, space: counts}, marked=in_order(marked))


def _player(board: Board, name: str) -> str:
    if name not in board.players:
        raise KeyError(name)
    return name


def _owner(board: Board, name: str) -> str:
    return name if name in board.rules.neutral else _player(board, name)


def _items(body: str) -> list[str]:
    return [item.strip() for item in body.split(",") if item.strip()]


def _named(body: str) -> dict[str, str]:
    pairs = [(name, value) for name, value in (item.split() for item in _items(body))]
    if len(named := dict(pairs)) < len(pairs):
        raise ValueError(f"named twice: {body}")
    return named


def _numbers(body: str) -> dict[str, int]:
    return {name: int(number) for name, number in _named(body).items()}


def _values(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `hand red: 1 2 3`."""

    def read(board: Board, player: str, body: str) -> Board:
        values = tuple(map(int, body.split()))
        return replace(board, **{field: {**getattr(board, field), _player(board, player): values}})

    return read


def _mapping(field: str, parse: Callable[[str], Mapping[str, Any]]) -> Callable[[Board, str, str], Board]:
    """A clause like `scores: red 12, blue 3`."""

    def read(board: Board, _: str, body: str) -> Board:
        named = parse(body)
        if field in PLAYERS_FIELDS and not set(named) <= set(board.players):
            raise KeyError(body)
        return replace(board, **{field: {**getattr(board, field), **named}})

    return read


def _words(field: str) -> Callable[[Board, str, str], Board]:
    """A clause like `queue: red blue`."""
    return lambda board, _, body: replace(board, **{field: tuple(body.split())})


def _with_veto(board: Board, player: str, body: str) -> Board:
    card, until = body.split()
    return replace(board, vetoes=(*board.vetoes, Veto(_player(board, player), card, int(until))))


def _with_stack(board: Board, number: str, body: str) -> Board:
    stacks = list(board.stacks)
    stacks[int(number) - 1 : int(number)] = [tuple(body.split())]
    return replace(board, stacks=tuple(stacks))


_CLAUSES: dict[str, Callable[[Board, str, str], Board]] = {
    "grandes": _mapping("grandes", _named),
    "scoreboards": _mapping("scoreboards", _named),
    "scores": _mapping("scores", _numbers),
    "power": _mapping("power", _numbers),
    "places": _mapping("places", _numbers),
    "taken": _mapping("taken", _named),
    "hand": _values("hands"),
    "pile": _values("piles"),
    "history": _values("history"),
    "queue": _words("queue"),
    "face_up": _words("face_up"),
    "discards": _words("discards"),
    "veto": _with_veto,
    "stack": _with_stack,
}

# Moves


def move(command: Command) -> str:
    """A command as text."""
    match command:
        case PlayPowerCard(value):
            return f"power {value}"
        case Draw(from_province, from_regions):
            return _joined(f"draw {from_province}", _pairs(from_regions))
        case ChooseActionCard(stack):
            return f"card {stack}"
        case Place(to):
            return f"place {_pairs(to)}"
        case Special() if type(command) is Special:
            return " ".join(("special", *(_choice(*item) for item in command.choices().items())))
        case TakeStep():
            return _step(command)
        case Several(steps):
            return f"several {' / '.join(_step(step) for step in steps)}"
        case VetoResponse(answer):
            return answer
        case Return(from_court, from_regions):
            return _joined(f"return {from_court}", _pairs(from_regions))
        case SetDisk(region):
            return f"disk {region}"
        case Stop():
            return "stop"
        case EndTurn():
            return "end"
    return " ".join((_kind(type(command)), *_further(command)))


def _further(command: Command) -> Iterator[str]:
    """The fields of a command of an expansion: those that it needs in order, others by name if they are given."""
    for one in fields(command):
        value = getattr(command, one.name)
        if one.required:
            yield _word(value)
        elif value is not UNSET:
            yield f"{one.encode_name}={_word(value)}"


def _word(value: Any) -> str:
    """
    >>> _word((10, 20)), _word("granada"), _word({"red/ship": 2})
    ('10,20', 'granada', 'red/ship*2')
    """
    if isinstance(value, Mapping):
        return ",".join(f"{key}*{number}" for key, number in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse_move(text: str, rules: Rules = BASE) -> Command:
    """The command of these rules that a text describes, or `Unreadable`."""
    word, _, rest = text.strip().partition(" ")
    try:
        return _MOVES[word](rest.strip()) if word in _MOVES else _parse_plainly(rules, word, rest.split())
    except (KeyError, ValueError, IndexError, ValidationError):
        raise Unreadable(say("not a move: {text}", text=text.strip() or say("nothing"))) from None


def _parse_plainly(rules: Rules, word: str, values: list[str]) -> Command:
    """A command of an expansion: its kind, then the fields it needs in order, then others by name."""
    command = {_kind(known): known for known in rules.commands if known not in COMMANDS}[word]
    known = {one.encode_name: one for one in fields(command)}
    needed = [name for name, one in known.items() if one.required]
    said: dict[str, str] = dict(zip(needed, (value for value in values if "=" not in value), strict=True))
    named = [value.partition("=") for value in values if "=" in value]
    said |= {name: value for name, _, value in named}
    return convert(
        {"kind": word, **{name: _read(known[name].type, said[name]) for name in said}}, command, strict=False
    )


def _read(kind: Any, text: str) -> Any:
    """A value of this type as text."""
    kinds = {get_origin(one) or one for one in (get_args(kind) if get_origin(kind) in UNIONS else (kind,))}
    if dict in kinds:
        return {key: int(number) for key, _, number in (item.partition("*") for item in text.split(",") if item)}
    return text.split(",") if tuple in kinds else text


def _kind(command: type[Command]) -> str:
    return str(command.__struct_config__.tag)


def _joined(head: str, body: str) -> str:
    return f"{head}, {body}" if body else head


def _choice(name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"{name}={','.join(value)}"
    if isinstance(value, Mapping):
        return f"{name}={','.join(f'{key}*{number}' for key, number in value.items())}"
    return f"{name}={value}"


def _step(step: TakeStep) -> str:
    words = ["step", *(str(part) for part in (step.owner, step.source) if part is not UNSET)]
    return " ".join(words if step.target is UNSET else [*words, ">", str(step.target)])


def _parse_step(text: str) -> TakeStep:
    before, arrow, target = (part.strip() for part in text.partition(">"))
    if arrow and not target:
        raise ValueError(text)
    words = before.split()
    if len(words) > 2 or (len(words) < 2 and not arrow):
        raise ValueError(text)
    source = words[-1] if words else UNSET
    return TakeStep(words[0] if len(words) == 2 else UNSET, source, target if arrow else UNSET)


def _parse_several(text: str) -> Several:
    steps = [part.strip().removeprefix("step").strip() for part in text.split("/")]
    return Several(tuple(_parse_step(step) for step in steps))


def _parse_special(text: str) -> Special:
    choices: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in Special.__struct_fields__:
            raise ValueError(text)
        choices[name] = _parse_choice(name, value)
    return Special(**choices)


def _parse_choice(name: str, value: str) -> Any:
    if name in ("value", "stack"):
        return int(value)
    if name == "regions":
        return tuple(value.split(","))
    if name in ("from_regions", "own", "others", "pieces"):
        return {key: int(number) for key, _, number in (item.partition("*") for item in value.split(",") if item)}
    return value


def _number_and_counts(text: str) -> tuple[int, dict[str, int]]:
    """`2, granada 1` is two from the usual place and one from Granada."""
    first, *others = _items(text) or ["0"]
    return int(first), _numbers(", ".join(others))


def _no_more(command: Command) -> Callable[[str], Command]:
    """A move that is a word alone."""

    def read(rest: str) -> Command:
        if rest:
            raise ValueError(rest)
        return command

    return read


def _one_word(rest: str) -> str:
    [word] = rest.split()
    return word


_MOVES: dict[str, Callable[[str], Command]] = {
    "power": lambda rest: PlayPowerCard(int(rest)),
    "draw": lambda rest: Draw(*_number_and_counts(rest)),
    "card": lambda rest: ChooseActionCard(int(rest)),
    "place": lambda rest: Place(_numbers(rest)),
    "special": _parse_special,
    "step": _parse_step,
    "several": _parse_several,
    "allow": _no_more(VetoResponse("allow")),
    "allow_rest": _no_more(VetoResponse("allow_rest")),
    "veto": _no_more(VetoResponse("veto")),
    "return": lambda rest: Return(*_number_and_counts(rest)),
    "disk": lambda rest: SetDisk(_one_word(rest)),
    "stop": _no_more(Stop()),
    "end": _no_more(EndTurn()),
}
