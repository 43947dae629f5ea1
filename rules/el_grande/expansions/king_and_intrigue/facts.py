"""What can happen in King & Intrigue beside the base game, and what lies on the table for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from rules.el_grande.board import Board, Deed, Fact, with_deed
from rules.el_grande.facts import UNKNOWN, Effect
from rules.kernel import EVERYTHING, Player, Viewer

NAME = "king_and_intrigue"
HIDDEN = ""
"""A region card of which a reader knows only that it is held."""


class Intrigue(Struct, frozen=True):
    """What King & Intrigue keeps on the table."""

    region_cards: Mapping[Player, tuple[str, ...]] = {}
    """The region cards that players hold face down."""


def held(board: Board) -> Mapping[Player, tuple[str, ...]]:
    """The region cards in front of the players."""
    return cast("Intrigue", getattr(board, NAME)).region_cards


def holding(board: Board, cards: Mapping[Player, tuple[str, ...]]) -> Board:
    return replace(board, **{NAME: Intrigue(cards)})


class CardsKept(Fact, frozen=True, tag="cards_kept"):
    """The player keeps these cards; the others leave the game, and nobody else learns which."""

    player: Player
    values: tuple[int, ...]
    number: int

    def apply(self, board: Board) -> Board:
        kept = self.values or (UNKNOWN,) * self.number
        return replace(board, hands={**board.hands, self.player: kept})

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.player, EVERYTHING) else CardsKept(self.player, (), self.number)


class CaballeroCardsDealt(Fact, frozen=True, tag="caballero_cards_dealt"):
    """Who may place how many caballeros in this round."""

    cards: Mapping[Player, int]

    def apply(self, board: Board) -> Board:
        return board


class VetoGivenUp(Fact, frozen=True, tag="veto_given_up"):
    """The player has used another card in its place."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return replace(board, vetoes=tuple(veto for veto in board.vetoes if veto.player != self.player))


class PlacementFreed(Effect, frozen=True, tag="placement_freed"):
    """The player's placement of this turn may go anywhere."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return with_deed(board, Deed(self.player, self.card))


class RegionCardTaken(Effect, frozen=True, tag="region_card_taken"):
    """A region card lies face down in front of the player; nobody else knows which."""

    player: Player
    region: str

    def apply(self, board: Board) -> Board:
        cards = held(board)
        return holding(board, {**cards, self.player: (*cards.get(self.player, ()), self.region)})

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.player, EVERYTHING) else RegionCardTaken(self.player, HIDDEN)


class RegionCardsShown(Fact, frozen=True, tag="region_cards_shown"):
    """All region cards that are held are turned up together."""

    cards: Mapping[Player, tuple[str, ...]]

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Board) -> Board:
        return holding(board, self.cards)


class RegionCardsReturned(Fact, frozen=True, tag="region_cards_returned"):
    """The region cards go back to the others."""

    def apply(self, board: Board) -> Board:
        return holding(board, {})


FACTS = (
    CardsKept,
    CaballeroCardsDealt,
    VetoGivenUp,
    PlacementFreed,
    RegionCardTaken,
    RegionCardsShown,
    RegionCardsReturned,
)
