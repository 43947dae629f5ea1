"""Placing Caballero cards, increasing them, and taking them back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from rules.el_caballero.board import (
    IN_COURT,
    Board,
    Card,
    Fact,
    bordered_land,
    cards_of,
    contacts,
    is_empty,
    open_cells,
    protected_value,
    region_beyond,
)
from rules.el_caballero.commands import IncreaseCaballero, PlaceCaballero, ReturnCaballero
from rules.el_caballero.facts import CaballeroIncreased, CaballeroPlaced, CaballeroReturned, Departure
from rules.el_caballero.geometry import (
    DIRECTIONS,
    DIRECTIONS_OF,
    FACES,
    LOW,
    MOST,
    number,
    turned_to,
)
from rules.el_caballero.map import Contacts, Region
from rules.el_caballero.steps.actions import (
    Action,
    can_pay,
    cells,
    check_cell,
    check_pay,
    check_rotation,
    cost_of,
    form,
    has_card_for,
    own_card,
)
from rules.el_caballero.steps.sectors import eliminated
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player
from rules.texts import say

PLACE, MOVE = GRANDE_WAYS = ("place", "move")
PLACING, MOVING = (Choice((way,), of="grande_way") for way in GRANDE_WAYS)
AT_SEA = 1
"""The cost of a card that borders only sea."""

NO_CARD_LEFT = say("all your cards are on the map or show your court: no card is left to lay")


class Placement(Action, frozen=True):
    """A card is laid on an empty cell beside a tile. It costs the number that it shows to land, or 1 at sea."""

    kind = "place_caballero"
    counter = "caballeros"

    def counters(self, command: PlaceCaballero) -> tuple[str, ...]:
        return ("caballeros", "grande") if command.grande == MOVE else ("caballeros",)

    def counters_of(self, form: Form) -> tuple[str, ...]:
        return ("caballeros", "grande") if form.fields.get("grande") == MOVING else ("caballeros",)

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        """One form for every face and rotation: the cells where a card may lie so."""
        if not can_pay(board, by, AT_SEA):
            return ()
        sites: dict[tuple[str, int, str], list[str]] = {}
        for cell, around in open_cells(board):
            for way in _ways(board, by, cell, around):
                sites.setdefault(way, []).append(cell)
        return tuple(self._form(*way, sites[way]) for way in sorted(sites, key=_in_order))

    def _form(self, face: str, rotation: int, grande: str, sites: list[str]) -> Form:
        fields = {
            "at": cells(sites, "card_cell"),
            "face": Choice((face,), of="face"),
            "rotation": Choice((rotation,), of="card_rotation"),
        }
        if not grande:
            return form(self.kind, say("place a Caballero card"), **fields)
        text = (
            say("place a card with your Grande") if grande == PLACE else say("place a card and move your Grande there")
        )
        return form(self.kind, text, **fields, grande=PLACING if grande == PLACE else MOVING)

    def facts(self, board: Board, by: Player, command: PlaceCaballero) -> tuple[Fact, ...]:
        grande = "" if command.grande is UNSET else str(command.grande)
        check_site(board, command)
        self._check_grande(board, by, contacts(board, command.at), grande)
        cost = cost_of_placement(board, command.at, command.face, command.rotation, grande)
        check_pay(board, by, cost)
        if not has_card_for(board, by, cost):
            raise RuleBroken(NO_CARD_LEFT, "reserve")
        check_unique(board, by, _added(board, command.at, command.face, command.rotation))
        left = left_behind(board, by) if grande == MOVE else None
        return (CaballeroPlaced(by, command.at, command.face, command.rotation, cost, grande, left),)

    def _check_grande(self, board: Board, by: Player, around: Contacts, grande: str) -> None:
        if grande and grande not in GRANDE_WAYS:
            raise RuleBroken(say("the Grande comes by place or by move"), "grande")
        if around.land.bit_count() < 2:
            if grande:
                raise RuleBroken(
                    say("the Grande comes with a card only where it meets land on several sides"), "grande"
                )
            return
        if not grande or not board.grandes:
            raise RuleBroken(say("a card meets land on one side only, unless your Grande stands on it"), "one_land")
        if (grande == PLACE) != (board.grandes[by] == IN_COURT):
            raise RuleBroken(
                say("your Grande is on the map: move it")
                if grande == PLACE
                else say("your Grande is in court: place it"),
                "grande",
            )


def _in_order(way: tuple[str, int, str]) -> tuple[str, int, int]:
    face, rotation, grande = way
    return grande, FACES.index(face), rotation


def _ways(board: Board, by: Player, cell: str, around: Contacts) -> Iterator[tuple[str, int, str]]:
    """Every face and rotation that a card may have in this cell, and how the Grande comes with it."""
    land = around.land
    if not land:
        if has_card_for(board, by, AT_SEA):
            yield from ((LOW, rotation, "") for rotation in DIRECTIONS)
    elif land & (land - 1):
        yield from _ways_with_grande(board, by, cell)
    else:
        yield from _ways_on_land(board, by, cell, land.bit_length() - 1)


def _ways_on_land(board: Board, by: Player, cell: str, direction: int) -> Iterator[tuple[str, int, str]]:
    counts = board.counts.get(region_beyond(board, cell, direction).anchor, {})
    own, others = counts.get(by, 0), {count for player, count in counts.items() if player != by}
    for value in range(1, min(MOST, board.courts[by]) + 1):
        if own + value not in others and has_card_for(board, by, value):
            yield *turned_to(value, direction), ""


def _ways_with_grande(board: Board, by: Player, cell: str) -> Iterator[tuple[str, int, str]]:
    if not board.grandes or not can_pay(
        board, by, 1 + min(cost_of(board, "place_grande"), cost_of(board, "move_grande"))
    ):
        return
    grande = PLACE if board.grandes[by] == IN_COURT else MOVE
    for face in FACES:
        for rotation in DIRECTIONS:
            cost = cost_of_placement(board, cell, face, rotation, grande)
            is_affordable = can_pay(board, by, cost) and has_card_for(board, by, cost)
            if is_affordable and _is_unique(board, by, _added(board, cell, face, rotation)):
                yield face, rotation, grande


def cost_of_placement(board: Board, cell: str, face: str, rotation: int, grande: str = "") -> int:
    """The highest number that faces land, or 1 at sea; what the Grande costs is added."""
    facing = [number(face, rotation, direction) for direction in DIRECTIONS_OF[contacts(board, cell).land]]
    return max(facing, default=AT_SEA) + (cost_of(board, f"{grande}_grande") if grande else 0)


def check_site(board: Board, command: PlaceCaballero) -> None:
    check_cell(command.at)
    if command.face not in FACES:
        raise RuleBroken(say("a card lies with its low or its high face up"), "face")
    check_rotation(command.rotation)
    if not is_empty(board, command.at):
        raise RuleBroken(say("something lies at {cell} already: choose an empty cell", cell=command.at), "cell")
    around = contacts(board, command.at)
    if not around.tiles:
        raise RuleBroken(say("{cell} is beside no sector tile", cell=command.at), "cell")
    if not around.land and command.face != LOW:
        raise RuleBroken(say("a card that borders only sea shows its low face"), "only_sea")


# Uniqueness


Added = Mapping[tuple[int, int, int], tuple[Region, int]]
"""Regions by anchor, and the Caballeros that come to them."""


def _added(board: Board, cell: str, face: str, rotation: int) -> Added:
    added: dict[tuple[int, int, int], tuple[Region, int]] = {}
    for direction, region in bordered_land(board, cell):
        _, sum_so_far = added.get(region.anchor, (region, 0))
        added[region.anchor] = region, sum_so_far + number(face, rotation, direction)
    return added


def _is_unique(board: Board, by: Player, added: Added) -> bool:
    return _equal(board, by, added) is None


def _equal(board: Board, by: Player, added: Added) -> tuple[Player, int] | None:
    """Another player who has as many in a region as this one would have."""
    for anchor, (_, more) in added.items():
        counts = board.counts.get(anchor, {})
        reached = counts.get(by, 0) + more
        for player, count in counts.items():
            if player != by and count == reached:
                return player, count
    return None


def check_unique(board: Board, by: Player, added: Added) -> None:
    """No player may have as many Caballeros in a region as another has."""
    if equal := _equal(board, by, added):
        player, count = equal
        raise RuleBroken(
            say("{player} has {count} in that region: have more or fewer", player=player, count=count), "unique"
        )


# Increasing


class Increase(Action, frozen=True):
    """A card that meets land on one side is turned so that a higher number faces it, for the difference."""

    kind = "increase_caballero"
    counter = "caballeros"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        """One form for every number: the cards that may show it."""
        sites: dict[int, list[str]] = {}
        for cell, card in cards_of(board, by).items():
            for value in _higher(board, by, cell, card):
                sites.setdefault(value, []).append(cell)
        return tuple(
            form(
                self.kind,
                say("increase a card to {value}", value=value),
                at=cells(sites[value], "own_card"),
                value=Choice((value,), of="card_number"),
            )
            for value in sorted(sites)
        )

    def facts(self, board: Board, by: Player, command: IncreaseCaballero) -> tuple[Fact, ...]:
        card = own_card(board, by, command.at)
        land = DIRECTIONS_OF[contacts(board, command.at).land]
        if card.grande:
            raise RuleBroken(say("a card with a Grande cannot be increased"), "grande")
        if not land:
            raise RuleBroken(say("a card that borders only sea cannot be increased"), "only_sea")
        [direction] = land
        shown = card.shows(direction)
        if not shown < command.value <= MOST:
            raise RuleBroken(
                say("the card shows {shown}: increase it to a higher number, at most {most}", shown=shown, most=MOST),
                "increase",
            )
        cost = command.value - shown
        check_pay(board, by, cost)
        region = region_beyond(board, command.at, direction)
        check_unique(board, by, {region.anchor: (region, cost)})
        face, rotation = turned_to(command.value, direction)
        return (CaballeroIncreased(by, command.at, face, rotation, command.value, cost),)


def _higher(board: Board, by: Player, cell: str, card: Card) -> Iterator[int]:
    """The higher numbers that this card may show."""
    land = contacts(board, cell).land
    if card.grande or not land:
        return
    direction = land.bit_length() - 1
    shown = card.shows(direction)
    counts = board.counts[region_beyond(board, cell, direction).anchor]
    others = {count for player, count in counts.items() if player != by}
    for value in range(shown + 1, min(MOST, shown + board.courts[by]) + 1):
        if counts[by] + value - shown not in others:
            yield value


# Returning


class Return(Action, frozen=True):
    """The player takes a card off the map. Its ships go to court; its Caballeros only if it has a castle."""

    kind = "return_caballero"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        own = cards_of(board, by)
        return (form(self.kind, say("take a card off the map"), at=cells(own, "own_card")),) if own else ()

    def facts(self, board: Board, by: Player, command: ReturnCaballero) -> tuple[Fact, ...]:
        card = own_card(board, by, command.at)
        saved = protected_value(board, command.at) if card.castle else 0
        leaves = Departure(by, command.at, saved, len(card.ships), castle=card.castle, grande=card.grande)
        return (CaballeroReturned(by, leaves),)


def left_behind(board: Board, by: Player) -> Departure | None:
    """The card that the Grande leaves, if it meets land on several sides: it cannot stay."""
    cell = board.grandes[by]
    if contacts(board, cell).land.bit_count() < 2:
        return None
    return eliminated(board, cell, protected_value(board, cell))
