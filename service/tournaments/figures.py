"""Figures of tournaments that cost something to compute: standings, crosstables. Each is computed once for all readers.

They are functions of a part of the tournament. A commit that leaves that part alone, such as an announcement, leaves
its figures alone as well.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache
from msgspec.structs import replace

from tournaments.crosstable import Line, crosstable
from tournaments.standings import Row
from tournaments.tournament import Tournament

Figure = TypeVar("Figure")

ROWS_KEPT = 200_000
"""So many rows of players a process keeps."""
LOCKS = 16


class Figures:
    """Safe between threads."""

    def __init__(self) -> None:
        self._kept: LRUCache[object, tuple[tuple[Any, ...], Any]] = LRUCache(ROWS_KEPT, getsizeof=_weight)
        self._lock = Lock()
        self._computing = [Lock() for _ in range(LOCKS)]

    def standings(self, tournament: Tournament) -> tuple[Row, ...]:
        """Now, also by tables that are done in a round under way."""
        return self._once(tournament, "standings", tournament.standings)

    def standings_after(self, tournament: Tournament, round: int) -> tuple[Row, ...]:
        return self._once(tournament, ("standings", round), as_after(tournament, round).standings)

    def crosstable(self, tournament: Tournament) -> tuple[Line, ...]:
        """Of the stage under way."""
        rows = self.standings(tournament)  # before, not within: whoever computes a figure holds a lock

        def computed() -> tuple[Line, ...]:
            history = tournament.history(tournament.stage, closed_only=False)
            members = set(tournament.members(tournament.stage))
            return crosstable(history, [row for row in rows if row.player in members])

        return self._once(tournament, "crosstable", computed)

    def is_outdated(self, tournament: Tournament, round: int) -> bool:
        """Whether a ruling has changed what a published round was drawn from."""
        return self._once(tournament, ("outdated", round), lambda: tournament.is_outdated(tournament.round(round)))

    def _once(self, tournament: Tournament, name: object, compute: Callable[[], Figure]) -> Figure:
        key, inputs = (tournament.id, name), inputs_of(tournament)
        # One thread computes it; the others that want the same wait for it.
        with self._computing[hash(key) % LOCKS]:
            with self._lock:
                kept = self._kept.get(key)
            if kept and all(one is other for one, other in zip(kept[0], inputs, strict=True)):
                figure: Figure = kept[1]
                return figure
            figure = compute()
            with self._lock:
                if _weight((inputs, figure)) <= ROWS_KEPT:
                    self._kept[key] = inputs, figure
            return figure


def _weight(kept: tuple[tuple[Any, ...], Any]) -> int:
    return 1 + (len(kept[1]) if isinstance(kept[1], tuple) else 0)


def inputs_of(tournament: Tournament) -> tuple[Any, ...]:
    """Everything that figures depend on. Values never change: the same object is the same value."""
    return (
        tournament.options,
        tournament.participants,
        tournament.stage,
        tournament.qualified,
        tournament.rounds,
        tournament.adjustments,
        tournament.lots,
    )


def as_after(tournament: Tournament, round: int) -> Tournament:
    """The tournament with the rounds up to this one alone, as rulings have made them since."""
    stage = tournament.round(round).stage
    number = sum(paired.stage == stage for paired in tournament.rounds[:round])
    kept = {
        ruling: (of, made)
        for ruling, (of, made) in tournament.adjustments.items()
        if of < stage or (of == stage and made.round <= number)
    }
    return replace(
        tournament,
        rounds=tournament.rounds[:round],
        stage=stage,
        qualified=tournament.qualified[:stage],
        adjustments=kept,
        counted=None,
    )
