"""What can happen in El Caballero. Every fact carries its outcome: applying it adds, moves and removes, no more.

What would leave the map unsound in between is one fact: a tile and the cards that it eliminates; a Grande that moves
and the card that cannot stay without it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rules.el_caballero.board import IN_COURT, Board, Card, Fact, Governor, slot
from rules.el_caballero.geometry import ORIGIN
from rules.el_caballero.map import Sector
from rules.kernel import EVERYTHING, Player, Viewer


class Departure(Struct, frozen=True, omit_defaults=True):
    """A card leaves the map: so many Caballeros and ships go to its owner's court, so many ships and its castle to the
    general supply."""

    owner: Player
    at: str
    caballeros: int = 0
    fleet: int = 0
    ships: int = 0
    castle: bool = False
    grande: bool = False
    """Whether its Grande goes back to court."""

    def apply(self, board: Board) -> Board:
        owner = self.owner
        return replace(
            board,
            cards={cell: card for cell, card in board.cards.items() if cell != self.at},
            courts=_more(board.courts, owner, self.caballeros),
            fleets=_more(board.fleets, owner, self.fleet),
            ships=board.ships + self.ships,
            castles=board.castles + self.castle,
            grandes={**board.grandes, owner: IN_COURT} if self.grande else board.grandes,
        )


def _more(counts: Mapping[Player, int], player: Player, number: int) -> Mapping[Player, int]:
    return {**counts, player: counts[player] + number} if number else counts


def _paid(board: Board, player: Player, cost: int) -> Mapping[Player, int]:
    return _more(board.courts, player, -cost)


def _with(board: Board, cell: str, card: Card) -> Mapping[str, Card]:
    return {**board.cards, cell: card}


# Set-up


class TableLaid(Fact, frozen=True, tag="table_laid"):
    """Everybody has the same power cards and Caballeros in court; ships and castles lie ready for all."""

    values: tuple[int, ...]
    court: int
    ships: int
    castles: int
    governors: int = 0
    grandes: int = 0

    def apply(self, board: Board) -> Board:
        def each(value: object) -> dict[Player, object]:
            return dict.fromkeys(board.players, value)

        return replace(
            board,
            hands=each(self.values),
            history=each(()),
            courts=each(self.court),
            fleets=each(0),
            governors_left=each(self.governors),
            grandes=each(IN_COURT) if self.grandes else {},
            scores=each(0),
            ships=self.ships,
            castles=self.castles,
        )


class StartTileDrawn(Fact, frozen=True, tag="start_tile_drawn"):
    """The first tile without gold or fish lies in the middle."""

    tile: int

    def apply(self, board: Board) -> Board:
        return replace(board, map=board.map.laid(ORIGIN, Sector(self.tile)))


class StackShuffled(Fact, frozen=True, tag="stack_shuffled"):
    """The other tiles lie face down; nobody knows their order."""

    stack: tuple[int, ...]

    def apply(self, board: Board) -> Board:
        return replace(board, stack=self.stack)

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer == EVERYTHING else StackShuffled(())


class FirstPlayerDrawn(Fact, frozen=True, tag="first_player_drawn"):
    player: Player

    def apply(self, board: Board) -> Board:
        return replace(board, first=self.player)


# The round


class RoundBegan(Fact, frozen=True, tag="round_began"):
    """These tiles are turned up, beside those that were left."""

    round: int
    tiles: tuple[int, ...]

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Board) -> Board:
        # Readers who were not told the order of the stack have none to take from.
        stack = board.stack[len(self.tiles) :]
        return replace(board, round=self.round, visible=board.visible + self.tiles, stack=stack, power={})


class PowerCardPlayed(Fact, frozen=True, tag="power_card_played"):
    player: Player
    value: int

    def apply(self, board: Board) -> Board:
        player, value = self.player, self.value
        return replace(
            board,
            hands={**board.hands, player: tuple(card for card in board.hands[player] if card != value)},
            power={**board.power, player: value},
            history={**board.history, player: (*board.history[player], value)},
        )


class TurnOrderSet(Fact, frozen=True, tag="turn_order_set"):
    """Highest power card first."""

    order: tuple[Player, ...]

    def apply(self, board: Board) -> Board:
        return replace(board, queue=self.order)


class TurnBegan(Fact, frozen=True, tag="turn_began"):
    player: Player

    def apply(self, board: Board) -> Board:
        return replace(board, turn=self.player, queue=tuple(p for p in board.queue if p != self.player))


class TurnEnded(Fact, frozen=True, tag="turn_ended"):
    player: Player

    def apply(self, board: Board) -> Board:
        return replace(board, turn="")


class RoundEnded(Fact, frozen=True, tag="round_ended"):
    """The player with the lowest power card will begin the next round."""

    round: int
    first: Player

    def apply(self, board: Board) -> Board:
        return replace(board, first=self.first)


class ScoringBegan(Fact, frozen=True, tag="scoring_began"):
    round: int

    def apply(self, board: Board) -> Board:
        return board


class RegionScored(Fact, frozen=True, tag="region_scored"):
    """One region is scored: its value, who has how many Caballeros or ships there, and who gets what."""

    kind: str
    at: str
    direction: int
    value: int
    counts: Mapping[Player, int]
    points: Mapping[Player, int]
    closed: bool = False

    def apply(self, board: Board) -> Board:
        if not self.points:
            return board
        scores = {player: score + self.points.get(player, 0) for player, score in board.scores.items()}
        return replace(board, scores=scores)


class GameEnded(Fact, frozen=True, tag="game_ended"):
    """The final places; equal scores share a place."""

    places: Mapping[Player, int]

    def apply(self, board: Board) -> Board:
        return replace(board, places=self.places)


# The turn


class SupplyTaken(Fact, frozen=True, tag="supply_taken"):
    """Caballeros come to court."""

    player: Player
    count: int

    def apply(self, board: Board) -> Board:
        return replace(board, courts=_more(board.courts, self.player, self.count))


class TilePlaced(Fact, frozen=True, tag="tile_placed", omit_defaults=True):
    """A sector tile is laid; cards that now touch land on two sides are eliminated."""

    player: Player
    tile: int
    at: str
    rotation: int
    eliminated: tuple[Departure, ...] = ()

    def apply(self, board: Board) -> Board:
        board = replace(
            board,
            map=board.map.laid(self.at, Sector(self.tile, self.rotation)),
            visible=tuple(tile for tile in board.visible if tile != self.tile),
        )
        for departure in self.eliminated:
            board = departure.apply(board)
        return board


class CaballeroPlaced(Fact, frozen=True, tag="caballero_placed", omit_defaults=True):
    """A Caballero card is laid on the map, perhaps with the Grande on it."""

    player: Player
    at: str
    face: str
    rotation: int
    cost: int
    grande: str = ""
    """`place` if the Grande comes from the court, `move` if it comes from another card."""
    left: Departure | None = None
    """The card that cannot stay after the Grande has left it."""

    def apply(self, board: Board) -> Board:
        card = Card(self.player, self.face, self.rotation)
        board = replace(board, cards=_with(board, self.at, card), courts=_paid(board, self.player, self.cost))
        return _with_grande(board, self.player, self.at, self.left) if self.grande else board


class CaballeroIncreased(Fact, frozen=True, tag="caballero_increased"):
    """A card is turned, or flipped, so that it shows more Caballeros to its land."""

    player: Player
    at: str
    face: str
    rotation: int
    value: int
    cost: int

    def apply(self, board: Board) -> Board:
        card = replace(board.cards[self.at], face=self.face, rotation=self.rotation)
        return replace(board, cards=_with(board, self.at, card), courts=_paid(board, self.player, self.cost))


class CaballeroReturned(Fact, frozen=True, tag="caballero_returned"):
    """A player takes a card off the map."""

    player: Player
    card: Departure

    def apply(self, board: Board) -> Board:
        return self.card.apply(board)


class ShipBought(Fact, frozen=True, tag="ship_bought"):
    player: Player
    at: str
    direction: int
    cost: int

    def apply(self, board: Board) -> Board:
        board = replace(board, ships=board.ships - 1, courts=_paid(board, self.player, self.cost))
        return _with_ship(board, self.at, self.direction)


class ShipDeployed(Fact, frozen=True, tag="ship_deployed"):
    """A ship of the court goes to sea."""

    player: Player
    at: str
    direction: int
    cost: int

    def apply(self, board: Board) -> Board:
        fleets = _more(board.fleets, self.player, -1)
        board = replace(board, fleets=fleets, courts=_paid(board, self.player, self.cost))
        return _with_ship(board, self.at, self.direction)


class ShipMoved(Fact, frozen=True, tag="ship_moved"):
    player: Player
    source: str
    source_direction: int
    at: str
    direction: int
    cost: int

    def apply(self, board: Board) -> Board:
        board = replace(board, courts=_paid(board, self.player, self.cost))
        board = _without_ship(board, self.source, self.source_direction)
        return _with_ship(board, self.at, self.direction)


class ShipReturned(Fact, frozen=True, tag="ship_returned"):
    """A ship goes back to its owner's court."""

    player: Player
    at: str
    direction: int

    def apply(self, board: Board) -> Board:
        board = replace(board, fleets=_more(board.fleets, self.player, 1))
        return _without_ship(board, self.at, self.direction)


def _with_ship(board: Board, at: str, direction: int) -> Board:
    if card := board.cards.get(at):
        ships = tuple(sorted((*card.ships, direction)))
        return replace(board, cards=_with(board, at, replace(card, ships=ships)))
    return _with_governors_ship(board, slot(at, direction), True)


def _without_ship(board: Board, at: str, direction: int) -> Board:
    if card := board.cards.get(at):
        ships = tuple(other for other in card.ships if other != direction)
        return replace(board, cards=_with(board, at, replace(card, ships=ships)))
    return _with_governors_ship(board, slot(at, direction), False)


def _with_governors_ship(board: Board, key: str, there: bool) -> Board:
    governor = replace(board.governors[key], ship=there)
    return replace(board, governors={**board.governors, key: governor})


class CastleBuilt(Fact, frozen=True, tag="castle_built"):
    player: Player
    at: str
    cost: int

    def apply(self, board: Board) -> Board:
        return replace(
            board,
            castles=board.castles - 1,
            cards=_with(board, self.at, replace(board.cards[self.at], castle=True)),
            courts=_paid(board, self.player, self.cost),
        )


class CastleMoved(Fact, frozen=True, tag="castle_moved"):
    player: Player
    source: str
    at: str
    cost: int

    def apply(self, board: Board) -> Board:
        moved = {
            self.source: replace(board.cards[self.source], castle=False),
            self.at: replace(board.cards[self.at], castle=True),
        }
        return replace(board, cards={**board.cards, **moved}, courts=_paid(board, self.player, self.cost))


# The advanced game


class GovernorPlaced(Fact, frozen=True, tag="governor_placed"):
    """A closed region has a governor now; it goes by the side after which it is named."""

    player: Player
    at: str
    direction: int
    kind: str
    cost: int

    def apply(self, board: Board) -> Board:
        return replace(
            board,
            governors={**board.governors, slot(self.at, self.direction): Governor(self.player)},
            governors_left=_more(board.governors_left, self.player, -1),
            courts=_paid(board, self.player, self.cost),
        )


class GrandePlaced(Fact, frozen=True, tag="grande_placed"):
    """The Grande goes from the court to a card."""

    player: Player
    at: str
    cost: int

    def apply(self, board: Board) -> Board:
        board = replace(board, courts=_paid(board, self.player, self.cost))
        return _with_grande(board, self.player, self.at, None)


class GrandeMoved(Fact, frozen=True, tag="grande_moved", omit_defaults=True):
    """The Grande goes to another card; the one it leaves may not be able to stay."""

    player: Player
    source: str
    at: str
    cost: int
    left: Departure | None = None

    def apply(self, board: Board) -> Board:
        board = replace(board, courts=_paid(board, self.player, self.cost))
        return _with_grande(board, self.player, self.at, self.left)


def _with_grande(board: Board, player: Player, at: str, left: Departure | None) -> Board:
    """The Grande stands here now, and no longer where it was."""
    cards = dict(board.cards)
    if source := board.grandes[player]:
        cards[source] = replace(cards[source], grande=False)
    cards[at] = replace(cards[at], grande=True)
    board = replace(board, cards=cards, grandes={**board.grandes, player: at})
    return left.apply(board) if left else board


FACTS = (
    TableLaid,
    StartTileDrawn,
    StackShuffled,
    FirstPlayerDrawn,
    RoundBegan,
    PowerCardPlayed,
    TurnOrderSet,
    TurnBegan,
    TurnEnded,
    RoundEnded,
    ScoringBegan,
    RegionScored,
    GameEnded,
    SupplyTaken,
    TilePlaced,
    CaballeroPlaced,
    CaballeroIncreased,
    CaballeroReturned,
    ShipBought,
    ShipDeployed,
    ShipMoved,
    ShipReturned,
    CastleBuilt,
    CastleMoved,
    GovernorPlaced,
    GrandePlaced,
    GrandeMoved,
)
