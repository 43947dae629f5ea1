"""What all actions of a turn have in common: who pays, what may be named, how answers are described."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rules.el_caballero.board import Board, Card, Fact, cards_in_court, cards_of, mode_of
from rules.el_caballero.geometry import DIRECTIONS, in_reading_order, is_cell
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player, Words
from rules.texts import Text, say, say_many

COMPASS = (say("north"), say("east"), say("south"), say("west"))


class Action(Struct, frozen=True):
    """Something that a player may do in a turn."""

    kind: ClassVar[str]
    """The command."""
    counter: ClassVar[str] = ""
    """What limits it in a turn: a key of the rules' limits; nothing if nothing does."""
    is_advanced: ClassVar[bool] = False

    def counters(self, command: Any) -> tuple[str, ...]:
        """What limits this very command."""
        return (self.counter,) if self.counter else ()

    def counters_of(self, form: Form) -> tuple[str, ...]:
        """What limits the commands that this form describes."""
        return (self.counter,) if self.counter else ()

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        """The ways to do it now, but for the limits of the turn."""
        raise AssertionError(f"{type(self).__name__} does not say how it is done")

    def facts(self, board: Board, by: Player, command: Any) -> tuple[Fact, ...]:
        """What follows from it, or a `RuleBroken`."""
        raise AssertionError(f"{type(self).__name__} does not say what it does")


# What it costs


def cost_of(board: Board, kind: str) -> int:
    return board.rules.costs[kind]


def can_pay(board: Board, by: Player, cost: int) -> bool:
    return board.courts[by] >= cost


def check_pay(board: Board, by: Player, cost: int) -> None:
    if not can_pay(board, by, cost):
        raise RuleBroken(
            say_many(
                "that costs {cost}, and there is {count} caballero in your court",
                "that costs {cost}, and there are {count} caballeros in your court",
                board.courts[by],
                cost=cost,
            ),
            "cost",
        )


def has_card_for(board: Board, by: Player, cost: int) -> bool:
    """Whether a card is left to lay after paying: those on the map and those that show the court are all there are."""
    on_map = len(cards_of(board, by))
    return cards_in_court(board.courts[by] - cost) + on_map + 1 <= mode_of(board).cards


PRICES = {
    "place_tile": say("costs nothing"),
    "place_caballero": say("costs the highest number at land, or 1 at sea"),
    "increase_caballero": say("costs the difference"),
    "return_ship": say("costs nothing"),
    "return_caballero": say("costs nothing"),
}
"""What people are told of the cost, where it is no number of the rules."""


# What may be named


def shown_cell(at: str) -> str:
    """A cell in a sentence; what is no cell is not repeated."""
    return at if is_cell(at) else "?"


def check_cell(at: str) -> None:
    if not is_cell(at):
        raise RuleBroken(
            say("a cell is two whole numbers, such as 1,-2: east of the first tile, and south of it"), "cell"
        )


def check_direction(direction: int) -> None:
    if direction not in DIRECTIONS:
        raise RuleBroken(say("a direction is 0 (north), 1 (east), 2 (south) or 3 (west)"), "direction")


def check_rotation(rotation: int) -> None:
    if rotation not in DIRECTIONS:
        raise RuleBroken(say("a rotation is a number of quarter turns from 0 to 3"), "rotation")


def own_card(board: Board, by: Player, at: str) -> Card:
    """The player's card in a cell, or a refusal."""
    check_cell(at)
    card = board.cards.get(at)
    if card is None:
        raise RuleBroken(say("no Caballero card lies at {cell}", cell=at), "own_card")
    if card.owner != by:
        raise RuleBroken(say("the card at {cell} belongs to {owner}", cell=at, owner=card.owner), "own_card")
    return card


# How answers are described


def cells(values: Iterable[str], of: str) -> Choice:
    in_order: list[str] = sorted(values, key=in_reading_order)
    return Choice(tuple(in_order), of=of)


WORDS = {
    "place_tile": Words(say("Sector tile"), say("Place the tile")),
    "place_caballero": Words(say("Caballero card"), say("Lay the card")),
    "increase_caballero": Words(say("Increase a card"), say("Increase the card")),
    "buy_ship": Words(say("Buy a ship"), say("Buy a ship")),
    "deploy_ship": Words(say("Put a ship to sea"), say("Put the ship to sea")),
    "move_ship": Words(say("Move a ship"), say("Move the ship")),
    "return_ship": Words(say("Take a ship back"), say("Take the ship back")),
    "build_castle": Words(say("Build a castle"), say("Build the castle")),
    "move_castle": Words(say("Move a castle"), say("Move the castle")),
    "return_caballero": Words(say("Take a card back"), say("Take the card back")),
    "place_governor": Words(say("Send a governor"), say("Send the governor")),
    "place_grande": Words(say("Place the Grande"), say("Place the Grande")),
    "move_grande": Words(say("Move the Grande"), say("Move the Grande")),
}
"""What people read on the buttons of actions."""


def remark(board: Board, kind: str, left: int) -> Words:
    """The words of an action, with the cost, and how often it can still be done in the turn: 0 if nothing limits it."""
    return _remark(kind, board.rules.costs.get(kind, 0), left)


@cache
def _remark(kind: str, caballeros: int, left: int) -> Words:
    cost = PRICES.get(kind) or say_many("costs {count} caballero", "costs {count} caballeros", caballeros)
    note = say("{cost}; {count} left in this turn", cost=cost, count=left) if left else cost
    return replace(WORDS[kind], note=note)


def form(kind: str, text: Text, **fields: Choice) -> Form:
    """A form, with names of fields that Python reserves written with an underscore."""
    return Form(kind, text, {name.rstrip("_"): field for name, field in fields.items()}, words=WORDS[kind])
