"""Which caballeros a player can name, the black ones included: `america`, `black/america:viceroy`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules.el_grande.board import Board, check_region, fits, held_by, marked_in, plainness, source_keys, space_of
from rules.errors import RuleBroken
from rules.kernel import Player
from rules.texts import say

Condition = Callable[[Board, Player, str], bool]
"""Whether this owner's caballero with this exact key may do what is asked."""


def named(owner: Player, player: Player, key: str) -> str:
    """
    >>> named("red", "red", "ship"), named("black", "red", "ship")
    ('ship', 'black/ship')
    """
    return key if owner == player else f"{owner}/{key}"


def able(board: Board, player: Player, region: str, may: Condition) -> Iterator[tuple[str, Player, str]]:
    """The names of the player's caballeros in a region that may do something, with owner and exact key."""
    for owner in held_by(board, player):
        for key in source_keys(board, owner, region):
            if exact := chosen(board, owner, key, may):
                yield named(owner, player, key), owner, exact


def chosen(board: Board, owner: Player, key: str, may: Condition) -> str:
    """The plainest caballero that a key names and that may do this; empty if there is none."""
    space = space_of(key)
    if key == space and board.cubes[space].get(owner, 0) and may(board, owner, space):
        return space
    ordered = sorted(marked_in(board, space, owner), key=lambda exact: plainness(board, exact))
    return next((exact for exact in ordered if fits(key, exact) and may(board, owner, exact)), "")


def found(board: Board, player: Player, name: str, may: Condition) -> tuple[Player, str]:
    """Owner and exact key of the caballero that a name means, or a refusal."""
    before, slash, after = name.partition("/")
    owner, key = (before, after) if slash else (player, name)
    if owner not in held_by(board, player) or (slash and owner == player):
        raise RuleBroken(say("{owner}'s caballeros are not yours to use", owner=owner), "players")
    check_region(board, space_of(key))
    exact = chosen(board, owner, key, may)
    if not exact:
        raise RuleBroken(say("no caballero at {key} can do this now", key=key), "as_many_as_there_are")
    return owner, exact
