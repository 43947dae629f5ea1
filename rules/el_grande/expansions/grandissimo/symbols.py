"""Symbols: the further action of some cards of stack 6, beside placement and special action."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType, field

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    check_source,
    count,
    free_regions,
    name_of,
    pieces,
    source_keys,
)
from rules.el_grande.expansions.grandissimo.facts import CaballeroImprisoned, ShipTaken
from rules.el_grande.expansions.grandissimo.questions import is_stopped, ships, ships_to_take
from rules.el_grande.facts import SpecialActionBegan
from rules.el_grande.steps.special import CardStep, SpecialAction, given
from rules.el_grande.steps.turns import NOT_NOW, Part, UseCard
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words
from rules.texts import Text, say

SHIP, PRISON_SYMBOL = "symbol_ship", "symbol_prison"

SYMBOLS = {
    "gr_double_turn": PRISON_SYMBOL,
    "gr_free_will": SHIP,
    "gr_scoring_coastal": SHIP,
    "gr_espionage": PRISON_SYMBOL,
    "gr_conscription": SHIP,
    "gr_last_word": SHIP,
    "gr_excessive_force": PRISON_SYMBOL,
}
"""Cards to the symbol on them. Only two of these are printed in a source that we know (ruling 110)."""


class UseSymbol(Command, frozen=True, tag="symbol"):
    """The action of a symbol: take a ship tile, or imprison a caballero."""

    tile: str | UnsetType = UNSET
    owner: str | UnsetType = UNSET
    source: str | UnsetType = field(name="from", default=UNSET)


class SymbolPart(Part):
    """The action of the symbol on the card."""

    again = say("the symbol was used already in this turn")

    def is_open(self, board: Board, turn: UseCard) -> bool:
        return bool(self.forms(board, turn))

    def open_forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        return self.forms(board, turn)

    def forms(self, board: Board, turn: UseCard) -> tuple[Form, ...]:
        symbol = SYMBOLS.get(turn.card)
        if not symbol or is_stopped(board, turn.by):
            return ()
        return ship_forms(board, turn.by) if symbol == SHIP else tuple(prison_forms(board))

    def begin(self, state: State, turn: UseCard, command: UseSymbol) -> Outcome:
        board, symbol = state.board, SYMBOLS.get(turn.card, "")
        if not symbol or is_stopped(board, turn.by):
            raise RuleBroken(NOT_NOW, "symbol")
        if symbol == SHIP:
            action: CardStep = checked_ship(board, turn.by, command)
            told: dict[str, Any] = {"board": str(command.tile)}
        else:
            action = checked_prisoner(board, turn.by, command)
            told = {"others": {f"{command.owner}/{command.source}": 1}}
        return Outcome((SpecialActionBegan(turn.by, symbol, told),), (SpecialAction(turn.by, symbol, (action,)),))


# Ships


class TakeShip(CardStep, frozen=True, tag="take_ship"):
    """A ship tile comes to the actor's court, with everybody on it."""

    ship: str = ""

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{ship} comes to {player}'s court", ship=name_of(board, self.ship), player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((ShipTaken(self.by, self.ship),))


def ship_forms(board: Board, player: Player) -> tuple[Form, ...]:
    tiles = ships_to_take(board, player)
    if not tiles:
        return ()
    words = Words(say("Take a ship"), say("Take {tile}", tile="{tile}"))
    return (Form("symbol", say("take a ship tile to your court"), {"tile": Choice(tiles, of="ship")}, words=words),)


def checked_ship(board: Board, player: Player, command: UseSymbol) -> TakeShip:
    if command.owner is not UNSET or command.source is not UNSET:
        raise RuleBroken(say("this symbol takes a ship: name only the tile"), "fields")
    ship = given(command.tile, say("this needs a ship tile"))
    if ship not in ships(board):
        raise RuleBroken(say("there is no ship tile {ship}", ship=ship), "ship")
    if ship not in ships_to_take(board, player):
        raise RuleBroken(say("{ship} cannot be taken", ship=name_of(board, ship)), "ship")
    return TakeShip(player, ship)


# Prison


class Imprison(CardStep, frozen=True, tag="imprison"):
    """A caballero of any player goes from a free region to prison."""

    owner: Player = ""
    source: str = ""

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        place = name_of(board, self.source)
        return say("a caballero of {owner} goes from {place} to prison", owner=self.owner, place=place)

    def run(self, state: State) -> Outcome:
        return Outcome((imprisoned(state.board, self.owner, self.source, self.by),))


def imprisoned(board: Board, owner: Player, source: str, by: Player) -> Fact:
    [(exact, _)] = pieces(board, owner, source, 1)
    return CaballeroImprisoned(owner, exact, by)


def prison_forms(board: Board) -> list[Form]:
    """One form a source: whoever may be taken from there."""
    whose: dict[str, list[Player]] = {}
    for region in free_regions(board):
        for owner in board.players:
            if count(board, region, owner):
                for key in source_keys(board, owner, region):
                    whose.setdefault(key, []).append(owner)
    words = Words(say("Imprison a caballero"), say("Imprison one of {owner}", owner="{owner}"))
    return [
        Form(
            "symbol",
            say("imprison a caballero from {place}", place=key),
            {"owner": Choice(tuple(owners), of="piece"), "from": Choice((key,), of="piece")},
            words=words,
        )
        for key, owners in whose.items()
    ]


def checked_prisoner(board: Board, player: Player, command: UseSymbol) -> Imprison:
    if command.tile is not UNSET:
        raise RuleBroken(say("this symbol imprisons a caballero: name no ship tile"), "fields")
    owner = given(command.owner, say("this needs an owner"))
    source = given(command.source, say("this needs a place to take it from"))
    if owner not in board.players:
        raise RuleBroken(say("there is no player at this table called {name}", name=owner), "players")
    check_source(board, owner, source)
    return Imprison(player, owner, source)


STEPS = (TakeShip, Imprison)
