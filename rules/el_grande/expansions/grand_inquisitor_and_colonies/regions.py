"""The new regions: where they lie, their special places, and how caballeros come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    belongs_to,
    enterable,
    king_region,
    marked_in,
    marks_of,
    neighbours,
    owners,
    slot_of,
    space_of,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import BESIDE, LIMIT, SUPPLY, colonies
from rules.el_grande.facts import Award
from rules.el_grande.movement import Event, Going
from rules.el_grande.regions import CASTILLO, COURT, Region
from rules.kernel import Player

FRANCIA, SHIP, AMERICA, AFRICA = "francia", "ship", "america", "africa"

REGIONS = {
    FRANCIA: Region(
        (3, 1, 0),
        ("aragon", "cataluna"),
        coastal=True,
        on_disk=False,
        names=("France", "Francia", "France", "Frankrijk", "Frankreich"),
    ),
    SHIP: Region(
        (0, 0, 0),
        on_disk=False,
        admits_king=False,
        names=("The ship", "El barco", "Le navire", "Het schip", "Das Schiff"),
    ),
    AMERICA: Region(
        (4, 0, 0),
        on_disk=False,
        admits_king=False,
        names=("America", "América", "Amérique", "Amerika", "Amerika"),
    ),
    AFRICA: Region(
        (4, 2, 1),
        on_disk=False,
        admits_king=False,
        names=("Africa", "África", "Afrique", "Afrika", "Afrika"),
    ),
}

SLOTS = {FRANCIA: ("ambassador", "emissary", "third"), SHIP: ("captain",), AMERICA: ("viceroy",)}
"""The special places of a region, the best first."""

BONUS = {"ambassador": 2, "emissary": 1, "captain": 3, "viceroy": 5}
"""What a special place brings whenever its region is scored."""

PLAINEST_FIRST = ("beside", "limit", "third", "emissary", "ambassador", "captain", "viceroy")
UNCOUNTED = ("captain", "viceroy", "beside")

COLONY = {"gold": AMERICA, "goods": AFRICA}
"""Where tokens of a kind lie."""

SPACES_OF_THE_LIMIT_BOARD = {2: 6, 3: 6, 4: 10, 5: 10}


def with_new_regions(regions: Mapping[str, Region]) -> dict[str, Region]:
    """The map with the new regions behind the others, and France beside its neighbours."""
    beside = {
        name: replace(region, neighbours=(*region.neighbours, FRANCIA))
        if name in REGIONS[FRANCIA].neighbours
        else region
        for name, region in regions.items()
    }
    return {**beside, **REGIONS}


# Special places


def free_slots(board: Board, region: str) -> tuple[str, ...]:
    """The keys of special places that nobody has taken."""
    if region not in SLOTS:
        return ()
    taken = {slot_of(key) for owner in owners(board) for key in marked_in(board, region, owner)}
    return tuple(f"{region}:{slot}" for slot in SLOTS[region] if slot not in taken)


def bonuses_of_slots(board: Board, space: str) -> Iterator[Award]:
    """The captain, the viceroy, the ambassador and the emissary bring points, whoever leads there."""
    if space not in SLOTS:
        return
    for owner in owners(board):
        player = owner if owner in board.players else board.rules.holder(board, owner)
        for key in marked_in(board, space, owner):
            slot = slot_of(key)
            if player and slot in BONUS:
                yield Award(player, BONUS[slot], slot)


def counted(former: Callable[[Board, str, Player], int]) -> Callable[[Board, str, Player], int]:
    """Black caballeros count for their holder; captain, viceroy and those beside the limit board for nobody."""

    def number(board: Board, space: str, player: Player) -> int:
        total = 0
        for owner in owners(board):
            if belongs_to(board, owner, player):
                total += board.cubes[space].get(owner, 0)
                total += sum(slot_of(key) not in UNCOUNTED for key in marked_in(board, space, owner))
        return total

    return number


# Ways in


def opens_francia(board: Board) -> bool:
    """A placement goes to France only while the king is beside it."""
    return king_region(board) in REGIONS[FRANCIA].neighbours


def opens_ship(board: Board) -> bool:
    """A placement goes aboard while the king is at a coast."""
    return board.rules.regions[king_region(board)].coastal


def beside_king(former: Callable[[Board], tuple[str, ...]]) -> Callable[[Board], tuple[str, ...]]:
    """A placement goes beside the king, into the castillo, to a free place of France beside him, or aboard."""

    def spaces(board: Board) -> tuple[str, ...]:
        beside = tuple(region for region in neighbours(board, king_region(board)) if region != FRANCIA)
        return (*beside, CASTILLO, *_francia(board), *_aboard(board, is_open=opens_ship(board)))

    return spaces


def free_placement(
    former: Callable[[Board, Player], tuple[str, ...]],
) -> Callable[[Board, Player], tuple[str, ...]]:
    """A placement anywhere goes aboard, too, and to France as always, but never straight to a colony."""

    def spaces(board: Board, player: Player) -> tuple[str, ...]:
        others = tuple(space for space in former(board, player) if space not in REGIONS)
        return (*others, *_francia(board), *_aboard(board, is_open=True))

    return spaces


def _francia(board: Board) -> tuple[str, ...]:
    return free_slots(board, FRANCIA) if opens_francia(board) else ()


def _aboard(board: Board, *, is_open: bool) -> tuple[str, ...]:
    return (SHIP, *free_slots(board, SHIP)) if is_open else ()


def destinations(former: Callable[[Board, str], tuple[str, ...]]) -> Callable[[Board, str], tuple[str, ...]]:
    """No special action brings a caballero to France; places within a region may be changed."""

    def keys(board: Board, key: str) -> tuple[str, ...]:
        space = space_of(key)
        found: list[str] = []
        for other in enterable(board):
            if other == space:
                found += _within(board, key)
            elif other != FRANCIA:
                found.append(other)
                found += () if is_carrier(key) else free_slots(board, other)
        return tuple(found)

    return keys


def _within(board: Board, key: str) -> Iterator[str]:
    """Where a caballero may go in its own region."""
    space, slot = space_of(key), slot_of(key)
    if slot in SLOTS.get(space, ()) and space != FRANCIA:
        yield space
        return
    if not is_carrier(key):
        yield from free_slots(board, space)
    if space == colonies(board).limit:
        if slot != "limit" and free_spaces(board):
            yield space + LIMIT
        if slot != "beside":
            yield space + BESIDE


def is_carrier(key: str) -> bool:
    """Whether a caballero carries a token."""
    return any(mark in SUPPLY for mark in marks_of(key))


def token_of(key: str) -> str:
    """The token that a caballero carries, if any."""
    return next((mark for mark in marks_of(key) if mark in SUPPLY), "")


# The limit board


def free_spaces(board: Board) -> int:
    """How many spaces of the limit board are free."""
    region = colonies(board).limit
    if not region:
        return 0
    taken = sum(slot_of(key) == "limit" for owner in owners(board) for key in marked_in(board, region, owner))
    return SPACES_OF_THE_LIMIT_BOARD[len(board.players)] - taken


def arrival(former: Callable[[Board, str, str], str]) -> Callable[[Board, str, str], str]:
    """A token goes along to the ship and the colonies, and nowhere else."""

    def arrived(board: Board, key: str, target: str) -> str:
        token = token_of(key)
        exact = former(board, key.replace(f"+{token}", "") if token else key, target)
        return f"{exact}+{token}" if token and space_of(target) in (SHIP, AMERICA, AFRICA) else exact

    return arrived


def arrivals(former: Callable[[Board, Event], Event]) -> Callable[[Board, Event], Event]:
    """Who comes to the limit board takes a space if there is one; of several, all do, or the rest is beside it.

    Those that are placed together fill what is free; of others that do not all fit, none takes a space yet.
    """

    def arrived(board: Board, event: Event) -> Event:
        limit = colonies(board).limit
        coming = [going for going in event if going.target == limit]
        if not coming:
            return former(board, event)
        number, free = sum(going.count for going in coming), free_spaces(board)
        taken = min(number, free) if number <= free or _is_placement(event) else 0
        return former(board, tuple(_seated(event, limit, taken)))

    return arrived


def _is_placement(event: Event) -> bool:
    return len({going.owner for going in event}) == 1 and all(going.source == COURT for going in event)


def _seated(event: Iterable[Going], limit: str, spaces: int) -> Iterator[Going]:
    for going in event:
        if going.target != limit:
            yield going
            continue
        seated = min(spaces, going.count)
        spaces -= seated
        if seated:
            yield replace(going, target=limit + LIMIT, count=seated)
        if going.count > seated:
            yield replace(going, target=limit + BESIDE, count=going.count - seated)
