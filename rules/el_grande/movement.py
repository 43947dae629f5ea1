"""Caballeros on their way: all that go together are one event, and arrive by one door.

A card says who goes where; the rules say what each piece is called when it is there (`arrivals`), and what follows at
once (`aftermath`). Where several go together, they are looked at together: room for one is not filled twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rules.el_grande.board import Board, enterable, space_of
from rules.kernel import Player

if TYPE_CHECKING:
    from rules.el_grande.board import Fact


class Going(Struct, frozen=True):
    """Caballeros of one owner that go from one key to another."""

    owner: Player
    source: str
    target: str
    count: int = 1


Event = tuple[Going, ...]


def carried_out(board: Board, event: Iterable[Going], told: Callable[[Going], Fact]) -> tuple[Fact, ...]:
    """The facts of caballeros that go together, each told in its place, and of what follows at once."""
    arrived = board.rules.arrivals(board, tuple(event))
    facts = tuple(map(told, arrived))
    return facts + tuple(fact for aftermath in board.rules.aftermath for fact in aftermath(board, arrived))


def each_by_itself(board: Board, event: Event) -> Event:
    """Every piece is called what it is called when it goes alone."""
    arrival = board.rules.arrival
    return tuple(replace(going, target=arrival(board, going.source, going.target)) for going in event)


def other_spaces(board: Board, key: str) -> tuple[str, ...]:
    """A special action may send a caballero to any other free region, or into the castillo."""
    space = space_of(key)
    return tuple(other for other in enterable(board) if other != space)
