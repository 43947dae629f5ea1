"""The answers of a running game that can be undone: what a game remembers of each, and which commits still stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from events.log.codec import Commit
from events.table import clock
from events.table.facts import Hand, TableFact, undone_from
from rules.kernel import Fact, State

if TYPE_CHECKING:
    from events.table.game import Game

MOST_IN_A_ROW = 20
"""So many answers of one player, given in a row, can be undone one after the other."""


MOST_REWOUND = 60
"""So many answers, of all players, a ruling of a tournament can undo at once."""


class GivenAnswer(Struct, frozen=True):
    """An answer that can be undone."""

    by: str
    """The seat that gave it, or the clock."""
    version: int
    state: State
    """The state before it."""
    hand: Hand | None
    """The player's clock when it was given."""
    turned_up: bool
    """Whether it showed a player something that was hidden before."""


def with_answer(before: Game, after: Game, by: str, at: int, facts: Sequence[Fact]) -> Game:
    """The game, which remembers the answer that these facts follow from, if there is one."""
    if not (before.may_take_back or before.tournament) or not before.started or not after.is_running:
        return after
    if all(isinstance(fact, TableFact) for fact in facts):
        return after
    hand = clock.interrupted(before.clock, facts, by, at) if before.clock and by in before.players else None
    answer = GivenAnswer(by, before.version + 1, before.state, hand, any(fact.turns_up for fact in facts))
    remembered = (*after.answers, answer)[-MOST_REWOUND:] if after.tournament else _remembered(after.answers, answer)
    return replace(after, answers=remembered, take_back=())


def _remembered(answers: tuple[GivenAnswer, ...], answer: GivenAnswer) -> tuple[GivenAnswer, ...]:
    """Of all others only the last answer, of this player all in a row."""
    if answers and answers[-1].by == answer.by:
        return (*answers[-MOST_IN_A_ROW:], answer)
    last = {earlier.by: earlier for earlier in answers if earlier.by != answer.by}
    return (*sorted(last.values(), key=lambda earlier: earlier.version), answer)


def standing(commits: Iterable[Commit]) -> list[Commit]:
    """The commits without those that were undone."""
    left: list[Commit] = []
    for commit in commits:
        if undone := undone_from(commit.facts):
            left = [earlier for earlier in left if earlier.header.version < undone]
        left.append(commit)
    return left
