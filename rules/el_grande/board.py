"""The position, and the questions one can ask about it.

Caballeros of one colour are counts. A piece that differs from its fellows (it carries a flag, sits on a special
place…) is a record of its own in `marked`; every question here hides the difference. A **piece key** names where a
piece is and what marks it: `granada` is any caballero there, the plainest first; `granada+flag` is one with a flag. A
slot comes before the marks: `ship:captain+flag`. What a key leaves out may be anything.

Caballeros belong to players, or to nobody (`Rules.neutral`); those may be somebody's to move and to count for a while.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from rules import kernel, seats
from rules.el_grande.extension import RULES, Points, Rules
from rules.el_grande.regions import CASTILLO
from rules.errors import RuleBroken
from rules.kernel import Player
from rules.texts import Text, Value, say, say_many

COLOURS = ("red", "blue", "yellow", "green", "brown")
"""The players' names at the table, clockwise by seat."""


class Piece(Struct, frozen=True):
    """A caballero that differs from its fellows; `at` is its key."""

    owner: Player
    at: str


class Veto(Struct, frozen=True):
    """A veto card in front of a player, and the last round in which it may be used."""

    player: Player
    card: str
    until: int


class Deed(Struct, frozen=True):
    """What a player has done with a card in this round, where it matters later."""

    player: Player
    card: str


class Board(Struct, frozen=True):
    """Everything on the table, in the hands and under the stacks."""

    variant: str
    players: tuple[Player, ...]
    game_length: str = "full"
    castillo_display: str = "hidden"

    round: int = 0
    king: str = ""
    cubes: Mapping[str, Mapping[Player, int]] = {}
    marked: tuple[Piece, ...] = ()
    grandes: Mapping[Player, str] = {}
    scoreboards: Mapping[str, str] = {}
    scores: Mapping[Player, int] = {}

    hands: Mapping[Player, tuple[int, ...]] = {}
    piles: Mapping[Player, tuple[int, ...]] = {}
    power: Mapping[Player, int] = {}
    history: Mapping[Player, tuple[int, ...]] = {}

    stacks: tuple[tuple[str, ...], ...] = ()
    face_up: tuple[str, ...] = ()
    taken: Mapping[str, Player] = {}
    discards: tuple[str, ...] = ()
    vetoes: tuple[Veto, ...] = ()

    first: Player = ""
    turn: Player = ""
    queue: tuple[Player, ...] = ()
    places: Mapping[Player, int] = {}
    deeds: tuple[Deed, ...] | UnsetType = UNSET
    """The deeds of this round; not there if there are none."""

    @property
    def rules(self) -> Rules:
        return RULES[self.variant]

    def consequences(self, state: State) -> tuple[Step, ...]:
        """What must be decided at once, before the game goes on."""
        for consequence in RULES[self.variant].consequences:
            if steps := consequence(state):
                return steps
        return ()

    def shift(self, owner: Player, source: str, target: str, count: int) -> Board:
        """The board after `count` caballeros went from one key to another."""
        if self.marked or is_marked(target):
            return self._shift_marked(owner, source, target, count)
        cubes = dict(self.cubes)
        cubes[source] = _less(cubes[source], owner, count)
        cubes[target] = _more(cubes[target], owner, count)
        return replace(self, cubes=cubes)

    def in_new_round(self) -> Board:
        """The board at the start of a round: what mattered in the last one only is forgotten."""
        return replace(self, deeds=UNSET) if self.deeds is not UNSET else self

    def _shift_marked(self, owner: Player, source: str, target: str, count: int) -> Board:
        cubes, marked = dict(self.cubes), list(self.marked)
        if is_marked(source):
            for _ in range(count):
                marked.remove(Piece(owner, source))
        else:
            cubes[source] = _less(cubes[source], owner, count)
        if is_marked(target):
            marked.extend([Piece(owner, target)] * count)
        else:
            cubes[target] = _more(cubes[target], owner, count)
        return replace(self, cubes=cubes, marked=in_order(marked))


# The kernel's notions, on this board.
Fact = kernel.Fact[Board]
State = kernel.State[Board]
Step = kernel.Step[Board]
SecretStep = kernel.SecretStep[Board]


def _less(counts: Mapping[Player, int], owner: Player, count: int) -> dict[Player, int]:
    left = counts.get(owner, 0) - count
    assert left >= 0, f"{owner} has {left + count} caballeros there, not {count}"
    fewer = dict(counts)
    if left:
        fewer[owner] = left
    else:
        fewer.pop(owner, None)
    return fewer


def _more(counts: Mapping[Player, int], owner: Player, count: int) -> dict[Player, int]:
    return {**counts, owner: counts.get(owner, 0) + count} if count else dict(counts)


# Pieces


def in_order(marked: Iterable[Piece]) -> tuple[Piece, ...]:
    """Marked pieces stand in one order, whatever happened to them."""
    return tuple(sorted(marked, key=lambda piece: (piece.at, piece.owner)))


def is_marked(key: str) -> bool:
    return ":" in key or "+" in key


def space_of(key: str) -> str:
    """The space a piece key names.

    >>> space_of("granada+flag"), space_of("granada")
    ('granada', 'granada')
    """
    return key.split("+", 1)[0].split(":", 1)[0]


def slot_of(key: str) -> str:
    """The special place that a key names, if any.

    >>> slot_of("ship:captain+flag"), slot_of("granada+flag")
    ('captain', '')
    """
    return key.split("+", 1)[0].partition(":")[2]


def marks_of(key: str) -> tuple[str, ...]:
    """What marks a piece, beside its place.

    >>> marks_of("ship:captain+flag"), marks_of("granada")
    (('flag',), ())
    """
    return tuple(key.split("+")[1:])


def fits(pattern: str, key: str) -> bool:
    """Whether a piece is one of those that a key names.

    >>> fits("granada", "granada+flag"), fits("granada+flag", "granada"), fits("ship+flag", "ship:captain+flag")
    (True, False, True)
    """
    if space_of(pattern) != space_of(key) or slot_of(pattern) not in ("", slot_of(key)):
        return False
    return set(marks_of(pattern)) <= set(marks_of(key))


def count(board: Board, space: str, owner: Player) -> int:
    """How many caballeros of this owner are in a space, the court or the province."""
    plain = board.cubes[space].get(owner, 0)
    if not board.marked:
        return plain
    return plain + len(marked_in(board, space, owner))


def total(board: Board, space: str) -> int:
    """All caballeros in a space."""
    return sum(count(board, space, owner) for owner in owners(board))


def marked_in(board: Board, space: str, owner: Player) -> tuple[str, ...]:
    """The keys of this owner's marked pieces in a space, the plainest first."""
    return _by_space(board).get((space, owner), ()) if board.marked else ()


Marked = dict[tuple[str, Player], tuple[str, ...]]
_SORTED: dict[int, tuple[tuple[Piece, ...], str, Marked]] = {}
"""Marked pieces by space and owner, for the boards that were asked last: by the identity of what is sorted."""
REMEMBERED = 64


def _by_space(board: Board) -> Marked:
    marked = board.marked
    known = _SORTED.get(id(marked))
    if known and known[0] is marked and known[1] == board.variant:
        return known[2]
    sorted_out = _sorted_out(board)
    if len(_SORTED) >= REMEMBERED:
        _SORTED.clear()
    _SORTED[id(marked)] = marked, board.variant, sorted_out
    return sorted_out


def _sorted_out(board: Board) -> Marked:
    found: dict[tuple[str, Player], list[str]] = {}
    for piece in board.marked:
        found.setdefault((space_of(piece.at), piece.owner), []).append(piece.at)
    return {where: tuple(sorted(keys, key=lambda key: plainness(board, key))) for where, keys in found.items()}


def plainness(board: Board, key: str) -> tuple[int, ...]:
    """How much a piece differs from its fellows: its slot first, then what it carries, then any other mark."""
    rules, slot, marks = board.rules, slot_of(key), marks_of(key)
    carried = max((rules.carried.index(mark) + 1 for mark in marks if mark in rules.carried), default=0)
    return rules.slots.index(slot) + 1 if slot else 0, carried, len(marks) - bool(carried)


def pieces(board: Board, owner: Player, key: str, wanted: int) -> list[tuple[str, int]]:
    """The exact keys of `wanted` pieces of those that a key names: the plainest go first."""
    space = space_of(key)
    plain = 0 if is_marked(key) else min(wanted, board.cubes[space].get(owner, 0))
    taken = [(key, plain)] if plain else []
    fitting = (exact for exact in marked_in(board, space, owner) if fits(key, exact))
    for exact in islice(fitting, wanted - plain):
        if taken and taken[-1][0] == exact:
            taken[-1] = exact, taken[-1][1] + 1
        else:
            taken.append((exact, 1))
    return taken


def takeable(board: Board, owner: Player) -> dict[str, int]:
    """Which of the owner's pieces on the map may leave their region, by key."""
    limits: dict[str, int] = {}
    for region in free_regions(board):
        if plain := board.cubes[region].get(owner, 0):
            limits[region] = plain
        for key in marked_in(board, region, owner):
            limits[key] = limits.get(key, 0) + 1
    return limits


def in_free_regions(board: Board, owner: Player) -> int:
    """How many of the owner's caballeros on the map may leave their region."""
    return sum(takeable(board, owner).values())


def source_keys(board: Board, owner: Player, region: str) -> Iterator[str]:
    """The ways to name one piece of this owner in a region."""
    if count(board, region, owner):
        yield region
        yield from dict.fromkeys(way for key in marked_in(board, region, owner) for way in ways_to_name(key))


def ways_to_name(key: str) -> Iterator[str]:
    """The keys that name a marked piece, from the least to the most exact, but for its bare space.

    >>> list(ways_to_name("ship:limit+gold"))
    ['ship+gold', 'ship:limit', 'ship:limit+gold']
    """
    space, slot, marks = space_of(key), slot_of(key), marks_of(key)
    for place in (space, f"{space}:{slot}") if slot else (space,):
        for number in range(len(marks) + 1):
            for some in combinations(marks, number):
                if is_marked(way := "+".join((place, *some))):
                    yield way


# Players


def clockwise_from(board: Board, player: Player) -> tuple[Player, ...]:
    """All players, beginning with this one."""
    return seats.clockwise_from(board.players, player)


def opponents(board: Board, player: Player) -> tuple[Player, ...]:
    """The others, clockwise from this player's left."""
    return clockwise_from(board, player)[1:]


def owners(board: Board) -> tuple[Player, ...]:
    """Whose caballeros there are: the players', and those of nobody."""
    return (*board.players, *board.rules.neutral) if board.rules.neutral else board.players


def belongs_to(board: Board, owner: Player, player: Player) -> bool:
    """Whether this owner's caballeros are the player's now: the own ones, and those of nobody that the player holds."""
    return owner == player or (owner in board.rules.neutral and board.rules.holder(board, owner) == player)


def held_by(board: Board, player: Player) -> tuple[Player, ...]:
    """The owners whose caballeros are the player's now."""
    held = (owner for owner in board.rules.neutral if board.rules.holder(board, owner) == player)
    return player, *held


def with_deed(board: Board, deed: Deed) -> Board:
    """The board on which this is remembered until the round is over."""
    return replace(board, deeds=(*(board.deeds or ()), deed))


def has_done(board: Board, player: Player, card: str) -> bool:
    return Deed(player, card) in (board.deeds or ())


def next_round(board: Board, number: int) -> int | None:
    """The next round that is really played."""
    played = board.rules.rounds[board.game_length]
    return next((later for later in played if later > number), None)


def is_veto_held(board: Board, card: str) -> bool:
    """A veto that was taken lies in front of its player."""
    return any(veto.card == card for veto in board.vetoes)


def holders_of_vetoes(board: Board, actor: Player) -> tuple[Player, ...]:
    """The other players who hold a veto, clockwise from the actor's left."""
    if not board.vetoes:
        return ()
    holding = {veto.player for veto in board.vetoes}
    return tuple(player for player in opponents(board, actor) if player in holding)


# Names


def name_of(board: Board, id: str) -> Value:
    """What people call a place, a card or a scoreboard."""
    return board.rules.names.get(id, id)


# The map


def king_region(board: Board) -> str:
    return board.rules.king_region(board)


def where_the_king_stands(board: Board) -> str:
    return board.king


def is_region(board: Board, space: str) -> bool:
    return space in board.rules.regions


def is_taboo(board: Board, space: str) -> bool:
    """Nothing enters or leaves the king's region."""
    return space == king_region(board)


def free_regions(board: Board) -> tuple[str, ...]:
    king = king_region(board)
    return tuple(region for region in board.rules.regions if region != king)


def free_disk_regions(board: Board) -> tuple[str, ...]:
    """The regions on the secret disk that are not the king's."""
    king = king_region(board)
    return tuple(region for region in board.rules.region_order if region != king)


def neighbours(board: Board, region: str) -> tuple[str, ...]:
    return board.rules.regions[region].neighbours


def placement_spaces(board: Board) -> tuple[str, ...]:
    """Where a placement may go: beside the king, or into the castillo."""
    return (*neighbours(board, king_region(board)), CASTILLO)


def enterable(board: Board) -> tuple[str, ...]:
    """Where a special action may send caballeros: any free region, or the castillo."""
    return (*free_regions(board), CASTILLO)


def points_of(board: Board, space: str) -> Points:
    """The table in force: a movable scoreboard replaces the printed one."""
    for scoreboard, where in board.scoreboards.items():
        if where == space:
            return board.rules.scoreboards[scoreboard]
    return board.rules.castillo_points if space == CASTILLO else board.rules.regions[space].points


def movable_scoreboards(board: Board) -> tuple[str, ...]:
    """Scoreboards that are unused or lie outside the king's region."""
    return tuple(
        scoreboard
        for scoreboard in board.rules.scoreboards
        if not is_taboo(board, board.scoreboards.get(scoreboard, ""))
    )


def scoreboard_targets(board: Board) -> tuple[str, ...]:
    """Spaces where a scoreboard may be put: free ones without a scoreboard."""
    covered = set(board.scoreboards.values())
    return tuple(space for space in enterable(board) if space not in covered)


# What players may name


def check_region(board: Board, region: str) -> None:
    if region not in board.rules.regions:
        raise RuleBroken(say("{region} is not a region of the map", region=region), "regions")


def nothing_enters(region: str) -> Text:
    return say("{region} is the king's region: nothing enters it", region=region)


def nothing_leaves(region: str) -> Text:
    return say("{region} is the king's region: nothing leaves it", region=region)


def check_enter(board: Board, space: str) -> None:
    """A caballero may go to any free region or into the castillo."""
    if space == CASTILLO:
        return
    region = space_of(space) if slot_of(space) in board.rules.slots else space
    check_region(board, region)
    if is_taboo(board, region):
        raise RuleBroken(nothing_enters(region), "taboo")


def check_source(board: Board, owner: Player, key: str, wanted: int = 1) -> None:
    """The owner must have so many pieces under this key, in a free region."""
    region = space_of(key)
    if region == CASTILLO:
        raise RuleBroken(say("caballeros leave the castillo only in a general scoring"), "castillo")
    check_region(board, region)
    if is_taboo(board, region):
        raise RuleBroken(nothing_leaves(region), "taboo")
    there = count(board, region, owner)
    if is_marked(key):
        there = sum(fits(key, exact) for exact in marked_in(board, region, owner))
    if there < wanted:
        raise RuleBroken(
            say_many(
                "{owner} has {count} caballero at {key}, not {wanted}",
                "{owner} has {count} caballeros at {key}, not {wanted}",
                there,
                owner=owner,
                key=key,
                wanted=wanted,
            ),
            "as_many_as_there_are",
        )


def check_counts(counts: Mapping[str, int]) -> None:
    """Ruling 33: a count that is named is at least one."""
    for key, number in counts.items():
        if number < 1:
            raise RuleBroken(say("{number} at {key} is not a count: name at least 1", number=number, key=key), "counts")


def in_map_order(board: Board, keys: Iterable[str]) -> list[str]:
    """What is named most exactly first, then by the order of the map: the same in whatever order it was written."""
    ranks = {region: rank for rank, region in enumerate(board.rules.regions)}
    return sorted(keys, key=lambda key: (-_exactness(key), ranks.get(space_of(key), len(ranks)), key))


def _exactness(key: str) -> int:
    return bool(slot_of(key)) + len(marks_of(key)) if is_marked(key) else 0


def take_from_regions(board: Board, owner: Player, wanted: Mapping[str, int], target: str) -> list[tuple[str, int]]:
    """The exact pieces for a map of keys, or a refusal: no piece is taken twice."""
    check_counts(wanted)
    taken: list[tuple[str, int]] = []
    for key in in_map_order(board, wanted):
        check_source(board, owner, key, wanted[key])
        for exact, number in pieces(board, owner, key, wanted[key]):
            board = board.shift(owner, exact, target, number)
            taken.append((exact, number))
    return taken
