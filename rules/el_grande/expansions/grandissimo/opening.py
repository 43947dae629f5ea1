"""The beginning of a turn: others' caballeros in the own court are placed, and ships land."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import (
    Board,
    State,
    Step,
    check_counts,
    check_enter,
    count,
    enterable,
    in_map_order,
    is_taboo,
)
from rules.el_grande.expansions.grandissimo.facts import CaballerosLanded, ForeignPlaced, mine
from rules.el_grande.expansions.grandissimo.questions import coast, guests
from rules.el_grande.regions import CASTILLO
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import Choice, Command, Counts, Form, Outcome, Player, Total, Words, expect
from rules.texts import say, say_many


class PlaceForeign(Command, frozen=True, tag="place_foreign"):
    owner: str
    to: str


class Land(Command, frozen=True, tag="land"):
    tile: str
    to: dict[str, int]


class OpeningDone(Command, frozen=True, tag="open_done"):
    """Nobody (else) lands."""


class PlaceGuests(Step, frozen=True, tag="place_guests"):
    """Caballeros that others have sent to the own court are placed first, one by one."""

    by: Player
    kind = "place_foreign"
    prompt = say("Where do you place the caballero that was sent to your court?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if guests(state.board, self.by) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, PlaceForeign)
        board = state.board
        if command.owner not in guests(board, player):
            raise RuleBroken(say("no caballero of {owner} waits in your court", owner=command.owner), "place_foreign")
        check_enter(board, command.to)
        return Outcome((ForeignPlaced(command.owner, command.to, player),), (self,))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        fields: dict[str, Field] = {
            "owner": Choice(guests(board, player), of="seat"),
            "to": Choice(enterable(board), of="placement"),
        }
        words = Words(say("Place it"), say("Place it in {to}", to="{to}"))
        return (Form("place_foreign", say("place a caballero that was sent to your court"), fields, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return PlaceForeign(guests(state.board, player)[0], CASTILLO)


class LandCaballeros(Step, frozen=True, tag="land_caballeros"):
    """From every ship, wherever it lies, all own caballeros may go to regions at the sea, or none."""

    by: Player
    kind = "landing"
    prompt = say("Do your caballeros leave a ship?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if aboard(state.board, self.by) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, OpeningDone):
            return Outcome()
        expect(command, Land)
        board, there = state.board, aboard(state.board, player)
        if command.tile not in there:
            raise RuleBroken(say("none of your caballeros is on {ship}", ship=command.tile), "landing")
        check_counts(command.to)
        for region in command.to:
            check_landing(board, region)
        if (number := sum(command.to.values())) != there[command.tile]:
            raise RuleBroken(
                say_many(
                    "all {count} caballero on the ship lands or none, not {wanted}",
                    "all {count} caballeros on the ship land or none, not {wanted}",
                    there[command.tile],
                    wanted=number,
                ),
                "landing",
            )
        landed = (
            CaballerosLanded(player, command.tile, region, command.to[region])
            for region in in_map_order(board, command.to)
        )
        return Outcome(tuple(landed), (self,))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board = state.board
        landings = tuple(self._form(board, ship, number) for ship, number in aboard(board, player).items())
        return (*landings, Form("open_done", say("stay on board"), words=Words(button=say("Stay on board"))))

    def _form(self, board: Board, ship: str, number: int) -> Form:
        regions = Counts(dict.fromkeys(harbours(board), number), of="placement")
        fields: dict[str, Field] = {"tile": Choice((ship,), of="ship"), "to": regions}
        text = say_many("land {count} caballero", "land {count} caballeros", number)
        words = Words(say("Land from {ship}", ship=board.rules.names[ship]), say("Land {count}", count="{count}"))
        return Form("land", text, fields, Total(("to",), number, number), words)

    def default(self, state: State, player: Player) -> Command:
        return OpeningDone()


def aboard(board: Board, player: Player) -> dict[str, int]:
    """The ships on which the player has caballeros, and how many."""
    return {ship: number for ship in mine(board).ships if (number := count(board, ship, player))}


def harbours(board: Board) -> tuple[str, ...]:
    return tuple(region for region in coast(board) if not is_taboo(board, region))


def check_landing(board: Board, region: str) -> None:
    check_enter(board, region)
    if region not in harbours(board):
        raise RuleBroken(say("{region} does not lie at the sea", region=region), "landing")


STEPS = (PlaceGuests, LandCaballeros)
