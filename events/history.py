"""The one loop over stored commits: before, commit, after.

Verification, the arbiter, the clock ledger, notifications and the replay viewer all walk through a game with it.

>>> from events.games import Games
>>> from events.log.memory import MemoryLog
>>> from events.table.commands import Start
>>> from events.table.decider import GAME
>>> games = Games(MemoryLog())
>>> game = games.create("el_grande", players=2).id
>>> _ = games.submit(game, Start())
>>> [(step.before and step.before.status, step.after.status) for step in replay(GAME, games.commits(game))]
[(None, 'open'), ('open', 'running')]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic

from msgspec import Struct

from events.decider import Decider, State
from events.errors import Damaged
from events.log.codec import Commit


class Transition(Struct, Generic[State], frozen=True):
    """A commit and the states on both sides of it. Before the first commit there is none."""

    before: State | None
    commit: Commit
    after: State


def replay(
    decider: Decider[State, Any], commits: Iterable[Commit], state: State | None = None
) -> Iterator[Transition[State]]:
    """Every commit with the state before and after it, beginning after `state`."""
    for commit in commits:
        check_order(commit, state)
        after = decider.created(commit) if state is None else decider.after(state, commit)
        yield Transition(state, commit, after)
        state = after


def fold(decider: Decider[State, Any], entries: Iterable[bytes], state: State | None = None) -> State | None:
    """The state after these stored commits, beginning after `state`; None if there is neither."""
    for entry in entries:
        commit = decider.read(entry, state)
        check_order(commit, state)
        state = decider.created(commit) if state is None else decider.after(state, commit)
    return state


def check_order(commit: Commit, state: State | None) -> None:
    version = state.version if state else 0
    if commit.header.version != version + 1:
        raise Damaged(f"commit {commit.header.version} of {commit.header.game} follows {version}")
