"""What can happen in Grandissimo beside the base game, and what lies on the table for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from rules.el_grande.board import Board, Deed, Fact, with_deed
from rules.el_grande.facts import Effect, GrandeMoved, KingMoved, SpaceScored
from rules.el_grande.regions import PROVINCE
from rules.kernel import EVERYTHING, Player, Viewer

NAME = "grandissimo"
BLACK = "black"
PORTUGAL = "portugal"
PRISON = "prison"
SHIPS = ("ship_1", "ship_2")
QUEEN, JESTER, INQUISITOR = "queen", "jester", "inquisitor"
BOYCOTT, INCOGNITO = "boycott", "incognito"
HIDDEN = ""
"""A region card of which a reader knows only that it is held."""

MERCENARIES = 2


class Grandissimo(Struct, frozen=True, omit_defaults=True):
    """What Grandissimo keeps on the table."""

    ships: Mapping[str, Player] = {}
    """Ship tiles to the player in whose court they lie; the others lie beside the board."""
    characters: Mapping[str, Player] = {}
    """Characters to those who hold them."""
    deputy: Player = ""
    """Whose Grande acts for the king, who is in the castillo."""
    left: str = ""
    """The region that the king has left for it."""
    hidden: Mapping[str, Mapping[Player, str]] = {}
    """Boycott and King incognito: who holds a region card face down for it, and which."""
    alliance: tuple[str, ...] = ()
    """The two regions that are scored as one."""
    spy: Player = ""
    free_will: Player = ""
    second: str = ""
    """The card that was just taken for a double turn."""
    kept: Mapping[str, Player] = {}
    """Second cards that are kept for a later turn."""
    postponed: Player = ""
    """Whose turn is to be finished after all others."""


def mine(board: Board) -> Grandissimo:
    """What lies on the table for this expansion."""
    return cast("Grandissimo", getattr(board, NAME))


def changed(board: Board, **changes: Any) -> Board:
    return replace(board, **{NAME: replace(mine(board), **changes)})


def foreign_court(player: Player) -> str:
    """Where caballeros wait that others have sent to this player's court."""
    return f"guests_{player}"


# Set-up


class MercenariesDrawn(Fact, frozen=True, tag="mercenaries_drawn"):
    """A region card told where the mercenaries begin."""

    region: str

    def apply(self, board: Board) -> Board:
        there = {**board.cubes[self.region], BLACK: MERCENARIES}
        return replace(board, cubes={**board.cubes, self.region: there})


# Symbols


class ShipTaken(Effect, frozen=True, tag="ship_taken"):
    """A ship tile comes to the player's court, with everybody on it."""

    player: Player
    ship: str

    def apply(self, board: Board) -> Board:
        return changed(board, ships={**mine(board).ships, self.ship: self.player})


class CaballeroImprisoned(Effect, frozen=True, tag="caballero_imprisoned"):
    owner: Player
    source: str
    by: Player

    def apply(self, board: Board) -> Board:
        return board.shift(self.owner, self.source, PRISON, 1)


class PrisonersPardoned(Effect, frozen=True, tag="prisoners_pardoned"):
    """All prisoners go to one place."""

    by: Player
    space: str
    prisoners: Mapping[Player, int]

    def apply(self, board: Board) -> Board:
        for owner, number in self.prisoners.items():
            board = board.shift(owner, PRISON, self.space, number)
        return board


class CaballerosLanded(Fact, frozen=True, tag="caballeros_landed"):
    """Caballeros leave a ship."""

    player: Player
    ship: str
    region: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, self.ship, self.region, self.count)


# Characters


class CharacterTaken(Effect, frozen=True, tag="character_taken"):
    """A character comes to the player, from the table or from another one."""

    player: Player
    character: str

    def apply(self, board: Board) -> Board:
        board = changed(board, characters={**mine(board).characters, self.character: self.player})
        return with_deed(board, Deed(self.player, taken(self.character)))


def taken(character: str) -> str:
    """What is remembered of a character that was taken in this round."""
    return f"{character}_taken"


class CharacterUsed(Fact, frozen=True, tag="character_used"):
    """The ability of this round is used. Where a mercenary goes, is remembered: he moves but once."""

    player: Player
    character: str
    to: str = ""

    def apply(self, board: Board) -> Board:
        return with_deed(board, Deed(self.player, f"{self.character}>{self.to}" if self.to else self.character))


class CaballeroSentToCourt(Fact, frozen=True, tag="caballero_sent_to_court"):
    """A caballero goes from its province to an opponent's court, who must place it."""

    owner: Player
    player: Player

    def apply(self, board: Board) -> Board:
        return board.shift(self.owner, PROVINCE, foreign_court(self.player), 1)


class ForeignPlaced(Fact, frozen=True, tag="foreign_placed"):
    """A player places another's caballero that was sent to the own court."""

    owner: Player
    space: str
    by: Player

    def apply(self, board: Board) -> Board:
        return board.shift(self.owner, foreign_court(self.by), self.space, 1)


class EscortAgreed(Fact, frozen=True, tag="escort_agreed"):
    """A player lets a mercenary take one of the own caballeros along, or does not."""

    player: Player
    agree: bool

    def apply(self, board: Board) -> Board:
        return board


# Actions


class SecondCardChosen(Effect, frozen=True, tag="second_card_chosen"):
    """The second card of a double turn will be used at once, or is kept."""

    player: Player
    card: str
    is_kept: bool

    def apply(self, board: Board) -> Board:
        if self.is_kept:
            return changed(board, kept={**mine(board).kept, self.card: self.player})
        return changed(board, second=self.card)


class SecondCardUsed(Fact, frozen=True, tag="second_card_used"):
    """The player begins to use a second card."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        kept = {card: player for card, player in mine(board).kept.items() if card != self.card}
        return changed(board, second="", kept=kept)


class SecondCardLaidAside(Fact, frozen=True, tag="second_card_laid_aside"):
    """The second card is done with. One that was kept is discarded now, any other at the end of the turn."""

    player: Player
    card: str
    discarded: tuple[str, ...]

    def apply(self, board: Board) -> Board:
        return replace(board, discards=board.discards + self.discarded)


class Remembered(Effect, frozen=True):
    """Something that holds until the round is over."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return with_deed(board, Deed(self.player, self.card))


class ActionsStopped(Remembered, frozen=True, tag="actions_stopped"):
    """Players whose turns come later in this round perform no special actions."""


class ConscriptsCalled(Remembered, frozen=True, tag="conscripts_called"):
    """The placement of this turn comes from the province."""


class ConscriptsPlaced(Fact, frozen=True, tag="conscripts_placed"):
    """Caballeros go from the province to the board."""

    player: Player
    space: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, PROVINCE, self.space, self.count)


class TurnPostponed(Effect, frozen=True, tag="turn_postponed"):
    """The rest of the turn follows after all others; the last player simply goes on."""

    player: Player

    def apply(self, board: Board) -> Board:
        if not board.queue:
            return board
        return changed(replace(board, queue=(*board.queue, self.player)), postponed=self.player)


class TurnResumed(Fact, frozen=True, tag="turn_resumed"):
    player: Player

    def apply(self, board: Board) -> Board:
        return changed(board, postponed="")


class AllianceFormed(Effect, frozen=True, tag="alliance_formed"):
    player: Player
    regions: tuple[str, ...]

    def apply(self, board: Board) -> Board:
        return changed(board, alliance=self.regions)


class SpyHired(Effect, frozen=True, tag="spy_hired"):
    player: Player

    def apply(self, board: Board) -> Board:
        return changed(board, spy=self.player)


class FreeWillKept(Effect, frozen=True, tag="free_will_kept"):
    player: Player

    def apply(self, board: Board) -> Board:
        return changed(board, free_will=self.player)


class CastilloEmptied(Effect, frozen=True, tag="castillo_emptied"):
    """Everybody leaves the castillo for the region on the own disk; nothing is scored."""

    by: Player

    def apply(self, board: Board) -> Board:
        return board


class CourtsScored(SpaceScored, frozen=True, tag="courts_scored"):
    """The courts are scored like a region."""


# The king


class RevolutionBegan(KingMoved, frozen=True, tag="revolution_began"):
    """The king goes into the castillo, and a Grande acts for him."""

    deputy: Player
    left: str

    def apply(self, board: Board) -> Board:
        return changed(super().apply(board), deputy=self.deputy, left=self.left)


class DeputyMoved(GrandeMoved, frozen=True, tag="deputy_moved"):
    """The Grande who acts for the king goes where the king would go."""


class KingReturned(KingMoved, frozen=True, tag="king_returned"):
    """The king comes back from the castillo."""

    def apply(self, board: Board) -> Board:
        return changed(super().apply(board), deputy="", left="")


# Region cards


class RegionCardHidden(Effect, frozen=True, tag="region_card_hidden"):
    """A region card lies face down in front of the player; nobody else knows which."""

    player: Player
    use: str
    region: str

    def apply(self, board: Board) -> Board:
        return changed(board, hidden={**mine(board).hidden, self.use: {self.player: self.region}})

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.player, EVERYTHING) else RegionCardHidden(self.player, self.use, HIDDEN)


class KingCameIncognito(KingMoved, frozen=True, tag="king_came_incognito"):
    """A region card is turned up in an opponent's turn, and the king goes there."""

    player: Player

    def apply(self, board: Board) -> Board:
        hidden = {use: cards for use, cards in mine(board).hidden.items() if use != INCOGNITO}
        return changed(super().apply(board), deputy="", left="", hidden=hidden)


class IncognitoPassed(Fact, frozen=True, tag="incognito_passed"):
    """The holder lets the king stay: for now, or for the whole turn of another player."""

    player: Player
    during: Player
    turn: bool

    def apply(self, board: Board) -> Board:
        return with_deed(board, Deed(self.player, f"pass>{self.during}")) if self.turn else board


class BoycottShown(Fact, frozen=True, tag="boycott_shown"):
    """The region of a boycott is turned up: it is not scored in this general scoring."""

    player: Player
    region: str

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Board) -> Board:
        return changed(board, hidden={**mine(board).hidden, BOYCOTT: {self.player: self.region}})


# General scoring


class DisksSeen(Fact, frozen=True, tag="disks_seen"):
    """The spy looks at the disks of the others."""

    spy: Player
    regions: Mapping[Player, str]

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Board) -> Board:
        return board

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.spy, EVERYTHING) else DisksSeen(self.spy, {})


class FreeWillUsed(Fact, frozen=True, tag="free_will_used"):
    player: Player

    def apply(self, board: Board) -> Board:
        return changed(board, free_will="")


class AlliedRegionsScored(SpaceScored, frozen=True, tag="allied_regions_scored"):
    """Two regions are scored as one."""

    ally: str


class EffectsEnded(Fact, frozen=True, tag="effects_ended"):
    """After a general scoring markers, region cards and the General Inquisitor go back."""

    def apply(self, board: Board) -> Board:
        here = mine(board)
        hidden = {use: cards for use, cards in here.hidden.items() if use != BOYCOTT}
        characters = {who: player for who, player in here.characters.items() if who != INQUISITOR}
        return changed(board, alliance=(), spy="", free_will="", hidden=hidden, characters=characters)


FACTS = (
    MercenariesDrawn,
    ShipTaken,
    CaballeroImprisoned,
    PrisonersPardoned,
    CaballerosLanded,
    CharacterTaken,
    CharacterUsed,
    CaballeroSentToCourt,
    ForeignPlaced,
    EscortAgreed,
    SecondCardChosen,
    SecondCardUsed,
    SecondCardLaidAside,
    ActionsStopped,
    ConscriptsCalled,
    ConscriptsPlaced,
    TurnPostponed,
    TurnResumed,
    AllianceFormed,
    SpyHired,
    FreeWillKept,
    CastilloEmptied,
    CourtsScored,
    RevolutionBegan,
    DeputyMoved,
    KingReturned,
    RegionCardHidden,
    KingCameIncognito,
    IncognitoPassed,
    BoycottShown,
    DisksSeen,
    FreeWillUsed,
    AlliedRegionsScored,
    EffectsEnded,
)
