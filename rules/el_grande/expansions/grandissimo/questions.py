"""The questions that Grandissimo asks of the table, and its answers to those of the base game."""

from __future__ import annotations

from collections.abc import Callable

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    count,
    free_regions,
    has_done,
    king_region,
    opponents,
    placement_spaces,
)
from rules.el_grande.deck import design
from rules.el_grande.expansions.grandissimo.facts import (
    BLACK,
    INQUISITOR,
    SHIPS,
    DeputyMoved,
    TurnResumed,
    foreign_court,
    mine,
)
from rules.el_grande.regions import CASTILLO, REGIONS, Region
from rules.el_grande.steps.rounds import NextTurn
from rules.el_grande.steps.turns import UseCard
from rules.kernel import Outcome, Player

# The map

PORTUGAL_POINTS = (5, 0, 0)
BESIDE_PORTUGAL = ("galicia", "castilla_la_vieja", "castilla_la_nueva", "sevilla")
PORTUGAL_NAMES = ("Portugal", "Portugal", "Portugal", "Portugal", "Portugal")


def regions_with_portugal() -> dict[str, Region]:
    """The regions beside Portugal, which now have one more neighbour, and Portugal."""
    beside = {
        name: Region(region.points, (*region.neighbours, "portugal"), region.coastal)
        for name, region in REGIONS.items()
        if name in BESIDE_PORTUGAL
    }
    portugal = Region(
        PORTUGAL_POINTS, BESIDE_PORTUGAL, coastal=True, on_disk=False, admits_king=False, names=PORTUGAL_NAMES
    )
    return {**beside, "portugal": portugal}


def coast(board: Board) -> tuple[str, ...]:
    return tuple(name for name, region in board.rules.regions.items() if region.coastal)


def interior(board: Board) -> tuple[str, ...]:
    return tuple(name for name, region in board.rules.regions.items() if not region.coastal)


# Ships


def ships(board: Board) -> tuple[str, ...]:
    """The ship tiles in play: one is enough for two players."""
    return SHIPS[:1] if len(board.players) == 2 else SHIPS


def own_ships(board: Board, player: Player) -> tuple[str, ...]:
    """The ship tiles in this player's court."""
    return tuple(ship for ship, holder in mine(board).ships.items() if holder == player)


def ships_to_take(board: Board, player: Player) -> tuple[str, ...]:
    """The first tile beside the board; if there is none, those in the courts of others."""
    beside = tuple(ship for ship in ships(board) if ship not in mine(board).ships)
    return beside[:1] or tuple(ship for ship in ships(board) if mine(board).ships[ship] != player)


def placement_with_ships(
    former: Callable[[Board, UseCard], tuple[str, ...]],
) -> Callable[[Board, UseCard], tuple[str, ...]]:
    """Whoever places from the own court or province may put caballeros onto the own ships."""
    return lambda board, turn: (*former(board, turn), *own_ships(board, turn.by))


def free_placement_with_ships(
    former: Callable[[Board, Player], tuple[str, ...]],
) -> Callable[[Board, Player], tuple[str, ...]]:
    return lambda board, player: (*former(board, player), *own_ships(board, player))


def usual_placement(board: Board, player: Player) -> tuple[str, ...]:
    """Where a caballero may go beside the king, into the castillo, or onto an own ship."""
    return (*placement_spaces(board), *own_ships(board, player))


# The king, and the Grande who acts for him


def region_of_king_or_deputy(former: Callable[[Board], str]) -> Callable[[Board], str]:
    """The region of the Grande who acts for the king is the king's in every respect."""

    def region(board: Board) -> str:
        deputy = mine(board).deputy
        return board.grandes[deputy] if deputy else former(board)

    return region


def move_king_or_deputy(former: Callable[[Board, str], Fact]) -> Callable[[Board, str], Fact]:
    """What moves the king moves the Grande who acts for him."""

    def moved(board: Board, region: str) -> Fact:
        deputy = mine(board).deputy
        return DeputyMoved(deputy, region) if deputy else former(board, region)

    return moved


def is_king_away(board: Board) -> bool:
    return bool(mine(board).deputy)


def where_the_king_returns(board: Board) -> str:
    """Where his deputy stands; if the king may not go there, where he came from."""
    region = king_region(board)
    return region if board.rules.regions[region].admits_king else mine(board).left


def grandes_outside(board: Board) -> tuple[Player, ...]:
    """The players whose Grande is not in the castillo."""
    return tuple(player for player in board.players if board.grandes.get(player, CASTILLO) != CASTILLO)


def movable_grandes(board: Board) -> tuple[Player, ...]:
    """The players whose Grande stands in a free region."""
    free = free_regions(board)
    return tuple(player for player in board.players if board.grandes.get(player) in free)


# Characters


def holder_of(board: Board, character: str) -> Player:
    return mine(board).characters.get(character, "")


def holder_of_mercenaries(board: Board, owner: str) -> Player:
    """Mercenaries are the General Inquisitor's."""
    return holder_of(board, INQUISITOR) if owner == BLACK else ""


def counted_with_mercenaries(
    former: Callable[[Board, str, Player], int],
) -> Callable[[Board, str, Player], int]:
    """Mercenaries count for the player who holds the General Inquisitor."""

    def counted(board: Board, space: str, player: Player) -> int:
        number = former(board, space, player)
        return number + count(board, space, BLACK) if holder_of(board, INQUISITOR) == player else number

    return counted


# Region cards


def pool(board: Board) -> tuple[str, ...]:
    """The region cards that no effect uses."""
    used = {region for cards in mine(board).hidden.values() for region in cards.values()}
    used.update(mine(board).alliance)
    return tuple(region for region in board.rules.region_order if region not in used)


# The round


def is_stopped(board: Board, player: Player) -> bool:
    """Whether another player has stopped the special actions of this round."""
    return any(deed.card == "gr_action_stop" and deed.player != player for deed in board.deeds or ())


def is_conscripting(board: Board, turn: UseCard) -> bool:
    """Whether the placement with this card comes from the province."""
    return turn.card == "gr_conscription" and has_done(board, turn.by, turn.card)


def untaken(board: Board) -> tuple[str, ...]:
    """The cards that lie face up, by stack."""
    cards = (card for card in board.face_up if card not in board.taken)
    return tuple(sorted(cards, key=lambda card: design(board, card).stack))


def kept_cards(board: Board, player: Player) -> tuple[str, ...]:
    return tuple(card for card, holder in mine(board).kept.items() if holder == player)


def guests(board: Board, player: Player) -> tuple[Player, ...]:
    """Whose caballeros wait in this player's court to be placed."""
    return tuple(owner for owner in opponents(board, player) if count(board, foreign_court(player), owner))


# The last word


class ResumeTurn(Step, frozen=True, tag="resume_turn"):
    """A turn that was postponed goes on where it was left."""

    by: Player

    def run(self, state: State) -> Outcome:
        return Outcome((TurnResumed(self.by),))


def resumed(
    former: Callable[[Board, Player], tuple[Step, ...]],
) -> Callable[[Board, Player], tuple[Step, ...]]:
    """A turn that was postponed does not begin again: the rest of it waits on the agenda."""
    return lambda board, player: (ResumeTurn(player),) if mine(board).postponed == player else former(board, player)


def turns_of_the_others(state: State) -> tuple[Step, ...]:
    """A player who has postponed the own turn waits for those of the others."""
    board: Board = state.board
    return (NextTurn(),) if board.turn and mine(board).postponed == board.turn and board.turn in board.queue else ()
