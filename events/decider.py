"""A decider: what the frame of log, history and submissions asks of whatever is kept in it, such as a game.

    decided = decide(state, command, context)      what follows from a command, or a refusal
    state = after(state, commit)                   what is stored, folded

Both are pure. The frame (`events.repository`, `events.history`) knows no game: a tournament is another decider.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from events.log.codec import Commit
from rules.kernel import Fact


class Outage(Struct, frozen=True, order=True):
    """A time in which the service was away. No player pays for it."""

    until: int
    since: int


class Context(Struct, frozen=True):
    """Everything that a decision depends on beside the state and the command."""

    at: int
    """The moment of the decision, in milliseconds since 1970."""
    secret: bytes = b""
    outages: tuple[Outage, ...] = ()


class Aggregate(Protocol):
    """Something that is the fold of its commits: a game, a tournament."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int:
        """How many commits there are."""

    @property
    def head(self) -> str:
        """The hash of the last commit."""

    @property
    def at(self) -> int:
        """The moment of the last commit."""

    @property
    def commitment(self) -> str:
        """The hash that fixes its secret without showing it."""


State = TypeVar("State", bound=Aggregate)
Command = TypeVar("Command", contravariant=True)


class Decided(Struct, Generic[State], frozen=True):
    """The outcome of a command: the facts, and the state after them, which needs no second fold."""

    by: str
    """The author of the commit: a seat, an account, the clock."""
    facts: tuple[Fact, ...]
    after: State
    decision: str = ""
    """The decision that the command answers, if it answers one."""


class Decider(Protocol[State, Command]):
    """The rules of one kind of aggregate. Every function is pure."""

    def read(self, entry: bytes, state: State | None) -> Commit:
        """A stored commit that follows this state; the first one follows none."""

    def created(self, commit: Commit) -> State:
        """The state after the first commit."""

    def after(self, state: State, commit: Commit) -> State:
        """The state after one more commit."""

    def committed(self, state: State, commit: Commit) -> State:
        """The state after the facts of a commit, as the state after that commit."""

    def permit(self, state: State, command: Command) -> None:
        """Refuses a command whose author may not give it, whatever the state."""

    def decide(self, state: State, command: Command, context: Context) -> Decided[State]:
        """The outcome of a command, or a refusal."""

    def rules_version(self, state: State) -> int:
        """The version of the rules that decide now."""

    def deadline(self, state: State) -> int:
        """When the aggregate next needs attention, as `Log.append` takes it."""
