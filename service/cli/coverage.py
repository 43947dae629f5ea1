"""Coverage: the decisions, and everything else of a game, that random games came by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rules.catalogue import game_named
from rules.game import Game
from rules.kernel import Move, RuleSet, TimeUp

REACHED, TIMED_OUT = "reached", "timed_out"


@dataclass
class Coverage:
    """How often each decision was reached and timed out, and each thing of the game came up, by the way it did."""

    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, other: Coverage) -> None:
        for way, counter in other.counts.items():
            self.counts[way].update(counter)

    def move(self, move: Move) -> None:
        """Count what this move shows."""
        self.counts[REACHED][move.decision.kind] += 1
        if isinstance(move.answer, TimeUp):
            self.counts[TIMED_OUT][move.decision.kind] += 1
        for way, thing in game_named(move.before.board.variant).coverage.shown(move):
            self.counts[way][thing] += 1

    def missing(self, game: Game, rules: Sequence[RuleSet]) -> list[str]:
        """Everything that should have come up in games by these rules and has not."""
        things = dict.fromkeys(thing for each in rules for thing in game.coverage.things(each))
        decisions = dict.fromkeys(kind for each in rules for kind in each.decisions)
        return [*self._never(things, game.coverage.ways), *self._never(decisions, (REACHED, TIMED_OUT))]

    def _never(self, names: Iterable[str], ways: Sequence[str]) -> Iterator[str]:
        return (f"{name} was never {_said(way)}" for name in names for way in ways if not self.counts[way][name])

    def table(self, game: Game) -> Iterator[str]:
        """All counts, as lines of text."""
        yield from self._rows(game.coverage.heading, game.coverage.ways)
        yield from self._rows("decision", (REACHED, TIMED_OUT))

    def _rows(self, heading: str, ways: Sequence[str]) -> Iterator[str]:
        yield f"{heading:28}" + "".join(f"{_said(way):>10}" for way in ways)
        for name in sorted({name for way in ways for name in self.counts[way]}):
            yield f"{name:28}" + "".join(f"{self.counts[way][name]:>10,}" for way in ways)

    def as_json(self, game: Game) -> dict[str, dict[str, int]]:
        return {way: dict(sorted(self.counts[way].items())) for way in (*game.coverage.ways, REACHED, TIMED_OUT)}


def _said(way: str) -> str:
    return way.replace("_", " ")
