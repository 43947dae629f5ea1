"""What is offered is what is accepted: every command that could be named is tried, in positions of random games."""

from itertools import product

import pytest

from rules.el_caballero.base import BASE
from rules.el_caballero.board import Board
from rules.el_caballero.geometry import DIRECTIONS, FACES, coordinates
from rules.errors import RuleBroken
from tests.rules.el_caballero.games import command, turns
from tests.rules.el_caballero.table import filled

EVERY = 9
"""One situation in so many is looked at."""


def cells(board: Board) -> list[str]:
    """Everything that could be meant, with a margin of two cells."""
    xs, ys = zip(*map(coordinates, (*board.map.tiles, *board.cards)), strict=True)
    return [f"{x},{y}" for x in range(min(xs) - 2, max(xs) + 3) for y in range(min(ys) - 2, max(ys) + 3)]


def imaginable(board: Board):
    """All commands of a turn that name something on or near the map."""
    near = cells(board)
    own = [cell for cell in near if cell in board.cards]
    at_sides = [{"at": at, "dir": direction} for at in (*own, *board.map.tiles) for direction in DIRECTIONS]
    yield {"kind": "end_turn"}
    yield from ({"kind": "take_supply", "amount": amount} for amount in range(9))
    for tile, at, rotation in product((*board.visible, *board.stack[:1]), near, DIRECTIONS):
        yield {"kind": "place_tile", "tile": tile, "at": at, "rotation": rotation}
    for at, face, rotation, grande in product(near, FACES, DIRECTIONS, ("", "place", "move")):
        said = {"kind": "place_caballero", "at": at, "face": face, "rotation": rotation}
        yield {**said, "grande": grande} if grande else said
    for at, value in product(own, range(10)):
        yield {"kind": "increase_caballero", "at": at, "value": value}
    for kind, side in product(("buy_ship", "deploy_ship", "return_ship", "place_governor"), at_sides):
        yield {"kind": kind, **side}
    for source, target in product(own, own):
        yield {"kind": "move_castle", "from": source, "at": target}
    for start, end in product([side for side in at_sides if side["at"] in own], repeat=2):
        yield {"kind": "move_ship", "from": start["at"], "from_dir": start["dir"], **end}
    for kind, at in product(("build_castle", "return_caballero", "place_grande", "move_grande"), near):
        yield {"kind": kind, "at": at}


def is_accepted(state, player, said):
    try:
        state.agenda[0].answer(state, player, command(said))
    except RuleBroken:
        return False
    return True


def key(said):
    return tuple(sorted(said.items()))


@pytest.mark.parametrize("mode", BASE.modes)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_offered_is_what_is_accepted(players, mode):
    situations = turns(players, mode, 7)
    for state, decision in situations[:: max(EVERY, len(situations) // 6)]:
        offered = {key(answer) for form in decision.forms for answer in filled(form)}
        assert len(offered) == decision.size()
        imagined = {key(said): said for said in imaginable(state.board)}
        assert not {one for one in offered if not is_accepted(state, decision.player, dict(one))}
        assert {one for one, said in imagined.items() if is_accepted(state, decision.player, said)} <= offered
        assert len(offered & imagined.keys()) > 1


@pytest.mark.long
@pytest.mark.parametrize("mode", BASE.modes)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_offered_is_what_is_accepted_in_every_turn_of_a_game(players, mode):
    for state, decision in turns(players, mode, 11):
        offered = {key(answer) for form in decision.forms for answer in filled(form)}
        imagined = {key(said): said for said in imaginable(state.board)}
        accepted = {one for one, said in imagined.items() if is_accepted(state, decision.player, said)}
        assert accepted <= offered
        assert not {one for one in offered - accepted if not is_accepted(state, decision.player, dict(one))}


@pytest.mark.parametrize("mode", BASE.modes)
def test_the_default_is_always_offered(mode):
    for state, decision in turns(3, mode, 3):
        assert is_accepted(state, decision.player, {"kind": decision.default.__struct_config__.tag, **fields(decision)})


def fields(decision):
    default = decision.default
    return dict(
        zip(default.__struct_encode_fields__, map(default.__getattribute__, default.__struct_fields__), strict=True)
    )
