"""What Grandissimo adds to a general scoring: the spy, Grandes that leave the castillo, the free will, the boycott, the
alliance, and the end of all effects."""

from __future__ import annotations

from collections.abc import Callable

from rules.el_grande.board import Board, Fact, State, Step, points_of
from rules.el_grande.expansions.grandissimo.facts import (
    BOYCOTT,
    INQUISITOR,
    AlliedRegionsScored,
    BoycottShown,
    DisksSeen,
    EffectsEnded,
    FreeWillUsed,
    KingReturned,
    mine,
)
from rules.el_grande.expansions.grandissimo.questions import holder_of, is_king_away, where_the_king_returns
from rules.el_grande.facts import Award, SpaceScored
from rules.el_grande.scoring import Unit, counted, rank_awards, ranking
from rules.el_grande.steps.disks import sealed_disks
from rules.el_grande.steps.general import SetScoringDisks
from rules.el_grande.steps.intrigue import MoveCaballeros
from rules.el_grande.steps.special import SpecialAction
from rules.kernel import Outcome, Player

# The spy


class SetDisksBeforeSpy(SetScoringDisks, frozen=True, tag="set_disks_before_spy"):
    """All others set their disks before the spy does."""

    def asked(self, state: State) -> tuple[Player, ...]:
        return tuple(player for player in state.board.players if player != mine(state.board).spy)


class ShowDisksToSpy(Step, frozen=True, tag="show_disks_to_spy"):
    """The spy looks at them."""

    def run(self, state: State) -> Outcome:
        spy = mine(state.board).spy
        if not spy:
            return Outcome()
        others = tuple(player for player in state.board.players if player != spy)
        regions = {player: disk.region for player, disk in sealed_disks(state, others).items()}
        return Outcome((DisksSeen(spy, regions),))


class SetSpyDisk(SetScoringDisks, frozen=True, tag="set_spy_disk"):
    """The spy, who has seen the others', sets the own disk."""

    def asked(self, state: State) -> tuple[Player, ...]:
        spy = mine(state.board).spy
        return (spy,) if spy else ()


# Free will


FREE_WILL = "gr_free_will"
FREE_MOVES = 2


class ExerciseFreeWill(Step, frozen=True, tag="exercise_free_will"):
    """Two own caballeros move before the regions are scored; whoever holds a veto is asked."""

    def run(self, state: State) -> Outcome:
        player = mine(state.board).free_will
        if not player:
            return Outcome()
        moves = MoveCaballeros(player, total=FREE_MOVES, foreign=0)
        return Outcome((FreeWillUsed(player),), (SpecialAction(player, FREE_WILL, (moves,)),))


# Scoring


class ShowBoycott(Step, frozen=True, tag="show_boycott"):
    """The region that is not scored is turned up."""

    def run(self, state: State) -> Outcome:
        cards = mine(state.board).hidden.get(BOYCOTT, {})
        return Outcome(tuple(BoycottShown(player, region) for player, region in cards.items()))


class AlliedUnit(Unit, frozen=True):
    """Two regions that are scored as one, at the place of the first."""

    ally: str = ""

    def scored(self, board: Board) -> SpaceScored:
        return score_allies(board, self.space, self.ally)


def score_allies(board: Board, first: str, second: str) -> AlliedRegionsScored:
    """Counts and tables are added, then cut; each bonus counts once, wherever in the two its reason stands."""
    both = first, second
    counts: dict[Player, int] = {}
    for space in both:
        for player, number in counted(board, space).items():
            counts[player] = counts.get(player, 0) + number
    counts = {player: counts[player] for player in board.players if player in counts}
    tables = (points_of(board, space) for space in both)
    points = tuple(sum(row) for row in zip(*tables, strict=True))[: board.rules.ranks[len(board.players)]]
    tied_groups = joint_ranking(board, both, counts)
    awards = rank_awards(tied_groups, points)
    if tied_groups and len(tied_groups[0]) == 1:
        awards += _bonuses(board, both, tied_groups[0][0])
    return AlliedRegionsScored(first, counts, tuple(awards), second)


def joint_ranking(board: Board, spaces: tuple[str, str], counts: dict[Player, int]) -> list[list[Player]]:
    """As in one region: what breaks a tie in either breaks it."""
    first, second = spaces
    strengths = board.rules.strength
    if not strengths:
        return ranking(board, first, counts)
    groups: dict[tuple[int, ...], list[Player]] = {}
    for player, number in counts.items():
        more = (max(breaks(board, first, player), breaks(board, second, player)) for breaks in strengths)
        groups.setdefault((number, *more), []).append(player)
    return [groups[strength] for strength in sorted(groups, reverse=True)]


def _bonuses(board: Board, spaces: tuple[str, str], leader: Player) -> list[Award]:
    found = (
        next((award for space in spaces if (award := bonus(board, space, leader))), None)
        for bonus in board.rules.bonuses
    )
    return [award for award in found if award]


def units_after_boycott(former: Callable[[Board], tuple[Unit, ...]]) -> Callable[[Board], tuple[Unit, ...]]:
    """The region of a boycott is left out, and the allied ones are scored as one."""

    def units(board: Board) -> tuple[Unit, ...]:
        boycotted = set(mine(board).hidden.get(BOYCOTT, {}).values())
        scored = tuple(unit for unit in former(board) if unit.space not in boycotted)
        if not mine(board).alliance:
            return scored
        first, second = mine(board).alliance
        return tuple(
            AlliedUnit(first, unit.factor, second) if unit.space == first else unit
            for unit in scored
            if unit.space != second
        )

    return units


# The end


class EndEffects(Step, frozen=True, tag="end_effects"):
    """Markers and region cards go back, the General Inquisitor leaves, and the king returns."""

    def run(self, state: State) -> Outcome:
        board, facts = state.board, list[Fact]()
        if is_king_away(board):
            facts.append(KingReturned(where_the_king_returns(board)))
        if _is_anything_left(board):
            facts.append(EffectsEnded())
        return Outcome(tuple(facts))


def _is_anything_left(board: Board) -> bool:
    here = mine(board)
    return bool(here.alliance or here.spy or here.free_will or BOYCOTT in here.hidden or holder_of(board, INQUISITOR))


STEPS = (
    SetDisksBeforeSpy,
    ShowDisksToSpy,
    SetSpyDisk,
    ExerciseFreeWill,
    ShowBoycott,
    EndEffects,
)
